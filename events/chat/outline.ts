import type { Sent } from '../base/word.ts'
import type { ChatMessage } from './chat.ts'
import type { chatOutline } from './frames-wire.ts'

/** How many chats a console lists, beside those that its user asks for by page: more than a person can look at. */
export const MAX_LISTED_SESSIONS = 200

/** How much of the last words an outline holds, in characters: a line of a list, or a notification. */
export const LAST_WORDS_CHARACTERS = 140

/** How far back from the last message the newest answer is looked for: as far as the largest page of a history goes. */
export const ANSWER_LOOKED_FOR = 500

/** A chat without its text, as this version sends it. */
export type ChatOutline = Sent<typeof chatOutline>

/** What of a message an outline tells. */
export const lastWords = ({ senderType, senderName, message, timestamp }: ChatMessage): ChatOutline['last'] => ({
  senderType,
  senderName,
  // no further than where the cut can be: a message may be long, and characters are of one or two units
  message: [...message.slice(0, 2 * LAST_WORDS_CHARACTERS)].slice(0, LAST_WORDS_CHARACTERS).join(''),
  timestamp,
})

/** The outline after the message that follows its last one. */
export const outlineAfter = ({ answered, waitingSince }: ChatOutline, message: ChatMessage): ChatOutline => {
  const isAnswer = message.senderType === 'admin'
  return {
    lastSequence: message.sequence,
    answered: isAnswer ? message.sequence : answered,
    waitingSince: isAnswer ? null : (waitingSince ?? message.timestamp),
    last: lastWords(message),
  }
}
