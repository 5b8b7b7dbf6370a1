import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { LogError } from '../keys/errors.ts'
import { leadFollowUpChanged } from '../lead/follow-up/follow-up.ts'
import { type LeadEvent, leadStreams } from '../lead/lead.ts'
import { requestContext, runWith } from '../process/context.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { type Decision, handle } from './handle.ts'
import { readStream } from './read.ts'

const BY = randomUUID()

const { sql, log } = await openOwnLog()
let leadId: string

beforeEach(async () => {
  leadId = randomUUID()
  await log.append(newLead(leadId))
})

const read = async () => {
  const stream = leadStreams.of(leadId)
  const events = await readStream(sql, stream)
  return { events, stream, version: events.length }
}
const worthOf = (events: LeadEvent[]) =>
  events.reduce((value, event) => (event.type === 'LeadFollowUpChanged' && event.data.projectValue) || value, 0)
const valued = (projectValue: number) => leadFollowUpChanged({ projectValue, by: BY })
const change = (decide: (events: LeadEvent[]) => Decision<LeadEvent>, isOnce = false) =>
  handle(log, { read, decide: ({ events }) => decide(events), isOnce })

test('a decided event is appended, and returned as the log will return it', async () => {
  const context = requestContext()
  const { appended, isNew, known } = await runWith(context, () => change(() => valued(7)))
  expect([isNew, known.version]).toEqual([true, 1])
  expect((await readStream(sql, leadStreams.of(leadId))).at(-1)).toEqual(appended)
  expect(appended?.metadata).toMatchObject(context)
})

test('nothing is appended if there is nothing to do', async () => {
  expect(await change(() => undefined)).toMatchObject({ known: { version: 1 }, isNew: false })
  expect(await readStream(sql, leadStreams.of(leadId))).toHaveLength(1)
})

test('a refusal is thrown at once', async () => {
  let decisions = 0
  const refused = change(() => {
    decisions += 1
    throw new Error('not allowed')
  })
  await expect(refused).rejects.toThrow('not allowed')
  expect(decisions).toBe(1)
})

test('if another process is faster the command is decided again, on its events', async () => {
  await Promise.all([1, 2, 3].map(() => change((events) => valued(worthOf(events) + 1))))
  expect(worthOf(await readStream(sql, leadStreams.of(leadId)))).toBe(3)
})

test('after five attempts in a row the command is given up', async () => {
  let decisions = 0
  const late = handle(log, {
    read: async () => ({ stream: leadStreams.of(leadId), version: 0 }),
    decide: () => {
      decisions += 1
      return valued(1)
    },
  })
  await expect(late).rejects.toMatchObject({ code: 'wrong_version' })
  expect(decisions).toBe(5)
})

test('a command that is repeated with its id stores one event', async () => {
  const id = randomUUID()
  const decide = () => ({ id, ...valued(5) })
  const first = await change(decide)
  const again = await change(decide)
  expect([first.isNew, again.isNew]).toEqual([true, false])
  expect(again.appended).toMatchObject({ id, version: 2, position: first.appended?.position })
  expect(await readStream(sql, leadStreams.of(leadId))).toHaveLength(2)
})

test('a stored id with other content is refused, or left as it is if the command is to happen once', async () => {
  const id = randomUUID()
  await change(() => ({ id, ...valued(5) }))
  const other = () => ({ id, ...valued(6) })
  await expect(change(other)).rejects.toBeInstanceOf(LogError)
  const { appended, isNew } = await change(other, true)
  expect([appended, isNew]).toEqual([undefined, false])
  expect(worthOf(await readStream(sql, leadStreams.of(leadId)))).toBe(5)
})

test('several events are stored all or none, and the last of them is returned', async () => {
  const { appended } = await handle(log, { read, decide: () => [valued(5), valued(6)] })
  expect((await readStream(sql, leadStreams.of(leadId))).slice(1)).toMatchObject([
    { version: 2, data: { projectValue: 5 } },
    { version: 3, data: { projectValue: 6 } },
  ])
  expect(appended).toMatchObject({ version: 3, data: { projectValue: 6 } })
  const refused = handle(log, { read, decide: () => [valued(7), { ...valued(8), data: { projectValue: -1, by: BY } }] })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_event' })
  expect(worthOf(await readStream(sql, leadStreams.of(leadId)))).toBe(6)
})

test('a command that does not depend on its stream is stored once, whatever was stored in between', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const once = (...events: [Event, ...Event[]]) =>
    handle(log, {
      read: () => ({ stream: leadStreams.of(leadId), version: 'any' }),
      decide: () => events,
      isOnce: true,
    })
  type Event = ReturnType<typeof valued> & { id: string }
  await once({ id: first, ...valued(1) })
  await change(() => valued(2))
  expect((await once({ id: first, ...valued(1) })).isNew).toBe(false)
  expect((await once({ id: first, ...valued(1) }, { id: second, ...valued(3) })).isNew).toBe(false)
  expect(worthOf(await readStream(sql, leadStreams.of(leadId)))).toBe(2)
})
