import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { addDays, startOfDay } from '../../events/base/agency-day.ts'
import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import { datesOf, recurringByPackage, recurringOn } from '../../events/contract/figures.ts'
import type { StepRequest } from '../../events/contract/life.ts'
import { publishTerms } from '../../events/contract/store/terms.ts'
import { termsOf } from '../../events/contract/terms.ts'
import { leadErased, leadStreams, submitLead } from '../../events/lead/lead.ts'
import { contractsProjection, listContracts } from '../../events/lead/store/contracts.ts'
import { openAppender } from '../../events/log/append.ts'
import { readStream } from '../../events/log/read.ts'
import { prepareProjection, project } from '../../events/projections/projection.ts'
import { NO_COMPANY } from '../../events/settings/company.ts'
import { DEFAULT_PACKAGES, type OwnPackages } from '../../events/settings/packages.ts'
import type { PackageId } from '../../events/settings/prices.ts'
import { connect } from '../../events/stores/connection.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestKeys, TEST_KEYS } from '../../events/testing/keys.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { respondWithError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { contractInFull, signedPriceOf } from './contract.ts'
import { takeStep } from './steps.ts'

const { databaseUrl, sql, log } = await openOwnLog()
const node = { sql, log }
const staff = { id: randomUUID(), displayName: 'Lindiwe Khumalo' }

beforeAll(async () => {
  for (const projection of PROJECTIONS) await prepareProjection(sql, projection)
})

const catchUp = async () => {
  for (const projection of PROJECTIONS) while ((await project(sql, projection)).hasMore);
}

/** A contract is signed on a day, under the terms of owners. */
const sign = async (packageId: PackageId, day: string, packages: OwnPackages = {}) => {
  const leadId = randomUUID()
  const { version, sha256, terms } = await publishTerms(node, termsOf(packageId, { packages, company: NO_COMPANY }))
  const signing = {
    terms: { version, sha256, isNamed: true, agreement: terms.agreement },
    evidence: {
      signature: 'Zoë',
      clientAddress: '203.0.113.7',
      userAgent: null,
      openedAt: null,
      tickedAt: null,
      contractSha256: '5c'.repeat(32),
    },
  }
  const form = sampleLeadForm({ leadSource: `contract_${packageId}`, businessName: 'Bakery', agreedToTerms: true })
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals: [], signing }
  const events = [{ id: leadId, ...submitLead({ leadId, form }, context) }]
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events })
  await sql`update events set recorded_at = ${startOfDay(day)} where id = ${leadId}`
  return leadId
}

const step = async (leadId: string, day: string, request: StepRequest) => {
  const now = new Date(startOfDay(day).getTime() + 12 * 60 * 60 * 1000)
  const { version } = await contractInFull(node, leadId, now)
  await takeStep(node, { leadId, request, seen: version, staff }, now)
  return await contractInFull(node, leadId, now)
}

const undoLast = async (leadId: string, day: string) => {
  const { steps } = await contractInFull(node, leadId)
  return await step(leadId, day, { step: 'undo', eventId: steps.at(-1)?.id ?? '' })
}

type Plan = {
  package: PackageId
  signed: string
  accepted?: string
  declined?: string
  live?: string
  /** Undone on the same day as the notice, which is then given again later. */
  mistake?: string
  notice?: string
}

const FIRST = '2026-11-27'
const LAST = '2028-12-31'

const PLANS: Plan[] = [
  { package: 'premium', signed: '2026-11-27', accepted: '2026-11-28', live: '2026-12-11' },
  { package: 'premium', signed: '2026-12-01', accepted: '2026-12-01', live: '2026-12-31', notice: '2028-01-31' },
  { package: 'professional', signed: '2026-12-20', accepted: '2027-01-20', live: '2027-01-31', notice: '2027-01-31' },
  { package: 'professional', signed: '2027-03-01', accepted: '2027-03-02', live: '2027-03-05', mistake: '2027-04-01' },
  { package: 'essential', signed: '2027-02-01', accepted: '2027-02-02', live: '2027-02-08' },
  { package: 'premium', signed: '2027-05-05', declined: '2027-05-06' },
  { package: 'professional', signed: '2028-02-20', accepted: '2028-02-21', live: '2028-02-29', notice: '2028-12-01' },
  { package: 'premium', signed: '2028-06-01' },
]

const FEES = { essential: 0, professional: 299, premium: 499 }

/** The last day of a plan's contract as a calendar on paper gives it; undefined if none is set. */
const lastDay = ({ package: packageId, live, notice }: Plan): string | undefined => {
  if (!live) return undefined
  if (packageId === 'essential') return addDays(live, 30)
  if (!notice) return undefined
  const [year = 0, month = 0, day = 0] = live.split('-').map(Number)
  const minimum = new Date(Date.UTC(year + 1, month - 1, day) - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const after = new Date(Date.parse(notice) + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  return after > minimum ? after : minimum
}

/** The fee that a plan brings on a day, as far as it is known on that day: notices are not known before they are given. */
const feeOn = (plan: Plan, day: string): number => {
  const { live } = plan
  const last = lastDay(plan)
  if (!live || day < live) return 0
  const isOver = last !== undefined && day > last && (plan.package === 'essential' || day >= (plan.notice ?? ''))
  return isOver ? 0 : FEES[plan.package]
}

test('contracts run through two years, and the totals are right on every day', async () => {
  const ids = new Map<Plan, string>()
  let facts: Awaited<ReturnType<typeof listContracts>> = []
  for (let day = FIRST; day <= LAST; day = addDays(day, 1)) {
    let isChanged = false
    for (const plan of PLANS) {
      if (plan.signed === day) ids.set(plan, await sign(plan.package, day))
      const id = ids.get(plan) ?? ''
      if (plan.accepted === day) await step(id, day, { step: 'accept', isEmailed: true })
      if (plan.declined === day) await step(id, day, { step: 'decline', reason: 'Too far' })
      if (plan.live === day) await step(id, day, { step: 'live', on: day, isEmailed: true })
      if (plan.mistake === day) {
        await step(id, day, { step: 'notice', on: day, isEmailed: false })
        await undoLast(id, day)
      }
      if (plan.notice === day) await step(id, day, { step: 'notice', on: day, isEmailed: true })
      isChanged ||= Object.values(plan).includes(day)
    }
    if (isChanged) {
      await catchUp()
      facts = await listContracts(sql)
    }
    const signed = PLANS.filter((plan) => plan.signed <= day)
    const expected = signed.reduce((sum, plan) => sum + feeOn(plan, day), 0)
    expect([day, recurringOn(facts, day)]).toEqual([day, expected])
    const byPackage = Object.fromEntries(recurringByPackage(facts, day).map((each) => [each.package, each.monthly]))
    for (const packageId of ['professional', 'premium'] as const) {
      const ofPackage = signed.filter((plan) => plan.package === packageId)
      expect([day, byPackage[packageId] ?? 0]).toEqual([
        day,
        ofPackage.reduce((sum, plan) => sum + feeOn(plan, day), 0),
      ])
    }
    const late = signed.filter(({ package: packageId, signed: since, live, declined }) => {
      const isOpen = (!live || day < live) && (!declined || day < declined)
      return isOpen && day > addDays(since, packageId === 'essential' ? 7 : 14)
    })
    expect([day, facts.filter((each) => datesOf(each, day).isLate).length]).toEqual([day, late.length])
  }
  const ends = await Promise.all(
    [...ids].map(async ([plan, id]) => [(await contractInFull(node, id)).endsOn, lastDay(plan) ?? null]),
  )
  expect(ends.map(([end]) => end)).toEqual(ends.map(([, end]) => end))
  expect(ends.map(([end]) => end)).toContain('2028-03-01')

  const before = await listContracts(sql)
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, contractsProjection)
  expect(await listContracts(sql)).toEqual(before)
})

test('contracts that end, or whose minimum term is over, within 60 days are named in time', async () => {
  const facts = await listContracts(sql)
  const endingOn = (day: string) =>
    facts
      .filter((each) => datesOf(each, day).isEnding)
      .map(({ signedOn }) => signedOn)
      .toSorted()
  // the minimum term of the contract live since 11 December 2026 is over on 10 December 2027
  expect(endingOn('2027-10-10')).not.toContain('2026-11-27')
  expect(endingOn('2027-10-11')).toContain('2026-11-27')
  expect(endingOn('2027-12-10')).toContain('2026-11-27')
  expect(endingOn('2027-12-11')).not.toContain('2026-11-27')
  // notice for 1 March 2028
  expect(endingOn('2028-03-01')).toContain('2026-12-01')
  expect(endingOn('2028-03-02')).not.toContain('2026-12-01')
})

test('a contract whose client was erased before it went live is no longer listed; one that runs is, without a name', async () => {
  const day = '2026-11-27'
  const [signed, running] = [await sign('premium', day), await sign('premium', day)]
  await step(running, day, { step: 'accept', isEmailed: false })
  await step(running, day, { step: 'live', on: day, isEmailed: false })
  await catchUp()
  const both: string[] = [signed, running]
  const listed = async () => (await listContracts(sql)).flatMap(({ leadId }) => (both.includes(leadId) ? [leadId] : []))
  expect(new Set(await listed())).toEqual(new Set(both))
  for (const id of both) {
    const events = [{ id: randomUUID(), ...leadErased({ by: staff.id }) }]
    await log.append({ stream: leadStreams.of(id), expectedVersion: 'any', events })
  }
  await catchUp()
  expect(await listed()).toEqual([running])
})

test('a contract has the price that was agreed, whatever the package costs later', async () => {
  const agreed = { ...DEFAULT_PACKAGES.premium, once: 2_000, monthly: 100 }
  const leadId = await sign('premium', '2026-11-27', { premium: agreed })
  const [first] = await readStream(sql, leadStreams.of(leadId), { limit: 1 })
  expect(await signedPriceOf({ sql }, first)).toEqual({ once: 2_000, monthly: 100 })
})

test('while the key store is away a step writes nothing and gets 503 with Retry-After, and then it can be taken', async () => {
  const day = '2026-11-27'
  const leadId = await sign('premium', day)
  // no server listens there
  const apart = connect('postgres://keys:keys@127.0.0.1:1/keys', { max: 1, name: 'test' })
  const keys = openTestKeys(undefined, apart)
  const away = { sql: connect(databaseUrl, { max: 1, name: 'test', keys }), log: openAppender(databaseUrl, { keys }) }
  onTestFinished(async () => {
    await away.log.close()
    await Promise.all([away.sql, apart].map((each) => each.end()))
  })
  const failing = { ...away, logger: { error: () => {} } } as unknown as ApiNode
  const request: StepRequest = { step: 'accept', isEmailed: true }
  const app = new Hono()
    .onError((error, c) => respondWithError(failing, error, c))
    .post('/', async (c) => {
      await takeStep(failing, { leadId, request, seen: 0, staff })
      return c.body(null, 204)
    })
  const before = await sql`select count(*) from events`
  const response = await app.request('/', { method: 'POST' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await response.json()).detail).toMatch('The data keys cannot be reached')
  expect(await sql`select count(*) from events`).toEqual(before)
  expect((await step(leadId, day, request)).state).toBe('accepted')
})
