import { inNumbers, inRand } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import type { LeadSource } from '../../../events/lead/form/kind.ts'
import type { ReplyTime } from '../../../events/lead/screens/overview.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { daysOf } from './bins.ts'
import { rangeInWords } from './range.ts'

const FROM_SOURCE: Record<LeadSource, string> = {
  hero_form: 'the consultation form',
  contact_form: 'the quote form',
  contract_essential: 'the Essential contract',
  contract_professional: 'the Professional contract',
  contract_premium: 'the Premium contract',
  'Website Info Form': 'the Website Info Form',
  live_chat: 'live chat',
  by_hand: 'by hand',
  import: 'imports',
  other: 'other sources',
}

export const REPLY_NAMES: Record<ReplyTime, string> = {
  within_1h: 'Within 1 hour',
  within_2h: '1 to 2 hours',
  within_4h: '2 to 4 hours',
  within_10h: '4 to 10 hours',
  later: 'Over 10 hours',
  waiting: 'Still waiting',
}

const percent = new Intl.NumberFormat('en-ZA', { style: 'percent', maximumFractionDigits: 0 })

/** A part of a whole in per cent; a dash if the whole is zero. */
export const inPercent = (part: number, whole: number) => (whole === 0 ? '–' : percent.format(part / whole))

const leads = (count: number) => `${inNumbers(count)} ${count === 1 ? 'lead' : 'leads'}`

const range = (overview: Overview) => rangeInWords(daysOf(overview))

/** `38 leads in 30 days, 12 from the quote form` */
export const leadsFinding = (overview: Overview) => {
  const [most] = overview.sources
  if (!most) return `No leads ${range(overview)}`
  const all = overview.sources.length === 1
  const share = all ? 'all' : inNumbers(most.leads)
  const source = nameOf(FROM_SOURCE, most.source)
  const from = overview.leads === 1 ? `from ${source}` : `${share} from ${source}`
  return `${leads(overview.leads)} ${range(overview)}, ${from}`
}

/**
 * The number of leads that can be replied to, or have been, the number of first replies that are decided as in time or
 * late, and the number of those in time.
 */
export const countReplies = ({ replies, overdue }: Overview) => {
  const count = (times: Overview['replies'][number]['time'][]) =>
    replies.filter(({ time }) => times.includes(time)).reduce((sum, reply) => sum + reply.leads, 0)
  const inTime = count(['within_1h', 'within_2h'])
  const waiting = count(['waiting'])
  const all = replies.reduce((sum, reply) => sum + reply.leads, 0)
  return { all, inTime, settled: all - waiting + overdue, waiting, overdue }
}

/** `First reply within 2 hours for 82% of leads answered or overdue` */
export const replyFinding = (overview: Overview) => {
  const { inTime, settled } = countReplies(overview)
  if (settled === 0) return 'No first reply has been due yet'
  if (inTime === settled) return 'Every first reply within 2 hours'
  return `First reply within 2 hours for ${inPercent(inTime, settled)} of leads answered or overdue`
}

/** `31 of 38 in time, in business hours. 13 waiting, 4 overdue.` */
export const replyDetail = (overview: Overview) => {
  const { inTime, settled, waiting, overdue } = countReplies(overview)
  const share = settled === 0 ? '' : `${inNumbers(inTime)} of ${inNumbers(settled)} in time, in business hours. `
  if (waiting === 0) return `${share}None waiting.`
  return `${share}${inNumbers(waiting)} waiting, ${overdue === 0 ? 'none' : inNumbers(overdue)} overdue.`
}

/** The number of leads from which a share is meaningful: below it, one that was won by chance would lead. */
const MIN_COMPARED_LEADS = 5

/** Whether there are enough leads for a rate. */
export const hasEnoughLeads = (count: number) => count >= MIN_COMPARED_LEADS

/** A rate in per cent; a dash if there are too few leads for one. */
export const inShare = (won: number, count: number) => (hasEnoughLeads(count) ? inPercent(won, count) : '–')

/** `19 of 57 leads won (33%), best: Premium (45%)` */
export const conversionFinding = (rows: { name: string; leads: number; won: number }[]) => {
  const all = rows.reduce((sum, row) => sum + row.leads, 0)
  const won = rows.reduce((sum, row) => sum + row.won, 0)
  if (won === 0) return `None of ${leads(all)} won yet`
  const overall = `${inNumbers(won)} of ${leads(all)} won${hasEnoughLeads(all) ? ` (${inPercent(won, all)})` : ''}`
  const compared = rows.filter((row) => hasEnoughLeads(row.leads))
  const [best] = compared.toSorted((a, b) => b.won / b.leads - a.won / a.leads || b.leads - a.leads)
  if (!best?.won || rows.length === 1) return overall
  return `${overall}, best: ${best.name} (${inPercent(best.won, best.leads)})`
}

/** `R45,000 won in 30 days, from 12 leads` */
export const wonFinding = (overview: Overview) =>
  overview.won.leads === 0
    ? `Nothing won ${range(overview)}`
    : `${inRand(overview.won.value)} won ${range(overview)}, from ${leads(overview.won.leads)}`

/** `86% of 14 chat ratings are good` */
export const ratingFinding = ({ good, all }: { good: number; all: number }) => {
  if (all === 1) return good === 1 ? 'The one chat rating is good' : 'The one chat rating is bad'
  return hasEnoughLeads(all)
    ? `${inPercent(good, all)} of ${inNumbers(all)} chat ratings are good`
    : `${inNumbers(good)} of ${inNumbers(all)} chat ratings are good`
}
