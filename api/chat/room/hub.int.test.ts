import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatAssigned, chatAssignmentStreams } from '../../../events/chat/assignment.ts'
import { chatLinksRevoked, chatLinksStreams } from '../../../events/chat/links.ts'
import { endChat } from '../../../events/chat/store/end-chat.ts'
import { clearAccounts } from '../../../events/erasure/removed-accounts.ts'
import { ACCOUNTS_STREAM, staffAccountRemoved } from '../../../events/staff/account-history.ts'
import { eventually } from '../../../events/testing/node.ts'
import { openTestRooms, openTestSocket, posted, type TestRooms, type TestSocket } from '../../testing/rooms.ts'
import { readAssignmentChanges, readAssignments } from '../log/assignments.ts'
import { storeEmail } from '../log/given-email.ts'

const READ_DELAY_MS = 25

type Opened = Awaited<ReturnType<typeof openTestRooms>>

let first: TestRooms
let second: TestRooms
let reading: Opened['reading']
/** Appends without the delay. */
let writer: Opened['writer']
let tell: Opened['tell']
let startChat: Opened['startChat']
let close: Opened['close']

beforeAll(async () => {
  ;({ first, second, reading, writer, tell, startChat, close } = await openTestRooms())
})

afterAll(() => close())

const post = (sessionId: string, message: string) => posted(writer, sessionId, { senderType: 'visitor', message })

/** Enters like the join handler: missed messages are sent, then those held back. */
const enter = async ({ hub }: TestRooms, socket: TestSocket, sessionId: string, after = 0) => {
  const { last } = await hub.enter(socket, sessionId, { afterSequence: after, generation: 0 })
  socket.role = { type: 'visitor', sessionId, name: 'Ana', isOwn: true }
  socket.flush((frame) => frame.type !== 'new_message' || frame.sequence > last)
}

test('a message accepted just before the end is shown before it, to staff and in the visitor’s tab', async () => {
  const staff = openTestSocket()
  await second.hub.enterStaff(staff)
  staff.flush(() => true)
  // the end comes at every moment of an ongoing catch-up
  for (let endsAfterMs = 0; endsAfterMs <= 150; endsAfterMs += 10) {
    const sessionId = await startChat()
    const tab = openTestSocket()
    await enter(second, tab, sessionId)
    await eventually(() =>
      expect(staff.frames).toContainEqual(expect.objectContaining({ type: 'new_chat_session', sessionId })),
    )
    reading.delay(READ_DELAY_MS)
    await post(sessionId, 'its news is lost')
    await tell(await post(sessionId, 'its news shows the gap'))
    await delay(endsAfterMs)
    const last = await post(sessionId, 'its news is late')
    const end = await endChat(writer, sessionId, 'admin')
    if (end) await tell(end)
    reading.delay(0)
    const seenBy = (socket: TestSocket) =>
      socket.frames.flatMap((frame): (number | string)[] => {
        if (frame.type === 'new_message' && frame.sessionId === sessionId) return [frame.sequence]
        return frame.type === 'chat_ended' && frame.sessionId === sessionId ? ['end'] : []
      })
    await eventually(() =>
      expect([staff, tab].map(seenBy)).toEqual([expect.arrayContaining(['end']), expect.arrayContaining(['end'])]),
    )
    await tell(last)
    const after = await startChat()
    await eventually(() => expect(staff.frames).toContainEqual(expect.objectContaining({ sessionId: after })))
    expect([staff, tab].map(seenBy), `${endsAfterMs} ms`).toEqual([
      [1, 2, 3, 'end'],
      [1, 2, 3, 'end'],
    ])
    second.hub.leave(tab)
  }
  second.hub.leave(staff)
})

test('a visitor who returns to a chat that has just ended causes no new frame to staff', async () => {
  const staff = openTestSocket()
  await second.hub.enterStaff(staff)
  staff.flush(() => true)
  const sessionId = await startChat()
  const tab = openTestSocket()
  await enter(second, tab, sessionId)
  await tell(await post(sessionId, 'the last message'))
  const end = await endChat(writer, sessionId, 'visitor')
  if (end) await tell(end)
  const toldOf = ({ frames }: TestSocket) =>
    frames.filter((frame) => 'sessionId' in frame && frame.sessionId === sessionId).map(({ type }) => type)
  const all = ['new_chat_session', 'new_message', 'chat_ended']
  await eventually(() => expect(toldOf(staff)).toEqual(all))
  await eventually(() => expect(toldOf(tab)).toEqual(['new_message', 'chat_ended']))
  second.hub.leave(tab)
  await enter(second, openTestSocket(), sessionId)
  expect(toldOf(staff)).toEqual(all)
  second.hub.leave(staff)
})

test('a revocation of links whose notification was lost is found in the log', async () => {
  const sessionId = await startChat()
  const tab = openTestSocket()
  let told = 0
  tab.onLinksRevoked = async () => {
    told += 1
  }
  await enter(first, tab, sessionId)
  const event = { id: randomUUID(), ...chatLinksRevoked({ by: randomUUID() }) }
  await writer.log.append({ stream: chatLinksStreams.of(sessionId), expectedVersion: 'any', events: [event] })
  // a check in progress may have begun before
  await eventually(async () => {
    await first.hub.check()
    expect(told).toBe(1)
  })
  first.hub.leave(tab)
})

test('an address whose notification was lost is found in the log and sent to staff only, the latest last', async () => {
  const sessionId = await startChat()
  const staff = openTestSocket()
  await second.hub.enterStaff(staff)
  staff.flush(() => true)
  const tab = openTestSocket()
  await enter(second, tab, sessionId)
  for (const visitorEmail of ['typo@example.co.zz', 'later@example.co.za']) {
    await storeEmail(writer, sessionId, { visitorEmail, clientMessageId: randomUUID() })
  }
  // a check in progress may have begun before
  await eventually(async () => {
    await second.hub.check()
    expect(staff.frames.at(-1)).toEqual({ type: 'visitor_email', sessionId, visitorEmail: 'later@example.co.za' })
  })
  expect(JSON.stringify(tab.frames)).not.toContain('example.co')
  second.hub.leave(tab)
  second.hub.leave(staff)
})

test('a visitor who enters as another tab leaves still gets messages', async () => {
  const sessionId = await startChat()
  await post(sessionId, 'before')
  for (let trial = 0; trial < 60; trial += 1) {
    const leaving = openTestSocket()
    await enter(first, leaving, sessionId)
    const coming = openTestSocket()
    // knows more than the room: the log is read first
    const entering = enter(first, coming, sessionId, 1_000)
    await delay(Math.random() * 4)
    first.hub.leave(leaving)
    await entering
    const message = await post(sessionId, `message ${trial}`)
    await tell(message)
    await eventually(
      () =>
        expect(coming.frames.map((frame) => frame.type === 'new_message' && frame.sequence)).toContain(message.version),
      2_000,
    )
    first.hub.leave(coming)
  }
})

test('a colleague is removed once their account is: not by an event alone, and not by a late check', async () => {
  const { sql, log } = writer
  const staffId = randomUUID()
  await sql`
    insert into staff (id, username, display_name, password_hash) values (${staffId}, ${staffId}, 'Sipho', 'a hash')`
  const assign = async (sessionId: string) => {
    const event = chatAssigned(
      { to: staffId, by: staffId, reason: 'answer' },
      { subjectId: sessionId, personal: { note: null } },
    )
    const stream = chatAssignmentStreams.of(sessionId)
    await log.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event }] })
  }
  const [known, late] = [await startChat(), await startChat()]
  const [console, other] = [openTestSocket(), openTestSocket()]
  for (const socket of [console, other]) {
    await second.hub.enterStaff(socket)
    socket.flush(() => true)
  }
  await assign(known)
  await eventually(async () => {
    await second.hub.check()
    expect(second.hub.isAssigned(known)).toBe(true)
  })
  // an event whose change was never committed
  const event = { id: randomUUID(), ...staffAccountRemoved({ accountId: staffId, by: null, from: null }) }
  await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events: [event] })
  const isRead = await post(known, 'said after the event')
  await eventually(async () => {
    await second.hub.check()
    expect(console.frames).toContainEqual(expect.objectContaining({ type: 'new_message', id: isRead.id }))
  })
  const removals = ({ frames }: TestSocket) => frames.filter(({ type }) => type === 'colleague_removed')
  expect(removals(console)).toEqual([])
  expect(second.hub.isAssigned(known)).toBe(true)
  // an assignment that is read before the removal and shown after it
  await assign(late)
  reading.delay(READ_DELAY_MS)
  const checking = second.hub.check()
  await clearAccounts(sql, [staffId])
  await Promise.all([checking, second.hub.refreshStaff(), second.hub.refreshStaff()])
  reading.delay(0)
  for (const socket of [console, other]) expect(removals(socket)).toEqual([{ type: 'colleague_removed', staffId }])
  for (const sessionId of [known, late]) expect(second.hub.isAssigned(sessionId)).toBe(false)
  expect((await readAssignmentChanges(sql, [known])).get(known)?.to).toBeNull()
  expect((await readAssignments(sql, [known])).get(known)?.to).toBeNull()
  for (const socket of [console, other]) second.hub.leave(socket)
})

test('a node shows what it publishes once, and so does each other node', async () => {
  const sessionId = await startChat()
  const consoles = [openTestSocket(), openTestSocket()] as const
  const tabs = [openTestSocket(), openTestSocket()] as const
  for (const [index, rooms] of [first, second].entries()) {
    const [console, tab] = [consoles[index], tabs[index]] as [TestSocket, TestSocket]
    await rooms.hub.enterStaff(console)
    console.flush(() => true)
    await enter(rooms, tab, sessionId)
  }
  for (const senderType of ['visitor', 'admin'] as const) {
    first.hub.publish({ kind: 'typing', sessionId, senderType, isTyping: true })
  }
  const published = await post(sessionId, 'what they typed')
  first.hub.publish(published)
  const seenBy = ({ frames }: TestSocket) =>
    frames.flatMap((frame) => {
      const isPublished = frame.type === 'typing' || frame.type === 'new_message'
      return isPublished && frame.sessionId === sessionId ? [frame.type] : []
    })
  expect([consoles[0], tabs[0]].map(seenBy)).toEqual(Array(2).fill(['typing', 'new_message']))
  // comes after all that may have come back
  const last = await post(sessionId, 'the last message')
  await tell(last)
  const all = ['typing', 'new_message', 'new_message']
  await eventually(() => expect([...consoles, ...tabs].map(seenBy)).toEqual(Array(4).fill(all)))
  for (const [index, { hub }] of [first, second].entries()) {
    hub.leave(consoles[index] as TestSocket)
    hub.leave(tabs[index] as TestSocket)
  }
})

test('a chat whose key is lost blocks none of the others for staff', async () => {
  const [lost, sound] = [await startChat(), await startChat()]
  const staff = openTestSocket()
  await second.hub.enterStaff(staff)
  staff.flush(() => true)
  await post(lost, 'nobody can read this')
  await writer.sql`delete from subject_keys where subject_id = ${lost}`
  await post(sound, 'its news is lost')
  await eventually(async () => {
    await second.hub.check()
    expect(staff.frames).toContainEqual(expect.objectContaining({ type: 'new_message', sessionId: sound }))
  })
  second.hub.leave(staff)
})
