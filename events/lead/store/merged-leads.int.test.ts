import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '../../base/reference.ts'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import { newLead, sampleWebsiteInfo } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { openTestView, type TestView } from '../../testing/view.ts'
import { NO_SUBMISSION_CONTEXT } from '../form/submission-context.ts'
import { submitWebsiteInfo } from '../form/website-info.ts'
import { type Lead, leadErased, leadStreams, leadWithdrawn } from '../lead.ts'
import { leadsMerged, leadsUnmerged, type MergeField, mergeStreams } from '../person/merge.ts'
import { leadCallUnanswered, leadContactRemoved, leadContactStreams } from '../reply/contact.ts'
import { listLeads } from './lead-list.ts'
import { findContracts, findKnownLead, findPerson } from './people.ts'
import { changedLeads, leadsPosition, leadsProjection } from './view.ts'

const BY = randomUUID()

let view: TestView

beforeAll(async () => {
  view = await openTestView(leadsProjection)
})
beforeEach(() => view.clear())
afterAll(() => view.close())

const phoneOf = (name: string) =>
  `082 ${([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 9_000_000) + 1_000_000}`

const begin = async (name: string, more: object = {}) => {
  const id = randomUUID()
  await view.appender.append(
    newLead(id, { name, email: `${name.toLowerCase()}@example.com`, phone: phoneOf(name), ...more }),
  )
  return id
}

const merge = async (id: string, into: string, takes: MergeField[] = []) => {
  const eventId = randomUUID()
  const event = { id: eventId, ...leadsMerged({ by: BY, into, takes }) }
  await view.appender.append({ stream: mergeStreams.of(id), expectedVersion: 'any', events: [event] })
  return eventId
}

const unmerge = (id: string, mergeId: string) =>
  view.appender.append({
    stream: mergeStreams.of(id),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadsUnmerged({ by: BY, mergeId }) }],
  })

const found = async (q = '') => (await listLeads(view.sql, { sort: 'asc', q }, { limit: 100 })).map(({ name }) => name)

const schema = () => view.sql(`view_leads_${leadsProjection.version}`)

const rows = async () =>
  view.sql<{ lead: Lead; own: Lead | null; merged_into: string | null; search: string | null }[]>`
    select lead, own, merged_into, search from ${schema()}.leads left join ${schema()}.entries using (position, id)
    order by position`

/** Expects the view, folded event by event, to equal a rebuild. */
const expectRebuilt = async () => {
  const before = [await rows(), await found()]
  await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, leadsProjection)
  expect([await rows(), await found()]).toEqual(before)
}

test('a merged lead leaves the lists, and the one that stays is found by both names', async () => {
  const [ana, anna] = [await begin('Ana'), await begin('Anna', { company: 'Nkosi Bakery' })]
  await view.projectAll()
  const mergeId = await merge(anna, ana, ['company'])
  await view.projectAll()
  expect(await found()).toEqual(['Ana'])
  for (const q of ['anna', 'anna@example', 'nkosi', referenceOf(anna), anna.slice(0, 8)])
    expect(await found(q), q).toEqual(['Ana'])
  const changed = await changedLeads(view.sql, 2, 1)
  // both come, though they were changed by one event
  expect(changed.map(({ lead }) => [lead.id, lead.company, lead.mergedInto]).sort()).toEqual(
    [
      [ana, 'Nkosi Bakery', undefined],
      [anna, 'Nkosi Bakery', ana],
    ].sort(),
  )
  await expectRebuilt()
  await unmerge(anna, mergeId)
  await view.projectAll()
  expect(await found()).toEqual(['Ana', 'Anna'])
  expect(await found('nkosi')).toEqual(['Anna'])
  expect((await rows()).map(({ own, merged_into }) => [own, merged_into])).toEqual([
    [null, null],
    [null, null],
  ])
  await expectRebuilt()
})

test('a questionnaire is merged into the lead of its contract by its own event, in the same batch or later', async () => {
  const answer = async (into: string, businessName: string) => {
    const [leadId, id] = [randomUUID(), randomUUID()]
    const form = sampleWebsiteInfo({ businessName, email: `${businessName}@answers.example` })
    const event = submitWebsiteInfo({ leadId, form }, { ...NO_SUBMISSION_CONTEXT, contractId: into })
    const stream = leadStreams.of(leadId)
    await view.appender.append({ stream, expectedVersion: 0, events: [{ id, ...event }] })
    return { leadId, id }
  }
  const contract = await begin('Signed', {
    leadSource: 'contract_premium',
    businessName: 'Bakery',
    agreedToTerms: true,
  })
  await answer(contract, 'first')
  await view.projectAll()
  const second = await answer(contract, 'second')
  await view.projectAll()
  for (const q of ['', 'first@answers', 'second@answers', referenceOf(second.leadId)])
    expect(await found(q), q).toEqual(['Signed'])
  await expectRebuilt()
  expect(await findContracts(view.sql, { email: 'SIGNED@example.com', phone: phoneOf('Signed') })).toEqual([
    { id: contract, isBoth: true },
  ])
  expect(await findContracts(view.sql, { email: 'signed@example.com', phone: phoneOf('Other') })).toEqual([
    { id: contract, isBoth: false },
  ])
  await unmerge(second.leadId, second.id)
  await view.projectAll()
  expect(await found()).toEqual(['Signed', 'second'])
  await expectRebuilt()
})

test('a chain of merges shows the last, however its events fall into batches', async () => {
  const [a, b, c] = [await begin('Alpha'), await begin('Beta', { company: 'Bee' }), await begin('Gamma')]
  const first = await merge(a, b, ['name'])
  await merge(b, c, ['name', 'company'])
  await view.projectAll()
  expect(await found()).toEqual(['Alpha'])
  expect(await found('beta')).toEqual(['Alpha'])
  const person = await findPerson(view.sql, { id: a, email: '', phone: '', mergedInto: b })
  expect(person.leadIds).toEqual([a, b, c])
  expect(await findKnownLead(view.sql, { visitorEmail: 'alpha@example.com' })).toBe(c)
  expect(await findKnownLead(view.sql, { visitorEmail: null, visitorPhone: phoneOf('Alpha') })).toBe(c)
  expect(await findKnownLead(view.sql, { visitorEmail: null })).toBe(null)
  await expectRebuilt()
  await unmerge(a, first)
  await view.projectAll()
  expect(await found()).toEqual(['Alpha', 'Beta'])
  await expectRebuilt()
})

test('a person is followed round by round, in a circle too, up to the given limit', async () => {
  const contacts = Array.from({ length: 8 }, (_, n) => ({
    email: `link-${Math.floor(n / 2)}@example.com`,
    phone: `082 555 01${10 + (Math.floor((n + 1) / 2) % 4)}`,
  }))
  const ids: string[] = []
  for (const contact of contacts) ids.push(await begin('Chain', contact))
  await view.projectAll()
  const at = (n: number) => ids[n] ?? ''
  const first = { id: at(0), ...(contacts[0] ?? expect.fail()) }
  const follow = (maxRounds: number, maxLeads = 100) => findPerson(view.sql, first, { maxLeads, maxRounds })
  // each of the eight is linked with two others: two more in each round, and the last one in the fourth
  const all = [[0], [1, 7], [2, 6], [3, 5], [4]].map((round) => round.map(at))
  expect((await follow(1_000)).rounds).toEqual(all)
  expect((await follow(2)).rounds).toEqual(all.slice(0, 3))
  expect((await follow(1_000)).leadIds).toEqual(ids)
  expect((await follow(1_000, 3)).leadIds).toEqual(ids.slice(0, 3))
})

test('erased data shows in no other lead, and a withdrawn lead hides no other one', async () => {
  const [ana, anna] = [await begin('Ana'), await begin('Anna')]
  await merge(anna, ana, ['name'])
  await view.projectAll()
  expect(await found()).toEqual(['Anna'])
  const erase = { id: randomUUID(), ...leadErased({ by: BY }) }
  await view.appender.append({ stream: leadStreams.of(anna), expectedVersion: 'any', events: [erase] })
  await view.projectAll()
  expect(await found()).toEqual(['Ana'])
  expect(await found('anna')).toEqual([])
  await expectRebuilt()

  const [ben, benny] = [await begin('Ben'), await begin('Benny')]
  await merge(benny, ben)
  await view.projectAll()
  const withdrawn = { id: randomUUID(), ...leadWithdrawn({ by: BY, importId: randomUUID() }) }
  await view.appender.append({ stream: leadStreams.of(ben), expectedVersion: 'any', events: [withdrawn] })
  await view.projectAll()
  expect(await found()).toEqual(['Ana', 'Benny'])
  await expectRebuilt()
})

test('an erased lead is not found, even if the lead it was merged into was erased in an earlier batch', async () => {
  const [ana, beryl] = [await begin('Ana'), await begin('Beryl')]
  await merge(beryl, ana)
  await view.projectAll()
  expect(await found('beryl')).toEqual(['Ana'])
  for (const id of [ana, beryl]) {
    const erase = { id: randomUUID(), ...leadErased({ by: BY }) }
    await view.appender.append({ stream: leadStreams.of(id), expectedVersion: 'any', events: [erase] })
    await view.projectAll()
  }
  expect(await found('beryl')).toEqual([])
  await expectRebuilt()
})

test('a lead is found by those merged into it later, and no longer by one that is withdrawn or unmerged', async () => {
  const [ana, ben, cara, dora] = [await begin('Ana'), await begin('Ben'), await begin('Cara'), await begin('Dora')]
  await merge(ben, ana)
  await view.projectAll()
  const mergeId = await merge(cara, ana)
  await view.projectAll()
  expect(await found('cara')).toEqual(['Ana'])
  await merge(dora, ben)
  await view.projectAll()
  expect(await found('dora')).toEqual(['Ana'])
  await expectRebuilt()
  await unmerge(cara, mergeId)
  await view.projectAll()
  expect(await found('cara')).toEqual(['Cara'])
  const withdrawn = { id: randomUUID(), ...leadWithdrawn({ by: BY, importId: randomUUID() }) }
  await view.appender.append({ stream: leadStreams.of(dora), expectedVersion: 'any', events: [withdrawn] })
  await view.projectAll()
  expect(await found('dora')).toEqual([])
  await expectRebuilt()
})

test('lists and live updates say which leads others were merged into', async () => {
  const [ana, ben, cara] = [await begin('Ana'), await begin('Ben'), await begin('Cara')]
  await view.projectAll()
  const before = await leadsPosition(view.sql)
  const mergeId = await merge(ben, ana)
  await view.projectAll()
  const marked = (leads: Lead[]) => leads.map(({ id, hasMerged }): [string, true | undefined] => [id, hasMerged])
  const list = async () => marked(await listLeads(view.sql, { sort: 'asc' }, { limit: 100 }))
  expect(await list()).toEqual([
    [ana, true],
    [cara, undefined],
  ])
  const told = async (after: number) => marked((await changedLeads(view.sql, after, 10)).map(({ lead }) => lead))
  expect(new Map(await told(before))).toEqual(
    new Map([
      [ana, true],
      [ben, undefined],
    ]),
  )
  const merged = await leadsPosition(view.sql)
  await unmerge(ben, mergeId)
  await view.projectAll()
  expect((await list()).map(([, hasMerged]) => hasMerged)).toEqual([undefined, undefined, undefined])
  expect((await told(merged)).map(([, hasMerged]) => hasMerged)).toEqual([undefined, undefined])
})

test('a field that is empty in the merged lead is not taken over', async () => {
  const [ana, anna] = [await begin('Ana', { company: 'Nkosi Bakery' }), await begin('Anna')]
  await merge(anna, ana, ['company', 'email'])
  await view.projectAll()
  expect((await rows())[0]?.lead).toMatchObject({ company: 'Nkosi Bakery', email: 'anna@example.com' })
})

test('an unanswered call shows until it is undone or erased, also on the lead that stays', async () => {
  const [ana, anna] = [await begin('Ana'), await begin('Anna')]
  const note = async (leadId: string, event: ReturnType<typeof leadCallUnanswered | typeof leadContactRemoved>) => {
    const id = randomUUID()
    const stream = leadContactStreams.of(leadId)
    await view.appender.append({ stream, expectedVersion: 'any', events: [{ id, ...event }] })
    await view.projectAll()
    return id
  }
  const call = (leadId: string) =>
    note(leadId, leadCallUnanswered({ leadId, by: BY }, { subjectId: leadId, personal: { to: '082 555 0177' } }))
  const shownBy = async (leadId: string) => {
    await expectRebuilt()
    const row = (await rows()).find(({ lead }) => lead.id === leadId)
    return row?.lead.unansweredCalls?.map(({ id }) => id)
  }
  const first = await call(ana)
  expect(await shownBy(ana)).toEqual([first])
  const second = await call(ana)
  expect(await shownBy(ana)).toEqual([first, second])
  const reached = leadContactRemoved({ leadId: ana, contactId: second, by: BY })
  const before = await leadsPosition(view.sql)
  await note(ana, reached)
  expect(await shownBy(ana)).toEqual([first])
  const told = await changedLeads(view.sql, before, 1)
  expect(told.map(({ lead }) => [lead.id, lead.version, lead.unansweredCalls?.length])).toEqual([[ana, 1, 1]])

  await merge(ana, anna)
  await view.projectAll()
  const third = await call(anna)
  expect(await shownBy(anna)).toEqual([first, third])
  const erased = { id: randomUUID(), ...leadErased({ by: BY }) }
  await view.appender.append({ stream: leadStreams.of(ana), expectedVersion: 1, events: [erased] })
  await view.projectAll()
  expect(await shownBy(ana)).toBeUndefined()
  expect(await shownBy(anna)).toEqual([third])
})
