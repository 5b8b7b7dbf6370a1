import { useSearchParams } from 'react-router'
import type { LeadImport } from '../../../events/lead/import/import-wire.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/account/colleagues.ts'
import { openId, useReturnToList } from '../../staff/leads/list/place.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { useAdded } from './imports.ts'
import { RowDetails } from './row-details.tsx'

/** On a phone the owner, or the state of the lead, is on a line of its own. */
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

/** The state of a lead: its status and owner; if it is no longer in a list, the reason. */
const LeadState = ({ lead }: { lead: Lead }) => {
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

/** A merged lead links to the one that it went into, which staff work on. */
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
          <LeadState lead={lead} />
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
 * The current state of the leads that an import added; nothing if there are none. `isOpen` shows them initially. The
 * address names the import whose leads are shown, so that they are shown again on the way back from a lead.
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
