import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead.ts'
import type { Account } from '../../events/staff.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import type { TimelineEntry } from '../../events/timeline.ts'

const PASSWORD = 'the password of an account'

let people = 0

const send = (method: string, path: string, body?: unknown, headers: object = owner) =>
  nodes[0].call(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const submit = async (fields: object = {}): Promise<Lead> => {
  people += 1
  const person = { name: 'Ana Botha', email: `typo${people}@example.com`, phone: `082 710 ${1000 + people}` }
  const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, {})
  expect(response.status).toBe(201)
  return await response.json()
}

const correct = ({ id }: Lead, correction: object, headers: object = {}, staff: object = owner) =>
  send('PATCH', `/api/leads/${id}/contact`, correction, { ...staff, ...headers })
const undo = ({ id }: Lead, eventId: string | null) => send('POST', `/api/leads/${id}/undo`, { eventId })
const read = async ({ id }: Lead): Promise<Lead> => (await send('GET', `/api/leads/${id}`)).json()
const personOf = async ({ id }: Lead): Promise<{ leads: Lead[]; timeline: TimelineEntry[] }> =>
  (await send('GET', `/api/leads/${id}/person`)).json()
const correctionsOf = async (lead: Lead) => (await personOf(lead)).timeline.filter(({ kind }) => kind === 'corrected')
const history = async ({ id }: Lead) => (await send('GET', `/api/leads/${id}/history`)).text()
const listed = async (q: string): Promise<string[]> =>
  (await (await send('GET', `/api/leads?q=${encodeURIComponent(q)}`)).json()).map(({ id }: Lead) => id)
const isListed = (q: string, ids: string[]) => eventually(async () => expect(await listed(q)).toEqual(ids))

const { nodes } = await startProduct()
const owner = await signIn(nodes[0])
let agent: { cookie: string }

beforeAll(async () => {
  const account = { username: 'ben', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
  const made: Account = await (await send('POST', '/api/accounts', account)).json()
  const response = await nodes[0].post('/api/login', { username: made.username, password: PASSWORD })
  agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
})

let lead: Lead
beforeEach(async () => {
  lead = await submit()
})

test('a lead that was corrected is shown and found so, belongs to that person, and says in its timeline what was', async () => {
  const right = `right${people}@example.com`
  const other = await submit({ email: right })
  await isListed(lead.email, [lead.id])
  const response = await correct(lead, { email: ` ${right} `, company: 'Botha & Co' }, {}, agent)
  expect([response.status, response.headers.get('etag')]).toEqual([200, '"2"'])
  expect(await response.json()).toMatchObject({ name: 'Ana Botha', email: right, company: 'Botha & Co', version: 2 })
  await isListed(right, [other.id, lead.id])
  await isListed(lead.email, [])
  expect((await personOf(other)).leads.map(({ id }) => id)).toEqual([lead.id, other.id])
  expect(await correctionsOf(lead)).toMatchObject([
    {
      id: response.headers.get('event-id'),
      by: 'Ben Dube',
      leadId: lead.id,
      isUndoable: true,
      data: { email: right, company: 'Botha & Co', was: { email: lead.email, company: null } },
    },
  ])
})

test('a correction is taken back, and its undo too', async () => {
  const eventId = (await correct(lead, { phone: '082 999 0000' })).headers.get('event-id')
  expect(await (await undo(lead, eventId)).json()).toMatchObject({ phone: lead.phone, version: 3 })
  expect((await undo(lead, eventId)).status).toBe(200)
  const [first, second] = await correctionsOf(lead)
  expect([first?.isUndone, first?.isUndoable, second?.isUndoable]).toEqual([true, false, true])
  expect(await (await undo(lead, second?.id ?? '')).json()).toMatchObject({ phone: '082 999 0000' })
  expect((await undo(lead, second?.id ?? '')).status).toBe(200)
})

test('a correction that somebody has made already answers no event', async () => {
  const response = await correct(lead, { email: lead.email })
  expect([response.status, response.headers.get('event-id')]).toEqual([200, null])
})

describe('what is refused', () => {
  test.each([
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
    [{ phone: '12' }, 'phone', 'Please enter a valid phone number'],
    [{ email: '', phone: '' }, 'email', 'Enter an email address or a phone number'],
    [{ message: 'x' }, 'message', expect.any(String)],
  ])('%j answers 422 at its field', async (correction, path, message) => {
    const response = await correct(lead, correction)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toEqual([{ path, message }])
  })

  test('the last way to reach the person stays, also where a correction would be taken back', async () => {
    await correct(lead, { email: '' })
    expect((await correct(lead, { phone: '' })).status).toBe(422)
    const added = (await correct(lead, { email: 'again@example.com' })).headers.get('event-id')
    expect((await correct(lead, { phone: '' })).status).toBe(200)
    expect((await undo(lead, added)).status).toBe(409)
    expect(await read(lead)).toMatchObject({ email: 'again@example.com', phone: '' })
  })

  test('the second of two on the same field is told what the first corrected; other fields are merged', async () => {
    await correct(lead, { email: 'one@example.com' }, { 'if-match': '"1"' }, agent)
    const refused = await correct(lead, { email: 'two@example.com' }, { 'if-match': '"1"' })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      lead: { email: 'one@example.com', version: 2 },
      changes: [{ by: 'Ben Dube', data: { email: 'one@example.com' } }],
    })
    expect((await correct(lead, { phone: '082 999 0001' }, { 'if-match': '"1"' })).status).toBe(200)
    expect(await read(lead)).toMatchObject({ email: 'one@example.com', phone: '082 999 0001' })
  })

  test('a lead that was merged into another one, and what the one that stays shows of it', async () => {
    const gone = await submit()
    const body = { mergedId: gone.id, mergedVersion: gone.version, takes: ['email'] }
    expect((await send('POST', `/api/leads/${lead.id}/merge`, body, { ...owner, 'if-match': '"1"' })).status).toBe(200)
    expect((await correct(gone, { email: 'right@example.com' })).status).toBe(409)
    await eventually(async () => expect((await read(lead)).email).toBe(gone.email))
    const refused = await correct(lead, { email: 'right@example.com' })
    expect([refused.status, (await refused.json()).detail]).toEqual([409, expect.stringContaining('unmerge them')])
    expect(await (await correct(lead, { phone: '082 999 0002' })).json()).toMatchObject({
      email: gone.email,
      phone: '082 999 0002',
    })
  })

  test('a person who was erased; nothing of what was corrected can be read any more', async () => {
    const eventId = (await correct(lead, { name: 'Anna Hidden' })).headers.get('event-id')
    await isListed('Anna Hidden', [lead.id])
    const erasable = await (await send('GET', `/api/leads/${lead.id}/erase`)).json()
    await eventually(async () =>
      expect((await send('POST', `/api/leads/${lead.id}/erase`, { asOf: erasable.asOf })).status).toBe(204),
    )
    expect((await correct(lead, { name: 'Anna' })).status).toBe(409)
    expect((await undo(lead, eventId)).status).toBe(409)
    const told = `${await history(lead)}${JSON.stringify(await personOf(lead))}`
    expect(told).not.toMatch(/Hidden|Ana Botha|typo/)
    expect(await correctionsOf(lead)).toMatchObject([{ isUndoable: false, data: { was: {} } }])
  })
})
