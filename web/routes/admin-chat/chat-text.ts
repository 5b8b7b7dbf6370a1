import type { ChatMessage } from '../../../events/chat.ts'
import { MAX_LEAD_MESSAGE_CHARACTERS } from '../../../events/lead.ts'

/** The conversation as a lead's message: its end, where all of it is too long. */
export const chatAsText = (messages: readonly ChatMessage[]) => {
  let text = ''
  for (const { senderName, message } of messages.toReversed()) {
    const longer = `${senderName}: ${message}${text && '\n'}${text}`
    if (longer.length > MAX_LEAD_MESSAGE_CHARACTERS) break
    text = longer
  }
  return text
}
