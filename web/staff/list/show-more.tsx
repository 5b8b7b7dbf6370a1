import { Button } from '../../ui/button.tsx'
import { colour, space } from '../../ui/theme.ts'

/** Loads the next page of a list: below it, or as its last row. It keeps the focus during that time. */
export const ShowMore = ({
  isLoading,
  onMore,
  isRow = false,
}: {
  isLoading: boolean
  onMore: () => void
  isRow?: boolean
}) => (
  <p
    css={[
      { textAlign: 'center' },
      isRow ? { padding: space.snug, borderTop: `1px solid ${colour.line}` } : { marginTop: space.base },
    ]}
  >
    <Button look={isRow ? 'quiet' : 'outline'} aria-disabled={isLoading} onClick={() => !isLoading && onMore()}>
      {isLoading ? 'Loading...' : 'Show more'}
    </Button>
  </p>
)
