import * as v from 'valibot'
import { addDays } from '../base/agency-day.ts'
import { defineEvent, type RecordedEvent, type StreamOf } from '../base/definition.ts'
import { calendarDay, givenId, optionalText, requiredText } from '../base/text.ts'

const id = v.pipe(v.string(), v.uuid())
const day = v.pipe(v.string(), v.isoDate())

/** The kinds of requests that a person may make (POPIA, sections 11, 23 and 24). */
export const CASE_KINDS = ['access', 'correction', 'erasure', 'objection'] as const

export type CaseKind = (typeof CASE_KINDS)[number]

/** The time for a reply. */
export const CASE_DAYS = 30
/** Today shows a request that is due within this many days. */
export const CASE_WARNING_DAYS = 7

/** A request as an owner writes it down. `subjectId` is the lead, chat or account of the person, if there is any. */
export const caseForm = v.strictObject({
  kind: v.picklist(CASE_KINDS, 'Choose one'),
  from: requiredText('Write who asks', { max: 200 }),
  note: optionalText(2_000, { lines: true }),
  receivedOn: calendarDay,
  subjectId: v.exactOptional(givenId()),
})

/** A person made a request about their data. Its words are erased with the person, or by themselves. */
export const privacyCaseOpened = defineEvent({
  type: 'PrivacyCaseOpened',
  schemaVersion: 1,
  data: v.object({ caseId: id, kind: v.picklist(CASE_KINDS), receivedOn: day, by: id }),
  personal: v.object({ from: v.string(), note: v.nullable(v.string()) }),
})

/** An owner has done what a request asks for. */
export const privacyCaseDone = defineEvent({
  type: 'PrivacyCaseDone',
  schemaVersion: 1,
  data: v.object({ caseId: id, by: id }),
  personal: null,
})

export type PrivacyCaseEvent = RecordedEvent<typeof privacyCaseOpened> | RecordedEvent<typeof privacyCaseDone>

/** One stream of all requests: they are few. */
export const CASES_STREAM: StreamOf<PrivacyCaseEvent> = 'privacy-cases'

/** A request. `from` is null once its person has been erased; `doneBy` and `doneAt` are null until it is done. */
export type PrivacyCase = {
  id: string
  kind: CaseKind
  from: string | null
  note: string | null
  subjectId: string | null
  receivedOn: string
  dueOn: string
  doneBy: string | null
  doneAt: string | null
}

/** The requests after an event of their stream, oldest first. */
export const evolveCases = (cases: readonly PrivacyCase[], event: PrivacyCaseEvent): PrivacyCase[] => {
  const { data, recordedAt, subjectId } = event
  if (event.type === 'PrivacyCaseDone') {
    const done = { doneBy: data.by, doneAt: recordedAt.toISOString() }
    return cases.map((each) => (each.id === data.caseId && !each.doneAt ? { ...each, ...done } : each))
  }
  const { caseId, kind, receivedOn } = event.data
  const opened = {
    id: caseId,
    kind,
    from: event.personal?.from ?? null,
    note: event.personal?.note ?? null,
    subjectId: subjectId === caseId ? null : subjectId,
    receivedOn,
    dueOn: addDays(receivedOn, CASE_DAYS),
    doneBy: null,
    doneAt: null,
  }
  return [...cases, opened]
}

/** The requests that are not done and are due within some days, the most urgent first. */
export const openCases = <Case extends Pick<PrivacyCase, 'doneAt' | 'dueOn'>>(
  cases: readonly Case[],
  today: string,
  withinDays: number,
): Case[] =>
  cases
    .filter(({ doneAt, dueOn }) => doneAt === null && dueOn <= addDays(today, withinDays))
    .toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
