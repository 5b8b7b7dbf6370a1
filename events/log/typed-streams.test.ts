import { randomUUID } from 'node:crypto'
import { expect, expectTypeOf, test } from 'vitest'
import type { AnyRecordedEvent } from '../catalogue.ts'
import { type ChatActivityEvent, chatActivityStreams, chatErased } from '../chat/activity.ts'
import { type ChatSessionEvent, chatEnded, chatStreams, messageStreams } from '../chat/chat.ts'
import { chatEmailGiven, chatEmailStreams } from '../chat/given-email.ts'
import { activationStreams, type EmailEvent, emailSent } from '../email/email.ts'
import { type LeadEvent, leadErased, leadStreams } from '../lead/lead.ts'
import { inboxAddressesPart } from '../settings/inbox-addresses.ts'
import { SETTINGS_STREAM, type SettingsEvent } from '../settings/settings.ts'
import type { Appender } from './append.ts'
import type { readNewest, readStream, readStreams } from './read.ts'

const ID = '00000000-0000-8000-8000-000000000001'
const by = ID

const append: Appender['append'] = async ({ stream, events }) => ({
  isDuplicate: false,
  events: events.map(({ id }, index) => ({ id, position: index + 1, version: stream.length, recordedAt: new Date() })),
})

test('an append takes the events that its stream holds, and the compiler refuses others', async () => {
  const id = randomUUID()
  const common = { expectedVersion: 'any' as const }
  const address = chatEmailGiven({}, { subjectId: ID, personal: { visitorEmail: 'ana@example.co.za' } })
  const outcome = emailSent({ emailId: ID, to: 'outbox', attempt: 1 })
  const typed = await Promise.all([
    append({ ...common, stream: leadStreams.of(ID), events: [{ id, ...leadErased({ by }) }] }),
    append({ ...common, stream: leadStreams.of(ID), events: [{ id, ...outcome }] }),
    append({ ...common, stream: chatActivityStreams.of(ID), events: [{ id, ...outcome }] }),
    append({ ...common, stream: chatEmailStreams.of(ID), events: [{ id, ...address }] }),
    append({ ...common, stream: activationStreams.of(ID), events: [{ id, ...outcome }] }),
    append({
      ...common,
      stream: SETTINGS_STREAM,
      events: [{ id, ...inboxAddressesPart.changed({ addresses: [], by }) }],
    }),
    append({ ...common, stream: 'a-name-of-no-family', events: [{ id, ...chatErased({ by }) }] }),
    // @ts-expect-error an erasure belongs to the chat's activity
    append({ ...common, stream: chatStreams.of(ID), events: [{ id, ...chatErased({ by }) }] }),
    // @ts-expect-error an activity stream that older versions read holds no later address
    append({ ...common, stream: chatActivityStreams.of(ID), events: [{ id, ...address }] }),
    // @ts-expect-error an end belongs to the chat itself
    append({ ...common, stream: messageStreams.of(ID), events: [{ id, ...chatEnded({ endedBy: 'admin' }) }] }),
    // @ts-expect-error a lead's stream holds no chats
    append({ ...common, stream: leadStreams.of(ID), events: [{ id, ...chatErased({ by }) }] }),
    // @ts-expect-error the settings hold no leads
    append({ ...common, stream: SETTINGS_STREAM, events: [{ id, ...leadErased({ by }) }] }),
  ])
  expect(typed.flatMap(({ events }) => events.map((event) => event.id))).toEqual(typed.map(() => id))
})

test('events read from a stream have the types that it holds', () => {
  type Read<Event> = Awaited<ReturnType<typeof readStream<Event>>>
  expectTypeOf<Read<LeadEvent>>().toEqualTypeOf<LeadEvent[]>()
  expectTypeOf<Read<SettingsEvent>>().toEqualTypeOf<SettingsEvent[]>()
  expectTypeOf<Read<unknown>>().toEqualTypeOf<AnyRecordedEvent[]>()
  expectTypeOf<Awaited<ReturnType<typeof readStreams<ChatSessionEvent>>>>().toEqualTypeOf<ChatSessionEvent[]>()
  type Newest = Awaited<ReturnType<typeof readNewest<ChatActivityEvent | EmailEvent, 'ChatErased' | 'EmailSent'>>>
  expectTypeOf<Newest[number]['type']>().toEqualTypeOf<'ChatErased' | 'EmailSent'>()
})
