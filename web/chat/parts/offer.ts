import { whatsappLink } from '../../content/agency.ts'

/** A link that holds more is refused by some phones. */
const MAX_PREFILLED_CHARACTERS = 1_000

/** The way to say on WhatsApp what the chat could not carry: a link with the message already written. */
export const offerWhatsapp = (message: string) => {
  const prefilled = [...message.toWellFormed()].slice(0, MAX_PREFILLED_CHARACTERS).join('')
  return whatsappLink(prefilled)
}
