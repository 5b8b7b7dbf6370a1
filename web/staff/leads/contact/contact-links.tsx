import type { Lead } from '../../../../events/lead/wire.ts'
import { whatsappText } from '../../../../events/settings/replies.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { PhoneIcon, WhatsAppIcon } from '../../../ui/icons.tsx'
import { useMe } from '../../account/account.ts'
import { useSettings } from '../../settings/settings.ts'
import { filledFor } from './answer.ts'
import { usePressContact } from './log-contact.tsx'

/** `title` names the lead among others, if the number has no room. */
type Props = { lead: Lead; title?: string }

/** Calls the person of a lead in one press; renders nothing without a readable number. `isLarge` on its own screen. */
export const CallLink = ({ lead, title, isLarge = false }: Props & { isLarge?: boolean }) => {
  const press = usePressContact()
  const links = lead.phoneLinks
  if (!links) return null
  return (
    <ButtonLink
      look={isLarge ? 'outline' : 'quiet'}
      href={links.call}
      {...(title && { 'aria-label': `Call ${title}` })}
      onClick={press(lead, 'call', null)}
    >
      {(isLarge || title) && <PhoneIcon />}
      {title ? 'Call' : `Call ${links.shown}`}
    </ButtonLink>
  )
}

/** A link that opens WhatsApp with a message to a lead; undefined without a number that may be a mobile one. */
export const whatsappTo = ({ phoneLinks }: Lead, message: string) =>
  phoneLinks?.whatsapp ? `${phoneLinks.whatsapp}?text=${encodeURIComponent(message)}` : undefined

/**
 * Opens WhatsApp for a lead with the template filled in, `message`; without `href` for a number that cannot be a mobile
 * one. It is ready once the template is loaded, and works without one that cannot be fetched.
 */
export const useWhatsApp = () => {
  const { data: settings, error } = useSettings()
  const { data: me } = useMe()
  return (lead: Lead) => {
    const message = settings && me ? filledFor(lead, me)(whatsappText(settings.replies)) : ''
    return { message, href: whatsappTo(lead, message), isReady: Boolean((settings && me) || error) }
  }
}

/** Opens WhatsApp in one press; renders nothing without a mobile number, and keeps its place until it is ready. */
export const WhatsAppLink = ({ lead, title }: Props) => {
  const press = usePressContact()
  const { href, message, isReady } = useWhatsApp()(lead)
  if (!href) return null
  const way = { href, target: '_blank', rel: 'noreferrer', onClick: press(lead, 'whatsapp', message || null) }
  return (
    <ButtonLink
      look="quiet"
      aria-label={title ? `WhatsApp ${title} (new tab)` : 'WhatsApp (new tab)'}
      {...(isReady ? way : { role: 'link', 'aria-disabled': true, style: { opacity: 0.6 } })}
    >
      <WhatsAppIcon />
      WhatsApp
    </ButtonLink>
  )
}

/** A lead's number as a link that calls it; as typed if it cannot be read. */
export const PhoneNumber = ({ lead }: { lead: Lead }) => {
  const press = usePressContact()
  const links = lead.phoneLinks
  if (!links) return lead.phone
  return (
    <a href={links.call} onClick={press(lead, 'call', null)}>
      {links.shown}
    </a>
  )
}
