import type * as v from 'valibot'
import { expect, test } from 'vitest'
import { stalledConsumers } from '../events/base/stalled-consumers.ts'
import type { Sent } from '../events/base/word.ts'
import * as chat from '../events/chat/wire.ts'
import { emailSummary, listedEmails, outbox } from '../events/email/wire.ts'
import { erasable, leadHistory, person, timelineEntry } from '../events/lead/person/person-wire.ts'
import { overview } from '../events/lead/screens/overview-wire.ts'
import { lead, leadConflict, leadSummary, leads, submittedWebsiteInfo, waitingLeads } from '../events/lead/wire.ts'
import { publicHours } from '../events/settings/support-hours-wire.ts'
import { settings, settingsConflict } from '../events/settings/wire.ts'
import { account, accounts, colleagues, me } from '../events/staff/wire.ts'
import { exactly } from '../events/testing/exactly.ts'
import { eventually, signIn } from '../events/testing/node.ts'
import { startProduct } from '../events/testing/product.ts'
import { joinStaff, openTestClient, say } from './testing/socket-client.ts'

const PERSON = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199' }
const CONTRACT = { ...PERSON, leadSource: 'contract_premium', businessName: 'Botha Bakery', agreedToTerms: true }
const TOUCH = { source: 'newsletter', landingPage: '/' }
const PASSWORD = 'the password of a colleague'

let colleague: { cookie: string }

type Call = { method?: string; body?: unknown; as?: { cookie: string }; headers?: Record<string, string> }

const ask = async (path: string, { method, body, as = owner, headers }: Call = {}) => {
  const response = await node.call(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...as, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: (await response.json()) as unknown }
}

/** The response to a call. Fails if it is not exactly as in the contract. */
const answerOf = async <Schema extends v.GenericSchema>(schema: Schema, path: string, call: Call = {}) => {
  const { status, answer } = await ask(path, call)
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`)
  return exactly(schema, answer)
}

/** The problem document of a refusal, without the members that all of them have. */
const refusalOf = async <Schema extends v.GenericSchema>(
  schema: Schema,
  path: string,
  call: Call,
): Promise<Sent<Schema>> => {
  const { status, answer } = await ask(path, call)
  expect(status).toBe(409)
  const { type: _, title: __, status: ___, detail: ____, ...members } = answer as Record<string, unknown>
  return exactly(schema, members)
}

const { node } = await startProduct()
const owner = await signIn(node)

test('accounts meet their contract', async () => {
  const hired = { username: 'sipho', displayName: 'Sipho', password: PASSWORD, role: 'agent' }
  const { id } = await answerOf(account, '/api/accounts', { body: hired })
  await answerOf(account, `/api/accounts/${id}`, { method: 'PATCH', body: { displayName: 'Sipho K' } })
  expect(await answerOf(accounts, '/api/accounts')).toHaveLength(2)
  expect(await answerOf(colleagues, '/api/staff')).toHaveLength(2)
  await answerOf(me, '/api/me')
  const response = await node.post('/api/login', { username: 'sipho', password: PASSWORD })
  colleague = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
})

test('settings meet their contract', async () => {
  const hours = { days: [1, 2], opensAtMinute: 480, closesAtMinute: 600 }
  const change = { method: 'PUT', headers: { 'if-match': '"0"' } }
  await answerOf(settings, '/api/settings/support-hours', { ...change, body: hours })
  expect((await answerOf(settings, '/api/settings')).supportHoursHistory).toHaveLength(1)
  await answerOf(publicHours, '/api/support-hours')
  const other = { ...change, body: { ...hours, closesAtMinute: 660 } }
  await refusalOf(settingsConflict, '/api/settings/support-hours', other)
})

test('leads, the person behind them and the figures meet their contract', async () => {
  const contract = { ...CONTRACT, firstTouch: TOUCH, lastTouch: TOUCH }
  const { id } = await answerOf(lead, '/api/leads', { body: contract, as: { cookie: '' } })
  const spam = { ...PERSON, leadSource: 'hero_form', quartz: 'filled in' }
  await answerOf(lead, '/api/leads', { body: spam, as: { cookie: '' } })
  // with another email: one with the contract's joins its lead if the view knows it already
  await answerOf(submittedWebsiteInfo, '/api/submit-website-info', {
    body: {
      ...{ websiteType: 'Shop', businessName: 'Botha Bakery', targetAudience: 'All', designStyle: 'Modern' },
      ...{ brandColorsSelect: 'Blue', businessDescription: 'Bread', primaryProducts: 'Bread' },
      ...{ businessAddress: '1 Long Street', phoneNumber: PERSON.phone, email: 'shop@example.com' },
    },
  })
  const won = { method: 'PATCH', body: { followUpStatus: 'won', projectValue: 999 }, headers: { 'if-match': '"1"' } }
  expect((await answerOf(lead, `/api/leads/${id}`, won)).followUpStatus).toBe('won')
  const lost = { ...won, body: { followUpStatus: 'lost' }, as: colleague }
  expect((await refusalOf(leadConflict, `/api/leads/${id}`, lost)).changes).toHaveLength(1)
  const note = await answerOf(timelineEntry, `/api/leads/${id}/notes`, { body: { note: 'Call back' } })
  await answerOf(lead, `/api/leads/${id}/undo`, { body: { eventId: note.id } })

  await eventually(async () => {
    expect(await answerOf(leads, '/api/leads?quarantine=true')).toHaveLength(1)
    const [first] = await answerOf(leads, '/api/leads?limit=10&sort=asc')
    expect(first).toMatchObject({ id, followUpStatus: 'won', emailStatus: 'outbox' })
    expect((await answerOf(leadSummary, '/api/leads/summary')).total).toBe(2)
    expect((await answerOf(waitingLeads, '/api/leads/waiting')).count).toBe(1)
    expect((await answerOf(overview, '/api/overview')).won.leads).toBe(1)
  })
  expect((await answerOf(lead, `/api/leads/${id}`)).firstTouch?.source).toBe('newsletter')
  const { leads: all, timeline } = await answerOf(person, `/api/leads/${id}/person`)
  expect(all).toHaveLength(3)
  const kinds = ['contract', 'lead', 'questionnaire', 'follow_up', 'note', 'note_removed', 'email']
  expect(new Set(timeline.map(({ kind }) => kind))).toEqual(new Set(kinds))
  await answerOf(leadHistory, `/api/leads/${id}/history`)
  const [flagged] = await answerOf(leads, '/api/leads?quarantine=true')
  await answerOf(lead, `/api/leads/${flagged?.id}/release`, { method: 'POST', body: {} })
  await eventually(async () => expect((await answerOf(erasable, `/api/leads/${id}/erase`)).leads).toHaveLength(3))
})

test('emails meet their contract', async () => {
  await eventually(async () => expect(await answerOf(outbox, '/api/outbox')).toHaveLength(1))
  const [email] = await answerOf(listedEmails, '/api/emails')
  expect(email).toMatchObject({ state: 'outbox', tries: [{ kind: 'outbox' }] })
  expect(await answerOf(emailSummary, '/api/emails/summary')).toMatchObject({ outbox: 1 })
  expect(await answerOf(stalledConsumers, '/api/standstill')).toEqual([])
})

test('chats, and each frame of the socket, meet their contract', async () => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', visitorEmail: 'chat@example.com' })
  const { sessionId } = await client.take('chat_joined')
  const console = await joinStaff(node, owner)
  await say(client, sessionId, 'Hello')
  await say(console, sessionId, 'Good day')
  client.send({ type: 'send_message', sessionId, message: '' })
  await client.take('error')
  console.send({ type: 'get_messages', sessionId })
  await console.take('chat_history')
  await eventually(async () => {
    expect(await answerOf(chat.chatList, '/api/chats')).toMatchObject([{ sessionId, lastSequence: 2 }])
    expect(await answerOf(chat.waitingChats, '/api/chats/waiting')).toEqual({ count: 0, newest: [], handed: [] })
  })
  await answerOf(lead, `/api/chats/${sessionId}/lead`, { body: { ...PERSON, email: 'chat@example.com' } })
  await answerOf(chat.sentTranscript, `/api/chats/${sessionId}/transcript`, { method: 'POST', body: {} })
  client.send({ type: 'end_chat', sessionId })
  await console.take('chat_ended')
  const record = await answerOf(chat.chatRecord, `/api/chats/${sessionId}`)
  expect(record).toMatchObject({
    endedBy: 'visitor',
    messages: [{ message: 'Hello' }, { staffName: 'thandi' }],
    transcripts: [{ upTo: 2 }],
  })
  await Promise.all([client.close(), console.close()])
})
