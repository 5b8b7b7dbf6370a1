import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import { leadAnswered, leadAnswerFailed } from '../../events/lead/follow-up/answered.ts'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { prepareProjection, project } from '../../events/projections/projection.ts'
import { SETTINGS_STREAM } from '../../events/settings/settings.ts'
import { supportHoursPart } from '../../events/settings/support-hours.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { eventually } from '../../events/testing/node.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { readTodaysLeads } from './lists.ts'

const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], opensAtMinute: 0, closesAtMinute: 24 * 60 }

const { sql, log } = await openOwnLog()

beforeAll(async () => {
  for (const projection of PROJECTIONS) await prepareProjection(sql, projection)
  const events = [{ id: randomUUID(), ...supportHoursPart.changed({ ...ALWAYS, by: randomUUID() }) }]
  await log.append({ stream: SETTINGS_STREAM, expectedVersion: 'any', events })
})

const CONTRACT = { leadSource: 'contract_premium', businessName: 'Stoep', agreedToTerms: true }

const catchUp = async () => {
  for (const projection of PROJECTIONS) while ((await project(sql, projection)).hasMore);
}

const submit = async (name: string, fields: object = {}, spamSignals: SpamSignal[] = []) => {
  const id = randomUUID()
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals }
  const event = submitLead({ leadId: id, form: sampleLeadForm({ name, ...fields }) }, context)
  await log.append({ stream: leadStreams.of(id), expectedVersion: 0, events: [{ id, ...event }] })
  return id
}

/** The names of the leads of each group, some minutes from now. */
const todayIn = async (minutes: number, limit = 10) => {
  const now = new Date(Date.now() + minutes * 60_000)
  const { overdue, dueSoon, fresh } = await readTodaysLeads(sql, { now, limit })
  const named = ({ count, leads }: typeof fresh) => [count, ...leads.map(({ name }) => name)]
  return { overdue: named(overdue), dueSoon: named(dueSoon), fresh: named(fresh) }
}

test('a lead is new, then due soon once less than an hour is left, then overdue; contracts come first in each group', async () => {
  await submit('First')
  await submit('Second')
  await submit('Signed', CONTRACT)
  await catchUp()
  const [all, none] = [[3, 'Signed', 'First', 'Second'], [0]]
  expect(await todayIn(1)).toEqual({ overdue: none, dueSoon: none, fresh: all })
  expect(await todayIn(59)).toEqual({ overdue: none, dueSoon: none, fresh: all })
  expect(await todayIn(61)).toEqual({ overdue: none, dueSoon: all, fresh: none })
  expect(await todayIn(119)).toEqual({ overdue: none, dueSoon: all, fresh: none })
  expect(await todayIn(121)).toEqual({ overdue: all, dueSoon: none, fresh: none })
  expect(await todayIn(121, 1)).toMatchObject({ overdue: [3, 'Signed'] })
})

test('a lead whose email reply bounced is first among the new ones', async () => {
  const id = await submit('Unreached')
  const answerId = randomUUID()
  const answered = leadAnswered({ answerId, channel: 'email', by: randomUUID() })
  const events = [answered, leadAnswerFailed({ answerId })].map((event) => ({ id: randomUUID(), ...event }))
  await log.append({ stream: leadStreams.of(id), expectedVersion: 1, events })
  await catchUp()
  expect((await todayIn(1)).fresh).toEqual([4, 'Unreached', 'Signed', 'First', 'Second'])
})

test('flagged contracts wait until staff have judged them, newest first; other flagged leads do not', async () => {
  const first = await submit('Flagged first', CONTRACT, ['trap'])
  // times have whole milliseconds
  const began = Date.now()
  await eventually(() => expect(Date.now()).toBeGreaterThan(began))
  const second = await submit('Flagged second', CONTRACT, ['too_fast'])
  await submit('Flagged quote', {}, ['trap'])
  await catchUp()
  const quarantined = async () => (await readTodaysLeads(sql, { now: new Date(), limit: 1 })).quarantined
  expect(await quarantined()).toMatchObject({ count: 2, leads: [{ id: second, suspicion: ['too_fast'] }] })
  const lost = leadFollowUpChanged({ followUpStatus: 'lost', by: randomUUID() })
  await log.append({
    stream: leadStreams.of(second),
    expectedVersion: 1,
    events: [{ id: randomUUID(), ...lost }],
  })
  await catchUp()
  expect(await quarantined()).toMatchObject({ count: 1, leads: [{ id: first }] })
})
