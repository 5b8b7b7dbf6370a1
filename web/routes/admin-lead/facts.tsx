import type { Lead } from '../../../events/lead/wire.ts'
import { mailtoOf } from '../../staff/leads/contact/answer.ts'
import { PhoneNumber } from '../../staff/leads/contact/contact-links.tsx'
import { EmailAddress } from '../../staff/leads/contact/email-address.tsx'
import { EmailText } from '../../staff/leads/contact/email-text.tsx'
import { usePressContact } from '../../staff/leads/contact/log-contact.tsx'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { Correct } from './correct.tsx'
import { Panel } from './panel.tsx'
import { RequestDetails } from './request-details.tsx'

/**
 * All data that the visitor sent, except for the message, which is above; staff correct the contact details. The
 * address opens one's own mail program and the number calls.
 */
export const Facts = (props: { lead: Lead; onSaved: (lead?: Lead) => void }) => {
  const { lead, onSaved } = props
  const press = usePressContact()
  return (
    <Panel id="request" title="Request" action={<Correct lead={lead} onSaved={onSaved} />}>
      <RequestDetails
        lead={lead}
        email={
          <EmailAddress email={lead.email}>
            <a href={mailtoOf(lead.email)} onClick={press(lead, 'email', null)}>
              <EmailText email={lead.email} />
            </a>
          </EmailAddress>
        }
        phone={lead.phone && <PhoneNumber lead={lead} />}
      >
        {!lead.message && <Detail name="Message">No message</Detail>}
      </RequestDetails>
    </Panel>
  )
}
