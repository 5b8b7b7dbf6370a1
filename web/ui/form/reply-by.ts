import { afterSupportTime, backInWords, REPLY_PROMISE_MS } from '../../../events/support-hours.ts'
import { serverNow } from '../../server-time.ts'
import { loadSupportHours } from '../../support-hours.ts'
import { sentAt } from './sent-reference.ts'

const REPLY_STEP_MS = 5 * 60_000

/**
 * By when somebody replies to what was sent at an instant, or just now, in the support hours that the agency keeps now:
 * `Tomorrow by 10AM`, to the next 5 minutes. Rejects where the hours cannot be had, and where that moment is over.
 */
export const replyByInWords = async (sent: Date | undefined): Promise<string> => {
  const hours = await loadSupportHours()
  // only now: the answer has told the server's time
  const now = serverNow()
  const by = afterSupportTime(sent ?? now, REPLY_PROMISE_MS, hours).getTime()
  const step = new Date(Math.ceil(by / REPLY_STEP_MS) * REPLY_STEP_MS)
  if (step <= now) throw new Error('The reply was due already')
  const words = backInWords(step, now).replace(' at ', ' by ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Has an element of a page without islands say by when somebody replies to what this tab sent last. */
export const showReplyBy = async (element: Element) => {
  element.textContent = await replyByInWords(sentAt())
}
