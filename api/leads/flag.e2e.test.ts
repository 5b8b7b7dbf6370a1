import { beforeAll, describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead.ts'
import type { Account } from '../../events/staff.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const PASSWORD = 'the password of an account'

let people = 0

const send = (method: string, path: string, body: object = {}, headers: object = owner) =>
  node.call(path, {
    method,
    headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })

const submit = async (fields: object = {}): Promise<Lead> => {
  people += 1
  const person = { name: 'Crypto King', email: `king${people}@example.com`, phone: `082 720 ${1000 + people}` }
  const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, {})
  expect(response.status).toBe(201)
  return await response.json()
}

const flag = ({ id }: Lead, staff: object = owner) => send('POST', `/api/leads/${id}/flag`, {}, staff)
const release = ({ id }: Lead) => send('POST', `/api/leads/${id}/release`)
const undo = ({ id }: Lead, eventId: string | null) => send('POST', `/api/leads/${id}/undo`, { eventId })
const patch = ({ id }: Lead, change: object) => send('PATCH', `/api/leads/${id}`, change)
const read = async ({ id }: Lead): Promise<Lead> => (await send('GET', `/api/leads/${id}`)).json()
const listed = async (query = ''): Promise<string[]> =>
  (await (await send('GET', `/api/leads${query}`)).json()).map(({ id }: Lead) => id)
const waiting = async (): Promise<string[]> =>
  (await (await send('GET', '/api/leads/waiting')).json()).newest.map(({ id }: Lead) => id)
const contracts = async (business: string): Promise<number> =>
  (await (await send('GET', '/api/outbox')).json()).filter(({ fields }: { fields: [string, string][] }) =>
    fields.some(([, value]) => value === business),
  ).length

const { node } = await startProduct()
const owner = await signIn(node)
let agent: { cookie: string }
let ben: Account

beforeAll(async () => {
  const account = { username: 'ben', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
  ben = await (await send('POST', '/api/accounts', account)).json()
  const response = await node.post('/api/login', { username: ben.username, password: PASSWORD })
  agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
})

test('a lead that an agent calls spam waits for nobody and is in quarantine as decided, until that is taken back', async () => {
  const lead = await submit()
  await eventually(async () => expect(await waiting()).toContain(lead.id))
  const flagged = await flag(lead, agent)
  expect(flagged.status).toBe(200)
  expect(await flagged.json()).toMatchObject({ suspicion: ['staff'], flaggedBy: ben.id, followUpStatus: 'lost' })
  await eventually(async () => expect(await listed('?quarantine=true')).toContain(lead.id))
  expect(await listed('?quarantine=true&status=new')).not.toContain(lead.id)
  expect(await listed()).not.toContain(lead.id)
  // the view that counts who waits may be a moment behind
  await eventually(async () => expect(await waiting()).not.toContain(lead.id))

  const undone = await undo(lead, flagged.headers.get('event-id'))
  expect(undone.status).toBe(200)
  const back: Lead = await undone.json()
  expect(back).toMatchObject({ followUpStatus: 'new', answeredAt: null })
  expect([back.suspicion, back.flaggedBy]).toEqual([undefined, undefined])
  await eventually(async () => expect(await waiting()).toContain(lead.id))
  expect(await listed('?quarantine=true')).not.toContain(lead.id)
  expect((await undo(lead, flagged.headers.get('event-id'))).status).toBe(200)
})

test('a release gives a lead back as it stood, and its contract goes out once all the same', async () => {
  const business = 'Flagged Bakery'
  const lead = await submit({ leadSource: 'contract_premium', businessName: business, agreedToTerms: true })
  await eventually(async () => expect(await read(lead)).toMatchObject({ forwardStatus: 'outbox' }))
  const quoted: Lead = await (await patch(lead, { followUpStatus: 'quoted' })).json()
  await flag(lead)
  const released: Lead = await (await release(lead)).json()
  expect(released).toMatchObject({
    followUpStatus: 'quoted',
    answeredAt: quoted.answeredAt,
    forwardStatus: 'outbox',
  })
  const last = await submit({ leadSource: 'contract_premium', businessName: 'Last Bakery', agreedToTerms: true })
  await eventually(async () => expect(await read(last)).toMatchObject({ forwardStatus: 'outbox' }))
  expect(await contracts(business)).toBe(1)
})

test('open lists are told that a lead has left them', async () => {
  const lead = await submit()
  await eventually(async () => expect(await listed()).toContain(lead.id))
  const closed = new AbortController()
  const response = await node.call('/api/leads/stream', { headers: owner, signal: closed.signal })
  await flag(lead)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('event: withdrawn') && text.includes('event: quarantine')) break
  }
  closed.abort()
  expect(text).not.toContain(lead.email)
})

describe('is refused', () => {
  test('for a lead that is won', async () => {
    const lead = await submit()
    await patch(lead, { followUpStatus: 'won' })
    const refused = await flag(lead)
    expect([refused.status, (await refused.json()).detail]).toEqual([409, 'This lead is won: it is no spam'])
  })

  test('for a lead that was merged into another one', async () => {
    const [staying, gone] = [await submit(), await submit()]
    const headers = { ...owner, 'if-match': `"${staying.version}"` }
    const body = { mergedId: gone.id, mergedVersion: gone.version, takes: [] }
    expect((await send('POST', `/api/leads/${staying.id}/merge`, body, headers)).status).toBe(200)
    expect((await flag(gone)).status).toBe(409)
  })

  test('for a person who was erased', async () => {
    const lead = await submit()
    await eventually(async () => expect(await listed()).toContain(lead.id))
    const { asOf } = await (await send('GET', `/api/leads/${lead.id}/erase`)).json()
    await eventually(async () => expect((await send('POST', `/api/leads/${lead.id}/erase`, { asOf })).status).toBe(204))
    expect((await flag(lead)).status).toBe(409)
  })

  test('and one that is flagged already stays so, without an event', async () => {
    const lead = await submit({ quartz: 'https://cheap.example' })
    const answer = await flag(lead)
    expect([answer.status, answer.headers.get('event-id')]).toEqual([200, null])
    expect(await answer.json()).toMatchObject({ suspicion: ['trap'], followUpStatus: 'new' })
  })
})
