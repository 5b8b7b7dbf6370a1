import type { MouseEvent } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { emailTemplates } from '../../../../events/settings/replies.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { useMe } from '../../account/account.ts'
import { useReachesPeople } from '../../email/emails.ts'
import { useGoTo } from '../../go-to.ts'
import { useSettings } from '../../settings/settings.ts'
import { answerAddress } from '../address.ts'
import { useWayBack } from '../list/place.ts'
import { filledFor, ownEmailTo } from './answer.ts'
import { usePressContact } from './log-contact.tsx'

/**
 * The link to the staff member's own mail program for a lead, if the site cannot send email; undefined if it can, and
 * until that is known.
 */
export const useOwnEmail = () => {
  const { data: settings } = useSettings()
  const { data: me } = useMe()
  const reachesPeople = useReachesPeople()
  return (lead: Lead) =>
    reachesPeople === false && settings && me
      ? ownEmailTo(lead, emailTemplates(settings.replies), filledFor(lead, me))
      : undefined
}

/**
 * Emails the person of a lead in a list, in one press: on the lead's screen or, if the site has no mail server, in the
 * staff member's own mail program. `label` names it among others.
 */
export const EmailLink = ({ lead, label }: { lead: Lead; label?: string }) => {
  const press = usePressContact()
  const { state, leave } = useWayBack(lead.id)
  const { href, onClick } = useGoTo(answerAddress(lead.id), state)
  const own = useOwnEmail()(lead)
  const answer = (event: MouseEvent<HTMLAnchorElement>) => {
    leave(event)
    onClick(event)
  }
  const way = own ? { href: own.href, onClick: press(lead, 'email', own.subject) } : { href, onClick: answer }
  return (
    <ButtonLink look="quiet" {...way} {...(label && { 'aria-label': label })}>
      Email
    </ButtonLink>
  )
}
