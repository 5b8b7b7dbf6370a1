/**
 * What staff do by telephone or WhatsApp happens outside of the site: it only knows what they say of it. Somebody they
 * reached has been answered (LeadContacted, in `events/lead-answer.ts`). A call that nobody took is noted here, and the
 * lead's clock goes on. What was noted by mistake is taken back by an event too.
 *
 * These events are in a stream of their own, beside the answers: older nodes read on.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from './definition.ts'
import { CONTACT_CHANNELS } from './lead-answer.ts'

const id = v.pipe(v.string(), v.uuid())

/** Staff called the person of a lead, and did not reach them. */
export const leadCallUnanswered = defineEvent({
  type: 'LeadCallUnanswered',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id }),
  personal: v.object({ to: v.string() }),
})

/** Staff took back what they had noted; `contactId` is the event of it, `channel` its way. */
export const leadContactRemoved = defineEvent({
  type: 'LeadContactRemoved',
  schemaVersion: 1,
  data: v.object({ leadId: id, contactId: id, channel: v.picklist(CONTACT_CHANNELS), by: id }),
  personal: null,
})

/** The events of the calls that nobody took, and of what was taken back. */
export type LeadContactEvent = RecordedEvent<typeof leadCallUnanswered> | RecordedEvent<typeof leadContactRemoved>

/** A stream a lead, beside that of its answers. */
export const leadContactStreams = defineStreams<LeadContactEvent>('contacts-of-lead-')
