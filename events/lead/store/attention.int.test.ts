import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DISPATCH } from '../../consumers/acting-consumers.ts'
import type { DeliveryState, Recipient } from '../../email/email.ts'
import { countAttention, countEmails, listEmails } from '../../email/store/list.ts'
import { prepareCheckpoint } from '../../log/checkpoints.ts'
import { prepareProjection, project } from '../../projections/projection.ts'
import { sampleLeadForm } from '../../testing/fixtures/samples.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { appendRaw } from '../../testing/raw-event.ts'
import { leadCopyRequested, leadCopyStreams } from '../email/copy.ts'
import { leadFollowUpChanged } from '../follow-up/follow-up.ts'
import { leadStreams, submitLead } from '../lead.ts'
import { leadsProjection } from './view.ts'

const CONTRACT = { leadSource: 'contract_premium', businessName: 'Stoep', agreedToTerms: true }

const { sql, log } = await openOwnLog()

beforeAll(async () => {
  await prepareProjection(sql, leadsProjection)
  await prepareCheckpoint(sql, DISPATCH, { isFilled: true })
})

beforeEach(async () => {
  await sql`truncate deliveries cascade`
})

const catchUp = async () => {
  while ((await project(sql, leadsProjection)).hasMore);
}

const submit = async (fields: object = {}) => {
  const id = randomUUID()
  const event = submitLead({ leadId: id, form: sampleLeadForm(fields) })
  await log.append({ stream: leadStreams.of(id), expectedVersion: 0, events: [{ id, ...event }] })
  return id
}

/** Requests the customer's copy of a lead; returns the id of its event. */
const copy = async (leadId: string) => {
  const id = randomUUID()
  const event = leadCopyRequested({ leadId }, { subjectId: leadId, personal: { to: 'ana@example.com' } })
  await log.append({ stream: leadCopyStreams.of(leadId), expectedVersion: 0, events: [{ id, ...event }] })
  return id
}

/** Makes the delivery that an event requested, in its final state. */
const deliver = async (eventId: string, state: DeliveryState, recipient: Recipient = 'agency') => {
  await sql`
    insert into deliveries (event_id, event_position, stream, state, recipient)
    select id, position, stream, ${state}, ${recipient} from events where id = ${eventId}`
  return eventId
}

const attended = async () => {
  const rows = await listEmails(sql, { filter: 'attention', contractsFirst: true, limit: 100 })
  expect(await countAttention(sql)).toBe(rows.length)
  return rows.map(({ eventId }) => eventId)
}

test('unsent contracts need attention as long as they have no reply', async () => {
  const unsent = await submit(CONTRACT)
  await deliver(unsent, 'outbox')
  const sent = await submit(CONTRACT)
  await deliver(sent, 'delivered')
  const refusedCopy = await deliver(await copy(sent), 'rejected', 'visitor')
  await deliver(await copy(await submit()), 'rejected', 'visitor')
  await catchUp()
  expect(await attended()).toEqual([refusedCopy, unsent])
  expect(await countEmails(sql)).toMatchObject({ stuck: 0 })

  for (const leadId of [unsent, sent]) {
    const answered = leadFollowUpChanged({ followUpStatus: 'contacted', by: randomUUID() })
    const events = [{ id: randomUUID(), ...answered }]
    await log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
  }
  await catchUp()
  expect(await attended()).toEqual([])
})

test('stuck contracts come before other stuck emails, and are marked as contracts', async () => {
  const contract = await deliver(await submit(CONTRACT), 'blocked')
  const contractCopy = await deliver(await copy(contract), 'uncertain', 'visitor')
  const other = await deliver(await copy(await submit()), 'uncertain', 'visitor')
  await catchUp()
  expect(await attended()).toEqual([contractCopy, contract, other])
  const rows = await listEmails(sql, { filter: 'stuck', limit: 10 })
  expect(rows.map(({ isContract }) => isContract)).toEqual([false, true, true])
  expect((await listEmails(sql, { filter: 'attention', limit: 10 })).map(({ eventId }) => eventId)).toEqual([
    other,
    contractCopy,
    contract,
  ])
})

test('contracts of the first version of submissions are contracts too, and so are the copies of them', async () => {
  const submitEarlier = async (leadSource: string) => {
    const leadId = randomUUID()
    const stream = leadStreams.of(leadId)
    await appendRaw(sql, { stream, type: 'LeadSubmitted', data: { leadSource, package: null } })
    const [event] = await sql<{ id: string }[]>`select id from events where stream = ${stream}`
    return { leadId, eventId: event?.id ?? '' }
  }
  const earlier = await submitEarlier('contract_essential')
  const contract = await deliver(earlier.eventId, 'blocked')
  const contractCopy = await deliver(await copy(earlier.leadId), 'uncertain', 'visitor')
  const other = await deliver(await copy((await submitEarlier('hero_form')).leadId), 'uncertain', 'visitor')
  await catchUp()
  expect(await attended()).toEqual([contractCopy, contract, other])
  const rows = await listEmails(sql, { filter: 'stuck', limit: 10 })
  expect(rows.map(({ isContract }) => isContract)).toEqual([false, true, true])
})

test('no email about an erased person needs attention', async () => {
  await deliver(await submit(CONTRACT), 'outbox')
  await sql`update deliveries set is_erased = true`
  await catchUp()
  expect(await attended()).toEqual([])
})
