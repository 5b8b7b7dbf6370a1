import { expect, test } from 'vitest'
import { OverLimitError } from '../../admission/admission.ts'
import { openMessageLimit, type Writer } from './message-limit.ts'

/** A limit whose count over all nodes has room for `room` messages of each. */
const open = (room = Number.POSITIVE_INFINITY) => {
  const asked: object[] = []
  const admit = async (_: string, who: object) => {
    asked.push(who)
    if (asked.length > room) throw new OverLimitError('messages', 'Many messages.', 600)
  }
  return { asked, limit: openMessageLimit({ admit }) }
}

const ADDRESS = '203.0.113.7'

test('a visitor writes 200 messages at once, then one a second, and staff a thousand in all their chats', async () => {
  const { limit } = open()
  /** The number of 1,500 attempts that pass, in turn in these sessions. */
  const passing = async (sessions: string[], by: string | undefined, now: number) => {
    const tries = Array.from({ length: 1_500 }, (_, index) =>
      limit.admit({ sessionId: sessions[index % sessions.length] ?? '', address: ADDRESS, by }, now),
    )
    const outcomes = await Promise.allSettled(tries)
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }
  expect(await passing(['one'], undefined, 1_000)).toBe(200)
  expect(await passing(['one'], undefined, 4_000)).toBe(3)
  expect(await passing(['two'], undefined, 4_000)).toBe(200)
  expect(await passing(['one', 'two'], 'thandi', 1_000)).toBe(1_000)
  expect(await passing(['one', 'two'], 'sipho', 1_000)).toBe(1_000)
})

test('over all nodes a visitor counts by chat, then by address, and staff by their account alone', async () => {
  const { asked, limit } = open()
  const visitor: Writer = { sessionId: 'one', address: ADDRESS, by: undefined }
  await limit.admit(visitor, 1_000)
  await limit.admit({ ...visitor, by: 'thandi' }, 1_000)
  expect(asked).toEqual([{ session: 'one' }, { address: ADDRESS }, { account: 'thandi' }])
})

test('each refusal says when to send again', async () => {
  const fast = open().limit
  const writer: Writer = { sessionId: 'one', address: ADDRESS, by: undefined }
  for (let message = 0; message < 200; message += 1) await fast.admit(writer, 1_000)
  await expect(fast.admit(writer, 1_000)).rejects.toMatchObject({
    retryAfterS: 3,
    message: "You're sending messages too quickly. Please try again in 3 seconds.",
  })
  await expect(open(0).limit.admit(writer, 1_000)).rejects.toMatchObject({ retryAfterS: 600 })
})
