import { type ReactNode, useState } from 'react'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import type { useGetPages } from '../../staff/requests/use-get.ts'
import { colour, space } from '../../ui/theme.ts'

/** Rows of an import under a summary, fetched once it is opened, or at once if `isOpen`. */
export const RowDetails = (props: {
  summary: string
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}) => {
  const [isOpen, setOpen] = useState(props.isOpen ?? false)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open)
        props.onToggle?.(open)
      }}
      css={{ flex: '1 1 16rem', minWidth: 0 }}
    >
      <summary css={{ padding: `${space.tight} 0`, cursor: 'pointer', fontWeight: 500 }}>{props.summary}</summary>
      {isOpen && props.children}
    </details>
  )
}

export const RowPages = <Row extends { row: number }>(props: {
  name: string
  pages: ReturnType<typeof useGetPages<Row>>
  numberOf: (row: Row) => ReactNode
  describe: (row: Row) => string
}) => {
  const { items, error, retry, hasMore, isLoadingMore, showMore } = props.pages
  return (
    <>
      {error && <FetchFailure title="Error loading the rows" error={error} retry={retry} />}
      {!items && !error && <p role="status">Loading the rows...</p>}
      <ul aria-label={props.name} css={{ display: 'grid', gap: space.hair, marginTop: space.tight }}>
        {items?.map((row) => (
          <li key={row.row}>
            <span css={{ fontWeight: 500, fontVariantNumeric: 'tabular-nums' }}>{props.numberOf(row)}</span>{' '}
            <span css={{ color: colour.soft }}>{props.describe(row)}</span>
          </li>
        ))}
      </ul>
      {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
    </>
  )
}
