import { describe, expect, test } from 'vitest'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

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

const { nodes, sql } = await startProduct({ nodes: 2, workerEnv: { AGENCY_EMAIL: 'inbox@agency.example' } })
const staff = await signIn(nodes[0])

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
      forwardStatus: null,
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

  test('is stored once for an Idempotency-Key, whose lead is not that of the same key elsewhere', async () => {
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
  test('holds the emails of contracts for staff where no email service is set, and the view says so', async () => {
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
      expect(lead).toMatchObject({ id, forwardStatus: 'outbox' })
    })
    const [email] = (await get('/api/outbox')).filter(({ subject }: { subject: string }) => /premium/.test(subject))
    expect(email).toMatchObject({ subject: 'New contract: premium 50% off', keptAt: expect.any(String) })
    const fields = Object.fromEntries(email.fields)
    expect(fields).toMatchObject({ ...contract, agreedToTerms: 'true' })
    expect(fields).not.toHaveProperty('company')
  })
})
