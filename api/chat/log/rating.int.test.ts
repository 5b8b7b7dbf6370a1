import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_WITHIN_MS } from '../../../events/chat/chat.ts'
import { type Appender, openAppender } from '../../../events/log/append.ts'
import { connect, type Sql } from '../../../events/stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../../../events/testing/database.ts'
import { endChat, startChat } from '../../../events/testing/fixtures/samples.ts'
import { openTestKeys } from '../../../events/testing/keys.ts'
import { rateChat, readRating } from './rating.ts'

let database: TestDatabase
let sql: Sql
let log: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  const keys = openTestKeys()
  sql = connect(database.url, { max: 4, name: 'test', keys })
  log = openAppender(database.runtimeUrl, { keys })
})

afterAll(async () => {
  await log.close()
  await sql.end()
  await database.drop()
})

const ended = async () => {
  const sessionId = randomUUID()
  await log.append(startChat(sessionId, 'Thandi'))
  await log.append(endChat(sessionId))
  return sessionId
}

const rate = (
  sessionId: string,
  score: 'good' | 'bad',
  { comment = null, now }: { comment?: string | null; now?: Date } = {},
) => rateChat({ sql, log }, { sessionId, score, comment }, now)

test('of two tabs that rate a chat at once one counts, and the other is refused', async () => {
  const sessionId = await ended()
  const outcomes = await Promise.allSettled([rate(sessionId, 'good'), rate(sessionId, 'bad')])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const first = outcomes[0]?.status === 'fulfilled' ? 'good' : 'bad'
  expect(await readRating(sql, sessionId)).toMatchObject({ score: first, comment: null })
  await rate(sessionId, first, { comment: 'Quick' })
  expect(await readRating(sql, sessionId)).toMatchObject({ score: first, comment: 'Quick' })
  await expect(rate(sessionId, first, { comment: 'Slow' })).rejects.toThrow('You have rated this chat already')
})

test('a chat can be rated for a day after its end; a retry of an earlier rating is still accepted', async () => {
  const [rated, late] = [await ended(), await ended()]
  const after = (ms: number) => new Date(Date.now() + RATE_WITHIN_MS + ms)
  await rate(rated, 'good', { now: after(-60_000) })
  await rate(rated, 'good', { now: after(60_000) })
  for (const [sessionId, score, comment] of [
    [late, 'good', null],
    [rated, 'good', 'A day late'],
  ] as const) {
    await expect(rate(sessionId, score, { comment, now: after(60_000) })).rejects.toThrow(
      'A chat can be rated for 24 hours after its end',
    )
  }
  expect(await readRating(sql, late)).toBeNull()
})
