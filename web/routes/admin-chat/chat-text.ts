import type { ChatMessage } from '../../../events/chat/wire.ts'
import { MAX_LEAD_MESSAGE_CHARACTERS } from '../../../events/lead/form/form.ts'
import { counted } from '../../staff/leads/shown/labels.ts'

const leftOut = (count: number) => (count === 0 ? '' : `\n… ${counted(count, 'more message')} in the chat`)

/**
 * The conversation as a lead's message: its beginning, in which visitors say what they want, and how much is left out
 * if it is too long. `messages` begin with the first; `newest` is the sequence number of the chat's last.
 */
export const chatAsText = (messages: readonly ChatMessage[], newest: number) => {
  let text = ''
  let last = 0
  for (const { senderName, message, sequence } of messages) {
    const longer = `${text && `${text}\n`}${senderName}: ${message}`
    if (longer.length + leftOut(newest - sequence).length > MAX_LEAD_MESSAGE_CHARACTERS) break
    text = longer
    last = sequence
  }
  return text + leftOut(newest - last)
}
