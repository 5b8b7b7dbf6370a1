import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { addDays, startOfDay } from '../../events/base/agency-day.ts'
import { contractReferenceOf } from '../../events/base/reference.ts'
import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import type { StepRequest } from '../../events/contract/life.ts'
import { publishTerms } from '../../events/contract/store/terms.ts'
import { termsOf } from '../../events/contract/terms.ts'
import type { ContractShow } from '../../events/contract/wire.ts'
import { leadFlagged } from '../../events/lead/flag.ts'
import { submitWebsiteInfo } from '../../events/lead/form/website-info.ts'
import { leadErased, leadStreams, submitLead } from '../../events/lead/lead.ts'
import {
  contractsProjection,
  type ListedContract,
  listContracts,
  recurringByMonth,
  sumContracts,
} from '../../events/lead/store/contracts.ts'
import { findSent } from '../../events/lead/store/people.ts'
import { verifiedContract } from '../../events/lead/store/verified-contract.ts'
import { openAppender } from '../../events/log/append.ts'
import { readStream } from '../../events/log/read.ts'
import { prepareProjection, project } from '../../events/projections/projection.ts'
import { NO_COMPANY } from '../../events/settings/company.ts'
import { DEFAULT_PACKAGES, type OwnPackages } from '../../events/settings/packages.ts'
import type { PackageId } from '../../events/settings/prices.ts'
import { connect } from '../../events/stores/connection.ts'
import { sampleLeadForm, sampleWebsiteInfo, startChat } from '../../events/testing/fixtures/samples.ts'
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
  content?: string
  declined?: string
  live?: string
  /** Undone on the same day as the notice, which is then given again later. */
  mistake?: string
  notice?: string
  erased?: string
}

const FIRST = '2026-11-27'
const LAST = '2028-12-31'

const PLANS: Plan[] = [
  { package: 'premium', signed: '2026-11-27', accepted: '2026-11-28', live: '2026-12-11' },
  { package: 'premium', signed: '2026-12-01', accepted: '2026-12-01', live: '2026-12-31', notice: '2028-01-31' },
  { package: 'professional', signed: '2026-12-20', accepted: '2027-01-20', live: '2027-01-31', notice: '2027-01-31' },
  { package: 'professional', signed: '2027-03-01', accepted: '2027-03-02', live: '2027-03-05', mistake: '2027-04-01' },
  { package: 'essential', signed: '2027-02-01', accepted: '2027-02-02', live: '2027-02-08' },
  { package: 'essential', signed: '2026-12-10', accepted: '2026-12-11', live: '2026-12-24' },
  { package: 'professional', signed: '2027-08-01', accepted: '2027-08-02', content: '2027-08-10', live: '2027-08-26' },
  { package: 'premium', signed: '2027-05-05', declined: '2027-05-06' },
  { package: 'professional', signed: '2028-02-20', accepted: '2028-02-21', live: '2028-02-29', notice: '2028-12-01' },
  { package: 'premium', signed: '2028-06-01' },
  { package: 'premium', signed: '2027-06-01', accepted: '2027-06-02', live: '2027-06-05', erased: '2028-05-10' },
]

/**
 * The last days of the promised time on paper: 7 business days, without 16 December, or 14 days; from the content once it
 * has arrived.
 */
const dueOf = ({ package: packageId, signed, content }: Plan, day: string): string => {
  if (packageId === 'essential') return signed === '2026-12-10' ? '2026-12-22' : '2027-02-10'
  return content && content <= day ? '2027-08-24' : addDays(signed, 14)
}

const FEES = { essential: 0, professional: 299, premium: 499 }

/** The last day of a plan's contract as a calendar on paper gives it; undefined if none is set. */
const lastDay = ({ package: packageId, live, notice, erased }: Plan): string | undefined => {
  if (!live) return undefined
  if (erased) return addDays(erased, -1)
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
  const isKnown = plan.package === 'essential' || day >= (plan.notice ?? plan.erased ?? '')
  const isOver = last !== undefined && day > last && isKnown
  return isOver ? 0 : FEES[plan.package]
}

const listOn = (today: string, show?: ContractShow) =>
  listContracts(sql, { today, ...(show && { show }) }, { limit: 500 })

const erase = async (leadId: string, day: string) => {
  const id = randomUUID()
  const events = [{ id, ...leadErased({ by: staff.id }) }]
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
  await sql`update events set recorded_at = ${startOfDay(day)} where id = ${id}`
}

test('contracts run through two years, and the totals are right on every day', async () => {
  const ids = new Map<Plan, string>()
  const monthly = new Map<string, number>()
  for (let day = FIRST; day <= LAST; day = addDays(day, 1)) {
    let isChanged = false
    for (const plan of PLANS) {
      if (plan.signed === day) ids.set(plan, await sign(plan.package, day))
      const id = ids.get(plan) ?? ''
      if (plan.accepted === day) await step(id, day, { step: 'accept', isEmailed: true })
      if (plan.declined === day) await step(id, day, { step: 'decline', reason: 'Too far' })
      if (plan.content === day) await step(id, day, { step: 'content', on: day })
      if (plan.live === day) await step(id, day, { step: 'live', on: day, isEmailed: true })
      if (plan.mistake === day) {
        await step(id, day, { step: 'notice', on: day, isEmailed: false })
        await undoLast(id, day)
      }
      if (plan.notice === day) await step(id, day, { step: 'notice', on: day, isEmailed: true })
      if (plan.erased === day) await erase(id, day)
      isChanged ||= Object.values(plan).includes(day)
    }
    if (isChanged) await catchUp()
    const { totals } = await sumContracts(sql, { today: day })
    const signed = PLANS.filter((plan) => plan.signed <= day)
    const expected = signed.reduce((sum, plan) => sum + feeOn(plan, day), 0)
    expect([day, totals.monthly]).toEqual([day, expected])
    monthly.set(day, expected)
    const byPackage = Object.fromEntries(totals.packages.map((each) => [each.package, each.monthly]))
    for (const packageId of ['professional', 'premium'] as const) {
      const ofPackage = signed.filter((plan) => plan.package === packageId)
      expect([day, byPackage[packageId] ?? 0]).toEqual([
        day,
        ofPackage.reduce((sum, plan) => sum + feeOn(plan, day), 0),
      ])
    }
    const late = signed.filter((plan) => {
      const { live, declined } = plan
      const isOpen = (!live || day < live) && (!declined || day < declined)
      return isOpen && day > dueOf(plan, day)
    })
    expect([day, totals.late]).toEqual([day, late.length])
  }
  const ends = await Promise.all(
    [...ids].map(async ([plan, id]) => [(await contractInFull(node, id)).endsOn, lastDay(plan) ?? null]),
  )
  expect(ends.map(([end]) => end)).toEqual(ends.map(([, end]) => end))
  expect(ends.map(([end]) => end)).toContain('2028-03-01')

  // the chart of any later day has the same months, by the prices that were agreed
  const months = await recurringByMonth(sql, { from: FIRST, asOf: '2028-12-30' })
  expect(months).toHaveLength(26)
  expect(months.map((each) => each.day)).toContain('2028-02-29')
  expect(months).toEqual(months.map(({ day }) => ({ day, monthly: monthly.get(day) })))

  const readAll = async () => [
    await listOn(LAST),
    await sumContracts(sql, { today: LAST }),
    await recurringByMonth(sql, { from: FIRST, asOf: LAST }),
  ]
  const before = await readAll()
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, contractsProjection)
  expect(await readAll()).toEqual(before)
})

test('each contract in the list has the state and the days that its page has, on any day', async () => {
  for (const day of ['2026-12-05', '2027-10-11', '2028-03-01', '2028-05-10', LAST]) {
    for (const row of await listOn(day)) {
      const { state, liveOn, endsOn, firstPossibleEnd } = await contractInFull(node, row.leadId, startOfDay(day))
      expect(row).toMatchObject({ state, liveOn, endsOn, firstPossibleEnd })
    }
  }
})

test('contracts that end, or whose minimum term is over, within 60 days are named in time', async () => {
  const endingOn = async (day: string) => (await listOn(day, 'ending')).map(({ signedOn }) => signedOn)
  // the minimum term of the contract live since 11 December 2026 is over on 10 December 2027
  expect(await endingOn('2027-10-10')).not.toContain('2026-11-27')
  expect(await endingOn('2027-10-11')).toContain('2026-11-27')
  expect(await endingOn('2027-12-10')).toContain('2026-11-27')
  expect(await endingOn('2027-12-11')).not.toContain('2026-11-27')
  // notice for 1 March 2028
  expect(await endingOn('2028-03-01')).toContain('2026-12-01')
  expect(await endingOn('2028-03-02')).not.toContain('2026-12-01')
})

test('a step that emails the client has the state of that email, which waits until it is dispatched', async () => {
  const day = '2026-11-27'
  const leadId = await sign('premium', day)
  const emailStates = async () => (await contractInFull(node, leadId)).steps.map(({ emailState }) => emailState)
  const { steps } = await step(leadId, day, { step: 'accept', isEmailed: true })
  await step(leadId, day, { step: 'live', on: day, isEmailed: false })
  expect(await emailStates()).toEqual(['pending', null])
  await sql`
    insert into deliveries (event_id, event_position, stream, state, recipient)
    select id, position, stream, 'outbox', 'visitor' from events where id = ${steps[0]?.id ?? ''}`
  expect(await emailStates()).toEqual(['outbox', null])
})

test('a running contract whose client is erased has ended the day before, on its page too; another one is no longer listed', async () => {
  const day = '2026-11-27'
  const [signed, running] = [await sign('premium', day), await sign('premium', day)]
  await step(running, day, { step: 'accept', isEmailed: false })
  await step(running, day, { step: 'live', on: day, isEmailed: false })
  await catchUp()
  const both: string[] = [signed, running]
  const listed = async (today: string) => (await listOn(today)).filter(({ leadId }) => both.includes(leadId))
  expect(new Set((await listed(LAST)).map(({ leadId }) => leadId))).toEqual(new Set(both))
  const before = (await sumContracts(sql, { today: '2026-12-24' })).totals.monthly
  for (const id of both) await erase(id, '2026-12-24')
  await catchUp()
  expect(await listed('2026-12-24')).toMatchObject([
    {
      leadId: running,
      name: 'Erased',
      state: 'ended',
      endsOn: '2026-12-23',
      firstPossibleEnd: '2026-12-23',
      isEnding: false,
    },
  ])
  expect((await sumContracts(sql, { today: '2026-12-24' })).totals.monthly).toBe(before - 499)
  expect(await contractInFull(node, running, startOfDay('2026-12-24'))).toMatchObject({
    state: 'ended',
    endsOn: '2026-12-23',
  })
  expect(await verifiedContract(sql, contractReferenceOf(running))).toMatchObject({
    endsOn: '2026-12-23',
    isErased: true,
  })
  expect(await verifiedContract(sql, contractReferenceOf(signed))).toMatchObject({ state: 'signed', isErased: true })
})

test('a contract that was flagged as spam waits in quarantine, but one that runs stays in the figures', async () => {
  const day = '2026-11-27'
  const [signed, running] = [await sign('premium', day), await sign('premium', day)]
  await step(running, day, { step: 'accept', isEmailed: false })
  await step(running, day, { step: 'live', on: day, isEmailed: false })
  for (const id of [signed, running]) {
    const events = [{ id: randomUUID(), ...leadFlagged({ by: staff.id }) }]
    await log.append({ stream: leadStreams.of(id), expectedVersion: 'any', events })
  }
  await catchUp()
  const ids = (await listOn(day)).map(({ leadId }) => leadId)
  expect([ids.includes(signed), ids.includes(running)]).toEqual([false, true])
})

const inPagesOn = async (today: string, { limit, show }: { limit: number; show?: ContractShow }) => {
  const read: ListedContract[] = []
  for (;;) {
    const last = read.at(-1)
    const after = last && { timestamp: last.timestamp, id: last.leadId, isLate: last.isLate }
    const page = await listContracts(sql, { today, ...(show && { show }) }, { limit, after })
    if (page.length === 0) return read
    read.push(...page)
  }
}

test('a list is read page by page in a stable order, by state, package and words', async () => {
  await sign('premium', LAST)
  await catchUp()
  const all = await listOn(LAST)
  expect(all.length).toBeGreaterThan(6)
  expect(await inPagesOn(LAST, { limit: 2 })).toEqual(all)
  const idsOf = (rows: ListedContract[]) => rows.map(({ leadId }) => leadId)
  const isOfPremium = ({ package: id }: ListedContract) => id === 'premium'
  const ofPremium = await listContracts(sql, { today: LAST, package: 'premium' }, { limit: 500 })
  expect(idsOf(ofPremium)).toEqual(idsOf(all.filter(isOfPremium)))
  for (const show of ['signed', 'accepted', 'declined', 'live', 'notice', 'ended'] as const) {
    expect([show, idsOf(await listOn(LAST, show))]).toEqual([show, idsOf(all.filter(({ state }) => state === show))])
  }
  const due = await listOn(LAST, 'due')
  expect([due.at(0)?.isLate, due.at(-1)?.isLate]).toEqual([true, false])
  expect(idsOf(await inPagesOn(LAST, { limit: 1, show: 'due' }))).toEqual(idsOf(due))
  const named = all.find(({ name }) => name !== 'Erased') ?? expect.fail('No name')
  const found = async (q: string) => idsOf(await listContracts(sql, { today: LAST, q }, { limit: 500 }))
  expect(await found(contractReferenceOf(named.leadId))).toEqual([named.leadId])
  expect(await found(`BAKERY ${named.name.toUpperCase()}`)).toEqual(
    idsOf(all.filter(({ name }) => name === named.name)),
  )
  expect(await found('no such client')).toEqual([])
  expect((await sumContracts(sql, { today: LAST, q: 'bakery', show: 'live' })).count).toBe(
    all.filter(({ name, state }) => name !== 'Erased' && state === 'live').length,
  )
})

test('the newest questionnaire and the newest chat of a client are found with the contract', async () => {
  const [contract, questionnaire, answered, chat] = [
    await sign('premium', FIRST),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ]
  await catchUp()
  expect(await findSent(sql, [contract])).toEqual([{ leadId: contract, questionnaireId: null, sessionId: null }])
  for (const leadId of [questionnaire, answered]) {
    const form = sampleWebsiteInfo({ phoneNumber: '+27 82 555 0142' })
    const events = [{ id: randomUUID(), ...submitWebsiteInfo({ leadId, form }) }]
    await log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events })
  }
  await log.append(startChat(randomUUID(), 'Another', 'another@example.com'))
  await log.append(startChat(chat, 'Thandi', 'THANDI@example.co.za'))
  await catchUp()
  expect(await findSent(sql, [contract])).toEqual([{ leadId: contract, questionnaireId: answered, sessionId: chat }])
  await erase(answered, FIRST)
  await catchUp()
  expect(await findSent(sql, [contract])).toMatchObject([{ questionnaireId: questionnaire }])
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
