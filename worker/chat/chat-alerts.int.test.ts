import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_S, SECOND_MS } from '../../events/base/time.ts'
import { CHAT_ALERT_EVERY_MS, chatAlertStreams } from '../../events/chat/alert.ts'
import { chatAssigned, chatAssignmentStreams } from '../../events/chat/assignment.ts'
import { chatMessagePosted, messageStreams } from '../../events/chat/chat.ts'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import type { Appender } from '../../events/log/append.ts'
import { project } from '../../events/projections/projection.ts'
import { ALERTS } from '../../events/staff/staff.ts'
import { saveAlertSettings } from '../../events/staff/store/alerts.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { startChat as chatStart, endChat } from '../../events/testing/fixtures/samples.ts'
import { openPassOver } from '../consumers/pass-over.ts'
import { pushToDevices } from '../push/pushes.ts'
import { openTestDevices, type TestDevices } from '../testing/devices.ts'
import { ALWAYS, hire } from '../testing/leads.ts'
import { alertStaffOfChats } from './chat-alerts.ts'

let service: TestService
let devices: TestDevices
let push: TestDevices['push']
let mail: TestDevices['mail']
let give: TestDevices['give']
let ana: string
let ben: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await devices?.close()
  devices = await openTestDevices(service)
  ;({ push, mail, give } = devices)
  ana = await hire(mail, 'owner')
  ben = await hire(mail, 'agent')
})

afterAll(async () => {
  await Promise.all([devices.close(), service.close()])
})

const takeIn = async () => {
  for (const projection of PROJECTIONS) while ((await project(mail.sql, projection)).hasMore);
}

/** Writes a message in a chat: the visitor does, or the staff member `by`. */
const say = async (sessionId: string, { message, by }: { message: string; by?: string }) => {
  const personal = { senderName: 'Somebody', message, clientMessageId: null }
  const sender = by === undefined ? ({ senderType: 'visitor' } as const) : ({ senderType: 'admin', by } as const)
  const event = chatMessagePosted(sender, { subjectId: sessionId, personal })
  await mail.log.append({
    stream: messageStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...event }],
  })
}

const openChat = async (message: string | undefined = 'Do you build shops?') => {
  const sessionId = randomUUID()
  await mail.log.append(chatStart(sessionId, 'Thabo'))
  if (message) await say(sessionId, { message })
  await takeIn()
  return sessionId
}

const assign = async (to: string | null, ...sessionIds: string[]) => {
  for (const sessionId of sessionIds) {
    const event = chatAssigned({ to, by: ana, reason: 'choice' }, { subjectId: sessionId, personal: { note: null } })
    await mail.log.append({
      stream: chatAssignmentStreams.of(sessionId),
      expectedVersion: 'any',
      events: [{ id: randomUUID(), ...event }],
    })
  }
  await takeIn()
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * SECOND_MS)

/** A time at which a device that was notified a moment ago may be notified again. */
const afterQuiet = () => new Date(Date.now() + CHAT_ALERT_EVERY_MS + 30 * SECOND_MS)

const sweep = ({ now = inSeconds(30), hours = ALWAYS, log = mail.log as Pick<Appender, 'append'> } = {}) =>
  alertStaffOfChats({ sql: mail.sql, log, hours, passOver: openPassOver({ logger: { warn: () => {} } }) }, { now })

const pushing = () => ({
  sql: mail.sql,
  logger: { warn: () => {} },
  config: { agencyEmail: 'inbox@agency.example', pushTestOrigins: [push.origin] },
})
const sendAll = async () => {
  while (await pushToDevices(pushing()));
}

/** The endpoints of the notified devices, in alphabetical order. */
const told = () => push.taken.map(({ path }) => push.origin + path).sort()
const endpointsOf = (...devices: { endpoint: string }[]) => devices.map(({ endpoint }) => endpoint).sort()

test('every device is notified once of a chat without a reply, whichever worker looks and however often', async () => {
  const [first, second] = [await give(ana), await give(ben)]
  const sessionId = await openChat()
  await sweep({ now: inSeconds(20) })
  await sendAll()
  expect(told()).toEqual([])
  await Promise.all([sweep(), sweep(), sweep()])
  await Promise.all([sendAll(), sendAll()])
  await say(sessionId, { message: 'Hello?' })
  await takeIn()
  await sweep({ now: afterQuiet() })
  await sendAll()
  expect(told()).toEqual(endpointsOf(first, second))
  for (const { path, body } of push.taken) {
    const device = [first, second].find(({ endpoint }) => endpoint.endsWith(path))
    expect(device?.open(body)).toEqual({
      title: 'A visitor waits in the chat',
      body: 'No reply yet.',
      sessionId,
    })
    expect(body.toString('latin1')).not.toContain('Thabo')
  }
})

test('no device is notified of a chat that was answered, has ended, or is empty', async () => {
  await give(ana)
  const answered = await openChat()
  await say(answered, { message: 'Good day', by: ben })
  await takeIn()
  const ended = await openChat()
  await mail.log.append(endChat(ended))
  await takeIn()
  await mail.log.append(chatStart(randomUUID(), 'Silent Sam'))
  await takeIn()
  await sweep()
  expect(await mail.sql`select 1 from events where type = 'ChatPushRequested'`).toHaveLength(0)

  const late = await openChat()
  await sweep()
  await say(late, { message: 'Good day', by: ben })
  await sendAll()
  expect(told()).toEqual([])
})

test('no notification without a request for it, about chats from before the request, or outside support hours', async () => {
  await openChat()
  const [, bens] = [await give(ana), await give(ben)]
  await saveAlertSettings(mail.sql, ana, { email: null, alerts: ALERTS.filter((alert) => alert !== 'chat-device') })
  const [from, until] = [inSeconds(-DAY_S), inSeconds(DAY_S)].map((instant) => instant.toISOString().slice(0, 10))
  const never = { ...ALWAYS, closures: [{ from: from ?? '', until: until ?? '', word: '' }] }
  await openChat()
  await sweep({ hours: never })
  await sendAll()
  expect(told()).toEqual([])
  await sweep()
  await sendAll()
  expect(told()).toEqual(endpointsOf(bens))
})

test('only the owner is notified of a chat, the others once it is unassigned, none of them twice', async () => {
  const [anas, bens] = [await give(ana), await give(ben)]
  const sessionId = await openChat()
  await assign(ben, sessionId)
  await sweep()
  await sendAll()
  expect(told()).toEqual(endpointsOf(bens))
  await assign(null, sessionId)
  for (const now of [inSeconds(30), afterQuiet()]) await sweep({ now })
  await sendAll()
  expect(told()).toEqual(endpointsOf(anas, bens))
  await mail.sql`update staff set removed_at = now() where id = ${ben}`
  const orphan = await openChat()
  await assign(ben, orphan)
  push.taken.length = 0
  await sweep({ now: afterQuiet() })
  await sendAll()
  expect(told()).toEqual(endpointsOf(anas))
})

test('a chat that a colleague releases, or whose owner’s account is removed, is new to staff who were notified of another one since', async () => {
  await give(ana)
  const [letGo, orphan] = [await openChat(), await openChat()]
  await assign(ben, letGo, orphan)
  await openChat()
  await sweep()
  await assign(null, letGo)
  await sweep({ now: afterQuiet() })
  expect((await toldChats()).slice(1)).toEqual([letGo])
  await mail.sql`update staff set removed_at = clock_timestamp() where id = ${ben}`
  for (const _ of ['first', 'second']) await sweep({ now: afterQuiet() })
  expect(await toldChats()).toHaveLength(3)
})

test('a person is notified once a minute however many chats come, and at its end of those that came during it', async () => {
  await give(ana)
  const first = await openChat()
  await sweep()
  const [answered, waiting] = [await openChat(), await openChat()]
  await sweep()
  expect(await toldChats()).toEqual([first])
  await say(answered, { message: 'Good day', by: ben })
  await takeIn()
  await sweep({ now: afterQuiet() })
  await sendAll()
  expect(await toldChats()).toEqual([first, waiting])
})

/** Opens more chats than one sweep reports; the visitor has written in each. */
const openManyChats = async () => {
  const ids = Array.from({ length: 51 }, () => randomUUID())
  for (const id of ids) {
    await mail.log.append(chatStart(id, 'Thabo'))
    await say(id, { message: 'Hello?' })
  }
  await takeIn()
  return ids
}

test('a device gets one notification about a burst of chats, with the number that wait, and a later one replaces it', async () => {
  const [anas, bens] = [await give(ana), await give(ben)]
  const ids = [...(await openManyChats()), ...(await openManyChats())]
  for (const _ of ['first', 'second', 'third']) await sweep()
  const [answered = ''] = ids
  await say(answered, { message: 'Good day', by: ben })
  await takeIn()
  await sendAll()
  expect(told()).toEqual(endpointsOf(anas, bens))
  const read = ({ path, body }: (typeof push.taken)[number]) =>
    [anas, bens].find(({ endpoint }) => endpoint.endsWith(path))?.open(body)
  const burst = { title: '101 chats wait for an answer', body: 'They have had no reply yet.', kind: 'chats' }
  expect(push.taken.map(read)).toEqual([burst, burst])

  const topics = new Set(push.taken.map(({ headers }) => headers.topic))
  await openChat()
  await sweep({ now: afterQuiet() })
  await sendAll()
  expect(push.taken.slice(2).map(read)).toEqual(Array(2).fill({ ...burst, title: '102 chats wait for an answer' }))
  expect(new Set([...topics, ...push.taken.map(({ headers }) => headers.topic)]).size).toBe(1)
})

test('once the chat of a notification is answered, its device is notified of the others that wait', async () => {
  const device = await give(ana)
  const [waiting, answered] = [await openChat(), await openChat()]
  await sweep()
  await say(answered, { message: 'Good day', by: ben })
  await takeIn()
  await sendAll()
  expect(push.taken.map(({ body }) => device.open(body))).toMatchObject([{ sessionId: waiting }])
})

const toldChats = async () => {
  const rows = await mail.sql<{ id: string }[]>`
    select data ->> 'sessionId' as id from events where type = 'ChatPushRequested' order by position`
  return rows.map(({ id }) => id)
}

test('many chats from before the first device do not delay newer ones', async () => {
  await openManyChats()
  await give(ana)
  const newer = await openChat()
  await sweep()
  expect(await toldChats()).toEqual([newer])
})

test('many chats of staff without a device, or who were notified of them before, do not delay newer ones', async () => {
  await give(ana)
  await assign(ben, ...(await openManyChats()))
  const newer = await openChat()
  await sweep()
  expect(await toldChats()).toEqual([newer])
  const told = await openManyChats()
  await sweep({ now: afterQuiet() })
  await assign(ana, ...told)
  const newest = await openChat()
  await sweep({ now: afterQuiet() })
  expect(await toldChats()).toEqual([newer, told[0], newest])
})

test('a person who cannot be notified delays no other, and the sweep still fails', async () => {
  await Promise.all([give(ana), give(ben)])
  await openChat()
  const log: Pick<Appender, 'append'> = {
    append: (batch) =>
      batch.stream === chatAlertStreams.of(ana)
        ? Promise.reject(new Error('the disk is full'))
        : mail.log.append(batch),
  }
  await expect(sweep({ log })).rejects.toThrow('the disk is full')
  const rows = await mail.sql`select data ->> 'accountId' as id from events where type = 'ChatPushRequested'`
  expect(rows).toEqual([{ id: ben }])
})

test('a chat whose key is lost delays no other: staff are notified of the next one, and operators once of the lost key', async () => {
  await give(ana)
  const lost = await openChat()
  await mail.sql`delete from subject_keys where subject_id = ${lost}`
  const warned: object[] = []
  let counted = 0
  const onFirst = () => {
    counted += 1
  }
  const passOver = openPassOver({ logger: { warn: (what: object) => warned.push(what) }, onFirst })
  const look = () =>
    alertStaffOfChats({ sql: mail.sql, log: mail.log, hours: ALWAYS, passOver }, { now: inSeconds(30) })
  await look()
  const newer = await openChat()
  await look()
  expect(await toldChats()).toEqual([newer])
  expect(warned).toEqual([{ sessionId: lost, err: expect.stringContaining('is missing') }])
  expect(counted).toBe(1)
})
