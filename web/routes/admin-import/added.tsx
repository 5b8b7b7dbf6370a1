import { useSearchParams } from 'react-router'
import type { LeadImport } from '../../../events/lead/import-wire.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/colleagues.ts'
import { LeadName } from '../../staff/leads/lead-name.tsx'
import { openId, useReturnToList } from '../../staff/leads/list-place.ts'
import { PlainLink } from '../../staff/leads/plain-link.tsx'
import { StatusChip } from '../../staff/leads/status.tsx'
import { FetchFailure } from '../../staff/notice.tsx'
import { ShowMore } from '../../staff/show-more.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { useAdded } from './imports.ts'
import { RowDetails } from './row-details.tsx'

/** On a phone the owner, or what became of the lead, has a line of its own. */
const row = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: `${space.hair} ${space.base}`,
  padding: `${space.tight} 0`,
  borderTop: `1px solid ${colour.line}`,
  [from.medium]: { gridTemplateColumns: 'minmax(0, 26rem) 6rem minmax(0, 1fr)' },
} as const

const note = { color: colour.soft, overflowWrap: 'anywhere' } as const

/** How a lead stands: its status and owner; of one that is in no list any more what became of it. */
const Standing = ({ lead }: { lead: Lead }) => {
  const owner = useOwnerName(lead.ownerId)
  const instead = lead.mergedInto ? 'Merged into another lead' : lead.suspicion && 'In quarantine'
  if (instead) return <span css={{ ...note, gridColumn: 'span 2' }}>{instead}</span>
  return (
    <>
      <span>
        <StatusChip status={lead.followUpStatus} />
      </span>
      {owner && <span css={{ ...note, gridColumn: '1 / -1', [from.medium]: { gridColumn: 'auto' } }}>{owner}</span>}
    </>
  )
}

/** A merged lead leads to the one that it went into: that one has what staff work on. */
const AddedLead = ({ lead }: { lead: Lead }) => {
  return (
    <li css={row}>
      {isErased(lead) ? (
        <span css={note}>Erased</span>
      ) : (
        <>
          <PlainLink
            leadId={lead.mergedInto ?? lead.id}
            {...(!lead.mergedInto && { id: openId(lead.id) })}
            css={{ fontWeight: 500, overflowWrap: 'anywhere' }}
          >
            <LeadName lead={lead} />
          </PlainLink>
          <Standing lead={lead} />
        </>
      )}
    </li>
  )
}

const AddedList = ({ leads }: { leads: readonly Lead[] }) => {
  useReturnToList()
  return (
    <ul aria-label="Leads that were added">
      {leads.map((lead) => (
        <AddedLead key={lead.id} lead={lead} />
      ))}
    </ul>
  )
}

const AddedLeads = ({ id }: { id: string }) => {
  const { items, error, retry, hasMore, isLoadingMore, showMore } = useAdded(id)
  return (
    <>
      {error && <FetchFailure title="Error loading the leads" error={error} retry={retry} />}
      {!items && !error && <p role="status">Loading the leads...</p>}
      {items && <AddedList leads={items} />}
      {hasMore && <ShowMore isRow isLoading={isLoadingMore} onMore={showMore} />}
    </>
  )
}

const OPEN = 'import'

/**
 * The leads that an import has added, as they are now; nothing where there are none. `isOpen` shows them unasked. The address
 * says which import's are shown, so that those who come back from a lead find them as they were.
 */
export const Added = ({ found: { id, added }, isOpen }: { found: LeadImport; isOpen: boolean }) => {
  const [query, setQuery] = useSearchParams()
  const isNamed = query.get(OPEN) === id
  const name = (isShown: boolean) => {
    if (isShown !== isNamed) setQuery(isShown ? { [OPEN]: id } : {}, { replace: true, preventScrollReset: true })
  }
  if (added === 0) return null
  return (
    <div css={{ fontSize: type.small, '& > details > summary': { color: colour.accent, fontWeight: 600 } }}>
      <RowDetails summary={added === 1 ? 'See the lead' : 'See the leads'} isOpen={isOpen || isNamed} onToggle={name}>
        <AddedLeads id={id} />
      </RowDetails>
    </div>
  )
}
