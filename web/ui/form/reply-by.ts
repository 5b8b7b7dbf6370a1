import { afterSupportTime, backInWords, REPLY_WITHIN_MS } from '../../../events/settings/support-time.ts'
import { serverNow } from '../../client/server-time.ts'
import { loadSupportHours } from '../../client/support-hours.ts'
import { sentAt } from './sent-reference.ts'

const REPLY_STEP_MS = 5 * 60_000

/**
 * The time of the reply to a form sent at an instant (now by default), in the agency's support hours: `Tomorrow
 * before 10:00`, rounded to 5 minutes. Rejects if the hours cannot be loaded or that moment has passed.
 */
export const replyByInWords = async (sent: Date | undefined): Promise<string> => {
  const hours = await loadSupportHours()
  // only now: the response has set the server's time
  const now = serverNow()
  const by = afterSupportTime(sent ?? now, REPLY_WITHIN_MS, hours).getTime()
  const step = new Date(Math.ceil(by / REPLY_STEP_MS) * REPLY_STEP_MS)
  if (step <= now) throw new Error('The reply was due already')
  const words = backInWords(step, now).replace(' at ', ' before ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Shows the time of the reply to the last sent form, in an element of a page without islands. */
export const showReplyBy = async (element: Element) => {
  element.textContent = await replyByInWords(sentAt())
}
