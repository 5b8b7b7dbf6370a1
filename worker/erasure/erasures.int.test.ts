import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { prepareConsumers } from '../../events/consumers/registry.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { submitWebsiteInfo } from '../../events/lead/form/website-info.ts'
import { leadErased, leadStreams } from '../../events/lead/lead.ts'
import { erasureStreams, requestErasure } from '../../events/lead/person/erasure.ts'
import { leadsMerged, leadsUnmerged, mergeStreams } from '../../events/lead/person/merge.ts'
import { readFamily } from '../../events/lead/store/family.ts'
import { listLeads } from '../../events/lead/store/lead-list.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { readStreams } from '../../events/log/read.ts'
import { project } from '../../events/projections/projection.ts'
import { newLead, sampleWebsiteInfo } from '../../events/testing/fixtures/samples.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { carryOutErasures } from './erasures.ts'

const { sql, log } = await openOwnLog()
const by = randomUUID()
const erasing = { sql, log, bus: { publish: async () => {} } as never, logger: { info: () => {} } }

beforeAll(() => prepareConsumers(sql))

const append = (stream: string, event: object) =>
  log.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event }] as never })

const catchUp = async () => {
  while (await carryOutErasures(erasing));
  while (await eraseKeys(sql));
  while ((await project(sql, leadsProjection)).hasMore);
}

/** A contract is signed, and its erasure requested from the list of that moment. */
const requested = async () => {
  const contract = randomUUID()
  await log.append(newLead(contract, { leadSource: 'contract_premium', businessName: 'Bakery', agreedToTerms: true }))
  const [request] = requestErasure({ chats: [], leads: [contract], asOf: null, by })
  await append(erasureStreams.of(contract), request ?? {})
  return contract
}

const questionnaire = async (contractId: string) => {
  const leadId = randomUUID()
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals: [], signing: undefined, contractId }
  await append(leadStreams.of(leadId), submitWebsiteInfo({ leadId, form: sampleWebsiteInfo() }, context))
  return leadId
}

const mergedInto = async (into: string, name: string) => {
  const other = randomUUID()
  await log.append(newLead(other, { name }))
  await append(mergeStreams.of(other), leadsMerged({ by, into, takes: [] }))
  return other
}

const listed = async (ids: string[]) =>
  (await listLeads(sql, { sort: 'desc' }, { limit: 100 })).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))

test('a questionnaire that comes to a contract after its erasure was requested goes with it', async () => {
  const contract = await requested()
  const late = await questionnaire(contract)
  await catchUp()
  const family = await readFamily(sql, [contract, late])
  expect([...family.values()].map(({ own }) => own.followUpStatus)).toEqual(['erased', 'erased'])
  expect(await readStreams(sql, [leadStreams.of(late)])).toMatchObject([{ personal: null }, {}])
  expect(await listed([contract, late])).toEqual([])
})

test('another lead that is merged into an erased one after the request is separate again, and so is one that staff had separated', async () => {
  const contract = await requested()
  const other = await mergedInto(contract, 'Another Person')
  const separated = await questionnaire(contract)
  const [{ id: mergeId } = { id: '' }] = await readStreams(sql, [leadStreams.of(separated)])
  await append(mergeStreams.of(separated), leadsUnmerged({ by, mergeId }))
  await catchUp()
  expect((await listed([contract, other, separated])).toSorted()).toEqual(['Another Person', 'Nkosi Bakery'])
  expect((await readFamily(sql, [contract, other])).get(other)?.lead).toMatchObject({ name: 'Another Person' })
  expect((await readFamily(sql, [contract, other])).get(other)?.lead.mergedInto).toBeUndefined()
})

test('a lead into which the erased one is merged after the request keeps its own data and shows none of the erased', async () => {
  const contract = await requested()
  const staying = randomUUID()
  await log.append(newLead(staying, { name: 'Another Person', businessName: null }))
  await append(mergeStreams.of(contract), leadsMerged({ by, into: staying, takes: ['name', 'businessName'] }))
  await catchUp()
  expect(await listed([contract, staying])).toEqual(['Another Person'])
})

test('a worker that dies after it has erased the contract finds the questionnaire when it begins again', async () => {
  const contract = await requested()
  const late = await questionnaire(contract)
  await append(leadStreams.of(contract), leadErased({ by }))
  while ((await project(sql, leadsProjection)).hasMore);
  await catchUp()
  expect((await readFamily(sql, [late])).get(late)?.own.followUpStatus).toBe('erased')
})
