import { Button } from '../../ui/button.tsx'
import { colour, space } from '../../ui/theme.ts'

/** Brings the next page of a list of chats. */
export const ShowMore = ({ isLoading, onMore }: { isLoading: boolean; onMore: () => void }) => (
  <div css={{ padding: space.snug, borderTop: `1px solid ${colour.line}`, textAlign: 'center' }}>
    <Button look="quiet" aria-disabled={isLoading} onClick={() => !isLoading && onMore()}>
      {isLoading ? 'Loading...' : 'Show more'}
    </Button>
  </div>
)
