import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead/lead.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { LIMITS } from '../admission/limits.ts'
import { joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const { nodes, sql } = await startProduct({ nodes: 2, workerEnv: { AGENCY_EMAIL: 'inbox@agency.example' } })
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
  test('has all that staff entered, is found in the list, waits for no reply, and is its author’s', async () => {
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
  ])('needs only %s, and belongs to the person with it', async (_, known, wanted) => {
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

  test('is stored once per key, even on two nodes at once', async () => {
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

describe('forms of pages', () => {
  const ANSWERS = {
    websiteType: 'Business landing page',
    businessName: 'Botha Bakery',
    targetAudience: 'local community members',
    designStyle: 'Warm',
    brandColorsSelect: 'custom',
    customBrandColors: 'Terracotta & cream',
    businessDescription: 'Sourdough since 1998',
    primaryProducts: 'Bread',
    businessAddress: '1 Long Street, Cape Town',
    phoneNumber: '+27 21 555 0100',
    email: 'ana@bakery.example',
  }
  const MESSAGES = {
    websiteType: 'Website type is required',
    businessName: 'Business name is required',
    targetAudience: 'Target audience is required',
    designStyle: 'Design style is required',
    brandColorsSelect: 'Brand colors are required',
    businessDescription: 'Business description is required',
    primaryProducts: 'Primary products/services are required',
    businessAddress: 'Business address is required',
    phoneNumber: 'Phone number is required',
    email: 'Valid email is required',
  }

  const get = async (path: string) => (await nodes[0].call(path, { headers: staff })).json()

  describe('the questionnaire', () => {
    test('becomes a lead whose message is the website-generation prompt of the answers', async () => {
      const response = await nodes[0].post('/api/submit-website-info', ANSWERS)
      expect(response.status).toBe(201)
      const { leadId, ...rest } = await response.json()
      expect(rest).toEqual({ success: true })
      const lead = await eventually(async () => {
        const [found] = await get('/api/leads?q=botha%20bakery')
        expect(found).toBeDefined()
        return found
      })
      expect(lead).toMatchObject({
        id: leadId,
        leadSource: 'Website Info Form',
        name: 'Botha Bakery',
        email: 'ana@bakery.example',
        phone: '+27 21 555 0100',
        followUpStatus: 'new',
        emailStatus: null,
      })
      expect(lead.message).toContain('expert web developer')
      for (const answer of Object.values(ANSWERS)) expect(lead.message).toContain(answer)
      expect(lead.message).not.toMatch(/null|undefined/)
    })

    test('may come from a page without script', async () => {
      const body = new URLSearchParams(ANSWERS)
      const response = await nodes[0].call('/api/submit-website-info', { method: 'POST', body })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/thanks'])
    })

    test('is stored once per Idempotency-Key, whose lead is not that of the same key on another route', async () => {
      const key = { 'idempotency-key': 'the same key' }
      const answers = await Promise.all(
        nodes.map(async (node) => (await node.post('/api/submit-website-info', ANSWERS, key)).json()),
      )
      expect(answers[0]).toEqual(answers[1])
      const lead = { name: 'Ana', email: 'a@example.com', phone: '0825550199', leadSource: 'hero_form' }
      const response = await nodes[0].post('/api/leads', lead, key)
      expect(response.status).toBe(201)
      expect((await response.json()).id).not.toBe(answers[0].leadId)
    })

    test('is refused with the messages of the specification', async () => {
      const response = await nodes[0].post('/api/submit-website-info', {})
      expect(response.status).toBe(422)
      const { errors } = await response.json()
      const given = errors.map(({ path, message }: { path: string; message: string }) => [path, message])
      expect(Object.fromEntries(given)).toEqual(MESSAGES)
    })

    test('is refused with an over-long answer', async () => {
      const body = { ...ANSWERS, additionalRequests: 'x'.repeat(3_001) }
      expect((await nodes[0].post('/api/submit-website-info', body)).status).toBe(422)
    })
  })

  describe('the activation of the email address', () => {
    test('is asked for by event, three times an hour for an address over both nodes', async () => {
      const ask = (node: TestNode, address: string) =>
        node.call('/api/email-activation', { method: 'POST', headers: { 'x-forwarded-for': `forged, ${address}` } })
      const answers: number[] = []
      for (const node of [...nodes, ...nodes]) answers.push((await ask(node, '203.0.113.7')).status)
      expect(answers).toEqual([202, 202, 202, 429])
      const refused = await ask(nodes[0], '203.0.113.7')
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(3_000)
      expect(wait).toBeLessThanOrEqual(3_600)
      expect(await refused.json()).toMatchObject({ status: 429, type: 'urn:problem:too-many-requests' })
      expect((await ask(nodes[0], '203.0.113.8')).status).toBe(202)
      const [{ asked } = {}] = await sql`select count(*) as asked from events where type = 'EmailActivationRequested'`
      expect(asked).toBe(4)
    })
  })

  describe('the outbox', () => {
    test('has the emails of contracts for staff if no email service is set, and the view shows it', async () => {
      const contract = {
        name: 'Outbox Person',
        email: 'o@example.com',
        phone: '0825550199',
        businessName: 'Outbox Ltd',
        leadSource: 'contract_premium',
        agreedToTerms: true,
        message: 'a message',
      }
      const { id } = await (await nodes[0].post('/api/leads', contract)).json()
      await eventually(async () => {
        const [lead] = await get('/api/leads?q=outbox%20person')
        expect(lead).toMatchObject({ id, emailStatus: 'outbox' })
      })
      const [email] = (await get('/api/outbox')).filter(({ subject }: { subject: string }) => /premium/.test(subject))
      expect(email).toMatchObject({ subject: 'New contract: premium 50% off', storedAt: expect.any(String) })
      const fields = Object.fromEntries(email.fields)
      expect(fields).toMatchObject({ ...contract, agreedToTerms: 'true' })
      expect(fields).not.toHaveProperty('company')
    })
  })
})

describe('many forms from one address', () => {
  const NODES = 2
  const ATTACKER = { 'x-forwarded-for': '198.51.100.66' }
  const OFFICE = { 'x-forwarded-for': '203.0.113.7' }
  const PERSON = { name: 'Flood', email: 'flood@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
  const CONTRACT = { ...PERSON, leadSource: 'contract_premium', businessName: 'Flood Ltd', agreedToTerms: true }

  const list = async (query: string): Promise<Lead[]> =>
    await (await nodes[0].call(`/api/leads?${query}`, { headers: staff })).json()

  test('an office of people who each send a form is not limited', async () => {
    const people = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const response = await nodes[index % 2]?.post('/api/leads', { ...PERSON, name: `Office ${index}` }, OFFICE)
        const lead: Lead | undefined = await response?.json()
        return lead?.id
      }),
    )
    await eventually(async () => {
      const ids = new Set((await list('limit=500')).map(({ id }) => id))
      expect(people.filter((id) => !id || !ids.has(id))).toEqual([])
    })
  })

  test('of many forms from one address those up to the limit count as a person’s, over all nodes, and the rest is flagged', async () => {
    const { points, lease } = LIMITS.trusted_forms.address[0]
    const sent = 2 * points
    const busy = { 'x-forwarded-for': '203.0.113.99' }
    for (let number = 0; number < sent; number += 1) {
      await nodes[number % NODES]?.post('/api/leads', { ...PERSON, name: `Busy ${number}` }, busy)
    }
    const named = async (query: string) =>
      (await list(`${query}&limit=500`)).filter(({ name }) => name.startsWith('Busy'))
    await eventually(async () => {
      const [trusted, flagged] = [await named('q=busy'), await named('quarantine=true')]
      expect(trusted.length + flagged.length).toBe(sent)
      expect(trusted.length).toBeLessThanOrEqual(points + NODES * lease)
      expect(trusted.length).toBeGreaterThan(points - NODES * lease)
    })
  })

  test('a flagged lead that is sent again under the same key is stored once', async () => {
    const headers = { ...ATTACKER, 'idempotency-key': 'the same' }
    const first: Lead = await (await nodes[0].post('/api/leads', CONTRACT, headers)).json()
    const second: Lead = await (await nodes[1].post('/api/leads', CONTRACT, headers)).json()
    expect(second).toEqual(first)
  })
})
