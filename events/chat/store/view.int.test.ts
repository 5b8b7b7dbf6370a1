import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../base/time.ts'
import type { AnyNewEvent } from '../../catalogue.ts'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import { findChats } from '../../lead/store/people.ts'
import type { AppendRequest } from '../../log/append.ts'
import { deterministicUuid } from '../../log/event-id.ts'
import { readStream } from '../../log/read.ts'
import { prepareProjection, project, schemaOf } from '../../projections/projection.ts'
import { fileTrigrams } from '../../projections/trigrams.ts'
import { propertyOptions } from '../../testing/fixtures/property-options.ts'
import { endChat, newLead, postMessage, startChat } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { chatActivityStreams, chatAnswersUnread, chatBecameLead, chatErased } from '../activity.ts'
import { type ChatSession, chatMessagePosted, chatStreams, messageStreams } from '../chat.ts'
import { chatEmailGiven, chatEmailStreams } from '../given-email.ts'
import { type ChatSummary, unreadAnswers } from '../progress.ts'
import { chatsToLookUp, countWaitingChats, listChats, unansweredChatsFor, unreadChats, waitingChats } from './list.ts'
import { readChat } from './read-chat.ts'
import { noteReceipt, readReceiptsOf } from './receipts.ts'
import { activeSessions, chatsProjection } from './view.ts'

const VIEW = schemaOf(chatsProjection)

const { databaseUrl, sql, log: appender } = await openOwnLog({ connections: 8 })

const clear = async () => {
  await sql.unsafe(`truncate events, checkpoints, checkpoint_positions, chat_receipts;
    drop schema if exists ${VIEW} cascade`)
  await prepareProjection(sql, chatsProjection)
}

beforeEach(clear)

const projectAll = async () => {
  while ((await project(sql, chatsProjection)).hasMore);
}

const foldOf = async (sessionId: string) => (await readChat(sql, sessionId)).chat

/** Appends to a chat's activity. */
const inActivity = (sessionId: string, event: AnyNewEvent): AppendRequest => ({
  stream: chatActivityStreams.of(sessionId),
  expectedVersion: 'any',
  events: [{ id: randomUUID(), ...event }],
})

const bySessionId = (sessions: ChatSession[]) => sessions.toSorted((a, b) => a.sessionId.localeCompare(b.sessionId))

const ADDRESS = 'Ana@Example.co.za'
const PHONE = '082 555 0142'
const by = randomUUID()

/** The events that may occur in a chat, by name; `turn` distinguishes them. */
const appends = {
  start: (id: string, turn: number) =>
    startChat(id, `Visitor ${turn}`, turn % 3 === 0 ? null : ADDRESS, turn % 2 === 0 ? PHONE : undefined),
  end: (id: string) => endChat(id),
  question: (id: string, turn: number) => postMessage(id, `Question ${turn}`),
  answer: (id: string, turn: number) => {
    const personal = { senderName: 'Support Team', message: `Answer ${turn}`, clientMessageId: null }
    const event = chatMessagePosted({ senderType: 'admin', by }, { subjectId: id, personal })
    const events = [{ id: randomUUID(), ...event }]
    return { stream: messageStreams.of(id), expectedVersion: 'any' as const, events }
  },
  mailed: (id: string, turn: number) =>
    inActivity(id, chatAnswersUnread({ after: 0, upTo: turn }, { subjectId: id, personal: { to: ADDRESS } })),
  address: (id: string, turn: number): AppendRequest => ({
    stream: chatEmailStreams.of(id),
    expectedVersion: 'any',
    events: [
      {
        id: randomUUID(),
        ...chatEmailGiven({}, { subjectId: id, personal: { visitorEmail: `later${turn % 3}@Example.co.za` } }),
      },
    ],
  }),
  lead: (id: string) => inActivity(id, chatBecameLead({ leadId: deterministicUuid(id), by })),
  erase: (id: string) => inActivity(id, chatErased({ by })),
}
type Kind = keyof typeof appends | 'receipt'

const kinds = fc.constantFrom<Kind>(...(Object.keys(appends) as (keyof typeof appends)[]), 'receipt')

/** Appends the event of a kind to a chat. */
const happen = (kind: Kind, id: string, turn: number) =>
  kind === 'receipt'
    ? noteReceipt(sql, id, 'visitor', { delivered: turn, seen: Math.floor(turn / 2) })
    : appender.append(appends[kind](id, turn))

/** The replies that a chat's visitor with an address has not seen, by the log and the receipts. */
const unreadOf = async (chat: ChatSummary | undefined) => {
  if (!chat?.session.visitorEmail) return undefined
  const { visitor } = await readReceiptsOf(sql, chat.session.sessionId)
  return unreadAnswers(chat.progress, visitor.seen)
}

/** A sequence of steps, each on one of four chats or on the view. */
const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ session: fc.nat(3), kind: kinds }) },
  { weight: 1, arbitrary: fc.constantFrom('step' as const, 'rebuild' as const) },
)

/** A chat begins first and once, ends once, and takes no address after it is erased. */
const mayHappen = (kind: Kind, past: Kind[]) => {
  if (kind === 'start') return past.length === 0
  const comesTooLate = (kind === 'end' && past.includes('end')) || (kind === 'address' && past.includes('erase'))
  return past.length > 0 && !comesTooLate
}

const viewRows = async () => {
  const sessions = await sql`
    select id, is_active, is_reachable, lead_id, last_activity, unread_since, session, progress
    from ${sql(VIEW)}.sessions order by id`
  return {
    sessions: [...sessions],
    said: [...(await sql`select * from ${sql(VIEW)}.said order by session_id, sequence`)],
    addresses: [...(await sql`select * from ${sql(VIEW)}.addresses order by session_id, email_key`)],
    phones: [...(await sql`select * from ${sql(VIEW)}.phones order by session_id`)],
  }
}

test('the data of chats is the same however far the view lags behind, and after a rebuild', async () => {
  const isUpToDate = fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 40 }), async (happenings) => {
    await clear()
    const run = randomUUID()
    const pasts = new Map<string, Kind[]>()
    /** Every address that a chat has had. */
    const given = new Map<string, Set<string>>()
    for (const [turn, each] of happenings.entries()) {
      if (each === 'step') await projectAll()
      else if (each === 'rebuild') await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, chatsProjection)
      else {
        const id = deterministicUuid(run, String(each.session))
        const past = pasts.get(id) ?? []
        if (!mayHappen(each.kind, past)) continue
        await happen(each.kind, id, turn)
        pasts.set(id, [...past, each.kind])
        const address = (await foldOf(id))?.session.visitorEmail?.toLowerCase()
        if (address) given.set(id, (given.get(id) ?? new Set<string>()).add(address))
      }
      const folds = await Promise.all([...pasts.keys()].map(foldOf))
      const active = folds.flatMap((chat) => (chat?.session.isActive ? [chat.session] : []))
      expect(bySessionId(await activeSessions(sql, 100))).toEqual(bySessionId(active))
    }
    await projectAll()
    const rows = await viewRows()
    const lookedAt = await unreadChats(sql, { from: new Date(0), to: new Date(Date.now() + HOUR_MS) }, 100)
    for (const [id, past] of pasts) {
      const row = rows.sessions.find((session) => session.id === id)
      const chat = await foldOf(id)
      expect(row).toMatchObject({ ...chat, lead_id: chat?.progress.leadId, is_active: !past.includes('end') })
      const addresses = rows.addresses.filter((each) => each.session_id === id).map(({ email_key }) => email_key)
      expect(addresses).toEqual(past.includes('erase') ? [] : [...(given.get(id) ?? [])].sort())
      const phones = rows.phones.filter((each) => each.session_id === id).map(({ phone_key }) => phone_key)
      expect(phones).toEqual(chat?.session.visitorPhone ? ['27825550142'] : [])
      expect(row?.is_reachable).toBe(Boolean(chat?.session.visitorEmail ?? chat?.session.visitorPhone))
      const said = past.includes('erase') ? [] : past.filter((kind) => ['start', 'question', 'answer'].includes(kind))
      expect(rows.said.filter((saying) => saying.session_id === id)).toHaveLength(said.length)
      const unread = await unreadOf(chat)
      expect(lookedAt.includes(id)).toBe(unread !== undefined)
      if (unread) expect(row?.unread_since?.toISOString()).toBe(unread.since)
    }
    await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, chatsProjection)
    expect(await viewRows()).toEqual(rows)
  })
  await fc.assert(isUpToDate, propertyOptions(15))
})

test("sessions are listed with their visitors' details, newest first", async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await appender.append(startChat(first, 'Thandi'))
  await appender.append(newLead(randomUUID()))
  await appender.append(startChat(second, 'Sipho'))
  await sql`update events set recorded_at = recorded_at + position * interval '1 second'`
  const sessions = await activeSessions(sql, 100)
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second, first])
  const event = (await readStream(sql, chatStreams.of(first)))[0]
  expect(sessions[1]).toEqual({
    sessionId: first,
    visitorName: 'Thandi',
    visitorEmail: null,
    pageUrl: 'https://www.example.com/',
    userAgent: 'Test/1.0',
    isActive: true,
    startTime: event?.recordedAt.toISOString(),
    endTime: null,
  })
  await projectAll()
  expect(await activeSessions(sql, 100)).toEqual(sessions)
})

test('a message is found at once and filed in the index later, and other changes of the chat file nothing', async () => {
  const sessionId = randomUUID()
  await appender.append(startChat(sessionId, 'Thandi'))
  await projectAll()
  await fileTrigrams(sql, chatsProjection)
  await appender.append(postMessage(sessionId, 'A quagga, please'))
  await projectAll()
  const isFound = async (q: string) => (await listChats(sql, { q }, { limit: 2 })).length === 1
  expect([await isFound('quagga'), await isFound('thandi')]).toEqual([true, true])
  expect(await fileTrigrams(sql, chatsProjection)).toBeGreaterThan(0)
  expect([await isFound('quagga'), await isFound('thandi')]).toEqual([true, true])
  await appender.append(endChat(sessionId))
  await projectAll()
  expect(await fileTrigrams(sql, chatsProjection)).toBe(0)
})

test('a session is found by its visitor’s number in any spelling, and linked by it with a lead, until it is erased', async () => {
  const sessionId = randomUUID()
  await appender.append(startChat(sessionId, 'Thandi', null, '+27 82 555 0142'))
  await projectAll()
  const found = async () => {
    const spellings = ['082 555 0142', '0825550142', '+27825550142', '555 0142']
    const lists = await Promise.all(spellings.map((q) => listChats(sql, { q }, { limit: 2 })))
    const [chat] = await findChats(sql, { leadIds: [], emails: [], phones: ['27825550142'] })
    return [...lists.map(([first]) => first?.visitorPhone), chat?.session.visitorPhone]
  }
  expect(await found()).toEqual(Array.from({ length: 5 }, () => '+27 82 555 0142'))
  await appender.append(inActivity(sessionId, chatErased({ by })))
  await projectAll()
  expect(await found()).toEqual(Array.from({ length: 5 }, () => undefined))
  expect(JSON.stringify(await viewRows())).not.toMatch(/555/)
})

test('a visitor who cannot be reached waits for half an hour after writing, and again while they are here', async () => {
  const [nameless, called, mailed, answered] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await appender.append(startChat(nameless, 'Nameless', 'ask my brother'))
  await appender.append(startChat(called, 'Called', null, PHONE))
  await appender.append(startChat(mailed, 'Mailed', ADDRESS))
  await appender.append(startChat(answered, 'Answered'))
  for (const id of [nameless, called, mailed, answered]) await appender.append(postMessage(id, 'Hello?'))
  await appender.append(appends.answer(answered, 1))
  await projectAll()
  const [{ last_activity: written } = {}] = await sql<{ last_activity: Date }[]>`
    select last_activity from ${sql(VIEW)}.sessions where id = ${nameless}`
  const after = (minutes: number) => new Date((written?.getTime() ?? 0) + minutes * 60_000)
  const read = async (now: Date, here: string[] = []) => {
    const at = { now, here }
    const names = (await waitingChats(sql, 10, at)).map(({ visitorName }) => visitorName)
    const fresh = (await unansweredChatsFor(sql, by, 10, at)).map(({ visitorName }) => visitorName)
    expect(await countWaitingChats(sql, at)).toBe(names.length)
    expect(fresh.toSorted()).toEqual(names.toSorted())
    return names
  }
  expect(await read(after(29))).toEqual(['Nameless', 'Called', 'Mailed'])
  expect(await chatsToLookUp(sql, after(29), 10)).toEqual([])
  expect(await read(after(30))).toEqual(['Called', 'Mailed'])
  expect(await chatsToLookUp(sql, after(30), 10)).toEqual([nameless])
  expect(await read(after(30), [nameless])).toEqual(['Nameless', 'Called', 'Mailed'])
  // an address that is given later can be written to
  await appender.append(appends.address(nameless, 1))
  await projectAll()
  expect(await read(after(600))).toEqual(['Nameless', 'Called', 'Mailed'])
})

test('a session is found by its visitor’s address and by its lead, until it is erased', async () => {
  const [sessionId, leadId, by] = [randomUUID(), randomUUID(), randomUUID()]
  await appender.append(startChat(sessionId, 'Thandi', 'Thandi@Example.co.za '))
  await appender.append(inActivity(sessionId, chatBecameLead({ leadId, by })))
  await projectAll()
  const row = () => sql`
    select lead_id, session, (select array_agg(email_key) from ${sql(VIEW)}.addresses where session_id = id) as addresses
    from ${sql(VIEW)}.sessions`
  expect(await row()).toMatchObject([{ addresses: ['thandi@example.co.za'], lead_id: leadId }])
  await appender.append(inActivity(sessionId, chatErased({ by })))
  const erased = { visitorName: 'Erased', visitorEmail: null, pageUrl: null, userAgent: null, isActive: true }
  expect(await activeSessions(sql, 100)).toMatchObject([erased])
  await projectAll()
  const expected = [{ addresses: null, lead_id: leadId, session: { sessionId, ...erased } }]
  expect(await row()).toMatchObject(expected)
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, chatsProjection)
  expect(await row()).toMatchObject(expected)
})

test('no session is missed or shown too long while workers project and rebuild', async () => {
  let isOver = false
  const staying = Array.from({ length: 5 }, () => randomUUID())
  for (const id of staying) await appender.append(startChat(id, 'stays'))
  const write = async () => {
    for (let turn = 0; turn < 60 && !isOver; turn++) {
      const id = randomUUID()
      await appender.append(startChat(id, 'passes'))
      expect((await activeSessions(sql, 100)).map(({ sessionId }) => sessionId)).toContain(id)
      await appender.append(endChat(id))
      expect((await activeSessions(sql, 100)).map(({ sessionId }) => sessionId)).not.toContain(id)
    }
  }
  const work = async () => {
    while (!isOver) await project(sql, chatsProjection)
  }
  const rebuild = async () => {
    while (!isOver) await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, chatsProjection)
  }
  const read = async () => {
    while (!isOver) {
      const found = (await activeSessions(sql, 100)).filter(({ visitorName }) => visitorName === 'stays')
      expect(found).toHaveLength(staying.length)
    }
  }
  const over = () => {
    isOver = true
  }
  await Promise.all([write().finally(over), work().finally(over), rebuild().finally(over), read().finally(over)])
})

test("a chat is found by words of its visitor's details and its messages, in any order and spelling", async () => {
  const id = randomUUID()
  await appender.append(startChat(id, 'Søren Dubé', 'soren@example.com'))
  await appender.append(postMessage(id, 'Call my café on 082 555 0142, please'))
  await appender.append(startChat(randomUUID(), 'Somebody Else', null))
  await projectAll()
  const found = async (q: string) => (await listChats(sql, { q }, { limit: 10 })).map(({ visitorName }) => visitorName)
  for (const q of [
    'soren',
    'SØREN',
    'dube, søren',
    'cafe dubé',
    '+27 82 555 0142',
    '0825550142',
    'please call 555 0142',
  ])
    expect([q, await found(q)]).toEqual([q, ['Søren Dubé']])
  for (const q of ['dube else', 'soren 0823', 'x'.repeat(801)]) expect([q, await found(q)]).toEqual([q, []])
})
