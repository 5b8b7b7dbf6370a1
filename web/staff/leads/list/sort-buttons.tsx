import { Button } from '../../../ui/button.tsx'
import { space } from '../../../ui/theme.ts'
import type { Sort } from './groups.ts'

export const SortButtons = ({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) => (
  <fieldset aria-label="Order" css={{ display: 'flex', gap: space.tight }}>
    <Button look="quiet" aria-pressed={sort === 'desc'} onClick={() => onSort('desc')}>
      Newest First
    </Button>
    <Button look="quiet" aria-pressed={sort === 'asc'} onClick={() => onSort('asc')}>
      Oldest First
    </Button>
  </fieldset>
)
