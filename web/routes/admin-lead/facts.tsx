import type { Lead } from '../../../events/wire/lead.ts'
import { Detail } from '../../staff/leads/detail.tsx'
import { dialOf } from '../../staff/leads/dial.ts'
import { EmailAddress } from '../../staff/leads/email-address.tsx'
import { usePressContact } from '../../staff/leads/open-contacts.ts'
import { Correct } from './correct.tsx'
import { Panel } from './panel.tsx'
import { RequestDetails } from './request-details.tsx'

/**
 * All that the visitor sent, but for the message, which is above; staff correct who they are. The address opens one's own
 * mail program and the number calls; then every screen asks what came of it. Of a flagged lead nothing is noted before it is
 * released. `onDirty` hears whether a correction is typed that is not saved.
 */
export const Facts = (props: { lead: Lead; onSaved: (lead?: Lead) => void; onDirty: (isDirty: boolean) => void }) => {
  const { lead, onSaved, onDirty } = props
  const press = usePressContact()
  const asking = (channel: 'email' | 'call') => (lead.suspicion ? {} : { onClick: press(lead, channel, null) })
  return (
    <Panel id="request" title="Request" action={<Correct lead={lead} onSaved={onSaved} onDirty={onDirty} />}>
      <RequestDetails
        lead={lead}
        email={
          <EmailAddress email={lead.email}>
            <a href={`mailto:${lead.email}`} {...asking('email')}>
              {lead.email}
            </a>
          </EmailAddress>
        }
        phone={
          lead.phone && (
            <a href={dialOf(lead.phone)} {...asking('call')}>
              {lead.phone}
            </a>
          )
        }
      >
        {!lead.message && <Detail name="Message">No message</Detail>}
      </RequestDetails>
    </Panel>
  )
}
