import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { endChat, newLead, postMessage, startChat } from '../testing/fixtures/samples.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { LogIntegrityError, readEvent, readHead, readLog, readParts, readStream, readTail } from './read.ts'

const SESSION = randomUUID()

const { sql, log: appender } = await openOwnLog({ connections: 1 })

beforeEach(async () => {
  await sql`truncate events`
  await appender.append(startChat(SESSION, 'Thandi'))
  for (const text of ['one', 'two', 'three']) await appender.append(postMessage(SESSION, text))
  await appender.append(newLead(randomUUID()))
  await appender.append(endChat(SESSION))
})

const positionsOf = (events: { position: number }[]) => events.map(({ position }) => position)

test('the log is read after a position, in order, up to the limit', async () => {
  expect(positionsOf(await readLog(sql, 0, 100))).toEqual([1, 2, 3, 4, 5, 6])
  expect(positionsOf(await readLog(sql, 2, 3))).toEqual([3, 4, 5])
  expect(await readLog(sql, 6, 100)).toEqual([])
  expect(await readHead(sql)).toEqual({ epoch: expect.stringMatching(/^[0-9a-f-]{36}$/), position: 6 })
})

test('a stream is read after a version, oldest first', async () => {
  const events = await readStream(sql, `chat-messages-${SESSION}`, { after: 1 })
  expect(events.map(({ version }) => version)).toEqual([2, 3])
  expect(await readStream(sql, `chat-messages-${SESSION}`, { limit: 1 })).toHaveLength(1)
  expect(await readStream(sql, 'chat-messages-nobody')).toEqual([])
})

test('parts of some streams are read together: the newest of each, or the oldest after a version', async () => {
  const chat = { stream: `chat-${SESSION}`, limit: 5 }
  const messages = { stream: `chat-messages-${SESSION}`, limit: 1 }
  const nobody = { stream: 'chat-messages-nobody', limit: 5 }
  expect(positionsOf(await readParts(sql, [messages, chat, nobody], 'newest'))).toEqual([1, 4, 6])
  expect(positionsOf(await readParts(sql, [{ ...messages, after: 1 }, chat], 'oldest'))).toEqual([1, 3, 6])
  expect(positionsOf(await readParts(sql, [{ ...messages, after: 3 }], 'newest'))).toEqual([])
})

test('the tail of the log holds the requested types', async () => {
  const tail = await readTail(sql, 1, ['ChatStarted', 'ChatEnded', 'LeadSubmitted'])
  expect(tail.map(({ type, position }) => [type, position])).toEqual([
    ['LeadSubmitted', 5],
    ['ChatEnded', 6],
  ])
  expect(positionsOf(await readTail(sql, 0, ['ChatStarted', 'LeadSubmitted'], { within: 3 }))).toEqual([5])
})

test('an event is found by its id', async () => {
  const [first] = await readLog(sql, 0, 1)
  expect(await readEvent(sql, first?.id ?? '')).toEqual(first)
  expect(await readEvent(sql, randomUUID())).toBeUndefined()
})

test('a hole anywhere stops the reader', async () => {
  await sql`delete from events where position = 3`
  await expect(readLog(sql, 0, 100)).rejects.toThrow(new LogIntegrityError('The log has no event 3: 4 comes next'))
  await expect(readLog(sql, 2, 100)).rejects.toThrow(LogIntegrityError)
  expect(positionsOf(await readLog(sql, 0, 2))).toEqual([1, 2])
  expect(positionsOf(await readLog(sql, 3, 100))).toEqual([4, 5, 6])
})

test.each([
  ['a schema version that this code does not know', 'schema_version = 3', 'is ChatMessagePosted in version 3'],
  ['a type that this code does not know', `type = 'ChatMessageEaten'`, 'is ChatMessageEaten in version 2'],
])('%s stops every reader', async (_, change, message) => {
  await sql.unsafe(`update events set ${change} where position = 2`)
  const [row] = await sql<{ id: string }[]>`select id from events where position = 2`
  const error = new LogIntegrityError(`Event 2 ${message}, which this code does not know: run newer code`)
  await expect(readLog(sql, 0, 100)).rejects.toThrow(error)
  await expect(readStream(sql, `chat-messages-${SESSION}`)).rejects.toThrow(error)
  await expect(readEvent(sql, row?.id ?? '')).rejects.toThrow(error)
})

test('a log without its epoch stops the reader', async () => {
  await sql`begin`
  await sql`delete from log_epoch`
  await expect(readHead(sql)).rejects.toThrow(LogIntegrityError)
  await sql`rollback`
})

test('erased personal data is read as null', async () => {
  await sql`update events set personal = null where position = 2`
  expect((await readLog(sql, 1, 1))[0]).toMatchObject({ type: 'ChatMessagePosted', personal: null })
})
