import { useState } from 'react'
import { LEFT_OUT_NAMES } from '../../../events/lead-import.ts'
import { nameOf } from '../../../events/name-of.ts'
import type { LeadImport } from '../../../events/wire/import.ts'
import { leftOutAddress, useLeftOut } from '../../staff/imports.ts'
import { counted } from '../../staff/leads/labels.ts'
import { FetchFailure } from '../../staff/notice.tsx'
import { ShowMore } from '../../staff/show-more.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const Rows = ({ id }: { id: string }) => {
  const { items, error, retry, hasMore, isLoadingMore, showMore } = useLeftOut(id)
  return (
    <>
      {error && <FetchFailure title="Error loading the rows" error={error} retry={retry} />}
      {!items && !error && <p role="status">Loading the rows...</p>}
      <ul aria-label="Rows that were left out" css={{ display: 'grid', gap: space.hair, marginTop: space.tight }}>
        {items?.map(({ row, reason }) => (
          <li key={row}>
            <span css={{ fontWeight: 500, fontVariantNumeric: 'tabular-nums' }}>Row {row}</span>{' '}
            <span css={{ color: colour.soft }}>{nameOf(LEFT_OUT_NAMES, reason)}</span>
          </li>
        ))}
      </ul>
      {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
    </>
  )
}

/** Which rows of an import were left out and why, and a file of them to correct; nothing where none were. */
export const LeftOut = ({ found: { id, leftOut = 0, hasLeftOutFile } }: { found: LeadImport }) => {
  const [isOpen, setOpen] = useState(false)
  if (leftOut === 0) return null
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: space.base, fontSize: type.small }}>
      <details
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        css={{ flex: '1 1 0', minWidth: 0, '&[open]': { flexBasis: '16rem' } }}
      >
        <summary css={{ padding: `${space.tight} 0`, cursor: 'pointer', fontWeight: 500 }}>
          Why {counted(leftOut, 'row')} {leftOut === 1 ? 'was' : 'were'} left out
        </summary>
        {isOpen && <Rows id={id} />}
      </details>
      {hasLeftOutFile && (
        <ButtonLink look="quiet" href={leftOutAddress(id)} download="rows-left-out.csv">
          Download these rows (CSV)
        </ButtonLink>
      )}
    </div>
  )
}
