import type { Today } from '../../../events/lead/today-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { receivedInShort } from '../../staff/leads/clock/received-in-words.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { quarantinePath, reasonInWords } from '../../staff/leads/quarantine/quarantine.ts'
import { ReleaseButton } from '../../staff/leads/quarantine/release-button.tsx'
import { SpamButton } from '../../staff/leads/quarantine/spam-button.tsx'
import { ContractChips } from '../../staff/leads/shown/contract-chips.tsx'
import { MessageLine } from '../../staff/leads/shown/message-line.tsx'
import { LeadTitle } from './lead-title.tsx'
import { countOf } from './leads.tsx'
import { Row, Section } from './section.tsx'

const FlaggedRow = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => {
  const title = leadTitle(lead)
  return (
    <Row
      title={<LeadTitle lead={lead} />}
      actions={
        <>
          <ReleaseButton lead={lead} look="quiet" label={`Not spam: ${title}`} onReleased={onChanged} />
          <SpamButton lead={lead} onChanged={onChanged} />
        </>
      }
    >
      <MessageLine lead={lead} />
      <ContractChips lead={lead} />
      <span>{lead.suspicion?.map(reasonInWords).join(' ')}</span>
      <time dateTime={lead.timestamp}>{receivedInShort(lead)}</time>
    </Row>
  )
}

/** The signed contracts that look like spam, until staff decide on them; nothing if there are none. */
export const QuarantineSection = ({
  found: { count, leads },
  onChanged,
}: {
  found: Today['overdue']
  onChanged: () => void
}) =>
  leads.length === 0 ? null : (
    <Section
      id="quarantined-contracts"
      title="Contracts in quarantine"
      count={countOf(count)}
      isUrgent
      all={quarantinePath()}
      total={count}
      shown={leads.length}
    >
      {leads.map((lead) => (
        <FlaggedRow key={lead.id} lead={lead} onChanged={onChanged} />
      ))}
    </Section>
  )
