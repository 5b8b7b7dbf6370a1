import type { Lead } from '../../../events/wire/lead.ts'
import { useContact } from '../../staff/leads/contact.tsx'
import { Detail } from '../../staff/leads/detail.tsx'
import { dialOf } from '../../staff/leads/dial.ts'
import { EmailAddress } from '../../staff/leads/email-address.tsx'
import { Correct } from './correct.tsx'
import { Panel } from './panel.tsx'
import { RequestDetails } from './request-details.tsx'

/** The number, which calls. Of a flagged lead nothing is noted before it is released. */
const Phone = ({ lead, onNoted }: { lead: Lead; onNoted: (lead?: Lead) => void }) => {
  const { press, question } = useContact(onNoted)
  return (
    <>
      <a href={dialOf(lead.phone)} {...(!lead.suspicion && { onClick: press(lead, 'call', null) })}>
        {lead.phone}
      </a>
      {question}
    </>
  )
}

/** All that the visitor sent, but for the message, which is above; staff correct who they are. */
export const Facts = ({ lead, onSaved }: { lead: Lead; onSaved: (lead?: Lead) => void }) => (
  <Panel id="request" title="Request" action={<Correct lead={lead} onSaved={onSaved} />}>
    <RequestDetails
      lead={lead}
      email={
        <EmailAddress email={lead.email}>
          <a href={`mailto:${lead.email}`}>{lead.email}</a>
        </EmailAddress>
      }
      phone={lead.phone && <Phone lead={lead} onNoted={onSaved} />}
    >
      {!lead.message && <Detail name="Message">No message</Detail>}
    </RequestDetails>
  </Panel>
)
