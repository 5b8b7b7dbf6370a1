import { CONTACT_METHODS } from '../../../events/base/choices.ts'
import { isContract } from '../../../events/lead/form/kind.ts'
import { choiceInWords, industryName, sourceInWords } from '../../../events/lead/labels.ts'
import type { OtherRequest } from '../../../events/lead/screens/today-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/account/colleagues.ts'
import { type ListAction, ListActionButton } from '../../staff/leads/change/action.tsx'
import { AssignToMe } from '../../staff/leads/change/assign.tsx'
import { receivedInShort } from '../../staff/leads/clock/received-in-words.ts'
import { BriefNextAction, FailedEmail, MissedCall, ReplyPromise } from '../../staff/leads/clock/reply-promise.tsx'
import { CallLink, WhatsAppLink } from '../../staff/leads/contact/contact-links.tsx'
import { EmailLink } from '../../staff/leads/contact/email-link.tsx'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { ContractChips } from '../../staff/leads/shown/contract-chips.tsx'
import { DraftIcons } from '../../staff/leads/shown/lead-drafts.tsx'
import { MergedChip } from '../../staff/leads/shown/merged-messages.tsx'
import { MessageLine } from '../../staff/leads/shown/message-line.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { LeadTitle } from './lead-title.tsx'
import { OtherRequestLine } from './other-request.tsx'
import { Row } from './section.tsx'

const PREFERRED: Record<(typeof CONTACT_METHODS)[number]['value'], string> = {
  email: 'Prefers email',
  phone: 'Prefers a call',
  whatsapp: 'Prefers WhatsApp',
}

const preferredOf = (lead: Lead) =>
  industryName(lead) === 'Preferred contact' ? CONTACT_METHODS.find(({ value }) => value === lead.industry) : undefined

/**
 * The way in which a visitor wants to be reached, and the package that they ask about; a contract's chips show its own.
 * For a row.
 */
const ContactPreference = ({ lead }: { lead: Lead }) => {
  const preferred = preferredOf(lead)
  return (
    <>
      {preferred && <span>{PREFERRED[preferred.value]}</span>}
      {lead.package && !isContract(lead.leadSource) && (
        <span css={{ overflowWrap: 'anywhere' }}>{choiceInWords('package', lead.package)}</span>
      )}
    </>
  )
}

type RowProps = { lead: Lead; other: OtherRequest | undefined; action: ListAction; onChanged: () => void }

/** A lead to work on, with a direct link to its reply. */
export const LeadRow = ({ lead, other, action, onChanged }: RowProps) => {
  const owner = useOwnerName(lead.ownerId)
  const title = leadTitle(lead)
  return (
    <Row
      id={lead.id}
      title={<LeadTitle lead={lead} />}
      actions={
        <>
          <CallLink lead={lead} title={title} />
          <WhatsAppLink lead={lead} title={title} />
          {lead.email && <EmailLink lead={lead} label={`Email ${title}`} />}
          <AssignToMe lead={lead} onChanged={onChanged} />
          <ListActionButton lead={lead} action={action} onChanged={onChanged} />
        </>
      }
      due={lead.followUpStatus === 'new' ? <ReplyPromise lead={lead} /> : <BriefNextAction day={lead.nextActionDate} />}
    >
      <ContractChips lead={lead} />
      {other && <OtherRequestLine lead={lead} other={other} />}
      <FailedEmail lead={lead} />
      <DraftIcons lead={lead} />
      <MergedChip lead={lead} />
      <MissedCall lead={lead} />
      <MessageLine lead={lead} />
      <ContactPreference lead={lead} />
      {lead.followUpStatus === 'new' ? (
        <BriefNextAction day={lead.nextActionDate} />
      ) : (
        <StatusChip status={lead.followUpStatus} />
      )}
      <span>{sourceInWords(lead.leadSource)}</span>
      <span>{owner ?? 'Unassigned'}</span>
      <time dateTime={lead.timestamp}>{receivedInShort(lead)}</time>
    </Row>
  )
}

/** The number up to which leads are counted (`GET /api/today`). */
const MAX_COUNTED = 100

/** A number of leads; from 100 on they are not counted. */
export const countOf = (count: number) => (count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count))
