import { expect, test } from 'vitest'
import { limitEach, openMessageLimit } from './message-limit.ts'

test('each has a limit of their own', () => {
  const { mayPass } = limitEach({ burst: 2, perSecond: 1 })
  expect(['a', 'a', 'a', 'b'].map((who) => mayPass(who, 1_000))).toEqual([true, true, false, true])
})

test('those who have their whole burst again are forgotten', () => {
  const limit = limitEach({ burst: 2, perSecond: 1 })
  for (const who of ['a', 'b', 'a']) limit.mayPass(who, 1_000)
  limit.mayPass('b', 2_000)
  expect(limit.size).toBe(2)
  limit.mayPass('c', 3_000)
  expect(limit.size).toBe(2)
  limit.mayPass('c', 5_000)
  expect(limit.size).toBe(1)
})

test('a visitor writes 200 messages at once, then one a second, and staff a thousand in all their chats', () => {
  const { mayPost } = openMessageLimit()
  /** How many of 1,500 tries pass, in turn in these sessions. */
  const passing = (sessions: string[], by: string | undefined, now: number) =>
    Array.from({ length: 1_500 }, (_, index) => mayPost(sessions[index % sessions.length] ?? '', by, now)).filter(
      Boolean,
    ).length
  expect(passing(['one'], undefined, 1_000)).toBe(200)
  expect(passing(['one'], undefined, 4_000)).toBe(3)
  expect(passing(['two'], undefined, 4_000)).toBe(200)
  expect(passing(['one', 'two'], 'thandi', 1_000)).toBe(1_000)
  expect(passing(['one', 'two'], 'sipho', 1_000)).toBe(1_000)
})
