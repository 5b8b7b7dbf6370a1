import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnyNewEvent } from '../../catalogue.ts'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import type { Appender } from '../../log/append.ts'
import { deterministicUuid } from '../../log/event-id.ts'
import { readStream } from '../../log/read.ts'
import { project } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { propertyOptions } from '../../testing/fixtures/property-options.ts'
import { newLead, postMessage, sampleLeadForm, sampleWebsiteInfo } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { openTestView, type TestView } from '../../testing/view.ts'
import { leadFollowUpChanged } from '../follow-up/follow-up.ts'
import { submitWebsiteInfo } from '../form/website-info.ts'
import { evolveLead, type Lead, leadStreams, submitLead } from '../lead.ts'
import { listLeads } from './lead-list.ts'
import { changedLeads, leadsPosition, leadsProjection } from './view.ts'

const ALL = 1_000

let view: TestView
let sql: Sql
let appender: Appender

beforeAll(async () => {
  view = await openTestView(leadsProjection)
  ;({ sql, appender } = view)
})

beforeEach(() => view.clear())

afterAll(() => view.close())

const everything = () => listLeads(sql, { sort: 'asc' }, { limit: ALL })
const byId = (leads: Lead[]) => leads.toSorted((a, b) => a.id.localeCompare(b.id))

const foldOf = async (leadId: string) => {
  const events = await readStream(sql, leadStreams.of(leadId))
  return events.reduce<Lead | undefined>(evolveLead, undefined)
}

const emailId = randomUUID()
const staffId = randomUUID()
const emailEvent = fc.oneof(
  fc.record({
    type: fc.constant('EmailSent' as const),
    data: fc.record({
      emailId: fc.constant(emailId),
      to: fc.constantFrom('service', 'outbox'),
      attempt: fc.nat(9),
    }),
  }),
  fc.record({
    type: fc.constant('EmailFailed' as const),
    data: fc.oneof(
      fc.record({
        emailId: fc.constant(emailId),
        willRetry: fc.constant(true as const),
        reason: fc.constantFrom('busy', 'unknown', 'rejected'),
        attempt: fc.nat(9),
      }),
      fc.record({
        emailId: fc.constant(emailId),
        willRetry: fc.constant(false as const),
        reason: fc.constantFrom('needs_activation', 'blocked', 'rejected'),
        attempt: fc.nat(9),
      }),
    ),
  }),
)
const followUp = fc.record({
  type: fc.constant('LeadFollowUpChanged' as const),
  data: fc.record(
    {
      followUpStatus: fc.constantFrom('contacted', 'quoted', 'won', 'lost'),
      conversionDate: fc.constantFrom(null, '2026-01-31T10:00:00.000Z'),
      projectValue: fc.constantFrom(null, 0, 1_499.5),
      by: fc.constant(staffId),
    },
    { requiredKeys: ['by'] },
  ),
})
const answerId = fc.constantFrom(randomUUID(), randomUUID())
const by = fc.constantFrom(staffId, randomUUID())
const channel = fc.constantFrom('email' as const, 'call' as const)
const answer = fc.oneof(
  fc.record({ type: fc.constant('LeadAnswered' as const), data: fc.record({ answerId, channel, by }) }),
  fc.record({ type: fc.constant('LeadAnswerWithdrawn' as const), data: fc.record({ answerId, channel, by }) }),
  fc.record({ type: fc.constant('LeadAnswerRestored' as const), data: fc.record({ answerId, by }) }),
  fc.record({ type: fc.constant('LeadAnswerFailed' as const), data: fc.record({ answerId }) }),
)
const release = fc.record({
  type: fc.constant('LeadReleased' as const),
  data: fc.record({ by: fc.constant(staffId), emailId: fc.constantFrom(null, emailId) }),
})
const beginning = fc.oneof(
  fc.record({
    kind: fc.constant('form' as const),
    name: fc.constantFrom('Thandi Nkosi', 'Zoë "O\'Hara" 😀', 'back\\slash'),
    leadSource: fc.constantFrom('contact_form', 'hero_form', 'contract_essential'),
  }),
  fc.record({ kind: fc.constant('website' as const), email: fc.constantFrom('a@example.com', 'b@example.com') }),
)
/** A sequence of steps: an event of one of five leads, a chat message, or a step of the projection. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      lead: fc.nat(4),
      change: fc.oneof(emailEvent, followUp, answer, release),
      begin: beginning,
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom('step' as const, 'chat' as const, 'two steps at once' as const) },
)

test('the view equals a fold of each stream, however the events fall into batches', async () => {
  const isFold = fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 40 }), async (happenings) => {
    await view.clear()
    const run = randomUUID()
    const begun = new Set<string>()
    for (const each of happenings) {
      if (each === 'step') await project(sql, leadsProjection)
      else if (each === 'two steps at once') await Promise.all([1, 2].map(() => project(sql, leadsProjection)))
      else if (each === 'chat') await appender.append(postMessage(run, 'not a lead'))
      else {
        const leadId: string = deterministicUuid(run, String(each.lead))
        const event: AnyNewEvent = begun.has(leadId)
          ? { ...each.change, subjectId: null, personal: null }
          : each.begin.kind === 'form'
            ? submitLead({
                leadId,
                form: sampleLeadForm({ ...each.begin, businessName: 'Nkosi Bakery', agreedToTerms: true }),
              })
            : submitWebsiteInfo({ leadId, form: sampleWebsiteInfo({ email: each.begin.email }) })
        begun.add(leadId)
        const events = [{ id: randomUUID(), ...event }]
        await appender.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
      }
    }
    await view.projectAll()
    const folds = await Promise.all([...begun].map(foldOf))
    expect(byId(await everything())).toEqual(byId(folds.filter((lead) => lead !== undefined)))
    await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, leadsProjection)
    expect(byId(await everything())).toEqual(byId(folds.filter((lead) => lead !== undefined)))
  })
  await fc.assert(isFold, propertyOptions(40))
})

test('a batch of many leads and their changes is folded in order', async () => {
  const ids = Array.from({ length: 300 }, () => randomUUID())
  await Promise.all(ids.map((id) => appender.append(newLead(id, { leadSource: 'contact_form' }))))
  await Promise.all(
    ['contacted', 'quoted', 'won'].flatMap((followUpStatus) =>
      ids.map((leadId) =>
        appender.append({
          stream: leadStreams.of(leadId),
          expectedVersion: 'any',
          events: [
            { id: randomUUID(), ...leadFollowUpChanged({ followUpStatus: followUpStatus as 'won', by: staffId }) },
          ],
        }),
      ),
    ),
  )
  await view.projectAll()
  const leads = await everything()
  expect(leads).toHaveLength(300)
  expect(new Set(leads.map(({ followUpStatus }) => followUpStatus))).toEqual(new Set(['won']))
  expect(await leadsPosition(sql)).toBe(1_200)
})

test('while the view is rebuilt readers find all leads, and none fails, though more arrive', async () => {
  const submit = (count: number) =>
    Promise.all(Array.from({ length: count }, () => appender.append(newLead(randomUUID()))))
  await submit(300)
  await view.projectAll()
  let isRebuilding = true
  const rebuilding = (async () => {
    for (let round = 0; round < 3; round++)
      await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, leadsProjection)
  })().finally(() => {
    isRebuilding = false
  })
  const write = async () => {
    while (isRebuilding) await submit(5)
  }
  const work = async () => {
    while (isRebuilding) await project(sql, leadsProjection)
  }
  let reads = 0
  const read = async () => {
    let least = 300
    while (isRebuilding) {
      const found = (await listLeads(sql, { sort: 'desc', q: 'thandi' }, { limit: 10_000 })).length
      expect(found).toBeGreaterThanOrEqual(least)
      least = found
      reads += 1
    }
  }
  await Promise.all([rebuilding, write(), work(), read(), read(), read()])
  expect(reads).toBeGreaterThan(3)
})

test('changed leads come in the order of their change, each once', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await appender.append(newLead(first))
  await appender.append(newLead(second))
  await view.projectAll()
  await appender.append({
    stream: leadStreams.of(first),
    expectedVersion: 1,
    events: [{ id: randomUUID(), ...leadFollowUpChanged({ followUpStatus: 'contacted', by: staffId }) }],
  })
  await view.projectAll()
  const changed = await changedLeads(sql, 0, ALL)
  expect(changed.map(({ position, lead }) => [position, lead.id, lead.followUpStatus])).toEqual([
    [2, second, 'new'],
    [3, first, 'contacted'],
  ])
  expect((await changedLeads(sql, 2, ALL)).map(({ position }) => position)).toEqual([3])
  expect((await changedLeads(sql, 0, 1)).map(({ position }) => position)).toEqual([2])
  expect(await leadsPosition(sql)).toBe(3)
})
