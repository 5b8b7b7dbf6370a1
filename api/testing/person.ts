import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { visitorJoin } from '../../events/chat/chat.ts'
import { leadForm } from '../../events/lead/form/form.ts'
import { HONEYPOT_FIELD, OPEN_FIELD } from '../../events/lead/form/spam-fields.ts'
import { touch } from '../../events/lead/form/touch.ts'
import { websiteInfoForm } from '../../events/lead/form/website-info.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { eventually, type TestNode } from '../../events/testing/node.ts'
import type { Marks } from './marks.ts'
import { joinStaff, openTestClient, say, type TestClient } from './socket-client.ts'

type Staff = { cookie: string }

/** The prefix of fields that are read and not stored. */
export const NOWHERE = 'nowhere: '

/** A word in every field of a form that is not given. */
const filledIn = (marks: Marks, form: string, entries: object, given: object = {}): Record<string, unknown> => {
  const open = Object.keys(entries).filter((name) => !(name in given))
  return { ...Object.fromEntries(open.map((name) => [name, marks.of(`${form}: ${name}`)])), ...given }
}

/** The word of a field that is stored nowhere. */
const nowhere = (marks: Marks, field: string) => marks.of(`${NOWHERE}${field}`)

/** The same on all forms, so that they belong to one person. */
const contactOf = (marks: Marks) => ({
  email: `${marks.of('e-mail')}@private.example`,
  phone: `${marks.number} ${marks.of('phone')}`,
})

const touchesOf = (marks: Marks, form: string) => ({
  firstTouch: filledIn(marks, `${form}, first touch`, touch.entries),
  lastTouch: filledIn(marks, `${form}, last touch`, touch.entries),
})

/** All headers that a browser sends and that a visitor, or an extension, can change. */
const headersOf = (marks: Marks) => ({
  'user-agent': marks.of('user-agent'),
  referer: `https://${nowhere(marks, 'referer')}.example/`,
  'accept-language': nowhere(marks, 'accept-language'),
  'x-request-id': nowhere(marks, 'x-request-id'),
  'x-forwarded-for': nowhere(marks, 'x-forwarded-for'),
  cookie: `seen=${nowhere(marks, 'cookie')}`,
})

const leadOf = (marks: Marks, form: string, given: object = {}) =>
  filledIn(marks, form, leadForm.entries, { ...contactOf(marks), agreedToTerms: true, ...given })

const answersOf = (marks: Marks) => {
  const { email, phone } = contactOf(marks)
  return filledIn(marks, 'questionnaire', websiteInfoForm.entries, { email, phoneNumber: phone })
}

/** Requests that are refused or ignored leave no trace anywhere. */
const sendNonsense = async (node: TestNode, marks: Marks) => {
  const headers = headersOf(marks)
  const word = (field: string) => nowhere(marks, field)
  const path = `/api/leads?utm=${word('query of a form')}`
  const refused = { name: word('refused name'), email: word('refused e-mail') }
  expect((await node.post(path, refused, headers)).status).toBe(422)
  const json = { ...headers, 'content-type': 'application/json' }
  const cut = { method: 'POST', body: `{ "name": "${word('cut JSON')}`, headers: json }
  expect((await node.call(path, cut)).status).toBe(400)
  const foreign = { ...headers, origin: `https://${word('origin')}.example` }
  expect((await node.post(path, refused, foreign)).status).toBe(403)
  await node.post('/api/login', { username: word('username'), password: word('password') }, headers)
  for (const asked of [`/${word('path')}`, `/?q=${word('query')}`, `/api/leads/${word('id in a path')}`]) {
    await node.call(asked, { headers })
  }
}

/** Has some bytes of the signed copy of a contract found as well, as they are and in base64. */
const markCopy = async (node: TestNode, marks: Marks, link: string) => {
  const response = await node.call(link)
  expect(response.status).toBe(200)
  const pdf = Buffer.from(await response.arrayBuffer())
  const middle = Math.floor(pdf.length / 6) * 3
  const bytes = pdf.subarray(middle, middle + 48)
  marks.add('signed copy', bytes)
  marks.add('signed copy in base64', Buffer.from(bytes.toString('base64')))
}

/** Sends every form, as a script and as a page without one does, and the same again. */
const fillInForms = async (node: TestNode, marks: Marks) => {
  const headers = { ...headersOf(marks), 'idempotency-key': nowhere(marks, 'Idempotency-Key') }
  const send = async (path: string, form: object, more: object = {}): Promise<Lead & { contractCopy?: string }> => {
    const response = await node.post(path, form, { ...headers, ...more })
    expect(response.status).toBe(201)
    return await response.json()
  }
  const contract = {
    ...leadOf(marks, 'contract', { leadSource: `contract_${marks.of('contract: leadSource')}` }),
    ...touchesOf(marks, 'contract'),
  }
  const first = await send(`/api/leads?utm=${nowhere(marks, 'query of a form')}`, contract)
  expect((await send('/api/leads', contract)).id).toBe(first.id)
  const signs = { [HONEYPOT_FIELD]: nowhere(marks, 'trap'), [OPEN_FIELD]: 1 }
  const flagged = { ...leadOf(marks, 'flagged'), ...touchesOf(marks, 'flagged'), ...signs }
  const second = await send('/api/leads', flagged, { 'idempotency-key': randomUUID() })
  const quote = { ...leadOf(marks, 'quote'), [OPEN_FIELD]: nowhere(marks, 'open for') }
  const fields = Object.entries(quote).map(([name, value]): [string, string] => [name, String(value)])
  const posting = { method: 'POST', body: new URLSearchParams(fields), headers: headersOf(marks) }
  expect((await node.call('/api/leads', posting)).status).toBe(303)
  await send('/api/submit-website-info', { ...answersOf(marks), ...touchesOf(marks, 'questionnaire') })
  const agreed = { leadSource: 'contract_premium', termsVersion: '1' }
  const signed = leadOf(marks, 'signed contract', agreed)
  const { id: signedId, contractCopy } = await send('/api/leads', signed, { 'idempotency-key': randomUUID() })
  await markCopy(node, marks, contractCopy ?? '')
  return { leadIds: [first.id, second.id], signedId }
}

/** The beginning of a picture of one pixel, up to its size. */
const PNG_BEGINNING = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01'

/** Stores a file in a chat, whose bytes hold the visitor's drawing and the camera's metadata. */
const sendFile = async (node: TestNode, marks: Marks, { sessionId, resumeToken }: Record<string, string>) => {
  const headers = {
    ...headersOf(marks),
    authorization: `Bearer ${resumeToken}`,
    'content-type': nowhere(marks, 'type of a file'),
    'x-file-name': `${marks.of('name of a file')}.png`,
  }
  const body = new Uint8Array(Buffer.from(`${PNG_BEGINNING}${marks.of('bytes of a file')}`, 'latin1'))
  const response = await node.call(`/api/chat-files/${sessionId}`, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

/** Takes every action that a visitor has in a chat, with replies by staff. The chat stays open. */
const chat = async (node: TestNode, marks: Marks, staff: Staff) => {
  const admin = await joinStaff(node, staff)
  const visitor = await openTestClient(node, headersOf(marks))
  for (const frame of [`{ "type": "${nowhere(marks, 'cut frame')}`, { type: nowhere(marks, 'type of a frame') }])
    visitor.send(frame)
  const join = {
    type: 'join_chat',
    ...filledIn(marks, 'chat', visitorJoin.entries, {
      visitorEmail: contactOf(marks).email,
      visitorPhone: marks.number,
    }),
    joinKey: randomUUID(),
    greeting: nowhere(marks, 'words that are no greeting'),
    more: nowhere(marks, 'field that nobody knows'),
  }
  visitor.send({ ...join, joinKey: nowhere(marks, 'refused joinKey') })
  visitor.send(join)
  const { sessionId, resumeToken } = await visitor.take('chat_joined')
  visitor.send({ ...join, sessionId, resumeToken: nowhere(marks, 'resumeToken') })
  visitor.send({ ...join, sessionId, resumeToken, pageUrl: marks.of('second page') })
  await visitor.take('chat_joined')
  const given = { type: 'give_email', sessionId, clientMessageId: nowhere(marks, 'clientMessageId of an address') }
  visitor.send({ ...given, visitorEmail: nowhere(marks, 'refused later e-mail') })
  visitor.send({ ...given, visitorEmail: `${marks.of('later e-mail')}@private.example` })
  await visitor.take('email_accepted')
  visitor.send({ type: 'typing', sessionId, isTyping: true, text: nowhere(marks, 'typed and not sent') })
  visitor.send({ type: 'typing', sessionId: nowhere(marks, 'refused sessionId'), isTyping: true })
  await say(visitor, sessionId, marks.of('message'), marks.of('clientMessageId'))
  const reused = { type: 'send_message', sessionId, clientMessageId: marks.of('clientMessageId') }
  visitor.send({ ...reused, message: nowhere(marks, 'refused message') })
  await visitor.take('error', ({ code }) => code === 'id_reused')
  await say(admin, sessionId, marks.of('answer of staff'))
  const fileId = await sendFile(node, marks, { sessionId, resumeToken })
  visitor.send({ type: 'send_message', sessionId, fileId, message: nowhere(marks, 'words of a page about its file') })
  await visitor.take('message_accepted', ({ sequence }) => sequence === 3)
  visitor.send({ type: 'receipt', sessionId, delivered: 2, seen: 2 })
  return { sessionId, fileId, sockets: [visitor, admin] }
}

/** Staff write about the person, search for them and work on their leads and chats. */
const workOn = async (node: TestNode, marks: Marks, staff: Staff, about: { leadIds: string[]; sessionId: string }) => {
  const [leadId = '', flaggedId = ''] = about.leadIds
  const post = async (path: string, body: object) => {
    const response = await node.post(path, body, staff)
    expect(response.ok, `${path} answered ${response.status}`).toBe(true)
    return await response.text()
  }
  await post(`/api/leads/${flaggedId}/release`, {})
  await post(`/api/leads/${leadId}/notes`, { note: marks.of('note') })
  await post(`/api/leads/${leadId}/notes`, { note: marks.of('note that is taken back') })
  await post(`/api/leads/${leadId}/emails`, { subject: marks.of('subject of staff'), text: marks.of('email of staff') })
  await post(`/api/leads/${leadId}/contacts`, { channel: 'whatsapp', text: marks.of('WhatsApp of staff') })
  await post(`/api/leads/${leadId}/contacts`, { channel: 'call', isReached: false })
  const history = await (await node.call(`/api/leads/${leadId}/history`, { headers: staff })).json()
  await post(`/api/leads/${leadId}/undo`, { eventId: history.at(-1).id })
  const made = leadOf(marks, 'lead of a chat')
  await eventually(() => post(`/api/chats/${about.sessionId}/lead`, made))
  await eventually(() => post(`/api/chats/${about.sessionId}/transcript`, {}))
  for (const query of [`q=${marks.of('message')}`, `q=${nowhere(marks, 'search of staff')}`]) {
    await node.call(`/api/leads?${query}`, { headers: staff })
    await node.call(`/api/chats?${query}`, { headers: staff })
  }
}

/** The data of a person, and the sockets that are still open. */
export type TestPerson = {
  leadIds: string[]
  /** The lead of the contract with evidence. */
  signedId: string
  sessionId: string
  fileId: string
  sockets: TestClient[]
}

/**
 * Takes every action that a visitor of the site has, with a unique word in every field, and every field that staff
 * write about them. The fields come from the schemas: a new one is filled in too.
 */
export const visitEverything = async (nodes: [TestNode, TestNode], marks: Marks, staff: Staff): Promise<TestPerson> => {
  const [node, other] = nodes
  await sendNonsense(node, marks)
  const { leadIds, signedId } = await fillInForms(node, marks)
  const { sessionId, fileId, sockets } = await chat(other, marks, staff)
  await workOn(node, marks, staff, { leadIds, sessionId })
  return { leadIds, signedId, sessionId, fileId, sockets }
}
