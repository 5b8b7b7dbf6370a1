import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { sourceInWords } from '../../../events/lead-labels.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { leadTitle } from '../../staff/leads/list.ts'
import { MergeDialog } from '../../staff/leads/merge-dialog.tsx'
import { StatusChip } from '../../staff/leads/status.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { Panel } from './panel.tsx'

const Received = ({ lead }: { lead: Lead }) => (
  <p css={{ color: colour.soft, fontSize: type.small }}>
    {sourceInWords(lead.leadSource)}, {momentOf(lead.timestamp)}
  </p>
)

const Related = ({ lead, onMerge }: { lead: Lead; onMerge: (() => void) | undefined }) => (
  <li css={{ display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: space.tight }}>
    <div css={{ minWidth: 0 }}>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
        <Link to={leadAddress(lead.id)} css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {leadTitle(lead)}
        </Link>
        <StatusChip status={lead.followUpStatus} />
      </div>
      <Received lead={lead} />
    </div>
    {onMerge && (
      <Button look="quiet" aria-label={`Merge with ${leadTitle(lead)}, ${momentOf(lead.timestamp)}`} onClick={onMerge}>
        Merge
      </Button>
    )}
  </li>
)

/**
 * The other leads of the same person, by address or number: likely duplicates, which can be merged, and those that were
 * merged into this one. Nothing where there are none.
 */
export const OtherLeads = (props: { lead: Lead; leads: readonly Lead[]; onMerged: (lead: Lead) => void }) => {
  const { lead, leads, onMerged } = props
  const navigate = useNavigate()
  const [mergingId, setMergingId] = useState<string>()
  const merged = leads.filter(({ mergedInto }) => mergedInto)
  const related = leads.filter(({ mergedInto }) => !mergedInto)
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
                onMerge={lead.suspicion || other.suspicion ? undefined : () => setMergingId(other.id)}
              />
            ))}
          </ul>
        </Panel>
      )}
      {merged.length > 0 && (
        <Panel id="merged-leads" title="Merged into this lead">
          <ul css={{ display: 'grid', gap: space.snug }}>
            {merged.map((other) => (
              <li key={other.id}>
                <p css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{leadTitle(other)}</p>
                <Received lead={other} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {mergingId && (
        <MergeDialog
          ids={[lead.id, mergingId]}
          onMerged={(staying) => {
            close()
            if (staying.id === lead.id) onMerged(staying)
            else navigate(leadAddress(staying.id), { replace: true })
          }}
          onClose={close}
        />
      )}
    </>
  )
}
