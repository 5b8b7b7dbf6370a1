import { afterAll, expect, test } from 'vitest'
import type { Lead } from '../../events/lead.ts'
import { openTestService } from '../../events/testing/email-service.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { LIMITS } from './limits.ts'

const NODES = 2
const ATTACKER = { 'x-forwarded-for': '198.51.100.66' }
const OFFICE = { 'x-forwarded-for': '203.0.113.7' }
const PERSON = { name: 'Flood', email: 'flood@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
const CONTRACT = { ...PERSON, leadSource: 'contract_premium', businessName: 'Flood Ltd', agreedToTerms: true }

const service = await openTestService()
afterAll(() => service.close())
const { nodes } = await startProduct({ nodes: 2, workerEnv: { EMAIL_FORWARD_URL: service.url } })
const staff = await signIn(nodes[0])

const list = async (query: string): Promise<Lead[]> =>
  await (await nodes[0].call(`/api/leads?${query}`, { headers: staff })).json()

test('an office of people who each send a form notices nothing', async () => {
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
