import { MINUTE_MS } from '../../../../events/base/time.ts'
import { isErased, type Lead } from '../../../../events/lead/wire.ts'
import {
  afterSupportTimeUnder,
  type SupportHoursHistory,
  supportTimeUnder,
} from '../../../../events/settings/support-hours-history.ts'
import { REPLY_WITHIN_MS } from '../../../../events/settings/support-time.ts'
import { dayOf, futureMomentOf, timeOf } from '../../day.ts'

/** A time of some minutes: `45 min`, `2 h 5 min`. */
export const durationInWords = (minutes: number) => {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** How long a visitor has waited in the chat, as text. */
export const chatWaitInWords = (since: string, now: Date) => {
  const minutes = Math.floor((now.getTime() - Date.parse(since)) / MINUTE_MS)
  return `Waits ${minutes < 1 ? 'under 1 min' : durationInWords(minutes)}`
}

/** The state of a promise: as text, also in few words, its due time, and whether that has passed. */
export type ReplyClock = { text: string; brief: string; due: Date; isOverdue: boolean }

/**
 * When the reply to a lead is due, with the time left unless the agency is closed for a part of it, or how long it is
 * overdue, in the support hours that were valid at each moment; undefined for a lead that has been answered, for a
 * flagged one, to which nothing was promised, and for one that cannot be reached because of erasure.
 */
export const replyClock = (lead: Lead, now: Date, history: SupportHoursHistory): ReplyClock | undefined => {
  if (lead.answeredAt || lead.followUpStatus !== 'new' || lead.suspicion || isErased(lead)) return undefined
  const due = afterSupportTimeUnder(history, new Date(lead.timestamp), REPLY_WITHIN_MS)
  if (now < due) {
    const left = due.getTime() - now.getTime()
    const isOpenUntilDue = supportTimeUnder(history, now, due) === left
    const time = dayOf(due) === dayOf(now) ? timeOf(due) : futureMomentOf(due, now)
    const when = isOpenUntilDue ? `${time} (${durationInWords(Math.ceil(left / MINUTE_MS))})` : time
    return { text: `Answer by ${when}`, brief: when, due, isOverdue: false }
  }
  const over = Math.floor(supportTimeUnder(history, due, now) / MINUTE_MS)
  const text = `Overdue by ${durationInWords(Math.max(1, over))}`
  return { text, brief: text, due, isOverdue: true }
}
