import { asSearched } from '../../../events/lead/search/searched-text.ts'
import type { ChatReply } from '../../../events/settings/replies.ts'

const CALL = /^\/([a-z0-9-]*)$/i

/** The text after the `/` of a draft that asks for canned replies; undefined for any other draft. */
export const calledFor = (draft: string) => CALL.exec(draft)?.[1]?.toLowerCase()

/** The replies whose shortcut begins with a term, then those that contain it in the shortcut or the text. */
export const matchingReplies = (replies: readonly ChatReply[], term: string): ChatReply[] => {
  const begins = replies.filter(({ shortcut }) => shortcut.startsWith(term))
  const holds = replies.filter(
    (reply) => !begins.includes(reply) && (reply.shortcut.includes(term) || asSearched(reply.text).includes(term)),
  )
  return [...begins, ...holds]
}

/** Inserts a reply into a draft: in place of the text that asked for it, else after the text that is there. */
export const withReply = (draft: string, text: string) => {
  if (calledFor(draft) !== undefined || draft.trim() === '') return text
  return `${draft.trimEnd()} ${text}`
}
