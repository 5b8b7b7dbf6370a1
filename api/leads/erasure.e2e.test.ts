import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead/lead.ts'
import { erasureStreams, requestErasure } from '../../events/lead/person/erasure.ts'
import { openAppender } from '../../events/log/append.ts'
import { readConsumers } from '../../events/log/consumer-lag.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { openErasures } from '../testing/erasures.ts'
import { joinChat, joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const PASSWORD = 'the password of an account'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const product = await startProduct({ nodes: 2 })
const { database, sql } = product
const [node, otherNode] = product.nodes
const { worker } = product
const owner = await signIn(node)

const { submit, get, askToErase, erase, hinderErasure, allTexts } = openErasures(product, owner)

/** Three leads, each linked only with the next: by a telephone number, then by an email address. */
const submitChain = async (name: string, phone: string) => {
  const first = await submit({ name, phone, email: `${name}-1@chain.example` })
  const second = await submit({ name, phone, email: `${name}-2@chain.example` })
  const third = await submit({ name, email: `${name}-2@chain.example` })
  return [first.id, second.id, third.id] as const
}

/** A visitor starts a chat, sends a message and leaves. Returns the session's id. */
const chatOnce = async (visitorName: string, visitorEmail: string, message = 'Hello'): Promise<string> => {
  const visitor = await openTestClient(node)
  visitor.send({ type: 'join_chat', visitorName, visitorEmail, pageUrl: '/' })
  const { sessionId } = await visitor.take('chat_joined')
  await say(visitor, sessionId, message, 'message-1')
  await visitor.close()
  return sessionId
}

test('a person is erased whole: leads, notes and chats, in the log and in the views', async () => {
  const first = await submit({ name: 'Zodwa Quaint', email: 'zodwa@quaint.example' })
  const second = await submit({ name: 'Z. Quaint', email: 'ZODWA@quaint.example', message: 'Quaint wishes' })
  const other = await submit({ name: 'Somebody Else', email: 'else@example.com' })
  await node.post(`/api/leads/${first.id}/notes`, { note: 'Quaint is her name' }, owner)
  await chatOnce('Zodwa Quaint', 'zodwa@quaint.example', 'It is Quaint here')
  await eventually(async () => expect(await get('/api/leads?q=quaint')).toHaveLength(2))
  expect(await allTexts()).toMatch(/quaint/i)

  expect((await erase(first.id)).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/quaint|zodwa/i))
  expect(await get('/api/leads?q=quaint')).toEqual([])
  const erased = { name: 'Erased', email: '', phone: '', message: null, businessName: null, followUpStatus: 'erased' }
  expect(await get(`/api/leads/${second.id}`)).toMatchObject({ id: second.id, leadSource: 'hero_form', ...erased })
  expect((await get('/api/leads')).map((lead: Lead) => lead.name)).toEqual(['Somebody Else'])
  expect(await get(`/api/leads/${other.id}`)).toEqual(other)

  const history = await get(`/api/leads/${first.id}/history`)
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['LeadSubmitted', 'LeadNoteAdded', 'LeadErased'])
  expect(history.at(-1)).toMatchObject({ by: 'thandi', timestamp: expect.stringMatching(/^\d{4}-/) })
  const { timeline } = await get(`/api/leads/${first.id}/person`)
  expect(timeline.at(-1)).toMatchObject({ kind: 'erased', by: 'thandi', leadId: first.id })

  expect((await erase(first.id)).status).toBe(204)
  expect((await node.post(`/api/leads/${first.id}/notes`, { note: 'x' }, owner)).status).toBe(409)
  const body = JSON.stringify({ followUpStatus: 'won' })
  const headers = { ...owner, 'content-type': 'application/json' }
  expect((await node.call(`/api/leads/${first.id}`, { method: 'PATCH', headers, body })).status).toBe(409)
  expect(await get(`/api/leads/${first.id}/history`)).toEqual(history)
})

test('a signed contract is erased only if the owner says so; all else of its person goes without it', async () => {
  const contact = { email: `${randomUUID()}@example.com`, phone: '082 555 0199' }
  const contract = { leadSource: 'contract_essential', businessName: 'Bakery', agreedToTerms: true }
  const [enquiry, signed] = [
    await submit({ name: 'Client', ...contact }),
    await submit({ name: 'Client', ...contact, ...contract }),
  ]
  const list = await eventually(async () => {
    const found = await get(`/api/leads/${signed.id}/erase`)
    expect(found).toMatchObject({ leads: [{ name: 'Client' }, { name: 'Client' }] })
    return found
  })
  expect(list.leads).toContainEqual(expect.objectContaining({ id: signed.id, contract: { until: null } }))
  const { asOf } = list
  const refused = await askToErase(signed.id, { asOf })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('five years') })
  expect((await erase(signed.id, owner, { asOf, contracts: 'keep' })).status).toBe(204)
  const stateOf = async (id: string) => (await get(`/api/leads/${id}`)).followUpStatus
  await eventually(async () => expect(await stateOf(enquiry.id)).toBe('erased'))
  expect(await stateOf(signed.id)).toBe('new')
  expect((await erase(signed.id, owner, { contracts: 'erase' })).status).toBe(204)
  expect(await stateOf(signed.id)).toBe('erased')
})

test('an open chat ends for all participants, and accepts nothing more', async () => {
  const visitor = await openTestClient(otherNode)
  visitor.send({ type: 'join_chat', visitorName: 'Ulrike Vale', visitorEmail: 'ulrike@vale.example', pageUrl: '/' })
  const { sessionId } = await visitor.take('chat_joined')
  await say(visitor, sessionId, 'This is Vale', 'message-1')
  const consoles = await Promise.all([joinStaff(node, owner), joinStaff(otherNode, owner)])
  const lead = await submit({ name: 'Ulrike Vale', email: 'ulrike@vale.example' })
  await eventually(async () => expect(await get('/api/leads?q=vale')).toHaveLength(1))

  expect((await erase(lead.id)).status).toBe(204)
  for (const client of [visitor, ...consoles]) await client.take('chat_ended', (frame) => frame.sessionId === sessionId)
  visitor.send({ type: 'send_message', sessionId, message: 'Vale again', clientMessageId: 'message-2' })
  expect(await visitor.take('error')).toMatchObject({ code: 'chat_ended', clientMessageId: 'message-2' })
  for (const each of [node, otherNode]) {
    const late = await openTestClient(each, owner)
    late.send({ type: 'join_admin' })
    expect(JSON.stringify(await late.take('active_sessions'))).not.toMatch(/vale/i)
    await late.close()
  }
  await eventually(async () => expect(await allTexts()).not.toMatch(/vale|ulrike/i))
  await Promise.all([visitor, ...consoles].map((client) => client.close()))
})

test('linked leads are erased with the lead if the list names them, even if Postgres refuses for a time', async () => {
  const [first, second, third] = await submitChain('Brokenlink', '082 555 0191')
  const leadIds = [first, second, third]
  const relent = await hinderErasure(third)
  const response = await askToErase(first, { leadIds })
  expect([response.status, await response.json()]).toEqual([202, { left: 3 }])
  const { consumers } = await readConsumers(sql)
  expect(consumers.find(({ name }) => name === 'erasures')).toMatchObject({ waitingSince: expect.any(Date) })
  await relent()
  await eventually(async () => expect(await allTexts()).not.toMatch(/brokenlink/i))
  expect((await erase(first, owner, { leadIds })).status).toBe(204)
  const history = await get(`/api/leads/${third}/history`)
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['LeadSubmitted', 'LeadErased'])
  // the request that asked for it, not the worker that carried it out
  expect(history.at(-1)).toMatchObject({ by: 'thandi', requestId: response.headers.get('x-request-id') })
})

test('no lead is erased that the owner has not named: not a late one, and not one that a stranger has linked', async () => {
  const [first, second, third] = await submitChain('Planted', '082 555 0192')
  const sessionId = await chatOnce('P', 'Planted-2@chain.example')
  const response = await erase(first, owner, { leadIds: [first, second] })
  expect(response.status).toBe(409)
  const { leads, chats } = await response.json()
  expect(leads.map(({ id }: Lead) => id)).toEqual([first, second, third])
  expect(leads[2]).toMatchObject({ name: 'Planted', email: 'Planted-2@chain.example', phone: '000 000 0000' })
  const [[address], ...others] = leads.map((lead: { addresses: number[] }) => lead.addresses)
  const [[shared]] = others
  expect(others.map(([first]: number[]) => first)).toEqual([shared, shared])
  expect(shared).not.toBe(address)
  expect(chats).toEqual([
    { sessionId, visitorName: 'P', startTime: expect.stringMatching(/Z$/), messages: 1, addresses: [shared] },
  ])
  expect((await get(`/api/leads/${first}`)).name).toBe('Planted')

  expect((await erase(first)).status).toBe(204)
  for (const id of [first, second]) expect((await get(`/api/leads/${id}`)).name).toBe('Erased')
  expect((await get(`/api/leads/${third}`)).name).toBe('Planted')
  const [chat] = await get('/api/chats?q=planted')
  expect(chat.visitorEmail).toBe('Planted-2@chain.example')
})

test('an owner chooses from the list: the lead and those merged with it are erased, others if they are named', async () => {
  const phone = '082 555 0195'
  const lead = await submit({ name: 'Choosy', email: 'choosy@one.example', phone })
  const merged = await submit({ name: 'Choosy Merged', email: 'choosy@merged.example' })
  const form = { mergedId: merged.id, mergedVersion: merged.version, takes: [] }
  const version = { ...owner, 'if-match': `"${lead.version}"` }
  expect((await node.post(`/api/leads/${lead.id}/merge`, form, version)).status).toBe(200)
  const same = await submit({ name: 'Choosy Same', email: 'CHOOSY@merged.example' })
  const shared = await submit({ name: 'Shares a phone', email: 'shares@two.example', phone })
  const partner = await submit({ name: 'Partner', email: 'shares@two.example' })
  const unrelated = await submit({ name: 'Unrelated', email: 'unrelated@three.example' })
  const chatOf = async (contact: { visitorEmail: string } | { visitorPhone: string }) => {
    const visitor = await openTestClient(node)
    visitor.send({ type: 'join_chat', visitorName: 'Visitor', ...contact, pageUrl: '/' })
    const { sessionId } = await visitor.take('chat_joined')
    await visitor.close()
    return sessionId
  }
  const goes = await chatOf({ visitorEmail: 'choosy@one.example' })
  const stays = await chatOf({ visitorEmail: 'shares@two.example' })
  const called = await chatOf({ visitorPhone: '+27 82 555 0195' })
  const { asOf, leads, chats } = await eventually(async () => {
    const list = await get(`/api/leads/${lead.id}/erase`)
    expect(list.leads).toHaveLength(5)
    expect(list.chats).toHaveLength(3)
    return list
  })
  expect(Object.fromEntries(leads.map(({ id, links }: { id: string; links: object[] }) => [id, links]))).toEqual({
    [lead.id]: [],
    [merged.id]: [{ by: 'merge', leadId: lead.id }],
    [same.id]: [{ by: 'email', leadId: merged.id }],
    [shared.id]: [{ by: 'phone', leadId: lead.id }],
    [partner.id]: [{ by: 'email', leadId: shared.id }],
  })
  const addressesOf = (of: Lead) => leads.find(({ id }: Lead) => id === of.id).addresses
  const addressOf = (of: Lead) => addressesOf(of)[0]
  expect(chats).toMatchObject([
    { sessionId: goes, addresses: [addressOf(lead)] },
    { sessionId: stays, addresses: [addressOf(shared)] },
    { sessionId: called, addresses: [addressesOf(shared)[1]] },
  ])
  expect(addressesOf(lead)[1]).toBe(addressesOf(shared)[1])
  expect(addressOf(partner)).toBe(addressOf(shared))
  for (const chosenIds of [[unrelated.id], [UNKNOWN], [same.id, unrelated.id]]) {
    const refused = await askToErase(lead.id, { asOf, chosenIds })
    expect(refused.status).toBe(409)
    expect((await refused.json()).leads).toEqual(leads)
  }
  expect((await get(`/api/leads/${lead.id}`)).name).toBe('Choosy')

  const chosenIds = [same.id.toUpperCase()]
  expect((await erase(lead.id, owner, { asOf, chosenIds })).status).toBe(204)
  for (const each of [lead, merged, same]) expect((await get(`/api/leads/${each.id}`)).name).toBe('Erased')
  for (const each of [shared, partner, unrelated]) expect(await get(`/api/leads/${each.id}`)).toEqual(each)
  await eventually(async () => expect(await allTexts()).not.toMatch(/choosy/i))
  await eventually(async () => expect((await get(`/api/chats/${goes}`)).session.visitorEmail).toBe(null))
  expect((await get(`/api/chats/${stays}`)).session.visitorEmail).toBe('shares@two.example')
  await eventually(async () => expect((await get(`/api/chats/${called}`)).session.visitorPhone).toBe(undefined))
  // requested again after a response that got lost
  expect((await erase(lead.id, owner, { asOf, chosenIds })).status).toBe(204)
})

test('of leads that were merged with one another none is erased alone, and a later lead is not left out unseen', async () => {
  const phone = '082 555 0196'
  const lead = await submit({ name: 'Alone', email: 'alone@one.example', phone })
  const other = await submit({ name: 'Other', email: 'other@one.example', phone })
  const gone = await submit({ name: 'Gone', email: 'gone@one.example' })
  const form = { mergedId: gone.id, mergedVersion: gone.version, takes: [] }
  await node.post(`/api/leads/${other.id}/merge`, form, { ...owner, 'if-match': `"${other.version}"` })
  const { asOf } = await eventually(async () => {
    const list = await get(`/api/leads/${lead.id}/erase`)
    expect(list.leads).toHaveLength(3)
    return list
  })
  for (const chosenIds of [[other.id], [gone.id]]) {
    expect((await askToErase(lead.id, { asOf, chosenIds })).status).toBe(422)
  }
  await submit({ name: 'Alone', email: 'alone@one.example' })
  expect((await askToErase(lead.id, { asOf, chosenIds: [] })).status).toBe(409)
  expect((await erase(lead.id, owner, { chosenIds: [other.id, gone.id] })).status).toBe(204)
  for (const each of [lead, other, gone]) expect((await get(`/api/leads/${each.id}`)).name).toBe('Erased')
  await eventually(async () => expect(await get('/api/leads?q=alone')).toMatchObject([{ email: 'alone@one.example' }]))
})

describe('data with an address or a number that a lead had before a correction', () => {
  const correct = async (id: string, correction: object) => {
    const headers = { 'content-type': 'application/json', ...owner }
    const body = JSON.stringify(correction)
    expect((await node.call(`/api/leads/${id}/contact`, { method: 'PATCH', headers, body })).status).toBe(200)
  }
  const listOf = (id: string, leads: number) =>
    eventually(async () => {
      const list = await get(`/api/leads/${id}/erase`)
      expect(list.leads).toHaveLength(leads)
      return list
    })

  test('is offered as such, is erased if it is chosen, and data linked by a later correction is shown first', async () => {
    const lead = await submit({ name: 'Typed Wrong', email: 'before@wrong.example', phone: '082 555 0171' })
    const twice = await submit({ name: 'Typed Wrong', email: 'before@wrong.example' })
    const called = await submit({ name: 'Typed Wrong', email: 'other@wrong.example', phone: '082 555 0171' })
    const other = await submit({ name: 'Somebody Else', email: 'else@wrong.example' })
    const sessionId = await chatOnce('Typed Wrong', 'before@wrong.example')
    await correct(lead.id, { email: 'after@right.example', phone: '082 555 0172' })
    const { asOf, leads, chats } = await listOf(lead.id, 3)
    const earlier = [{ by: 'earlier', leadId: lead.id }]
    expect(leads.map(({ id, links }: { id: string; links: unknown }) => [id, links])).toEqual([
      [lead.id, []],
      [twice.id, earlier],
      [called.id, earlier],
    ])
    expect(chats).toMatchObject([{ sessionId, addresses: leads[1].addresses }])

    await correct(other.id, { email: 'after@right.example' })
    const refused = await askToErase(lead.id, { asOf, chosenIds: [twice.id] })
    expect(refused.status).toBe(409)
    const now = await refused.json()
    expect(now.leads.map(({ id }: Lead) => id)).toEqual([lead.id, twice.id, called.id, other.id])
    expect((await erase(lead.id, owner, { asOf: now.asOf, chosenIds: [twice.id] })).status).toBe(204)
    expect(await get(`/api/leads/${twice.id}`)).toMatchObject({ name: 'Erased' })
    for (const { id } of [called, other]) expect((await get(`/api/leads/${id}`)).name).not.toBe('Erased')
    await eventually(async () => expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(null))
  })

  test('stays with its chats if it is not chosen, and if no list was shown', async () => {
    for (const chosen of [{ chosenIds: [] }, {}]) {
      const person = `jon${Object.keys(chosen).length}@stranger.example`
      const stranger = await submit({ name: 'Jon Stranger', email: person })
      const sessionId = await chatOnce('Jon Stranger', person)
      const lead = await submit({ name: 'John', email: person })
      await correct(lead.id, { email: `john${Object.keys(chosen).length}@right.example` })
      const { asOf } = await listOf(lead.id, 2)
      expect((await erase(lead.id, owner, { asOf, ...chosen })).status).toBe(204)
      expect(await get(`/api/leads/${stranger.id}`)).toMatchObject({ name: 'Jon Stranger' })
      expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(person)
    }
  })

  test('is offered too if that lead was merged into another one', async () => {
    const child = await submit({ name: 'Child', email: 'child@wrong.example' })
    const again = await submit({ name: 'Child', email: 'child@wrong.example' })
    const stays = await submit({ name: 'Stays', email: 'stays@right.example' })
    await correct(child.id, { email: 'child@right.example' })
    const body = JSON.stringify({ mergedId: child.id, mergedVersion: 2, takes: [] })
    const headers = { 'content-type': 'application/json', 'if-match': '"1"', ...owner }
    expect((await node.call(`/api/leads/${stays.id}/merge`, { method: 'POST', headers, body })).status).toBe(200)
    const { leads } = await listOf(stays.id, 3)
    expect(leads.map(({ id }: Lead) => id)).toContain(again.id)
  })
})

test('a chat that got an address after the owner’s list is not erased unseen, and is erased by an earlier address', async () => {
  const [given, corrected] = ['given@later.example', 'corrected@later.example']
  const lead = await submit({ name: 'Given', email: given })
  const { client, sessionId } = await joinChat(node, 'Given later')
  const give = async (visitorEmail: string) => {
    client.send({ type: 'give_email', sessionId, visitorEmail, clientMessageId: visitorEmail })
    await client.take('email_accepted', ({ clientMessageId }) => clientMessageId === visitorEmail)
  }
  await say(client, sessionId, 'Hello')
  const { asOf, chats: before } = await get(`/api/leads/${lead.id}/erase`)
  expect(before).toEqual([])
  await give(given)
  const refused = await erase(lead.id, owner, { asOf })
  expect(refused.status).toBe(409)
  const shown = await refused.json()
  expect(shown.chats).toMatchObject([{ sessionId }])
  await give(corrected)
  expect((await erase(lead.id, owner, { asOf: shown.asOf })).status).toBe(409)
  const { asOf: now } = await get(`/api/leads/${lead.id}/erase`)
  expect((await erase(lead.id, owner, { asOf: now })).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/later\.example/))
  client.send({ type: 'give_email', sessionId, visitorEmail: given, clientMessageId: 'too late' })
  expect(await client.take('error')).toMatchObject({ code: 'chat_ended', refused: 'give_email' })
  await client.close()
})

test('a lead that was made of a chat and erased is not made again, and its chat is not sent', async () => {
  const sessionId = await chatOnce('Made', 'made@chat.example')
  const form = { name: 'Made', email: 'made@chat.example', phone: '082 555 0193' }
  const made = await node.post(`/api/chats/${sessionId}/lead`, form, owner)
  expect(made.status).toBe(201)
  expect((await erase((await made.json()).id)).status).toBe(204)
  expect((await node.post(`/api/chats/${sessionId}/lead`, form, owner)).status).toBe(409)
  await eventually(async () => expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(null))
  expect((await node.post(`/api/chats/${sessionId}/transcript`, {}, owner)).status).toBe(422)
})

test('the rest of an erased lead names no chat in which it was answered, and offers nothing to undo', async () => {
  const { client, sessionId } = await joinChat(node, 'Answered here')
  const form = { name: 'Answered', email: 'answered@chat.example', phone: '082 555 0194' }
  const { id } = await (await node.post(`/api/chats/${sessionId}/lead`, form, owner)).json()
  const admin = await joinStaff(node, owner)
  await say(admin, sessionId, 'Here we are')
  await eventually(async () => expect(JSON.stringify(await get(`/api/leads/${id}/history`))).toContain(sessionId))
  const told = async (): Promise<{ leadId: string; isUndoable: boolean; kind: string }[]> => {
    const { timeline } = await get(`/api/leads/${id}/person`)
    return timeline.filter(
      ({ kind, leadId }: { kind: string; leadId: string }) => leadId === id && !/^chat(_ended)?$/.test(kind),
    )
  }
  expect(JSON.stringify(await told())).toContain(sessionId)
  expect((await erase(id)).status).toBe(204)
  await eventually(async () => expect((await told()).map(({ kind }) => kind)).toContain('erased'))
  const left = await told()
  expect(left.map(({ kind }) => kind)).toContain('chat_answer')
  expect(left.filter(({ isUndoable }) => isUndoable)).toEqual([])
  expect(JSON.stringify([left, await get(`/api/leads/${id}/history`)])).not.toContain(sessionId)
  await Promise.all([client.close(), admin.close()])
})

test('a chat that became a lead is erased with that lead alone, whatever address they share', async () => {
  const email = 'couple@kept.example'
  const sessionId = await chatOnce('Spouse', email)
  const made = await node.post(`/api/chats/${sessionId}/lead`, { name: 'Spouse', email, phone: '082 555 0197' }, owner)
  const spouse = await made.json()
  const [lead, again] = [await submit({ name: 'Other half', email }), await submit({ name: 'Other half', email })]
  const { asOf, chats } = await get(`/api/leads/${lead.id}/erase`)
  expect(chats).toMatchObject([{ sessionId, leadIds: [spouse.id] }])
  expect((await erase(lead.id, owner, { asOf, chosenIds: [again.id] })).status).toBe(204)
  for (const each of [lead, again]) expect((await get(`/api/leads/${each.id}`)).name).toBe('Erased')
  expect((await get(`/api/leads/${spouse.id}`)).name).toBe('Spouse')
  expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(email)

  expect((await erase(spouse.id)).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/kept\.example/))
})

test('a lead that was made from a chat with this address is in the list, and is erased with the chat if it is chosen', async () => {
  const email = 'desk@unlisted.example'
  const sessionId = await chatOnce('Caller', email)
  const form = { name: 'Caller', email: 'caller@unlisted.example', phone: '082 555 0198' }
  const made = await (await node.post(`/api/chats/${sessionId}/lead`, form, owner)).json()
  const [lead, again] = [await submit({ name: 'Desk', email }), await submit({ name: 'Desk', email })]
  const { asOf, leads, chats } = await get(`/api/leads/${lead.id}/erase`)
  expect(Object.fromEntries(leads.map(({ id, links }: { id: string; links: object[] }) => [id, links]))).toEqual({
    [lead.id]: [],
    [again.id]: [{ by: 'email', leadId: lead.id }],
    [made.id]: [{ by: 'chat', leadId: lead.id }],
  })
  expect(chats).toMatchObject([{ sessionId, leadIds: [made.id] }])
  expect((await erase(lead.id, owner, { asOf, chosenIds: [] })).status).toBe(204)
  expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(email)

  const shown = await get(`/api/leads/${again.id}/erase`)
  expect((await erase(again.id, owner, { asOf: shown.asOf, chosenIds: [made.id] })).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/unlisted\.example/))
})

/** A lead that was made from a chat, whose visitor had given another address than the lead has. */
const makeOfChat = async (name: string, { chat, lead }: { chat: string; lead: string }) => {
  const sessionId = await chatOnce(name, chat)
  const made = await node.post(`/api/chats/${sessionId}/lead`, { name, email: lead, phone: '' }, owner)
  expect(made.status).toBe(201)
  return { sessionId, lead: (await made.json()) as Lead }
}

test('from the lead of a chat the forms with the chat’s address are in the list, and other leads of such chats', async () => {
  const chat = 'typed@roundabout.example'
  const { lead, sessionId } = await makeOfChat('Maker', { chat, lead: 'maker@roundabout.example' })
  const second = await makeOfChat('Maker again', { chat, lead: 'again@roundabout.example' })
  const form = await submit({ name: 'Form', email: chat.toUpperCase() })
  const { asOf, leads, chats } = await get(`/api/leads/${lead.id}/erase`)
  expect(Object.fromEntries(leads.map(({ id, links }: { id: string; links: object[] }) => [id, links]))).toEqual({
    [lead.id]: [],
    [second.lead.id]: [{ by: 'chat', leadId: lead.id }],
    [form.id]: [{ by: 'chat', leadId: lead.id }],
  })
  expect(chats.map((each: { sessionId: string }) => each.sessionId).sort()).toEqual(
    [sessionId, second.sessionId].sort(),
  )
  expect((await erase(lead.id, owner, { asOf, chosenIds: [form.id] })).status).toBe(204)
  expect((await get(`/api/leads/${form.id}`)).name).toBe('Erased')
  expect((await get(`/api/leads/${second.lead.id}`)).name).toBe('Maker again')
  expect((await get(`/api/chats/${second.sessionId}`)).session.visitorEmail).toBe(chat)
  expect((await erase(second.lead.id)).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/roundabout\.example/i))
})

test('without a list nothing is erased if a chat with this address became another lead: the owner sees both and chooses', async () => {
  const email = 'before@became.example'
  const lead = await submit({ name: 'Before', email })
  const { lead: other, sessionId } = await makeOfChat('Became', { chat: email, lead: 'became@became.example' })
  const refused = await eventually(async () => {
    const response = await askToErase(lead.id)
    expect(response.status).toBe(409)
    return await response.json()
  })
  expect(refused.detail).toContain('became another lead')
  expect(refused.leads.map(({ id }: Lead) => id)).toEqual([lead.id, other.id])
  expect(refused.chats).toMatchObject([{ sessionId, leadIds: [other.id] }])
  expect((await get(`/api/leads/${lead.id}`)).name).toBe('Before')
  // the chat is the other lead's, and stays if that one is not chosen
  expect((await erase(lead.id, owner, { asOf: refused.asOf, chosenIds: [] })).status).toBe(204)
  expect((await get(`/api/leads/${lead.id}`)).name).toBe('Erased')
  expect((await get(`/api/chats/${sessionId}`)).session.visitorEmail).toBe(email)
  expect((await erase(lead.id)).status).toBe(204)
  expect((await erase(other.id)).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/became\.example/))
})

test('if a colleague has erased the link to a chosen lead, the response is the current list', async () => {
  const [first, second, third] = await submitChain('Unlinked', '082 555 0206')
  const shown = await eventually(async () => {
    const list = await get(`/api/leads/${first}/erase`)
    expect(list.leads).toHaveLength(3)
    return list
  })
  expect((await erase(second, owner, { asOf: shown.asOf, chosenIds: [] })).status).toBe(204)
  const refused = await askToErase(first, { asOf: shown.asOf, chosenIds: [second, third] })
  expect(refused.status).toBe(409)
  const { leads, asOf } = await refused.json()
  expect(leads).toMatchObject([{ id: first }])
  expect((await erase(first, owner, { asOf, chosenIds: [] })).status).toBe(204)
  expect((await get(`/api/leads/${third}`)).name).toBe('Unlinked')
})

test('a choice can be requested again after some of its leads were erased, by this request or by a colleague’s', async () => {
  const pair = async (phone: string) => {
    const lead = await submit({ name: 'Repeated', email: `${randomUUID()}@repeated.example`, phone })
    const other = await submit({ name: 'Repeated', email: `${randomUUID()}@repeated.example`, phone })
    const { asOf } = await eventually(async () => {
      const list = await get(`/api/leads/${lead.id}/erase`)
      expect(list.leads).toHaveLength(2)
      return list
    })
    return { lead: lead.id, other: other.id, both: [lead.id, other.id], asOf }
  }
  const nameOf = async (id: string) => (await get(`/api/leads/${id}`)).name

  const first = await pair('082 555 0201')
  expect((await erase(first.other, owner, { asOf: first.asOf, chosenIds: [] })).status).toBe(204)
  expect((await erase(first.lead, owner, { asOf: first.asOf, chosenIds: first.both })).status).toBe(204)
  expect(await nameOf(first.lead)).toBe('Erased')

  const second = await pair('082 555 0202')
  const named = { leadIds: second.both, chosenIds: [second.other.toUpperCase()] }
  for (const _ of ['asked', 'asked again']) expect((await erase(second.lead, owner, named)).status).toBe(204)

  // the node stopped when it had stored a part of the chosen leads
  const third = await pair('082 555 0203')
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  const [part] = requestErasure({ chats: [], leads: [third.other], asOf: third.asOf, by: randomUUID() })
  if (!part) throw new Error('Nothing is asked for')
  const events = [{ id: randomUUID(), ...part }]
  await appender.append({ stream: erasureStreams.of(third.lead), expectedVersion: 'any', events })
  await appender.close()
  await eventually(async () => expect(await nameOf(third.other)).toBe('Erased'))
  expect((await erase(third.lead, owner, { asOf: third.asOf, chosenIds: third.both })).status).toBe(204)
  expect(await nameOf(third.lead)).toBe('Erased')

  // the rest cannot be found from an erased lead
  const fourth = await pair('082 555 0204')
  expect((await erase(fourth.lead, owner, { asOf: fourth.asOf, chosenIds: [] })).status).toBe(204)
  const refused = await askToErase(fourth.lead, { asOf: fourth.asOf, chosenIds: fourth.both })
  expect(refused.status).toBe(409)
  expect((await refused.json()).leads).toMatchObject([{ id: fourth.lead }])
  expect(await nameOf(fourth.other)).toBe('Repeated')
})

test('data that came after the owner’s list stays until they have seen it', async () => {
  const [first, second] = await submitChain('Afterwards', '082 555 0193')
  const shown = await get(`/api/leads/${first}/erase`)
  const late = await submit({ name: 'Afterwards', email: 'Afterwards-2@chain.example' })
  const response = await askToErase(first, { asOf: shown.asOf })
  expect(response.status).toBe(409)
  const { leads, asOf } = await response.json()
  expect(leads.map(({ id }: Lead) => id)).toEqual(expect.arrayContaining([first, second, late.id]))
  const visitor = await openTestClient(node)
  visitor.send({ type: 'join_chat', visitorName: 'A', visitorEmail: 'Afterwards-1@chain.example', pageUrl: '/' })
  const { sessionId } = await visitor.take('chat_joined')
  await visitor.close()
  const unseenChat = await askToErase(first, { asOf })
  expect(unseenChat.status).toBe(409)
  const withChat = await unseenChat.json()
  expect(withChat.chats).toMatchObject([{ sessionId, visitorName: 'A' }])
  expect(await get(`/api/leads/${first}`)).toMatchObject({ name: 'Afterwards' })
  expect((await erase(first, owner, { asOf: withChat.asOf })).status).toBe(204)
  await eventually(async () => expect(await allTexts()).not.toMatch(/afterwards/i))
})

test('only an owner may, and only a lead that there is', async () => {
  const lead = await submit({ name: 'Ana Botha', email: 'ana@example.com' })
  const account = { username: 'ben', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
  await node.post('/api/accounts', account, owner)
  const response = await node.post('/api/login', { username: 'ben', password: PASSWORD })
  const agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  expect((await erase(lead.id, {})).status).toBe(401)
  expect((await erase(lead.id, agent)).status).toBe(403)
  expect((await node.call(`/api/leads/${lead.id}/erase`, { headers: agent })).status).toBe(403)
  expect((await erase(UNKNOWN)).status).toBe(404)
  expect(await get(`/api/leads/${lead.id}`)).toEqual(lead)
})

test('without a worker it is refused: data that the views do not have yet would be left out', async () => {
  const lead = await submit({ name: 'Late Comer', email: 'late@example.com' })
  await worker.stop()
  await submit({ name: 'Late Comer', email: 'late@example.com' })
  const response = await erase(lead.id)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await response.json()).detail).toContain('The views lag behind the log')
  expect(await get(`/api/leads/${lead.id}`)).toEqual(lead)
})
