/**
 * An unanswered call is not a reply: it is recorded here, in a stream besides the replies, and the lead's clock
 * continues. One recorded by mistake is removed by an event too. A call that reached the person is in `answer.ts`.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { instant } from '../../base/text.ts'
import type { Lead } from '../lead.ts'
import { isErased } from '../wire.ts'

const id = v.pipe(v.string(), v.uuid())

/** Staff called the person of a lead, and did not reach them; `at` is when, if it was recorded later. */
export const leadCallUnanswered = defineEvent({
  type: 'LeadCallUnanswered',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id, at: v.exactOptional(instant) }),
  personal: v.object({ to: v.string() }),
})

/** Staff removed a call that they had noted by mistake; `contactId` is its event. */
export const leadContactRemoved = defineEvent({
  type: 'LeadContactRemoved',
  schemaVersion: 1,
  data: v.object({ leadId: id, contactId: id, by: id }),
  personal: null,
})

/** The events of unanswered calls, and of those that were removed. */
export type LeadContactEvent = RecordedEvent<typeof leadCallUnanswered> | RecordedEvent<typeof leadContactRemoved>

/** All types of LeadContactEvent. */
export const CONTACT_EVENTS = ['LeadCallUnanswered', 'LeadContactRemoved'] as const satisfies LeadContactEvent['type'][]

/** One stream per lead, besides that of its replies. */
export const leadContactStreams = defineStreams<LeadContactEvent>('contacts-of-lead-')

/** Whether an event is about unanswered calls. */
export const isLeadContactEvent = <E extends { stream: string }>(event: E): event is E & LeadContactEvent =>
  leadContactStreams.idOf(event.stream) !== undefined

type UnansweredCall = NonNullable<Lead['unansweredCalls']>[number]

const evolveCalls = (calls: UnansweredCall[], event: LeadContactEvent): UnansweredCall[] =>
  event.type === 'LeadCallUnanswered'
    ? [...calls, { id: event.id, timestamp: event.data.at ?? event.recordedAt.toISOString() }]
    : calls.filter(({ id: callId }) => callId !== event.data.contactId)

/** A lead with these unanswered calls, in place of those that it had. */
export const withCalls = ({ unansweredCalls: _, ...lead }: Lead, calls: UnansweredCall[]): Lead =>
  calls.length > 0 ? { ...lead, unansweredCalls: calls } : lead

/** A lead after events of its contacts, oldest first. One whose person was erased has no calls. */
export const afterContacts = (lead: Lead, contacts: readonly LeadContactEvent[]): Lead => {
  const before = lead.unansweredCalls ?? []
  if (before.length === 0 && contacts.length === 0) return lead
  return withCalls(lead, isErased(lead) ? [] : contacts.reduce(evolveCalls, before))
}
