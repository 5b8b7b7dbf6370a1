import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatActivityStreams, chatAnswersUnread } from '../../events/chat/activity.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { openAppender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import type { Account } from '../../events/staff/staff.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import type { TimelineEntry } from '../../events/timeline.ts'
import { joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const PASSWORD = 'the password of an account'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

type Staff = { cookie: string }

let people = 0

const send = (method: string, path: string, body?: unknown, headers: object = owner, node = nodes[0]) =>
  node.call(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const submit = async (fields: object = {}): Promise<Lead> => {
  people += 1
  const person = { name: 'Ana Botha', email: `ana${people}@example.com`, phone: `082 700 ${1000 + people}` }
  const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, {})
  expect(response.status).toBe(201)
  return await response.json()
}

const patch = (lead: Lead, change: object, headers: object = {}, staff = owner) =>
  send('PATCH', `/api/leads/${lead.id}`, change, { ...staff, ...headers })
const undo = (lead: Lead, eventId: unknown, staff = owner) =>
  send('POST', `/api/leads/${lead.id}/undo`, { eventId }, staff)
const addNote = (lead: Lead, note: unknown, headers: object = owner) =>
  send('POST', `/api/leads/${lead.id}/notes`, { note }, headers)
const personOf = async (lead: Lead): Promise<{ leads: Lead[]; timeline: TimelineEntry[] }> =>
  (await send('GET', `/api/leads/${lead.id}/person`)).json()
const lastEvent = async (lead: Lead) => (await (await send('GET', `/api/leads/${lead.id}/history`)).json()).at(-1)

const { database, nodes } = await startProduct({ nodes: 2 })
const owner: Staff = await signIn(nodes[0])
let agent: Staff

beforeAll(async () => {
  const account = { username: 'ben', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
  const made: Account = await (await send('POST', '/api/accounts', account)).json()
  const response = await nodes[1].post('/api/login', { username: made.username, password: PASSWORD })
  agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
})

/** Stores the event that a worker appends if the visitor was gone when the second message came. */
const leaveUnread = async (sessionId: string, to: string) => {
  const log = openAppender(database.url, { keys: TEST_KEYS })
  const event = chatAnswersUnread({ after: 1, upTo: 2 }, { subjectId: sessionId, personal: { to } })
  const events = [{ id: randomUUID(), ...event }]
  await log.append({ stream: chatActivityStreams.of(sessionId), expectedVersion: 'any', events })
  await log.close()
}

let lead: Lead
beforeEach(async () => {
  lead = await submit()
})

describe('two staff members on one lead', () => {
  test('the second sees the first one’s conflicting changes, and chooses', async () => {
    expect((await patch(lead, { projectValue: 5_000 }, { 'if-match': '"1"' }, agent)).status).toBe(200)
    const refused = await patch(lead, { projectValue: 7_000, followUpStatus: 'quoted' }, { 'if-match': '"1"' })
    expect(refused.status).toBe(409)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    const problem = await refused.json()
    expect(problem).toMatchObject({
      type: 'urn:problem:conflict',
      status: 409,
      lead: { id: lead.id, projectValue: 5_000, followUpStatus: 'new', version: 2 },
      changes: [{ by: 'Ben Dube', timestamp: expect.any(String), data: { projectValue: 5_000 } }],
    })
    const again = await patch(lead, { projectValue: 7_000 }, { 'if-match': `"${problem.lead.version}"` })
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"3"'])
    expect(await again.json()).toMatchObject({ projectValue: 7_000, version: 3 })
  })

  test('changes of different fields are merged', async () => {
    await patch(lead, { projectValue: 5_000 }, { 'if-match': '"1"' }, agent)
    const merged = await patch(lead, { followUpStatus: 'quoted' }, { 'if-match': '"1"' })
    expect(await merged.json()).toMatchObject({ projectValue: 5_000, followUpStatus: 'quoted', version: 3 })
  })

  test('a lost lead keeps the next action that a colleague has planned unseen, and no other', async () => {
    await patch(lead, { nextActionDate: '2026-12-01' }, { 'if-match': '"1"' }, agent)
    const unseen = await patch(lead, { followUpStatus: 'lost' }, { 'if-match': '"1"' })
    expect(await unseen.json()).toMatchObject({ followUpStatus: 'lost', nextActionDate: '2026-12-01', version: 3 })
    await patch(lead, { followUpStatus: 'quoted' }, { 'if-match': '"3"' })
    const seen = await patch(lead, { followUpStatus: 'lost' }, { 'if-match': '"4"' })
    expect(await seen.json()).toMatchObject({ followUpStatus: 'lost', nextActionDate: null })
  })

  test('a change returns its event, and one that was already made returns none', async () => {
    const first = await patch(lead, { followUpStatus: 'contacted' }, { 'if-match': '"1"' }, agent)
    expect(first.headers.get('event-id')).toBe((await lastEvent(lead)).id)
    const second = await patch(lead, { followUpStatus: 'contacted' }, { 'if-match': '"1"' })
    expect([second.status, second.headers.get('event-id')]).toEqual([200, null])
  })

  test('of two staff members who change the same at the same time, on two nodes, one is notified', async () => {
    const headers = { 'if-match': '"1"' }
    const answers = await Promise.all([
      send('PATCH', `/api/leads/${lead.id}`, { projectValue: 1 }, { ...owner, ...headers }, nodes[0]),
      send('PATCH', `/api/leads/${lead.id}`, { projectValue: 2 }, { ...agent, ...headers }, nodes[1]),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('without a condition, or with any, the last one wins', async () => {
    await patch(lead, { projectValue: 1 }, {}, agent)
    expect((await patch(lead, { projectValue: 2 })).status).toBe(200)
    expect((await patch(lead, { projectValue: 3 }, { 'if-match': '*' }, agent)).status).toBe(200)
    expect((await patch(lead, { projectValue: 4 }, { 'if-match': 'W/"4"' })).status).toBe(200)
  })

  test.each(['3', '"x"', '"1", "2"', ''])('a condition that is no version returns 422: %j', async (condition) => {
    expect((await patch(lead, { projectValue: 1 }, { 'if-match': condition })).status).toBe(422)
  })
})

test('a won lead has a date, which is removed when the win is undone', async () => {
  const won: Lead = await (await patch(lead, { followUpStatus: 'won', projectValue: 1_499 })).json()
  expect(won.conversionDate).toMatch(/^\d{4}-/)
  const { id } = await lastEvent(lead)
  const undone = await undo(lead, id, agent)
  expect([undone.status, undone.headers.get('etag')]).toEqual([200, '"3"'])
  expect(await undone.json()).toEqual({ ...lead, version: 3 })
  expect(await lastEvent(lead)).toMatchObject({ by: 'Ben Dube', data: { undoes: id, conversionDate: null } })
})

describe('undoing', () => {
  test('is done once for any number of requests', async () => {
    await patch(lead, { projectValue: 5 })
    const { id } = await lastEvent(lead)
    const answers = await Promise.all([undo(lead, id), undo(lead, id, agent), undo(lead, id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await lastEvent(lead)).toMatchObject({ version: 3, data: { undoes: id, projectValue: null } })
  })

  test('stays done if the same was changed again since then', async () => {
    await patch(lead, { projectValue: 5 })
    const { id } = await lastEvent(lead)
    await undo(lead, id)
    await patch(lead, { projectValue: 6 }, {}, agent)
    expect(await (await undo(lead, id)).json()).toMatchObject({ projectValue: 6, version: 4 })
    const { timeline } = await personOf(lead)
    expect(timeline.map(({ kind, isUndone }) => [kind, isUndone])).toEqual([
      ['lead', false],
      ['follow_up', true],
      ['follow_up', false],
      ['follow_up', false],
    ])
  })

  test('can be undone', async () => {
    await patch(lead, { projectValue: 5 })
    await undo(lead, (await lastEvent(lead)).id)
    const again = await undo(lead, (await lastEvent(lead)).id)
    expect(await again.json()).toMatchObject({ projectValue: 5, version: 4 })
  })

  test('is refused if the same was changed again since then', async () => {
    await patch(lead, { projectValue: 5 })
    const { id } = await lastEvent(lead)
    await patch(lead, { projectValue: 6 }, {}, agent)
    const refused = await undo(lead, id)
    expect(refused.status).toBe(409)
    expect((await refused.json()).detail).toBe('It was changed again since then: undo the later change first')
  })

  test('is refused for events not by staff, and for unknown ones', async () => {
    expect((await undo(lead, (await lastEvent(lead)).id)).status).toBe(422)
    expect((await undo(lead, UNKNOWN)).status).toBe(404)
    for (const id of ['x', 7, null, undefined]) expect((await undo(lead, id)).status).toBe(422)
  })
})

describe('a note', () => {
  test('is returned as its entry of the timeline, with its author', async () => {
    const response = await addNote(lead, '  Call on Friday\n"after" five 😀 ', agent)
    expect(response.status).toBe(201)
    const entry = await response.json()
    expect(entry).toEqual({
      id: expect.any(String),
      kind: 'note',
      timestamp: expect.any(String),
      by: 'Ben Dube',
      leadId: lead.id,
      sessionId: null,
      data: { by: expect.any(String), note: 'Call on Friday\n"after" five 😀' },
      isUndoable: true,
      isUndone: false,
    })
    expect((await personOf(lead)).timeline.at(-1)).toEqual(entry)
  })

  test('is stored once per Idempotency-Key', async () => {
    const headers = { ...owner, 'idempotency-key': 'note-1' }
    const [first, second] = await Promise.all([addNote(lead, 'Once', headers), addNote(lead, 'Once', headers)])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
    expect(await lastEvent(lead)).toMatchObject({ version: 2, data: { note: 'Once' } })
    expect((await addNote(lead, 'Another', headers)).status).toBe(422)
    const shouted = await addNote({ ...lead, id: lead.id.toUpperCase() }, 'Once', headers)
    expect(await shouted.json()).toEqual(await (await addNote(lead, 'Once', headers)).json())
    expect((await lastEvent(lead)).version).toBe(2)
  })

  test('is taken away, and brought back', async () => {
    const { id } = await (await addNote(lead, 'Call on Friday')).json()
    expect((await undo(lead, id, agent)).status).toBe(200)
    const { timeline } = await personOf(lead)
    expect(timeline.map(({ kind, by, isUndoable, isUndone }) => [kind, by, isUndoable, isUndone])).toEqual([
      ['lead', null, false, false],
      ['note', 'thandi', false, true],
      ['note_removed', 'Ben Dube', true, false],
    ])
    expect((await undo(lead, timeline.at(-1)?.id)).status).toBe(200)
    expect((await personOf(lead)).timeline.at(-1)).toMatchObject({ kind: 'note', data: { note: 'Call on Friday' } })
  })

  test.each(['', '   ', null, 7, 'x'.repeat(5_001), 'half \ud83d'])('of %j is refused', async (note) => {
    expect((await addNote(lead, note)).status).toBe(422)
    expect((await lastEvent(lead)).version).toBe(1)
  })
})

describe('a person', () => {
  test('has the leads that share an address or a number, and those that share one with these', async () => {
    const first = await submit({ email: 'Lerato@Example.com', phone: '082 611 0001' })
    const second = await submit({ email: 'lerato@example.com', phone: '+27 82 611 0002' })
    const third = await submit({ email: 'lerato@work.example', phone: '0826110002', leadSource: 'contact_form' })
    const ids = [first.id, second.id, third.id]
    await eventually(async () => {
      for (const each of [first, second, third]) {
        expect((await personOf(each)).leads.map(({ id }) => id)).toEqual(ids)
      }
    })
    expect((await personOf(lead)).leads).toEqual([lead])
  })

  test('has all that happened in one line, oldest first', async () => {
    const email = 'sipho@example.com'
    const visitor = await openTestClient(nodes[0])
    visitor.send({ type: 'join_chat', visitorName: 'Sipho', visitorEmail: 'SIPHO@example.com', pageUrl: '/pricing' })
    const { sessionId } = await visitor.take('chat_joined')
    await say(visitor, sessionId, 'Hello?')
    const contract = await submit({
      email,
      leadSource: 'contract_essential',
      businessName: 'Sipho Plumbing',
      agreedToTerms: true,
    })
    const flagged = await submit({ email, quartz: 'filled in' })
    await patch(contract, { followUpStatus: 'contacted' }, {}, agent)
    await send('POST', `/api/leads/${flagged.id}/release`, {}, owner)
    await visitor.close()
    const expected = ['chat', 'contract', 'email', 'follow_up', 'lead', 'released']
    const { timeline } = await eventually(async () => {
      const person = await personOf(contract)
      expect(person.timeline.map(({ kind }) => kind).sort()).toEqual(expected)
      // the views of leads, chats and emails each process their events independently
      expect(person.timeline).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'chat', data: expect.objectContaining({ messages: 1 }) }),
          expect.objectContaining({ kind: 'email', data: expect.objectContaining({ state: 'outbox' }) }),
        ]),
      )
      return person
    })
    const times = timeline.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    const of = (kind: string) => timeline.find((entry) => entry.kind === kind)
    expect(of('chat')).toMatchObject({ leadId: null, sessionId, data: { visitorName: 'Sipho', messages: 1 } })
    expect(of('contract')).toMatchObject({ leadId: contract.id, data: { businessName: 'Sipho Plumbing' } })
    expect(of('email')).toMatchObject({ leadId: contract.id, data: { state: 'outbox' } })
    expect(of('follow_up')).toMatchObject({ by: 'Ben Dube', isUndoable: true })
    expect(of('released')).toMatchObject({ by: 'thandi', leadId: flagged.id })
  })

  test('has the emails that their chats sent them, each with its outcome', async () => {
    const email = 'zola@example.com'
    const [visitor, staff] = await Promise.all([openTestClient(nodes[0]), joinStaff(nodes[1], agent)])
    visitor.send({ type: 'join_chat', visitorName: 'Zola', visitorEmail: email, pageUrl: '/pricing' })
    const { sessionId } = await visitor.take('chat_joined')
    await say(visitor, sessionId, 'Hello?')
    await say(staff, sessionId, 'Good day')
    expect((await send('POST', `/api/chats/${sessionId}/transcript`, undefined, agent)).status).toBe(202)
    const transcript = deterministicUuid('transcript', sessionId, '2')
    const zola = await submit({ email })
    const mails = async () => (await personOf(zola)).timeline.filter(({ kind }) => !/^(lead|chat)$/.test(kind))
    const told = (...expected: object[]) => eventually(async () => expect(await mails()).toMatchObject(expected))
    const asked = { kind: 'transcript', by: 'Ben Dube', sessionId, data: { to: email } }
    const kept = { kind: 'email', by: null, sessionId, data: { carries: 'transcript', state: 'outbox' } }
    await told(asked, kept)
    expect((await mails())[0]?.data).not.toHaveProperty('state')

    expect((await send('POST', `/api/emails/${transcript}/resend`, {})).status).toBe(202)
    const again = { ...kept, by: 'thandi', data: { carries: 'transcript', state: 'pending' } }
    await told(asked, kept, again, kept)

    visitor.send({ type: 'receipt', sessionId, delivered: 2, seen: 2 })
    await staff.take('receipt', (frame) => frame.sessionId === sessionId)
    await leaveUnread(sessionId, email)
    await told(asked, kept, again, kept, { kind: 'unread_answers', by: null, sessionId, data: { state: 'seen' } })
    await Promise.all([visitor.close(), staff.close()])
  })
})

test.each([
  ['POST', 'notes'],
  ['POST', 'undo'],
  ['GET', 'person'],
])('%s %s is for staff, and for leads that there are', async (method, path) => {
  const body = method === 'POST' ? { note: 'x', eventId: UNKNOWN } : undefined
  expect((await send(method, `/api/leads/${lead.id}/${path}`, body, {})).status).toBe(401)
  const form = path === 'notes' ? { note: 'x' } : { eventId: UNKNOWN }
  expect((await send(method, `/api/leads/${UNKNOWN}/${path}`, body && form)).status).toBe(404)
})
