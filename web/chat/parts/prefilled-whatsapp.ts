import { whatsappLink } from '../../content/agency.ts'

/** Some phones refuse longer links. */
const MAX_PREFILLED_CHARACTERS = 1_000

/** A link to WhatsApp that is prefilled with the message that the chat could not send. */
export const prefilledWhatsapp = (message: string) => {
  const prefilled = [...message.toWellFormed()].slice(0, MAX_PREFILLED_CHARACTERS).join('')
  return whatsappLink(prefilled)
}
