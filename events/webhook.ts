/**
 * Webhooks: other programs are told of leads and chats as they happen, at addresses that owners keep in the settings. A
 * reader of the log notes a delivery for each event and webhook (worker/webhooks/note.ts). Jobs send them, at least
 * once and always under the same id, signed as Standard Webhooks say (worker/webhooks/send.ts). What is not taken is
 * tried again for a day, later each time. A webhook that has taken nothing for a day, or answers 410, is paused, and
 * owners are told; what happens meanwhile waits. Deliveries and jobs hold ids: what a message says is read as it is
 * sent, so nothing goes out of a person who has been erased. Staff see every delivery of the last 30 days, and can send
 * it again.
 */

import * as v from 'valibot'
import type { AnyRecordedEvent } from './catalogue.ts'
import { sessionIdOf } from './chat.ts'
import { defineEvent, type RecordedEvent, type StreamOf } from './definition.ts'
import { leadIdOf } from './lead.ts'
import { mergeStreams } from './lead-merge.ts'
import type { DeliveryTopic } from './webhook-form.ts'

const uuid = v.pipe(v.string(), v.uuid())

/** Somebody has a delivery sent again. */
export const webhookResendRequested = defineEvent({
  type: 'WebhookResendRequested',
  schemaVersion: 1,
  data: v.object({ deliveryId: uuid, by: uuid }),
  personal: null,
})

/** What is asked of deliveries: one stream. */
export const WEBHOOK_RESENDS: StreamOf<RecordedEvent<typeof webhookResendRequested>> = 'webhook-resends'

/**
 * What an event is to other programs. A flagged submission is a lead once staff have released it; one that staff flagged
 * themselves has been told of before.
 */
export const topicsOf = (event: AnyRecordedEvent): DeliveryTopic[] => {
  switch (event.type) {
    case 'LeadSubmitted':
    case 'WebsiteInfoSubmitted':
      return event.data.suspicion ? [] : ['lead.created']
    case 'LeadEntered':
      return ['lead.created']
    case 'LeadReleased':
      return event.data.undoes ? ['lead.changed'] : ['lead.created']
    case 'LeadFollowUpChanged':
      return event.data.followUpStatus === 'won' ? ['lead.changed', 'lead.won'] : ['lead.changed']
    case 'LeadNoteAdded':
    case 'LeadNoteRemoved':
      return event.data.answerId ? ['lead.changed'] : []
    case 'LeadAnswered':
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
    case 'LeadAnswerRestored':
    case 'LeadCorrected':
    case 'LeadsMerged':
    case 'LeadsUnmerged':
      return ['lead.changed']
    case 'ChatStarted':
      return ['chat.started']
    case 'ChatEnded':
      return ['chat.ended']
    case 'WebhookChanged':
      return event.data.change === 'tested' ? ['test'] : []
    default:
      return []
  }
}

/**
 * The lead or the chat that an event is about, by its id; null for a test. Of a merge it is the lead that goes or comes
 * back.
 */
export const subjectOf = ({ type, stream }: Pick<AnyRecordedEvent, 'type' | 'stream'>): string | null =>
  type === 'WebhookChanged' ? null : (leadIdOf(stream) ?? mergeStreams.idOf(stream) ?? sessionIdOf(stream))
