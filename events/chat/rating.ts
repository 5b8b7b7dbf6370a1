import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { optionalText } from '../base/text.ts'

/** The scores a visitor can give an ended chat. */
export const CHAT_SCORES = ['good', 'bad'] as const

export type ChatScore = (typeof CHAT_SCORES)[number]

/** The longest sentence that goes along with a rating, in UTF-16 code units. */
export const MAX_RATING_CHARACTERS = 500

/** The form by which a visitor rates a chat. */
export const chatRatingForm = v.object({
  score: v.picklist(CHAT_SCORES, 'Please choose good or bad'),
  comment: optionalText(MAX_RATING_CHARACTERS, { lines: true }),
})

export type ChatRatingForm = v.InferOutput<typeof chatRatingForm>

/**
 * The visitor rated the ended chat: the first touch counts. A second event of the same score may add a comment. The
 * comment is erased with them; the score stays: it is not personal.
 */
export const chatRated = defineEvent({
  type: 'ChatRated',
  schemaVersion: 1,
  data: v.object({ score: v.picklist(CHAT_SCORES) }),
  personal: v.object({ comment: v.nullable(v.string()) }),
})

/** One stream per session, with at most one rating, and its comment. */
export const chatRatingStreams = defineStreams<RecordedEvent<typeof chatRated>>('rating-of-chat-')
