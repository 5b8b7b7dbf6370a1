import { asSearched } from '../../../events/lead/searched-text.ts'
import type { CannedReply } from '../../../events/settings/canned-replies.ts'

const CALL = /^\/([a-z0-9-]*)$/i

/** What follows the `/` of a draft that asks for canned replies; undefined for any other draft. */
export const calledFor = (draft: string) => CALL.exec(draft)?.[1]?.toLowerCase()

/** The replies whose shortcut begins with a term, then those that hold it in the shortcut or the text. */
export const matchingReplies = (replies: readonly CannedReply[], term: string): CannedReply[] => {
  const begins = replies.filter(({ shortcut }) => shortcut.startsWith(term))
  const holds = replies.filter(
    (reply) => !begins.includes(reply) && (reply.shortcut.includes(term) || asSearched(reply.text).includes(term)),
  )
  return [...begins, ...holds]
}

/** A draft with a reply in it: in place of what called for it, else after what is written. */
export const withReply = (draft: string, text: string) => {
  if (calledFor(draft) !== undefined || draft.trim() === '') return text
  return `${draft.trimEnd()} ${text}`
}
