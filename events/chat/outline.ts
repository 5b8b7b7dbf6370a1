import type { Sent } from '../base/word.ts'
import type { ChatMessage } from './chat.ts'
import type { chatOutline } from './frames-wire.ts'

/** The most chats that a console lists, besides those that its user loads by page: more than a person can view. */
export const MAX_LISTED_SESSIONS = 200

/** How much of the last message an outline holds, in characters: one line of a list, or a notification. */
export const LAST_WORDS_CHARACTERS = 140

/** How far back from the last message the newest reply is searched for: the size of the largest page of a history. */
export const ANSWER_LOOKED_FOR = 500

/** A chat without its text, as this version sends it. */
export type ChatOutline = Sent<typeof chatOutline>

/** The part of a message that an outline shows. */
export const lastWords = ({ senderType, senderName, message, timestamp }: ChatMessage): ChatOutline['last'] => ({
  senderType,
  senderName,
  // cuts twice: a message may be long, and a character has one or two units
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
