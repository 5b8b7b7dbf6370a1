import { randomUUID } from 'node:crypto'
import { addMonths } from 'date-fns/addMonths'
import pino from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../events/base/time.ts'
import { messageStreams } from '../../events/chat/chat.ts'
import { PROJECTIONS, prepareConsumers } from '../../events/consumers/registry.ts'
import { contractDeclined, contractNoticeGiven } from '../../events/contract/life.ts'
import { contractStreams } from '../../events/contract/signed-copy.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { enterLead } from '../../events/lead/entry.ts'
import { leadNoteAdded } from '../../events/lead/follow-up/follow-up.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { CASES_STREAM, privacyCaseDone, privacyCaseOpened } from '../../events/privacy/case.ts'
import { readCases } from '../../events/privacy/store/cases.ts'
import { findDue } from '../../events/privacy/store/due.ts'
import { DUE_KINDS } from '../../events/privacy/wire.ts'
import { project } from '../../events/projections/projection.ts'
import { DEFAULT_RETENTION } from '../../events/settings/retention.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import { newLead, postMessage, sampleLeadForm, startChat } from '../../events/testing/fixtures/samples.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { carryOutErasures } from '../erasure/erasures.ts'
import { applyRetention, type Retaining } from './retention.ts'

const { sql, log } = await openOwnLog()
const STAFF = randomUUID()
const periods = DEFAULT_RETENTION
const signal = new AbortController().signal
const retaining: Retaining = { sql, log, signal }

const append = (stream: string, event: object) =>
  log.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event } as never] })

const lead = async (name: string, fields: object = {}) => {
  const id = randomUUID()
  await log.append(newLead(id, { name, email: `${name}@example.com`, phone: '082 555 0142', ...fields }))
  return id
}

const CONTRACT = { leadSource: 'contract_essential', businessName: 'Bakery', agreedToTerms: true }

const contract = async (name: string, endsOn?: string) => {
  const id = await lead(name, CONTRACT)
  if (!endsOn) return id
  const data = { leadId: id, by: STAFF, isEmailed: false, on: endsOn, endsOn }
  await append(contractStreams.of(id), contractNoticeGiven(data, { subjectId: id, personal: { to: '' } }))
  return id
}

const flagged = async (name: string) => {
  const id = randomUUID()
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals: ['trap' as const], signing: undefined }
  const form = sampleLeadForm({ name, email: `${name}@example.com`, phone: '082 555 0142' })
  await append(leadStreams.of(id), submitLead({ leadId: id, form }, context as never))
  return id
}

const chat = async (name: string, email: string | null = null) => {
  const id = randomUUID()
  await log.append(startChat(id, name, email))
  return id
}

const catchUp = async () => {
  for (const view of PROJECTIONS) while ((await project(sql, view)).hasMore);
}

/** Moves all that the log holds into the past. */
const age = async (months: number) => {
  await sql`update events set recorded_at = recorded_at - ${months} * interval '1 month'`
}

const names: Record<string, string> = {}
const named = async (name: string, made: Promise<string>) => {
  names[await made] = name
  return await made
}

const dueNames = async (now: Date) => {
  const due: string[] = []
  for (const kind of DUE_KINDS) {
    for await (const { leads, chats } of findDue(sql, kind, { periods, now })) {
      due.push(...[...leads, ...chats].map((id) => `${kind}: ${names[id]}`))
    }
  }
  return due.sort()
}

const DUE = [
  'chats: old chat',
  'contracts: contract that ended long ago',
  'leads: declined contract',
  'leads: old lead',
  'spam: old spam',
]

beforeAll(async () => {
  await prepareConsumers(sql)
  await named('old lead', lead('old'))
  await named('lead of a person who wrote again', lead('again'))
  await named('lead of a person who chats', lead('chatty'))
  const noted = await named('lead with a note', lead('noted'))
  await named('lead of a client', lead('client'))
  await named('running contract', contract('client', undefined))
  await named('contract that ended long ago', contract('long', '2018-01-31'))
  await named('contract that ended lately', contract('ended', '2024-01-31'))
  const declined = await named('declined contract', contract('declined'))
  const reason = { subjectId: declined, personal: { reason: 'No' } }
  await append(contractStreams.of(declined), contractDeclined({ leadId: declined, by: STAFF }, reason))
  await named('old spam', flagged('spam'))
  await named('old chat', chat('old chat'))
  const talk = await named('chat with a new message', chat('talk'))
  await age(90)
  await named('newer lead', lead('again'))
  await named('newer chat', chat('chatty', 'chatty@example.com'))
  await append(leadStreams.of(noted), leadNoteAdded({ by: STAFF }, { subjectId: noted, personal: { note: 'Called' } }))
  await log.append(postMessage(talk, 'Hello again'))
  await named('newer spam', flagged('newer'))
  const imported = await named('imported old lead', Promise.resolve(randomUUID()))
  const person = { name: 'Imported', email: 'imported@example.com', phone: '', leadSource: 'import' }
  const data = {
    by: STAFF,
    followUpStatus: 'new' as const,
    importId: randomUUID(),
    receivedAt: '2015-01-01T10:00:00.000Z',
  }
  await append(leadStreams.of(imported), enterLead(imported, person, data))
  await catchUp()
  expect(messageStreams.of(talk)).toContain(talk)
})

test('only data whose period is over is due; imported leads count from their import', async () => {
  expect(await dueNames(new Date())).toEqual(DUE)
  expect(await dueNames(new Date(Date.now() + 89 * DAY_MS))).toEqual(DUE)
  const inAWhile = await dueNames(new Date(Date.now() + 91 * DAY_MS))
  expect(inAWhile).toEqual([...DUE, 'spam: newer spam'].sort())
  const twoYears = addMonths(new Date(), 24).getTime()
  const dated = ['leads: imported old lead', 'chats: newer chat']
  const almost = await dueNames(new Date(twoYears - DAY_MS))
  expect(almost.filter((name) => dated.includes(name))).toEqual([])
  expect(await dueNames(new Date(twoYears + DAY_MS))).toEqual(expect.arrayContaining(dated))
  const ended = 'contracts: contract that ended lately'
  expect(await dueNames(new Date('2029-01-31T12:00:00Z'))).not.toContain(ended)
  expect(await dueNames(new Date('2029-02-01T12:00:00Z'))).toContain(ended)
  const later = await dueNames(new Date(Date.now() + 800 * DAY_MS))
  expect(later).toContain('leads: imported old lead')
  expect(later).toContain('leads: lead of a person who wrote again')
  expect(later.filter((name) => name.includes('client') || name.includes('running'))).toEqual([])
})

test('the words of a request are erased some years after it was done, and the fact stays', async () => {
  const open = async () => {
    const caseId = randomUUID()
    const data = { caseId, kind: 'access' as const, receivedOn: '2026-01-05', by: STAFF }
    const personal = { from: 'Zanele', note: null }
    await append(CASES_STREAM, privacyCaseOpened(data, { subjectId: caseId, personal }))
    return caseId
  }
  const [done, waiting] = [await open(), await open()]
  await append(CASES_STREAM, privacyCaseDone({ caseId: done, by: STAFF }))
  await catchUp()
  const fromOf = async (id: string) => (await readCases(sql)).cases.find((each) => each.id === id)?.from
  const none = { ...periods, leadMonths: 1_200, chatMonths: 1_200, spamDays: 36_500, contractYears: 100 }
  await applyRetention(retaining, { periods: none, now: new Date(Date.now() + 34 * 31 * DAY_MS) })
  expect(await fromOf(done)).toBe('Zanele')
  await applyRetention(retaining, { periods: none, now: new Date(Date.now() + 37 * 31 * DAY_MS) })
  expect([await fromOf(done), await fromOf(waiting)]).toEqual([null, 'Zanele'])
})

test('a worker that is killed midway and several at once ask for each erasure once, which is then carried out', async () => {
  let appended = 0
  const dying = {
    append: (...all: Parameters<typeof log.append>) => {
      appended += 1
      if (appended > 2) throw new Error('killed')
      return log.append(...all)
    },
  }
  await expect(applyRetention({ ...retaining, log: dying as never }, { periods, now: new Date() })).rejects.toThrow()
  // the views take in the requests: until then nothing is erased
  expect(await applyRetention(retaining, { periods, now: new Date() })).toBe(false)
  await catchUp()
  await Promise.all([1, 2].map(() => applyRetention(retaining, { periods, now: new Date() })))
  const requests = await sql`select data from events where type = 'ErasureRequested'`
  expect(requests).toHaveLength(DUE.length)
  const logger = pino({ level: 'silent' })
  const bus = { publish: () => {} } as unknown as Bus
  while (await carryOutErasures({ sql, log, bus, logger }));
  while (await eraseKeys(sql));
  await catchUp()
  const erased = await sql<{ stream: string; by: string | null }[]>`
    select stream, data ->> 'by' as by from events where type in ('LeadErased', 'ChatErased')`
  expect(erased.map(({ by }) => by)).toEqual(DUE.map(() => null))
  expect(await dueNames(new Date())).toEqual([])
  await applyRetention(retaining, { periods, now: new Date() })
  expect(await sql`select from events where type = 'ErasureRequested'`).toHaveLength(DUE.length)
})
