import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Metadata } from '../events/base/metadata.ts'
import { chatStreams, messageStreams } from '../events/chat/chat.ts'
import { leadStreams } from '../events/lead/lead.ts'
import { CODE_VERSION } from '../events/process/code-version.ts'
import { DELIVERED, json, openTestService } from '../events/testing/email-service.ts'
import { eventually, signIn } from '../events/testing/node.ts'
import { startProduct } from '../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say } from './testing/socket-client.ts'

const LEAD = { name: 'Ana Botha', email: 'ana@example.com', phone: '082 555 0142', leadSource: 'hero_form' }
const CONTRACT = { ...LEAD, leadSource: 'contract_premium', businessName: 'Botha Bakery', agreedToTerms: true }
const VISITOR = { type: 'visitor' } as const
const DELIVERY_ACTOR = { type: 'system', name: 'email' } as const

const service = await openTestService()
afterAll(() => service.close())
const workerEnv = { EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' }
const { node, sql, worker } = await startProduct({ workerEnv })
const staff = await signIn(node)
const [account] = await sql<{ id: string }[]>`select id from staff`
const staffActor: Metadata['actor'] = { type: 'staff', id: account?.id ?? '' }

const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''
const eventsOf = (stream: string) =>
  sql<{ id: string; type: string; metadata: Metadata }[]>`
    select id, type, metadata from events where stream = ${stream} order by version`
const submit = async (body: object = LEAD, headers: Record<string, string> = {}) => {
  const response = await node.post('/api/leads', body, headers)
  expect(response.status).toBe(201)
  const { id } = await response.json()
  return { leadId: id as string, requestId: idOf(response) }
}
const patch = (leadId: string, body: object) =>
  node.call(`/api/leads/${leadId}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { ...staff, 'content-type': 'application/json' },
  })

describe('an event names its actor, its request and the version of its code', () => {
  test('if a visitor did, signed in or not', async () => {
    for (const headers of [{}, staff]) {
      const { leadId, requestId } = await submit(LEAD, headers)
      const [event] = await eventsOf(leadStreams.of(leadId))
      expect(event?.metadata).toEqual({
        actor: VISITOR,
        correlationId: requestId,
        causationId: null,
        code: CODE_VERSION,
      })
    }
  })

  test('if staff did, and their history shows it', async () => {
    const { leadId, requestId } = await submit()
    const changed = idOf(await patch(leadId, { followUpStatus: 'contacted' }))
    const [, event] = await eventsOf(leadStreams.of(leadId))
    expect(event?.metadata).toMatchObject({ actor: staffActor, correlationId: changed, causationId: null })
    const history = await (await node.call(`/api/leads/${leadId}/history`, { headers: staff })).json()
    expect(history).toMatchObject([
      { type: 'LeadSubmitted', by: null, actor: VISITOR, requestId },
      { type: 'LeadFollowUpChanged', by: 'thandi', actor: staffActor, requestId: changed },
    ])
  })

  test('if a request is sent again: the first that stored it', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = await submit(LEAD, key)
    const again = await submit(LEAD, key)
    expect(again.leadId).toBe(first.leadId)
    expect(again.requestId).not.toBe(first.requestId)
    const events = await eventsOf(leadStreams.of(first.leadId))
    expect(events.map(({ metadata }) => metadata.correlationId)).toEqual([first.requestId])
  })

  test('if a hundred are written at the same time', async () => {
    const { leadId } = await submit()
    const note = async (text: string) => {
      const response = await node.post(`/api/leads/${leadId}/notes`, { note: text }, staff)
      // at the same time on one lead some are refused
      return { requestId: response.status === 201 ? idOf(response) : undefined, actor: staffActor }
    }
    const requests = await Promise.all(
      Array.from({ length: 100 }, async (_, index) =>
        index % 2 === 0 ? { ...(await submit()), actor: VISITOR } : await note(`Note ${index}`),
      ),
    )
    const rows = await sql<{ metadata: Metadata }[]>`select metadata from events`
    const written = new Map(rows.map(({ metadata }) => [metadata.correlationId, metadata]))
    for (const { requestId, actor } of requests) {
      if (requestId) expect(written.get(requestId)).toMatchObject({ actor, causationId: null })
    }
    expect(requests.filter(({ requestId }) => requestId).length).toBeGreaterThan(50)
  })

  test('if a socket did: its own actor, whatever its frames claim, under an id for each frame', async () => {
    const { client, sessionId } = await joinChat(node)
    const admin = await joinStaff(node, staff)
    const claims = { senderType: 'admin', senderName: 'Support', requestId: 'mine', correlationId: 'mine' }
    client.send({ type: 'send_message', sessionId, message: 'Hello', clientMessageId: '1', ...claims })
    await client.take('message_accepted')
    await say(admin, sessionId, 'Good morning', '2')
    await say(client, sessionId, 'And again', '3')
    const messages = await eventsOf(messageStreams.of(sessionId))
    expect(messages.map(({ metadata }) => metadata.actor)).toEqual([VISITOR, staffActor, VISITOR])
    const [started] = await eventsOf(chatStreams.of(sessionId))
    const ids = [started, ...messages].map((event) => event?.metadata.correlationId)
    expect(new Set(ids).size).toBe(4)
    expect(ids).not.toContain('mine')
    await Promise.all([client.close(), admin.close()])
  })

  test('if staff chat as a visitor would: the visitor', async () => {
    const client = await openTestClient(node, staff)
    client.send({ type: 'join_chat', visitorName: 'Thandi', visitorEmail: '', pageUrl: '/' })
    const { sessionId } = await client.take('chat_joined')
    await say(client, sessionId, 'Does it work?')
    const [message] = await eventsOf(messageStreams.of(sessionId))
    expect(message?.metadata.actor).toEqual(VISITOR)
    await client.close()
  })
})

describe('a lead is followed from its request to its last email attempt', () => {
  const attemptsOf = (requestId: string) =>
    worker
      .printed()
      .split('\n')
      .filter((line) => line.includes('"email attempted"') && line.includes(requestId))
      .map((line) => JSON.parse(line))

  test('by one id, over a failure and a request for another try', async () => {
    service.reply(json({ success: 'false' }, 500))
    const { leadId, requestId } = await submit(CONTRACT)
    const [submitted] = await eventsOf(leadStreams.of(leadId))
    await eventually(() => expect(attemptsOf(requestId)).toMatchObject([{ state: 'retrying' }]))
    service.reply(DELIVERED)
    await eventually(() => expect(attemptsOf(requestId)).toHaveLength(2), 60_000)
    const resend = await node.call(`/api/emails/${submitted?.id}/resend`, { method: 'POST', headers: staff })
    expect(resend.status).toBe(202)
    const attempts = await eventually(() => {
      const found = attemptsOf(requestId)
      expect(found).toHaveLength(3)
      return found
    })
    expect(attempts.map(({ eventId, attempt, state }) => [eventId, attempt, state])).toEqual([
      [submitted?.id, 1, 'retrying'],
      [submitted?.id, 2, 'delivered'],
      [submitted?.id, 3, 'delivered'],
    ])

    const events = await eventually(async () => {
      const found = await eventsOf(leadStreams.of(leadId))
      expect(found).toHaveLength(5)
      return found
    })
    const asked = events.find(({ type }) => type === 'EmailResendRequested')
    const cause = (causationId: string | undefined) => ({
      actor: DELIVERY_ACTOR,
      correlationId: requestId,
      causationId,
    })
    expect(events.map(({ type, metadata: { code: _, ...context } }) => [type, context])).toEqual([
      ['LeadSubmitted', { actor: VISITOR, correlationId: requestId, causationId: null }],
      ['EmailFailed', cause(submitted?.id)],
      ['EmailSent', cause(submitted?.id)],
      ['EmailResendRequested', { actor: staffActor, correlationId: idOf(resend), causationId: null }],
      ['EmailSent', cause(asked?.id)],
    ])
  })
})
