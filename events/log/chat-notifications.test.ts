import { expect, test } from 'vitest'
import { parseNotification } from './chat-notifications.ts'

const POSTED = {
  kind: 'posted',
  message: { id: 'm', sessionId: 's', sequence: 1, senderType: 'bot', addedLater: 1 },
  addedLater: true,
}

test('news of a newer node is taken with all that it says', () => {
  expect(parseNotification(JSON.stringify(POSTED))).toEqual(POSTED)
})

test.each([
  ['of a kind that only a newer node knows', { kind: 'brand_new', sessionId: 's' }],
  [
    'about a party that only a newer node knows',
    { kind: 'receipt', sessionId: 's', party: 'bot', delivered: 1, seen: 1 },
  ],
  ['without what it is about', { kind: 'ended' }],
])('news %s is passed over', (_, news) => {
  expect(parseNotification(JSON.stringify(news))).toBeUndefined()
})

test.each(['', 'null', '[]', '"posted"', '{"kind":'])('%j is no news', (text) => {
  expect(parseNotification(text)).toBeUndefined()
})
