import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Person } from '../../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, space, type } from '../../../ui/theme.ts'
import { useOwnerName } from '../../account/colleagues.ts'
import { isLeadPath, leadAddress } from '../address.ts'
import { receivedMoment } from '../clock/received-in-words.ts'
import { leadTitle } from '../list/groups.ts'
import { linksInWords, ownIdsOf, relatedTo } from '../merge/links.ts'
import { MergeDialog } from '../merge/merge-dialog.tsx'
import { LeadName } from '../shown/lead-name.tsx'
import { MessageLine } from '../shown/message-line.tsx'
import { PlainLink } from '../shown/plain-link.tsx'
import { StatusChip } from '../shown/status.tsx'
import { Panel } from './panel.tsx'
import { Received } from './received.tsx'

const Assignee = ({ ownerId }: Pick<Lead, 'ownerId'>) => (
  <span css={{ color: colour.soft, fontSize: type.small }}>{useOwnerName(ownerId) ?? 'Unassigned'}</span>
)

const Related = ({ lead, reason, onMerge }: { lead: Lead; reason: string; onMerge: (() => void) | undefined }) => (
  <li css={{ display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: space.tight }}>
    <div css={{ minWidth: 0 }}>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
        <PlainLink leadId={lead.id} css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          <LeadName lead={lead} />
        </PlainLink>
        <StatusChip status={lead.followUpStatus} />
        <Assignee ownerId={lead.ownerId} />
      </div>
      {reason && <p css={{ fontSize: type.small, overflowWrap: 'anywhere' }}>{reason}</p>}
      <Received lead={lead} />
      <MessageLine lead={lead} />
    </div>
    {onMerge && (
      <Button look="quiet" aria-label={`Merge with ${leadTitle(lead)}, ${receivedMoment(lead)}`} onClick={onMerge}>
        Merge
      </Button>
    )}
  </li>
)

/**
 * The other leads with the same address or number, and why they are here: likely duplicates, which can be merged.
 * Nothing if there are none.
 */
export const OtherLeads = (props: {
  lead: Lead
  leads: readonly Lead[]
  links: Person['links']
  onMerged: (lead?: Lead) => void
}) => {
  const { lead, leads, links, onMerged } = props
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [mergingId, setMergingId] = useState<string>()
  const ownIds = ownIdsOf(lead.id, leads)
  const related = relatedTo(lead.id, leads)
  const titles = new Map(leads.map((other) => [other.id, leadTitle(other)]))
  const close = () => setMergingId(undefined)
  return (
    <>
      {related.length > 0 && (
        <Panel id="other-leads" title="Related leads">
          <ul css={{ display: 'grid', gap: space.snug }}>
            {related.map((other) => (
              <Related
                key={other.id}
                lead={other}
                reason={linksInWords(links.find(({ id }) => id === other.id)?.links, { ownIds, titles })}
                onMerge={lead.suspicion || other.suspicion ? undefined : () => setMergingId(other.id)}
              />
            ))}
          </ul>
        </Panel>
      )}
      {mergingId && (
        <MergeDialog
          ids={[lead.id, mergingId]}
          areLinked
          onUnmerged={() => onMerged()}
          onMerged={(staying) => {
            close()
            if (staying.id === lead.id) onMerged(staying)
            else navigate(leadAddress(staying.id), { replace: isLeadPath(pathname) })
          }}
          onClose={close}
        />
      )}
    </>
  )
}
