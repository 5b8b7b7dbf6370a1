import { afterAll, expect, test } from 'vitest'
import type { Lead } from '../../events/lead/lead.ts'
import { openTestService } from '../../events/testing/email-service.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { LIMITS } from './limits.ts'

const FLOOD = 3_000
const AT_ONCE = 50
const NODES = 2
/** The forms that one address may send before the rest waits for staff: per node if Redis responds too late. */
const TRUSTED = LIMITS.trusted_contracts.address[0].points * NODES
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

const emailsOf = (name: string) =>
  service.submissions.filter(({ fields }) => fields.some(([, value]) => value === name)).length

test('a flood of contracts from one address delays no other sender, and all of it is stored for staff', async () => {
  const attack = async (index: number) => {
    const response = await nodes[index % NODES]?.post('/api/leads', { ...CONTRACT, name: `Flood ${index}` }, ATTACKER)
    expect(response?.status).toBe(201)
    expect(await response?.json()).not.toHaveProperty('suspicion')
  }
  for (let from = 0; from < FLOOD; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => attack(from + index)))
  }

  const genuine = { ...CONTRACT, name: 'Genuine Person', businessName: 'Genuine Bakery' }
  expect((await nodes[1].post('/api/leads', genuine, OFFICE)).status).toBe(201)
  await eventually(() => expect(emailsOf('Genuine Bakery')).toBe(1), 60_000)
  expect(emailsOf('Flood Ltd')).toBeLessThanOrEqual(TRUSTED)

  const flagged = await eventually(async () => {
    const found = await list('quarantine=true')
    expect(found.length).toBeGreaterThanOrEqual(FLOOD - TRUSTED)
    return found
  })
  expect(new Set(flagged.flatMap(({ suspicion }) => suspicion))).toEqual(new Set(['over_limit']))
  const trusted = (await list('')).filter(({ name }) => name.startsWith('Flood'))
  expect(trusted.length + flagged.length).toBe(FLOOD)

  const [released] = flagged
  const response = await nodes[0].post(`/api/leads/${released?.id}/release`, {}, staff)
  expect(response.status).toBe(200)
  await eventually(() => expect(emailsOf(released?.name ?? '')).toBe(1))
})
