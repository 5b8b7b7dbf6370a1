import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead/lead.ts'
import { leadAnswerStreams, leadEmailWritten, MAX_CONTACT_AGE_S } from '../../events/lead/reply/answer.ts'
import { answeredId } from '../../events/lead/store/answer-ids.ts'
import { openAppender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import type { TimelineEntry } from '../../events/timeline.ts'

const PASSWORD = 'the password of an account'
const EMAIL = { subject: 'Your bakery’s website', text: 'Hello Ana,\n\nwhen may we call?' }

type Staff = { id: string; cookie: string }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let smtp: TestSmtp
let nodes: [TestNode, TestNode, TestNode]
let worker: TestProcess
let owner: { cookie: string }
let ben: Staff
let cleo: Staff
let people = 0
let lead: Lead

const hire = async (username: string): Promise<Staff> => {
  const account = { username, displayName: username, password: PASSWORD, role: 'agent' }
  const { id } = await (await nodes[0].post('/api/accounts', account, owner)).json()
  const response = await nodes[0].post('/api/login', { username, password: PASSWORD })
  return { id, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

beforeAll(async () => {
  database = await createTestDatabase()
  smtp = await openTestSmtp()
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const env = { SMTP_URL: smtp.url, EMAIL_SMTP_PER_MINUTE: '600' }
  ;[nodes, worker] = await Promise.all([
    Promise.all([
      startTestNode(stores, env),
      startTestNode(stores, env),
      startTestNode(stores, { SMTP_URL: '', EMAIL_FORWARD_URL: '' }),
    ]),
    startTestWorker(stores, env),
  ])
  owner = await signIn(nodes[0])
  ;[ben, cleo] = [await hire('ben'), await hire('cleo')]
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((process) => process?.stop()))
  await Promise.all([smtp?.close(), database?.drop()])
})

const submit = async (fields: object = {}): Promise<Lead> => {
  people += 1
  const person = { name: 'Ana Botha', email: `ana${people}@example.com`, phone: `082 711 ${1000 + people}` }
  const response = await nodes[0].post('/api/leads', { ...person, leadSource: 'live_chat', ...fields })
  expect(response.status).toBe(201)
  return await response.json()
}

beforeEach(async () => {
  smtp.taken.length = 0
  lead = await submit()
})

const answer = (what: 'emails' | 'contacts', body: object, { by = ben, key = randomUUID(), node = nodes[0] } = {}) =>
  node.post(`/api/leads/${lead.id}/${what}`, body, { cookie: by.cookie, 'idempotency-key': key })
const stored = async (): Promise<Lead> =>
  (await nodes[1].call(`/api/leads/${lead.id}`, { headers: { cookie: ben.cookie } })).json()
const timeline = async (): Promise<TimelineEntry[]> => {
  const response = await nodes[1].call(`/api/leads/${lead.id}/person`, { headers: { cookie: ben.cookie } })
  return (await response.json()).timeline
}
const kinds = async () => (await timeline()).map(({ kind, by }) => (by ? `${kind} ${by}` : kind))
const isDelivered = () =>
  eventually(async () => {
    const email = (await timeline()).find(({ kind }) => kind === 'answer_email')
    expect(email?.data).toMatchObject({ ...EMAIL, to: lead.email, state: 'delivered' })
  })

test('a lead whose data key is lost does not hide its person’s other leads', async () => {
  const others = [await submit({ email: lead.email }), await submit({ email: lead.email })]
  const told = async () => {
    const response = await nodes[2].call(`/api/leads/${lead.id}/person`, { headers: { cookie: ben.cookie } })
    expect(response.status).toBe(200)
    return await response.json()
  }
  const ids = async (node: TestNode) => {
    const response = await node.call(`/api/leads/${lead.id}/person`, { headers: { cookie: ben.cookie } })
    return (await response.json()).leads.map(({ id }: Lead) => id)
  }
  await eventually(async () => expect(await ids(nodes[1])).toHaveLength(others.length + 1))
  const sql = postgres(database.url, { max: 1 })
  await sql`delete from subject_keys where subject_id = ${others[0]?.id ?? ''}`
  await sql.end()
  // a node that has not read it before
  const { leads, timeline } = await told()
  expect(leads).toMatchObject([{ id: lead.id }, { id: others[1]?.id }])
  expect(timeline.map(({ leadId }: TimelineEntry) => leadId)).toEqual([lead.id, others[1]?.id])
})

describe('an email to a lead', () => {
  test('goes to their address, stops the clock, and is in the timeline with its outcome', async () => {
    const response = await answer('emails', EMAIL)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ id: lead.id, followUpStatus: 'contacted' })
    expect((await stored()).answeredAt).not.toBeNull()
    await isDelivered()
    expect(await kinds()).toEqual(['lead', 'answer_email ben'])
    expect((await timeline())[1]).toMatchObject({
      data: { followUpStatus: 'contacted', ownerId: ben.id },
      isUndoable: true,
      isUndone: false,
    })
    expect(smtp.taken).toMatchObject([{ to: [lead.email] }])
    const message = smtp.taken[0]?.message ?? ''
    expect(message).toMatch(/^Reply-To: .*<hello@karoowebstudio\.example>/m)
    expect(message).not.toContain('Auto-Submitted')
    expect(message).toContain('when may we call?')
  })

  test('is sent once for repeated clicks, on any node, and two staff members each send their own', async () => {
    const key = randomUUID()
    const presses = [0, 1, 0, 1].map((node) => answer('emails', EMAIL, { key, node: nodes[node as 0 | 1] }))
    const others = answer('emails', { ...EMAIL, subject: 'From Cleo' }, { key, by: cleo })
    expect((await Promise.all([...presses, others])).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    await eventually(() => expect(smtp.taken).toHaveLength(2))
    expect((await kinds()).toSorted()).toEqual(['answer_email ben', 'answer_email cleo', 'lead'])
  })

  test('whose node died before the clock was stopped is completed by the next attempt', async () => {
    const log = openAppender(database.url, { keys: TEST_KEYS })
    const key = randomUUID()
    const personal = { to: lead.email, ...EMAIL }
    const event = leadEmailWritten({ leadId: lead.id, by: ben.id }, { subjectId: lead.id, personal })
    const id = deterministicUuid('answer', lead.id, ben.id, key)
    await log.append({ stream: leadAnswerStreams.of(lead.id), expectedVersion: 'any', events: [{ id, ...event }] })
    await log.close()
    expect((await stored()).followUpStatus).toBe('new')
    expect((await answer('emails', EMAIL, { key })).status).toBe(201)
    expect((await stored()).followUpStatus).toBe('contacted')
    await isDelivered()
    expect(smtp.taken).toHaveLength(1)
  })

  test('is undone as one: the status and the owner if they are unchanged, not the email, once on any node', async () => {
    const eventId = (await answer('emails', EMAIL)).headers.get('event-id') ?? ''
    const undo = (node = nodes[0], id = eventId) =>
      node.post(`/api/leads/${lead.id}/undo`, { eventId: id }, { cookie: cleo.cookie })
    const undone = await Promise.all([undo(), undo(nodes[1])])
    expect(undone.map(({ status }) => status)).toEqual([200, 200])
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
    await isDelivered()
    const entries = await timeline()
    expect(entries).toMatchObject([
      { kind: 'lead' },
      {
        kind: 'answer_email',
        isUndoable: false,
        isUndone: false,
        data: { followUpStatus: 'contacted', undone: ['followUpStatus', 'ownerId'] },
      },
      { kind: 'follow_up', by: 'cleo', isUndoable: true, data: { followUpStatus: 'new', ownerId: null } },
    ])
    expect(await (await undo(nodes[1], entries[2]?.id)).json()).toMatchObject({
      followUpStatus: 'contacted',
      ownerId: ben.id,
    })
    expect((await timeline()).map(({ kind, isUndone }) => [kind, isUndone])).toEqual([
      ['lead', false],
      ['answer_email', false],
      ['follow_up', true],
      ['follow_up', false],
    ])
  })

  test('that is undone keeps later changes, and a lead that a colleague answered stays answered', async () => {
    const eventId = (await answer('emails', EMAIL)).headers.get('event-id') ?? ''
    const headers = { cookie: cleo.cookie, 'content-type': 'application/json' }
    const set = (body: object) =>
      nodes[0].call(`/api/leads/${lead.id}`, { method: 'PATCH', body: JSON.stringify(body), headers })
    const undo = () => nodes[1].post(`/api/leads/${lead.id}/undo`, { eventId }, { cookie: ben.cookie })
    await set({ followUpStatus: 'quoted' })
    expect(await (await undo()).json()).toMatchObject({ followUpStatus: 'quoted', ownerId: null })

    lead = await submit()
    const second = (await answer('emails', EMAIL)).headers.get('event-id') ?? ''
    await set({ followUpStatus: 'quoted', ownerId: cleo.id })
    const refused = await nodes[1].post(`/api/leads/${lead.id}/undo`, { eventId: second }, { cookie: ben.cookie })
    expect([refused.status, (await refused.json()).detail]).toEqual([409, expect.stringContaining('changed again')])

    lead = await submit()
    const third = (await answer('emails', EMAIL)).headers.get('event-id') ?? ''
    await answer('contacts', { channel: 'call' }, { by: cleo })
    const call = (await timeline()).find(({ kind }) => kind === 'call')
    const left = await nodes[1].post(`/api/leads/${lead.id}/undo`, { eventId: third }, { cookie: ben.cookie })
    expect(await left.json()).toMatchObject({
      followUpStatus: 'contacted',
      ownerId: cleo.id,
      answeredAt: call?.timestamp,
    })
    await nodes[1].post(`/api/leads/${lead.id}/undo`, { eventId: call?.id }, { cookie: cleo.cookie })
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
  })

  test.each([
    ['no subject', { subject: '' }, 'A subject is required'],
    ['no text', { text: ' ' }, 'A text is required'],
    ['a book', { text: 'a'.repeat(10_001) }, 'Must be at most 10000 characters'],
  ])('of %s is refused', async (_, part, message) => {
    const response = await answer('emails', { ...EMAIL, ...part })
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toMatchObject([{ message }])
  })

  test('goes to no other address: an address in the request is refused', async () => {
    expect((await answer('emails', { ...EMAIL, to: 'victim@example.com' })).status).toBe(422)
  })

  test('is refused with a sentence if no mail server is set, and the clock continues', async () => {
    const response = await answer('emails', EMAIL, { node: nodes[2] })
    expect(response.status).toBe(409)
    expect((await response.json()).detail).toContain('no mail server')
    expect((await stored()).followUpStatus).toBe('new')
    const summary = await nodes[2].call('/api/emails/summary', { headers: { cookie: ben.cookie } })
    expect(await summary.json()).toMatchObject({ reachesPeople: false })
    // visitors' pages are updated too
    const hours = await nodes[2].call('/api/support-hours')
    expect(await hours.json()).toMatchObject({ reachesPeople: false })
  })

  test('to a lead in quarantine is refused', async () => {
    lead = await submit({ quartz: 'x' })
    const response = await answer('emails', EMAIL)
    expect([response.status, (await response.json()).detail]).toEqual([409, expect.stringContaining('quarantine')])
  })

  test('to an erased person is refused, and earlier emails to them are erased', async () => {
    await answer('emails', EMAIL)
    await answer('contacts', { channel: 'whatsapp', text: 'Hello Ana' })
    await isDelivered()
    const erased = () => nodes[0].post(`/api/leads/${lead.id}/erase`, { leadIds: [lead.id] }, owner)
    await eventually(async () => expect((await erased()).status).toBe(204))
    await eventually(async () => expect((await stored()).name).toBe('Erased'))
    const response = await answer('emails', EMAIL)
    expect([response.status, (await response.json()).detail]).toEqual([409, expect.stringContaining('erased')])
    await eventually(async () => {
      const told = JSON.stringify(await timeline())
      for (const word of [EMAIL.subject, 'Hello Ana', lead.email]) expect(told).not.toContain(word)
    })
  })

  test('keeps a status that staff have set', async () => {
    const change = { method: 'PATCH', body: '{"followUpStatus":"quoted"}' }
    const headers = { cookie: cleo.cookie, 'content-type': 'application/json' }
    await nodes[0].call(`/api/leads/${lead.id}`, { ...change, headers })
    expect(await (await answer('emails', EMAIL)).json()).toMatchObject({ followUpStatus: 'quoted' })
  })
})

describe('WhatsApp and calls', () => {
  test('are noted with their text, stop the clock, and can be undone with the status', async () => {
    expect((await answer('contacts', { channel: 'whatsapp', text: 'Hello Ana' })).status).toBe(201)
    expect((await answer('contacts', { channel: 'call', text: null }, { by: cleo })).status).toBe(201)
    const entries = await timeline()
    const changed = { followUpStatus: 'contacted', ownerId: ben.id }
    expect(entries).toMatchObject([
      { kind: 'lead' },
      { kind: 'whatsapp', by: 'ben', leadId: lead.id, data: { text: 'Hello Ana', to: lead.phone, ...changed } },
      { kind: 'call', by: 'cleo', isUndoable: true },
    ])
    for (const entry of entries.slice(1)) {
      await nodes[0].post(`/api/leads/${lead.id}/undo`, { eventId: entry.id }, { cookie: ben.cookie })
    }
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
    expect((await timeline())[1]).toMatchObject({ data: changed, isUndone: true })
  })

  test('that are noted later stop the clock when they were, and never before the lead came', async () => {
    expect((await answer('contacts', { channel: 'call', isReached: false, secondsAgo: 600 })).status).toBe(201)
    expect((await answer('contacts', { channel: 'call', secondsAgo: 600 })).status).toBe(201)
    const at = lead.timestamp
    expect(await stored()).toMatchObject({ answeredAt: at, unansweredCalls: [{ timestamp: at }] })
    expect(await timeline()).toMatchObject([
      { kind: 'lead' },
      { kind: 'call', timestamp: at },
      { kind: 'call_unanswered', timestamp: at },
    ])
    for (const secondsAgo of [-1, 1.5, MAX_CONTACT_AGE_S + 1, '60']) {
      expect((await answer('contacts', { channel: 'call', secondsAgo })).status).toBe(422)
    }
  })

  test('are noted once per click', async () => {
    const key = randomUUID()
    const body = { channel: 'call' }
    await Promise.all([answer('contacts', body, { key }), answer('contacts', body, { key, node: nodes[1] })])
    expect(await kinds()).toEqual(['lead', 'call ben'])
  })

  test('assign an unassigned lead to their author, and never change an owner', async () => {
    expect(await (await answer('contacts', { channel: 'call' }, { by: cleo })).json()).toMatchObject({
      ownerId: cleo.id,
    })
    expect(await (await answer('contacts', { channel: 'call' }, { by: ben })).json()).toMatchObject({
      ownerId: cleo.id,
    })
    expect(await (await answer('emails', EMAIL, { by: ben })).json()).toMatchObject({ ownerId: cleo.id })
  })

  test('that did not reach the person stop no clock, assign nothing, and are in the timeline', async () => {
    const key = randomUUID()
    const body = { channel: 'call', isReached: false }
    const shown = { followUpStatus: 'new', answeredAt: null, ownerId: null }
    for (const node of [nodes[0], nodes[1]]) {
      const response = await answer('contacts', body, { key, node })
      expect(response.status).toBe(201)
      const unansweredCalls = [{ id: response.headers.get('event-id'), timestamp: expect.any(String) }]
      expect(await response.json()).toMatchObject({ ...shown, unansweredCalls })
    }
    expect(await kinds()).toEqual(['lead', 'call_unanswered ben'])
    expect((await timeline())[1]).toMatchObject({ data: { to: lead.phone }, leadId: lead.id, isUndoable: true })
    const { id, timestamp } = (await timeline())[1] ?? {}
    expect((await stored()).unansweredCalls).toEqual([{ id, timestamp }])
    expect((await answer('contacts', { channel: 'whatsapp', isReached: false })).status).toBe(422)
  })

  test('that were noted by mistake are undone with the status and the owner, once, on any node', async () => {
    const eventId = (await answer('contacts', { channel: 'call' })).headers.get('event-id') ?? ''
    expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: ben.id })
    const undo = (id: string, node = nodes[0], by = ben) =>
      node.post(`/api/leads/${lead.id}/undo`, { eventId: id }, { cookie: by.cookie })
    const undone = await Promise.all([undo(eventId), undo(eventId, nodes[1], cleo)])
    expect(undone.map(({ status }) => status)).toEqual([200, 200])
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
    const entries = await timeline()
    expect(entries.find(({ id }) => id === eventId)).toMatchObject({ kind: 'call', isUndoable: false, isUndone: true })
    expect(entries.filter(({ kind }) => kind === 'contact_removed')).toMatchObject([{ data: { answerId: eventId } }])

    const missed = await answer('contacts', { channel: 'call', isReached: false })
    expect((await undo(missed.headers.get('event-id') ?? '')).status).toBe(200)
    expect((await timeline()).find(({ kind }) => kind === 'call_unanswered')).toMatchObject({ isUndone: true })
    expect((await stored()).unansweredCalls).toBeUndefined()
    const other = await submit()
    const elsewhere = { eventId: (await answer('contacts', { channel: 'call' })).headers.get('event-id') }
    expect((await nodes[0].post(`/api/leads/${other.id}/undo`, elsewhere, { cookie: ben.cookie })).status).toBe(404)
  })

  test('and an email in one’s own program is noted once, with the status and the owner, and undone with them', async () => {
    const key = randomUUID()
    const body = { channel: 'email', text: 'Your website' }
    const both = await Promise.all([
      answer('contacts', body, { key }),
      answer('contacts', body, { key, node: nodes[1] }),
    ])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(await kinds()).toEqual(['lead', 'note ben'])
    expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: ben.id })
    const undo = { eventId: both[0].headers.get('event-id') }
    for (const node of nodes) {
      const undone = await node.post(`/api/leads/${lead.id}/undo`, undo, { cookie: ben.cookie })
      expect(await undone.json()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
    }
    expect(await timeline()).toMatchObject([
      { kind: 'lead' },
      { kind: 'note', isUndone: true },
      { kind: 'note_removed', isUndoable: true, data: { followUpStatus: 'new', ownerId: null } },
    ])
    const redo = { eventId: (await timeline())[2]?.id }
    const redone = await nodes[1].post(`/api/leads/${lead.id}/undo`, redo, { cookie: ben.cookie })
    expect(await redone.json()).toMatchObject({ followUpStatus: 'contacted', ownerId: ben.id })
    expect(await kinds()).toEqual(['lead', 'note ben', 'note_removed ben', 'note ben'])
    const again = { eventId: (await timeline())[3]?.id }
    await nodes[0].post(`/api/leads/${lead.id}/undo`, again, { cookie: ben.cookie })
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })

    const call = (await answer('contacts', { channel: 'call' }, { by: cleo })).headers.get('event-id') ?? ''
    await nodes[0].post(`/api/leads/${lead.id}/undo`, { eventId: answeredId(call) }, { cookie: cleo.cookie })
    expect(await (await answer('contacts', body)).json()).toMatchObject({
      followUpStatus: 'contacted',
      ownerId: ben.id,
    })
  })

  test('that are undone keep a status and an owner that were set later', async () => {
    const eventId = (await answer('contacts', { channel: 'whatsapp', text: 'Hello Ana' })).headers.get('event-id')
    const headers = { cookie: cleo.cookie, 'content-type': 'application/json' }
    const change = { method: 'PATCH', body: JSON.stringify({ followUpStatus: 'quoted', ownerId: cleo.id }), headers }
    expect((await nodes[0].call(`/api/leads/${lead.id}`, change)).status).toBe(200)
    const undone = await nodes[0].post(`/api/leads/${lead.id}/undo`, { eventId }, { cookie: ben.cookie })
    expect(await undone.json()).toMatchObject({ followUpStatus: 'quoted', ownerId: cleo.id })
  })

  const undoOf = async (response: Promise<Response> | Response, { by = ben, of = lead.id, node = nodes[0] } = {}) => {
    const eventId = (await response).headers.get('event-id')
    return await node.post(`/api/leads/${of}/undo`, { eventId }, { cookie: by.cookie })
  }
  const momentOf = async (kind: TimelineEntry['kind']) =>
    (await timeline()).find((entry) => entry.kind === kind)?.timestamp

  test('that are undone leave the lead answered by a colleague’s reply, and assigned to the colleague', async () => {
    const call = await answer('contacts', { channel: 'call' })
    await answer('emails', EMAIL, { by: cleo })
    expect((await undoOf(call)).status).toBe(200)
    expect(await stored()).toMatchObject({
      followUpStatus: 'contacted',
      ownerId: cleo.id,
      answeredAt: await momentOf('answer_email'),
    })
  })

  test('that are all undone, in any order, leave a lead that waits', async () => {
    const first = await answer('contacts', { channel: 'call' })
    const second = await answer('contacts', { channel: 'whatsapp', text: 'Hello Ana' }, { by: cleo })
    await undoOf(first)
    expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: cleo.id })
    await undoOf(second, { by: cleo })
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })

    lead = await submit()
    const calls = [
      await answer('contacts', { channel: 'call' }),
      await answer('contacts', { channel: 'call' }, { by: cleo }),
    ]
    await undoOf(calls[1] as Response, { by: cleo })
    expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: ben.id })
    await undoOf(calls[0] as Response)
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
  })

  test('that are undone while a colleague replies leave an answered lead, on any node', async () => {
    for (const node of [0, 1, 0, 1] as const) {
      lead = await submit()
      const call = await answer('contacts', { channel: 'call' })
      const [undone, written] = await Promise.all([
        undoOf(call),
        answer('contacts', { channel: 'whatsapp', text: 'Hello Ana' }, { by: cleo, node: nodes[node] }),
      ])
      expect([undone.status, written.status]).toEqual([200, 201])
      expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: cleo.id })
    }
  })

  test('that were noted before a merge are undone only after the leads are unmerged', async () => {
    const call = await answer('contacts', { channel: 'call' })
    const merged = await stored()
    const staying = await submit({ email: lead.email })
    const merge = { mergedId: lead.id, mergedVersion: merged.version, takes: ['followUpStatus', 'ownerId'] }
    const headers = { cookie: ben.cookie, 'if-match': `"${staying.version}"` }
    expect((await nodes[0].post(`/api/leads/${staying.id}/merge`, merge, headers)).status).toBe(200)
    await eventually(async () => {
      const refused = await undoOf(call, { of: staying.id })
      expect([refused.status, (await refused.json()).detail]).toEqual([
        409,
        'This was logged before the leads were merged: unmerge them, then undo it',
      ])
    })
    const person = await nodes[1].call(`/api/leads/${staying.id}/person`, { headers: { cookie: ben.cookie } })
    const entries: TimelineEntry[] = (await person.json()).timeline
    expect(entries.find(({ kind }) => kind === 'call')).toMatchObject({ isUndone: false })
  })

  test('that went to the number of a merged lead are undone after the leads are unmerged, with their changes', async () => {
    const merged = await submit({ phone: '082 555 0177' })
    const merge = { mergedId: merged.id, mergedVersion: merged.version, takes: ['phone'] }
    const headers = { cookie: ben.cookie, 'if-match': `"${lead.version}"` }
    const done = await nodes[0].post(`/api/leads/${lead.id}/merge`, merge, headers)
    expect(done.status).toBe(200)
    await eventually(async () => expect(await stored()).toMatchObject({ phone: merged.phone }))
    const call = await answer('contacts', { channel: 'call' })
    expect(await stored()).toMatchObject({ followUpStatus: 'contacted', ownerId: ben.id })
    const mergeEntry = await eventually(async () => {
      const entry = (await timeline()).find(({ kind }) => kind === 'merged')
      expect(entry).toBeDefined()
      return entry
    })
    const unmerged = await nodes[0].post(
      `/api/leads/${merged.id}/undo`,
      { eventId: mergeEntry?.id },
      { cookie: ben.cookie },
    )
    expect(unmerged.status).toBe(200)
    await eventually(async () =>
      expect(await stored()).toMatchObject({ phone: lead.phone, followUpStatus: 'contacted' }),
    )
    for (const node of nodes) expect((await undoOf(call, { of: merged.id, node })).status).toBe(200)
    expect(await stored()).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: null })
  })

  test('by another channel are refused', async () => {
    expect((await answer('contacts', { channel: 'pigeon' })).status).toBe(422)
  })
})
