import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { leadAnswered } from '../../events/lead/follow-up/answered.ts'
import { type FollowUp, leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { leadsMerged, mergeStreams } from '../../events/lead/person/merge.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { prepareProjection, project } from '../../events/projections/projection.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { readOtherRequests } from './other-requests.ts'

const { sql, log } = await openOwnLog()
const [sam, thandi] = [randomUUID(), randomUUID()]

beforeAll(() => prepareProjection(sql, leadsProjection))

let people = 0

/** The contact of a new person. */
const somebody = () => {
  people += 1
  return { email: `person${people}@example.com`, phone: `082 555 ${1000 + people}` }
}

const submit = async (contact: { email: string; phone: string }, spamSignals: SpamSignal[] = []) => {
  const id = randomUUID()
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals }
  const event = submitLead({ leadId: id, form: sampleLeadForm({ name: 'Ayanda', ...contact }) }, context)
  await log.append({ stream: leadStreams.of(id), expectedVersion: 0, events: [{ id, ...event }] })
  return id
}

const append = async (leadId: string, event: ReturnType<typeof leadFollowUpChanged | typeof leadAnswered>) => {
  await log.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...event }],
  })
}

const change = (leadId: string, data: FollowUp & { by: string }) => append(leadId, leadFollowUpChanged(data))

const answer = (leadId: string, by: string, at?: string) =>
  append(leadId, leadAnswered({ answerId: randomUUID(), channel: 'call', by, ...(at && { at }) }))

const others = async (...leadIds: string[]) => {
  while ((await project(sql, leadsProjection)).hasMore);
  return await readOtherRequests(sql, leadIds)
}

test('the lead of the same address or number that was answered last is shown, with the author of the reply', async () => {
  const one = somebody()
  const waiting = await submit(one)
  const before = await submit({ ...somebody(), phone: one.phone })
  await answer(before, thandi, '2026-01-05T10:00:00.000Z')
  const last = await submit({ ...one, email: one.email.toUpperCase() })
  await answer(last, sam)
  await change(last, { ownerId: thandi, by: thandi })
  const stranger = await submit(somebody())
  await answer(stranger, sam)
  expect(await others(waiting, stranger)).toEqual([
    {
      leadId: waiting,
      otherId: last,
      name: 'Ayanda',
      followUpStatus: 'contacted',
      answeredAt: expect.any(String),
      answeredBy: sam,
      ownerId: thandi,
    },
  ])
  // in the other direction the reply is older than the lead's own
  expect(await others(last)).toEqual([])
  expect(await others(before)).toMatchObject([{ leadId: before, otherId: last }])
  await change(last, { followUpStatus: 'new', by: sam })
  expect(await others(waiting)).toMatchObject([
    { otherId: before, answeredAt: '2026-01-05T10:00:00.000Z', answeredBy: thandi },
  ])
})

test('an unanswered lead is shown if its owner is another than the listed one’s', async () => {
  const one = somebody()
  const [waiting, owned] = [await submit(one), await submit(one)]
  expect(await others(waiting)).toEqual([])
  await change(owned, { ownerId: sam, by: sam })
  expect(await others(waiting)).toMatchObject([
    { otherId: owned, followUpStatus: 'new', answeredAt: null, answeredBy: null, ownerId: sam },
  ])
  await change(waiting, { ownerId: sam, by: sam })
  expect(await others(waiting)).toEqual([])
})

test('merged and flagged leads are never shown', async () => {
  const one = somebody()
  const [waiting, merged, flagged] = [await submit(one), await submit(one), await submit(one, ['trap'])]
  const elsewhere = await submit(somebody())
  for (const each of [merged, flagged]) await answer(each, sam)
  const merge = { id: randomUUID(), ...leadsMerged({ into: elsewhere, by: sam, takes: [] }) }
  await log.append({ stream: mergeStreams.of(merged), expectedVersion: 0, events: [merge] })
  expect(await others(waiting, flagged)).toEqual([])
})
