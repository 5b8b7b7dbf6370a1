import { HOUR_MS } from '../../base/time.ts'
import type { Sent } from '../../base/word.ts'
import { type SupportHoursHistory, supportTimeUnder } from '../../settings/support-hours-history.ts'
import { followedUp, type GivenAnswer, type StatusEvent } from '../follow-up/answered.ts'
import type { FollowUpStatus } from '../follow-up/follow-up.ts'
import type { LeadKind, LeadPackage, LeadSource } from '../form/kind.ts'
import type { LeadEvent } from '../lead.ts'
import type { MergeEvent } from '../person/merge.ts'
import type { overview } from './overview-wire.ts'

/** How soon the first reply came, in support hours, each up to and with its limit; `waiting` for one that has not come. */
export const REPLY_TIMES = ['within_1h', 'within_2h', 'within_4h', 'within_10h', 'later', 'waiting'] as const

export type ReplyTime = (typeof REPLY_TIMES)[number]

/** The lead had been answered when staff entered it: its reply time is unknown. */
const UNKNOWN_REPLY_TIME = 'untold'

const REPLY_LIMITS: [limitMs: number, time: ReplyTime][] = [
  [1 * HOUR_MS, 'within_1h'],
  [2 * HOUR_MS, 'within_2h'],
  [4 * HOUR_MS, 'within_4h'],
  [10 * HOUR_MS, 'within_10h'],
]

/** The longest range of an overview, in days. */
export const MAX_OVERVIEW_DAYS = 366

/** The figures of a range as this version sends them. */
export type Overview = Sent<typeof overview>

/**
 * The data of a lead for the overview. `wonSince` is when staff last set it to won, remembered after that was undone.
 */
export type LeadFacts = {
  submittedAt: Date
  source: LeadSource
  package: LeadPackage
  isFlagged: boolean
  isErased: boolean
  /** It was merged into another lead, which counts. */
  isMerged: boolean
  followUpStatus: FollowUpStatus
  answeredAt: string | null
  givenAnswers: GivenAnswer[]
  replyTime: ReplyTime | typeof UNKNOWN_REPLY_TIME
  conversionDate: string | null
  projectValue: number | null
  wonSince: Date | null
}

const replyTimeOf = (ms: number): ReplyTime => REPLY_LIMITS.find(([limitMs]) => ms <= limitMs)?.[1] ?? 'later'

type Submission = Extract<LeadEvent, { type: 'LeadSubmitted' | 'WebsiteInfoSubmitted' }>

const submitted = ({ recordedAt, data }: Submission, kind: Pick<LeadKind, 'source' | 'package'>): LeadFacts => ({
  submittedAt: recordedAt,
  source: kind.source,
  package: kind.package,
  isFlagged: data.suspicion !== undefined,
  isErased: false,
  isMerged: false,
  followUpStatus: 'new',
  answeredAt: null,
  givenAnswers: [],
  replyTime: 'waiting',
  conversionDate: null,
  projectValue: null,
  wonSince: null,
})

const entered = ({ recordedAt, data }: Extract<LeadEvent, { type: 'LeadEntered' }>): LeadFacts => {
  const { source, package: wanted, followUpStatus } = data
  const isAnswered = followUpStatus !== 'new'
  return {
    submittedAt: data.receivedAt ? new Date(data.receivedAt) : recordedAt,
    source,
    package: wanted,
    isFlagged: false,
    isErased: false,
    isMerged: false,
    followUpStatus,
    answeredAt: isAnswered ? recordedAt.toISOString() : null,
    givenAnswers: [],
    replyTime: isAnswered ? UNKNOWN_REPLY_TIME : 'waiting',
    conversionDate: null,
    projectValue: null,
    wonSince: followUpStatus === 'won' ? recordedAt : null,
  }
}

/** No figure is about owners. */
const NO_OWNER = { ownerId: null, answeredBy: null }

const changed = (facts: LeadFacts, event: StatusEvent, hours: SupportHoursHistory): LeadFacts => {
  const { ownerId: _, answeredBy: __, nextActionDate: ___, ...change } = followedUp({ ...facts, ...NO_OWNER }, event)
  const statusAnswers = change.givenAnswers.filter(({ isStatus }) => isStatus)
  const next = { ...facts, ...change, givenAnswers: statusAnswers }
  const becomesWon = next.followUpStatus === 'won' && facts.followUpStatus !== 'won'
  const isBack = event.type === 'LeadFollowUpChanged' && event.data.undoes !== undefined && facts.wonSince !== null
  if (becomesWon && !isBack) next.wonSince = event.recordedAt
  if (next.answeredAt === facts.answeredAt) return next
  const { answeredAt, submittedAt } = next
  const replyTime = answeredAt ? replyTimeOf(supportTimeUnder(hours, submittedAt, new Date(answeredAt))) : 'waiting'
  return { ...next, replyTime }
}

/** The facts of a lead after an event of its streams, oldest first. `hours` are those up to the event. */
export const evolveFacts = (
  facts: LeadFacts | undefined,
  event: LeadEvent | MergeEvent,
  hours: SupportHoursHistory,
): LeadFacts | undefined => {
  switch (event.type) {
    case 'LeadSubmitted':
      return submitted(event, event.data)
    case 'LeadEntered':
      return entered(event)
    case 'WebsiteInfoSubmitted':
      return {
        ...submitted(event, { source: 'Website Info Form', package: 'none' }),
        isMerged: event.data.contractId !== undefined,
      }
    case 'LeadReleased':
      return facts && { ...facts, isFlagged: false }
    case 'LeadFollowUpChanged':
    case 'LeadAnswered':
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
    case 'LeadAnswerRestored':
    case 'LeadNoteAdded':
    case 'LeadNoteRemoved':
      return facts && changed(facts, event, hours)
    // As a flagged lead: it counts nowhere.
    case 'LeadFlagged':
    case 'LeadWithdrawn':
      return facts && { ...facts, isFlagged: true }
    // It counted until then, and as of an earlier day it does.
    case 'LeadErased':
      return facts && { ...facts, isErased: true }
    case 'LeadsMerged':
      return facts && { ...facts, isMerged: true }
    case 'LeadsUnmerged':
      return facts && { ...facts, isMerged: false }
    case 'LeadCorrected':
    case 'EmailSent':
    case 'EmailFailed':
    case 'EmailResendRequested':
      return facts
    default:
      event satisfies never
      return facts
  }
}

/**
 * How a lead is counted, or undefined for a flagged lead, one that was merged into another, and one whose person was
 * erased. `wonAt` is null for a lead that is not won, `replyTime` for one that had been answered when staff entered it.
 */
export const countedAs = (facts: LeadFacts | undefined) => {
  if (!facts || facts.isFlagged || facts.isMerged || facts.isErased) return undefined
  const { submittedAt, source, package: wanted, conversionDate, wonSince, projectValue } = facts
  const replyTime = facts.replyTime === UNKNOWN_REPLY_TIME ? null : facts.replyTime
  const isWon = facts.followUpStatus === 'won'
  const wonAt = isWon ? (conversionDate ? new Date(conversionDate) : wonSince) : null
  return { submittedAt, source, package: wanted, replyTime, wonAt, value: isWon ? (projectValue ?? 0) : 0 }
}
