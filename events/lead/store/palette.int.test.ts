import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { findChatsNamed } from '../../chat/store/list.ts'
import { chatsProjection } from '../../chat/store/view.ts'
import { prepareProjection, project } from '../../projections/projection.ts'
import { newLead, sampleLeadForm, startChat } from '../../testing/fixtures/samples.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { NO_SUBMISSION_CONTEXT } from '../form/submission-context.ts'
import { leadStreams, submitLead } from '../lead.ts'
import { countFlagged, findLeadsNamed } from './palette.ts'
import { leadsProjection } from './view.ts'

const { sql, log: appender } = await openOwnLog()

beforeAll(async () => {
  for (const view of [leadsProjection, chatsProjection]) await prepareProjection(sql, view)
  for (const [name, businessName] of [
    ['Zanele Qwabe', 'Uxbridge Bakery'],
    ['Xolani 100% Zulu', null],
    ['Pieter Müller', 'Müller & Sons'],
  ] as const) {
    await appender.append(newLead(randomUUID(), { name, businessName, email: `${randomUUID()}@example.com` }))
  }
  await appender.append(startChat(randomUUID(), 'Zodwa', 'zodwa@example.com'))
  await appender.append(startChat(randomUUID(), 'Renée Dubois', 'renee@example.com'))
  for (const view of [leadsProjection, chatsProjection]) while ((await project(sql, view)).hasMore);
})

const found = async (q: string, limit = 8) =>
  (await findLeadsNamed(sql, q, limit)).map(({ name }) => name.split(' ')[0])

test.each([
  ['one letter, where words begin with it', 'z', ['Xolani', 'Zanele']],
  ['two letters, in whichever case', 'QW', ['Zanele']],
  ['two letters within a word: not yet', 'br', []],
  ['letters of other alphabets', 'mü', ['Pieter']],
  ['three letters, wherever they are', 'bri', ['Zanele']],
  ['two words', 'zan bak', ['Zanele']],
  ['signs that mean something to a pattern', '%', []],
  ['a number with such a sign', '100%', ['Xolani']],
  ['nothing that is there', 'qq', []],
])('finds leads by %s', async (_, q, names) => {
  expect(await found(q)).toEqual(names)
})

test('counts matching flagged leads separately', async () => {
  const leadId = randomUUID()
  const form = sampleLeadForm({ name: 'Trapped Zandile', email: 'zandile@example.com' })
  const flagged = submitLead({ leadId, form }, { ...NO_SUBMISSION_CONTEXT, spamSignals: ['trap'] })
  await appender.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ id: leadId, ...flagged }] })
  while ((await project(sql, leadsProjection)).hasMore);
  expect(await found('zandile')).toEqual([])
  const counts = ['zandile', 'ZAND trap', 'zandile qwabe', 'za', '%', 'lead form'].map((q) => countFlagged(sql, q))
  expect(await Promise.all(counts)).toEqual([1, 1, 0, 0, 0, 1])
})

test('returns the newest leads up to the limit', async () => {
  expect(await found('z', 1)).toEqual(['Xolani'])
})

test('finds chats by the name or the address of their visitor', async () => {
  const names = async (q: string) => (await findChatsNamed(sql, q, 5)).map(({ visitorName }) => visitorName)
  expect(await names('ZOD')).toEqual(['Zodwa'])
  expect(await names('zodwa@')).toEqual(['Zodwa'])
  for (const q of ['renee dubois', 'Dubois, Renée', 'RENEE', 'dubois renee@'])
    expect([q, await names(q)]).toEqual([q, ['Renée Dubois']])
  expect(await names('nobody')).toEqual([])
})
