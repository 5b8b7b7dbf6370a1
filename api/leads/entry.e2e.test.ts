import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinStaff, openTestClient, say } from '../chat/test-client.ts'

const { nodes } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[0])

const enter = (body: object, key: string = randomUUID(), node = nodes[0]) =>
  node.post('/api/leads/by-hand', body, { ...staff, 'idempotency-key': key })
const entered = async (body: object): Promise<Lead> => {
  const response = await enter(body)
  expect(response.status).toBe(201)
  return await response.json()
}
const get = async (path: string) => (await nodes[1].call(path, { headers: staff })).json()
const found = (query: string) => get(`/api/leads?${query}`)

describe('a lead by hand', () => {
  test('has all that staff know, is found in the list, waits for no answer, and is its author’s', async () => {
    const person = { name: 'Zola Khumalo', email: 'zola@example.com', phone: '082 555 0177', company: 'Khumalo Motors' }
    const lead = await entered({ ...person, package: 'premium', note: 'Came to the office.' })
    expect(lead).toMatchObject({ ...person, package: 'premium', leadSource: 'by_hand', followUpStatus: 'contacted' })
    await eventually(async () => expect(await found('source=by_hand&q=khumalo')).toMatchObject([{ id: lead.id }]))
    const { timeline } = await get(`/api/leads/${lead.id}/person`)
    expect(timeline).toMatchObject([
      { kind: 'entered', by: 'thandi' },
      { kind: 'note', data: { note: 'Came to the office.' } },
      { kind: 'follow_up', by: 'thandi', data: { ownerId: lead.ownerId } },
    ])
    expect(lead.ownerId).toBe((await get('/api/me')).id)
    expect((await get('/api/leads/waiting')).count).toBe(0)
  })

  test.each([
    ['an email address', { email: 'only@example.com' }, { name: 'only@example.com', phone: '' }],
    ['a phone number', { phone: '021 555 0199' }, { name: '021 555 0199', email: '' }],
  ])('needs %s and no more, and belongs to the person who has it', async (_, known, wanted) => {
    const [first, second] = [await entered(known), await entered({ ...known, name: 'The same' })]
    expect(first).toMatchObject({ ...known, ...wanted })
    await eventually(async () => {
      const { leads } = await get(`/api/leads/${first.id}/person`)
      expect(leads.map(({ id }: Lead) => id)).toEqual([first.id, second.id])
    })
  })

  test.each([
    [{ name: 'Nobody' }, 'email', 'Enter an email address or a phone number'],
    [{ email: 'not an address' }, 'email', 'Please enter a valid email address'],
    [{ phone: '12' }, 'phone', 'Please enter a valid phone number'],
    [
      { email: 'a@example.com', package: 'gold' },
      'package',
      'Must be one of: essential, professional, premium, custom',
    ],
  ])('of %j is refused', async (body, path, message) => {
    const response = await enter(body)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toMatchObject([{ path, message }])
  })

  test('is stored once for a key, on two nodes at once too', async () => {
    const body = { email: 'twice@example.com', note: 'Once' }
    const key = randomUUID()
    const answers = await Promise.all([enter(body, key), enter(body, key, nodes[1]), enter(body, key)])
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).id))
    expect(new Set(ids).size).toBe(1)
    const history: { type: string }[] = await get(`/api/leads/${ids[0]}/history`)
    expect(history.map(({ type }) => type)).toEqual(['LeadEntered', 'LeadNoteAdded', 'LeadFollowUpChanged'])
    expect((await enter({ ...body, note: 'Twice' }, key)).status).toBeGreaterThanOrEqual(409)
  })

  test('that still waits is counted among those, and in no reply time', async () => {
    const lead = await entered({ phone: '031 555 0142', isWaiting: true })
    expect(lead).toMatchObject({ followUpStatus: 'new', ownerId: null })
    await eventually(async () =>
      expect((await get('/api/leads/waiting')).newest.map(({ id }: Lead) => id)).toEqual([lead.id]),
    )
    const overview = await get('/api/overview?days=1')
    const replies: { time: string; leads: number }[] = overview.replies
    expect(replies.filter(({ leads }) => leads > 0)).toEqual([{ time: 'waiting', leads: 1 }])
    expect(overview.sources).toMatchObject([{ source: 'by_hand', leads: overview.leads }])
  })

  test('can be erased like any other', async () => {
    const lead = await entered({ email: 'gone@example.com', note: 'A word' })
    await eventually(async () => {
      const erased = await nodes[0].post(`/api/leads/${lead.id}/erase`, { leadIds: [lead.id] }, staff)
      expect(erased.status).toBe(204)
    })
    await eventually(async () =>
      expect(await get(`/api/leads/${lead.id}`)).toMatchObject({ name: 'Erased', email: '' }),
    )
  })
})

describe('a lead of a chat', () => {
  test.each([
    ['an email address', { email: 'chat@example.com', phone: '' }],
    ['a phone number', { email: '', phone: '082 555 0188' }],
  ])('needs %s and no more', async (_, known) => {
    const visitor = await openTestClient(nodes[0])
    visitor.send({ type: 'join_chat', visitorName: 'Zola', pageUrl: 'https://www.example.com/' })
    const { sessionId } = await visitor.take('chat_joined')
    await say(visitor, sessionId, 'Please call me')
    const admin = await joinStaff(nodes[0], staff)
    await say(admin, sessionId, 'We will')
    const make = () => nodes[0].post(`/api/chats/${sessionId}/lead`, { name: 'Zola', ...known, message: 'Hi' }, staff)
    const lead: Lead = await eventually(async () => {
      const response = await make()
      expect(response.status).toBe(201)
      return await response.json()
    })
    expect(lead).toMatchObject({ ...known, name: 'Zola', leadSource: 'live_chat', message: 'Hi' })
    expect((await (await make()).json()).id).toBe(lead.id)
    await eventually(async () => {
      const { timeline } = await get(`/api/leads/${lead.id}/person`)
      expect(timeline.map(({ kind }: { kind: string }) => kind)).toContain('chat_lead')
    })
    for (const client of [visitor, admin]) client.close()
  })
})
