import { expect, test } from 'vitest'
import type { Bus } from '../../stores/redis/bus.ts'
import { chatEnded } from '../chat.ts'
import {
  ALL_SESSIONS,
  isFrom,
  type LiveChatEvent,
  parseNotification,
  publishNotification,
} from './chat-notifications.ts'

const ENDED = {
  position: 7,
  id: 'e',
  stream: 'chat-s',
  version: 2,
  type: 'ChatEnded',
  schemaVersion: chatEnded.schemaVersion,
  subjectId: null,
  data: { endedBy: 'bot', addedLater: 1 },
  personal: null,
  recordedAt: '2026-11-27T10:00:00.000Z',
}

test('an event arrives complete, as in the log', () => {
  expect(parseNotification(` ${JSON.stringify(ENDED)}`)).toEqual({ ...ENDED, recordedAt: new Date(ENDED.recordedAt) })
})

test('an event is published to the channel of its session, without its metadata', async () => {
  const sent: unknown[] = []
  const bus = { publish: async (...all: unknown[]) => sent.push(all) > 0 } as unknown as Bus
  const recorded = { ...ENDED, recordedAt: new Date(ENDED.recordedAt), metadata: { code: 'x' } }
  await publishNotification(bus, recorded as unknown as LiveChatEvent, 'node-1')
  const text = `node-1 ${JSON.stringify(ENDED)}`
  expect(sent).toEqual([['chat:s', text, ALL_SESSIONS]])
  expect(['node-1', 'node-2'].map((mark) => isFrom(mark, text))).toEqual([true, false])
})

test.each([
  ['of a kind that only a newer node knows', { kind: 'brand_new', sessionId: 's' }],
  ['of a type that no room follows', { ...ENDED, type: 'ChatBecameLead' }],
  ['in a schema version of a newer node', { ...ENDED, schemaVersion: 99 }],
  [
    'about a party that only a newer node knows',
    { kind: 'receipt', sessionId: 's', party: 'bot', delivered: 1, seen: 1 },
  ],
  ['without what it is about', { kind: 'typing' }],
])('news %s is passed over', (_, news) => {
  expect(parseNotification(` ${JSON.stringify(news)}`)).toBeUndefined()
})

test.each(['', 'null', '[]', '"posted"', '{"kind":'])('%j is no news', (text) => {
  expect(parseNotification(` ${text}`)).toBeUndefined()
})
