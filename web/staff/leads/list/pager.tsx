import { Button } from '../../../ui/button.tsx'
import { colour, space, type } from '../../../ui/theme.ts'

/** Moves through the pages of a list; renders nothing for a single page. */
export const Pager = ({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) => {
  if (pages === 1) return null
  const to = (label: string, target: number) => {
    const isNowhere = target === page || target < 1 || target > pages
    return (
      <Button look="quiet" aria-disabled={isNowhere} onClick={() => !isNowhere && onPage(target)}>
        {label}
      </Button>
    )
  }
  return (
    <nav
      aria-label="Pages"
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'center',
        gap: space.tight,
        marginTop: space.wide,
      }}
    >
      {to('First', 1)}
      {to('Previous', page - 1)}
      <span
        css={{
          padding: `0 ${space.tight}`,
          color: colour.soft,
          fontSize: type.small,
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        Page {page} of {pages}
      </span>
      {to('Next', page + 1)}
      {to('Last', pages)}
    </nav>
  )
}
