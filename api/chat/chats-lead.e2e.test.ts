import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatActivityStreams } from '../../events/chat/activity.ts'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { countWaitingAppends } from '../../events/testing/head-lock.ts'
import { eventually, STAFF, type TestNode } from '../../events/testing/node.ts'
import { appendRaw } from '../../events/testing/raw-event.ts'
import type { TimelineEntry } from '../../events/timeline.ts'
import { openTestChat, type TestChat } from '../testing/chat.ts'
import { joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const LEAD = { name: 'Ana Botha', email: 'ana@example.co.za', phone: '+27 82 555 0199' }

let chat: TestChat
let node: TestNode
let sql: Sql
let staff: TestChat['staff']
let admin: TestClient

beforeAll(async () => {
  chat = await openTestChat()
  ;[, node] = chat.nodes
  ;({ sql, staff, admin } = chat)
})

afterAll(() => chat?.close())

const startChat = async (visitorName: string) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName, visitorEmail: '', pageUrl: '/pricing' })
  const { sessionId } = await client.take('chat_joined')
  return { client, sessionId }
}

const read = async (path: string) => (await node.call(path, { headers: staff })).json()
const makeLead = (sessionId: string, fields: object = LEAD) => node.post(`/api/chats/${sessionId}/lead`, fields, staff)

const typesIn = async (stream: string) => {
  const rows = await sql<{ type: string }[]>`select type from events where stream = ${stream} order by version`
  return rows.map(({ type }) => type)
}

describe('the lead of a known visitor', () => {
  test('is linked from their chat, by the first address or a later one, until it is erased', async () => {
    const known = { name: 'Known', email: 'Known@Before.example', phone: '000 000 0000', leadSource: 'hero_form' }
    const { id } = await (await node.post('/api/leads', known)).json()
    await eventually(async () =>
      expect(await read('/api/leads')).toContainEqual(expect.objectContaining({ id, name: 'Known' })),
    )
    const { client, sessionId } = await startChat('Comes back')
    const namedBy = async () => (await read(`/api/chats/${sessionId}`)).knownLeadId
    expect(await namedBy()).toBeNull()
    const given = { type: 'give_email', sessionId, visitorEmail: 'known@before.example', clientMessageId: 'later' }
    client.send(given)
    await client.take('email_accepted')
    await admin.take('visitor_email', (told) => told.sessionId === sessionId)
    expect(await namedBy()).toBe(id)
    await eventually(async () => expect((await node.post(`/api/leads/${id}/erase`, {}, staff)).status).toBe(204))
    await eventually(async () => expect(await namedBy()).toBeNull())
    await client.close()
  })
})

describe('a lead that waits for a reply', () => {
  const waiting = async (sessionId: string) => (await read(`/api/chats/${sessionId}`)).waitingLead
  const submit = async (email: string, fields: object = {}): Promise<Lead> => {
    const form = { name: 'By Form', email, phone: '082 555 0133', leadSource: 'hero_form', ...fields }
    return (await node.post('/api/leads', form)).json()
  }
  const chatOf = async (email: string) => {
    const { client, sessionId } = await startChat('By Form')
    client.send({ type: 'give_email', sessionId, visitorEmail: email, clientMessageId: 'later' })
    await client.take('email_accepted')
    return { client, sessionId }
  }
  const count = (leadId: string, sessionId: string, key: string = randomUUID()) =>
    node.post(`/api/leads/${leadId}/chat-answers`, { sessionId }, { ...staff, 'idempotency-key': key })
  const undo = (leadId: string, eventId: string | null) => node.post(`/api/leads/${leadId}/undo`, { eventId }, staff)
  const answersOf = async (leadId: string): Promise<TimelineEntry[]> => {
    const { timeline } = await read(`/api/leads/${leadId}/person`)
    return timeline.filter((entry: TimelineEntry) => entry.kind === 'chat_answer' && entry.leadId === leadId)
  }
  const own = async () => (await read('/api/me')).id

  test('with the address of a chat is linked from it, and staff’s first message there is its reply, once, with undo', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const lead = await submit(email)
    const { client, sessionId } = await chatOf(email)
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id: lead.id, isMade: false, isByItself: false, isWritten: false }),
    )
    expect((await count(lead.id, sessionId)).status).toBe(409)
    await say(admin, sessionId, 'We call you at ten')
    const { messages } = await read(`/api/chats/${sessionId}`)
    await say(admin, sessionId, 'In the morning')
    const key = randomUUID()
    const counted = await Promise.all([count(lead.id, sessionId, key), count(lead.id, sessionId, key)])
    expect(counted.map(({ status }) => status)).toEqual([201, 201])
    const answered = { followUpStatus: 'contacted', ownerId: await own(), answeredAt: messages.at(-1).timestamp }
    expect(await read(`/api/leads/${lead.id}`)).toMatchObject(answered)
    await eventually(async () => expect(await waiting(sessionId)).toBeNull())
    expect((await count(lead.id, sessionId)).status).toBe(409)
    const [told, ...others] = await answersOf(lead.id)
    expect(others).toEqual([])
    const changed = { followUpStatus: 'contacted', ownerId: await own() }
    expect(told).toMatchObject({ by: STAFF.username, sessionId, isUndoable: true, data: changed })
    const history = await read(`/api/leads/${lead.id}/history`)
    expect(history.at(-1).actor).toEqual({ type: 'staff', id: await own() })

    const eventId = counted[0]?.headers.get('event-id') ?? ''
    expect(eventId).toBe(told?.id)
    const back = { followUpStatus: 'new', ownerId: null, answeredAt: null }
    expect(await (await undo(lead.id, eventId)).json()).toMatchObject(back)
    expect(await answersOf(lead.id)).toMatchObject([{ isUndoable: false, isUndone: true }])
    await say(admin, sessionId, 'Half past, then')
    await eventually(async () => expect(await waiting(sessionId)).toMatchObject({ id: lead.id }))
    expect(await (await count(lead.id, sessionId)).json()).toMatchObject({ followUpStatus: 'contacted' })
    expect(await answersOf(lead.id)).toMatchObject([{ isUndone: true }, { isUndoable: true, isUndone: false }])
    await client.close()
  })

  test('made of a chat is answered by a staff message there, and after an undo once staff confirm it', async () => {
    const { client, sessionId } = await startChat('Undone')
    const { id } = await (await makeLead(sessionId, { ...LEAD, email: `made-${randomUUID()}@example.co.za` })).json()
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id, isMade: true, isByItself: true, isWritten: false }),
    )
    await say(admin, sessionId, 'One moment')
    await eventually(async () => expect(await answersOf(id)).toHaveLength(1))
    const [first] = await answersOf(id)
    await undo(id, first?.id ?? null)
    await say(admin, sessionId, 'Here we are')
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id, isMade: true, isByItself: false, isWritten: true }),
    )
    const counted = await count(id, sessionId)
    expect(await counted.json()).toMatchObject({ followUpStatus: 'contacted' })
    const undone = await undo(id, counted.headers.get('event-id'))
    expect(await undone.json()).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    await client.close()
  })

  test('is not answered in another person’s chat, nor by a message from before it was submitted', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const { client, sessionId } = await chatOf(email)
    await say(admin, sessionId, 'Good day')
    const [lead, other] = [await submit(email), await submit('else@example.co.za', { phone: '082 555 0134' })]
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id: lead.id, isMade: false, isByItself: false, isWritten: false }),
    )
    expect((await count(lead.id, sessionId)).status).toBe(409)
    await say(admin, sessionId, 'We have it')
    expect(await waiting(sessionId)).toMatchObject({ id: lead.id, isWritten: true })
    expect((await count(other.id, sessionId)).status).toBe(409)
    expect((await count(lead.id, randomUUID())).status).toBe(404)
    expect((await count(lead.id, sessionId)).status).toBe(201)
    expect(await read(`/api/leads/${other.id}`)).toMatchObject({ followUpStatus: 'new' })
    await client.close()
  })

  test('is sent with the newest page of a chat only, even if its data key is lost, next to a readable one', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const known = await submit(email)
    const { client, sessionId } = await chatOf(email)
    await say(client, sessionId, 'Anybody there?')
    const [elsewhere] = chat.nodes
    const made = { ...LEAD, email: `made-${randomUUID()}@x.example`, phone: '082 555 0190' }
    const { id } = await (await elsewhere.post(`/api/chats/${sessionId}/lead`, made, staff)).json()
    await eventually(async () => expect(await read('/api/leads')).toContainEqual(expect.objectContaining({ id })))
    await sql`delete from subject_keys where subject_id = ${id}`
    await eventually(async () => expect((await read(`/api/chats/${sessionId}`)).leadId).toBe(id))
    const waitingLead = { id, isMade: true, isByItself: true, isWritten: false }
    expect(await read(`/api/chats/${sessionId}`)).toMatchObject({ knownLeadId: known.id, waitingLead })
    const older = await read(`/api/chats/${sessionId}?before=2`)
    expect(older).toMatchObject({ leadId: id, messages: [{ sequence: 1 }] })
    for (const lookedUp of ['knownLeadId', 'waitingLead']) expect(older).not.toHaveProperty(lookedUp)
    await client.close()
  })

  test('made of a chat with replies is answered there again after an undo, by the earlier reply', async () => {
    const { client, sessionId } = await startChat('Answered Before')
    await say(client, sessionId, 'Anybody there?')
    await say(admin, sessionId, 'Yes')
    const { id, timestamp } = await (
      await makeLead(sessionId, { ...LEAD, email: `made-${randomUUID()}@x.example` })
    ).json()
    const [first] = await answersOf(id)
    expect(await (await undo(id, first?.id ?? null)).json()).toMatchObject({ followUpStatus: 'new' })
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id, isMade: true, isByItself: false, isWritten: true }),
    )
    const counted = await count(id, sessionId)
    expect(await counted.json()).toMatchObject({ followUpStatus: 'contacted', answeredAt: timestamp })
    const undone = await undo(id, counted.headers.get('event-id'))
    expect(await undone.json()).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    await client.close()
  })

  test('is unassigned again by an undo, even if the counted reply would count automatically', async () => {
    const lead = await submit(`form-${randomUUID()}@example.co.za`)
    const { client, sessionId } = await startChat('Merged')
    const { id } = await (await makeLead(sessionId, { ...LEAD, email: `made-${randomUUID()}@x.example` })).json()
    await say(admin, sessionId, 'Here we are')
    await eventually(async () => expect(await answersOf(id)).toHaveLength(1))
    const { version: mergedVersion } = await read(`/api/leads/${id}`)
    const seen = { ...staff, 'if-match': `"${lead.version}"` }
    const merged = await node.post(`/api/leads/${lead.id}/merge`, { mergedId: id, mergedVersion, takes: [] }, seen)
    expect(merged.status).toBe(200)
    await eventually(async () =>
      expect(await waiting(sessionId)).toEqual({ id: lead.id, isMade: true, isByItself: true, isWritten: true }),
    )
    const counted = await count(lead.id, sessionId)
    expect(await counted.json()).toMatchObject({ followUpStatus: 'contacted' })
    const undone = await undo(lead.id, counted.headers.get('event-id'))
    expect(await undone.json()).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    await client.close()
  })

  test('belongs to the staff member who counts it if its author has left', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const lead = await submit(email)
    const { client, sessionId } = await chatOf(email)
    const account = { username: 'leaver', password: 'the password of an account' }
    const hired = await node.post('/api/accounts', { ...account, displayName: 'Leaver', role: 'agent' }, staff)
    const signedIn = await node.post('/api/login', account)
    const leaver = await joinStaff(node, { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' })
    await say(leaver, sessionId, 'We have it')
    const { id } = await hired.json()
    expect((await node.call(`/api/accounts/${id}`, { method: 'DELETE', headers: staff })).status).toBe(204)
    await eventually(async () => expect(await waiting(sessionId)).toMatchObject({ id: lead.id }))
    expect(await (await count(lead.id, sessionId)).json()).toMatchObject({ ownerId: await own() })
    expect(await answersOf(lead.id)).toMatchObject([{ by: 'Leaver', data: { countedBy: STAFF.username } }])
    await Promise.all([client.close(), leaver.close()])
  })

  test('is not counted as answered if it is erased after it was read', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const lead = await submit(email)
    const { client, sessionId } = await chatOf(email)
    await say(admin, sessionId, 'We have it')
    const stream = leadStreams.of(lead.id)
    const counting = await inTransaction(sql, async (tx) => {
      await appendRaw(tx as unknown as Sql, { stream, type: 'LeadErased', data: { by: await own() } })
      const answer = count(lead.id, sessionId)
      // it has read the lead's earlier state and waits for the log
      await eventually(async () => expect(await countWaitingAppends(sql)).toBeGreaterThan(0))
      return { answer }
    })
    const refused = await counting.answer
    expect([refused.status, (await refused.json()).detail]).toEqual([409, expect.stringContaining('erased')])
    expect(await typesIn(stream)).toEqual(['LeadSubmitted', 'LeadErased'])
    await client.close()
  })

  test('is not counted as answered in quarantine, nor after its erasure, when the chat no longer links it', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const [flagged, lead] = [await submit('flagged@x.example', { quartz: 'x' }), await submit(email)]
    const { client, sessionId } = await chatOf(email)
    await say(admin, sessionId, 'We have it')
    const detailOf = async (response: Response) => [response.status, (await response.json()).detail]
    expect(await detailOf(await count(flagged.id, sessionId))).toEqual([409, expect.stringContaining('quarantine')])
    expect((await count(lead.id, sessionId)).status).toBe(201)
    await eventually(async () => {
      const { asOf } = await read(`/api/leads/${lead.id}/erase`)
      expect((await node.post(`/api/leads/${lead.id}/erase`, { asOf }, staff)).status).toBe(204)
    })
    await eventually(async () => expect((await read(`/api/leads/${lead.id}`)).name).toBe('Erased'))
    expect(await detailOf(await count(lead.id, sessionId))).toEqual([409, expect.stringContaining('erased')])
    const told = [await answersOf(lead.id), await read(`/api/leads/${lead.id}/history`)]
    expect(told[0]).toHaveLength(1)
    for (const word of [sessionId, 'answerId']) expect(JSON.stringify(told)).not.toContain(word)
    await client.close()
  })
})

describe('a lead of a chat', () => {
  test('is made once, however many ask and however often, with the chat as its source and its creator as owner', async () => {
    const { client, sessionId } = await startChat('Becomes')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => makeLead(sessionId, { ...LEAD, company: `Company ${index}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    const leads = await Promise.all(answers.map((answer) => answer.json()))
    expect(new Set(leads.map((lead) => JSON.stringify(lead))).size).toBe(1)
    expect(leads[0]).toMatchObject({ ...LEAD, leadSource: 'live_chat', pageUrl: '/pricing', followUpStatus: 'new' })
    expect(leads[0].ownerId).toBe((await read('/api/me')).id)
    expect(await typesIn(leadStreams.of(leads[0].id))).toEqual(['LeadSubmitted', 'LeadFollowUpChanged'])
    expect(await typesIn(chatActivityStreams.of(sessionId))).toEqual(['ChatBecameLead'])
    await eventually(async () => {
      const [found] = await read('/api/chats?q=becomes')
      expect(found?.leadId).toBe(leads[0].id)
    })
    await client.close()
  })

  test('that a dead node left unlinked is completed by the next attempt', async () => {
    const { client, sessionId } = await startChat('Interrupted')
    const { id: leadId } = await (await makeLead(sessionId)).json()
    // the log after a node died between the two
    const elsewhere = chatActivityStreams.of(randomUUID())
    await sql`update events set stream = ${elsewhere}, id = gen_random_uuid() where stream = ${chatActivityStreams.of(sessionId)}`
    expect((await read(`/api/chats/${sessionId}`)).leadId).toBeNull()
    const again = await makeLead(sessionId, { ...LEAD, name: 'Another Name' })
    expect(await again.json()).toMatchObject({ id: leadId, name: 'Ana Botha' })
    expect((await read(`/api/chats/${sessionId}`)).leadId).toBe(leadId)
    await client.close()
  })

  test('starts as contacted if staff have replied, once however often it is requested', async () => {
    const { client, sessionId } = await startChat('Answered')
    await say(client, sessionId, 'Do you bake?')
    await say(admin, sessionId, 'We do')
    const made: Lead = await (await makeLead(sessionId)).json()
    expect(made).toMatchObject({ followUpStatus: 'contacted', answeredAt: expect.any(String), version: 3 })
    expect(await (await makeLead(sessionId, { ...LEAD, company: 'Another' })).json()).toEqual(made)
    await node.call(`/api/leads/${made.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...staff },
      body: JSON.stringify({ followUpStatus: 'new' }),
    })
    expect(await (await makeLead(sessionId)).json()).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    expect(await typesIn(leadStreams.of(made.id))).toEqual([
      'LeadSubmitted',
      'LeadFollowUpChanged',
      'LeadAnswered',
      'LeadFollowUpChanged',
    ])
    await client.close()
  })

  test('is answered in the chat once it was made, which its timeline shows as one entry with one undo', async () => {
    const { client, sessionId } = await startChat('Answered Late')
    const { id } = await (await makeLead(sessionId, { ...LEAD, email: 'late@example.co.za', phone: '' })).json()
    await say(client, sessionId, 'Anybody there?')
    await say(admin, sessionId, 'Yes')
    await eventually(async () =>
      expect(await (await makeLead(sessionId)).json()).toMatchObject({ id, followUpStatus: 'contacted' }),
    )
    const answerOf = async () => {
      const { timeline } = await read(`/api/leads/${id}/person`)
      return timeline.filter(({ kind, leadId }: TimelineEntry) => kind === 'chat_answer' && leadId === id)
    }
    const [answer] = await answerOf()
    expect(answer).toMatchObject({ by: STAFF.username, sessionId, leadId: id, isUndoable: true, isUndone: false })
    const undone = await node.post(`/api/leads/${id}/undo`, { eventId: answer.id }, staff)
    expect(await undone.json()).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    expect(await answerOf()).toMatchObject([{ isUndoable: false, isUndone: true }])
    await client.close()
  })

  test('answered by WhatsApp and then in the chat counts as answered there, once the WhatsApp reply is withdrawn', async () => {
    const { client, sessionId } = await startChat('Both Ways')
    const { id } = await (await makeLead(sessionId)).json()
    const noted = await node.post(`/api/leads/${id}/contacts`, { channel: 'whatsapp', text: null }, staff)
    expect(await noted.json()).toMatchObject({ followUpStatus: 'contacted' })
    await say(admin, sessionId, 'We are here too')
    await eventually(async () => expect((await read(`/api/chats?q=both`))[0]?.leadId).toBe(id))
    const { messages } = await read(`/api/chats/${sessionId}`)
    const undone = await node.post(`/api/leads/${id}/undo`, { eventId: noted.headers.get('event-id') }, staff)
    const answeredAt = messages.at(-1).timestamp
    expect(await undone.json()).toMatchObject({ followUpStatus: 'contacted', answeredAt })
    await client.close()
  })

  test('does not absorb a lead with the address of the chat: anyone may have typed it', async () => {
    const email = `form-${randomUUID()}@example.co.za`
    const form = { name: 'By Form', email, phone: '082 555 0133', leadSource: 'hero_form' }
    const lead: Lead = await (await node.post('/api/leads', form)).json()
    const { client, sessionId } = await startChat('By Form')
    client.send({ type: 'give_email', sessionId, visitorEmail: email, clientMessageId: 'later' })
    await client.take('email_accepted')
    const { id: made } = await (await makeLead(sessionId, { ...LEAD, email })).json()
    await say(admin, sessionId, 'We are here')
    await eventually(async () => expect((await read(`/api/leads/${made}`)).followUpStatus).toBe('contacted'))
    expect(await read(`/api/leads/${lead.id}`)).toMatchObject({ followUpStatus: 'new', ownerId: null })
    await client.close()
  })

  test('lists its person’s chats, and of those whose data key is lost only that they existed', async () => {
    const email = `key-${randomUUID()}@example.co.za`
    const [lost, sound] = [await startChat('Key Lost'), await startChat('Key Kept')]
    for (const { client, sessionId } of [lost, sound]) {
      client.send({ type: 'give_email', sessionId, visitorEmail: email, clientMessageId: 'later' })
      await client.take('email_accepted')
      await say(client, sessionId, 'Hello')
      expect((await node.post(`/api/chats/${sessionId}/transcript`, {}, staff)).status).toBe(202)
    }
    const { id: leadId } = await (await makeLead(sound.sessionId, { ...LEAD, email, phone: '' })).json()
    const told = async () => {
      const { timeline } = await read(`/api/leads/${leadId}/person`)
      return timeline.map(({ kind, sessionId }: TimelineEntry) => `${kind} ${sessionId}`)
    }
    const mailed = `transcript ${lost.sessionId}`
    const ofSound = [`transcript ${sound.sessionId}`, `chat_lead ${sound.sessionId}`]
    await eventually(async () => expect(await told()).toEqual(expect.arrayContaining([mailed, ...ofSound])))
    await sql`delete from subject_keys where subject_id = ${lost.sessionId}`
    const without = await told()
    expect(without).not.toContain(mailed)
    expect(without).toEqual(expect.arrayContaining([`chat ${lost.sessionId}`, ...ofSound]))
    await Promise.all([lost.client.close(), sound.client.close()])
  })

  test('appears in the timeline as made of the chat, with its creator', async () => {
    const { client, sessionId } = await startChat('Told')
    const { id: leadId } = await (await makeLead(sessionId)).json()
    await eventually(async () => {
      const person = await read(`/api/leads/${leadId}/person`)
      const told = person.timeline.filter((entry: TimelineEntry) => entry.leadId === leadId && entry.kind !== 'chat')
      expect(told).toMatchObject([
        { kind: 'chat_lead', by: STAFF.username, sessionId },
        { kind: 'follow_up', by: STAFF.username, data: { ownerId: expect.any(String) } },
      ])
    })
    await client.close()
  })

  test('needs a valid email address or telephone number', async () => {
    const { client, sessionId } = await startChat('Invalid')
    const errorsOf = async (form: object) => {
      const response = await makeLead(sessionId, form)
      expect(response.status).toBe(422)
      return (await response.json()).errors
    }
    expect(await errorsOf({ name: 'A', email: 'x', phone: '1' })).toEqual([
      { path: 'email', message: 'Please enter a valid email address' },
      { path: 'phone', message: 'Please enter a valid phone number' },
    ])
    expect(await errorsOf({ name: 'A', email: '', phone: '' })).toEqual([
      { path: 'email', message: 'Enter an email address or a phone number' },
    ])
    expect(await typesIn(chatActivityStreams.of(sessionId))).toEqual([])
    await client.close()
  })
})
