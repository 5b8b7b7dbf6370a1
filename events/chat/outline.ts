import type { Sent } from '../base/word.ts'
import type { chatOutline } from './server-frames.ts'

/** The most chats that a console lists, besides those that its user loads by page: more than a person can view. */
export const MAX_LISTED_SESSIONS = 200

/** How much of the last message an outline holds, in characters: one line of a list, or a notification. */
export const LAST_WORDS_CHARACTERS = 140

/** How far back from the last message the newest reply is searched for: the size of the largest page of a history. */
export const ANSWER_LOOKED_FOR = 500

/** A chat without its text, as this version sends it. */
export type ChatOutline = Sent<typeof chatOutline>

type Words<Sender> = { senderType: Sender; senderName: string; message: string; timestamp: string }

/** The part of a message that an outline shows. */
export const lastWords = <Sender>({ senderType, senderName, message, timestamp }: Words<Sender>): Words<Sender> => ({
  senderType,
  senderName,
  // cuts twice: a message may be long, and a character has one or two units
  message: [...message.slice(0, 2 * LAST_WORDS_CHARACTERS)].slice(0, LAST_WORDS_CHARACTERS).join(''),
  timestamp,
})

/** The outline after the message that follows its last one. */
export const outlineAfter = <Sender extends string>(
  { answered, waitingSince }: Pick<ChatOutline, 'answered' | 'waitingSince'>,
  message: Words<Sender> & { sequence: number },
) => {
  const isAnswer = message.senderType === 'admin'
  return {
    lastSequence: message.sequence,
    answered: isAnswer ? message.sequence : answered,
    waitingSince: isAnswer ? null : (waitingSince ?? message.timestamp),
    last: lastWords(message),
  }
}
