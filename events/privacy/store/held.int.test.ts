import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { referenceOf } from '../../base/reference.ts'
import { storeFile } from '../../chat/store/files.ts'
import { chatsProjection } from '../../chat/store/view.ts'
import { leadNoteAdded } from '../../lead/follow-up/follow-up.ts'
import { leadStreams } from '../../lead/lead.ts'
import { leadsMerged, mergeStreams } from '../../lead/person/merge.ts'
import { leadsProjection } from '../../lead/store/view.ts'
import { readHead } from '../../log/read.ts'
import { requestContext, runWith } from '../../process/context.ts'
import { prepareProjection, project } from '../../projections/projection.ts'
import { newLead, postMessage, startChat } from '../../testing/fixtures/samples.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { readEntries } from './entries.ts'
import { readRecords } from './records.ts'
import { searchPeople } from './search.ts'
import { findPerson, readContact } from './subjects.ts'

const { sql, log } = await openOwnLog()
const staffId = randomUUID()
const [first, second, merged, colleague] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const [chat, withoutAddress] = [randomUUID(), randomUUID()]

const catchUp = async () => {
  for (const view of [leadsProjection, chatsProjection]) while ((await project(sql, view)).hasMore);
}

beforeAll(async () => {
  for (const view of [leadsProjection, chatsProjection]) await prepareProjection(sql, view)
  const phone = '082 555 0142'
  await runWith(requestContext(), () =>
    log.append(newLead(first, { name: 'Zanele', email: 'zanele@example.com', phone })),
  )
  await log.append(
    newLead(second, {
      name: 'Zanele Dlamini',
      email: 'Zanele@Example.com',
      phone,
      businessName: 'Dlamini Bakery',
      leadSource: 'contract_essential',
      agreedToTerms: true,
    }),
  )
  await log.append(newLead(merged, { name: 'Z. Dlamini', email: 'old@example.com', phone: '011 555 0001' }))
  await log.append(newLead(colleague, { name: 'Bongani', email: 'bongani@example.com', phone }))
  const [merge, note] = [leadsMerged({ into: first, by: staffId, takes: [] }), { note: 'Prefers mornings' }]
  await log.append({ stream: mergeStreams.of(merged), expectedVersion: 0, events: [{ id: randomUUID(), ...merge }] })
  await log.append({
    stream: leadStreams.of(first),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadNoteAdded({ by: staffId }, { subjectId: first, personal: note }) }],
  })
  await log.append(startChat(chat, 'Zanele', 'zanele@example.com'))
  await log.append(startChat(withoutAddress, 'Themba'))
  const file = { id: randomUUID(), name: 'logo.png', mediaType: 'image/png', size: 3 } as const
  await storeFile(sql, { sessionId: chat, party: 'visitor', file, content: Buffer.from('abc') })
  await catchUp()
})

test.each([
  ['email address', 'zanele@example.com'],
  ['telephone number', '+27 82 555 0142'],
  ['name', 'zanele dlam'],
  ['reference', referenceOf(second)],
])('a person is found by %s, once however many leads they have', async (_, q) => {
  const found = await searchPeople(sql, q)
  expect(found).toContainEqual(expect.objectContaining({ kind: 'lead', email: 'Zanele@Example.com' }))
  expect(found.filter(({ email }) => email?.toLowerCase() === 'zanele@example.com')).toHaveLength(1)
})

test('a chat of a person without a lead is found, and so is an account of staff', async () => {
  expect(await searchPeople(sql, 'themba')).toMatchObject([{ kind: 'chat', id: withoutAddress, name: 'Themba' }])
  await sql`insert into staff (username, display_name, password_hash) values ('lerato', 'Lerato M', '')`
  expect(await searchPeople(sql, 'lerato')).toMatchObject([{ kind: 'account', name: 'Lerato M' }])
})

test('a person has the leads of one address, those merged with them, and the chats; colleagues are named apart', async () => {
  const fromLead = await findPerson(sql, { kind: 'lead', id: merged })
  expect(new Set(fromLead.leadIds)).toEqual(new Set([first, second, merged]))
  expect(fromLead).toMatchObject({ sessionIds: [chat], others: [{ id: colleague, name: 'Bongani' }] })
  expect(new Set((await findPerson(sql, { kind: 'chat', id: chat })).leadIds)).toEqual(new Set(fromLead.leadIds))
  expect(await findPerson(sql, { kind: 'chat', id: withoutAddress })).toMatchObject({
    leadIds: [],
    sessionIds: [withoutAddress],
  })
  expect(await readContact(sql, { kind: 'lead', id: first })).toMatchObject({ name: 'Zanele' })
  expect(await readContact(sql, { kind: 'lead', id: randomUUID() })).toBeUndefined()
})

test('the data is in groups, each entry with what was written and where it came from', async () => {
  const person = await findPerson(sql, { kind: 'lead', id: first })
  const { counts, entries } = await readEntries(sql, person, (await readHead(sql)).position)
  expect(Object.fromEntries(counts)).toEqual({ leads: 3, contracts: 1, consents: 1, notes: 1, chats: 1, files: 1 })
  const textOf = (group: string) => JSON.stringify(entries.filter((entry) => entry.group === group))
  expect(textOf('notes')).toContain('Prefers mornings')
  expect(textOf('contracts')).toContain('Dlamini Bakery')
  expect(textOf('files')).toContain('logo.png')
  expect(textOf('leads')).toContain('The person, on the website')
})

test('all records of a person are read page by page, each once', async () => {
  for (let count = 0; count < 300; count += 1) await log.append(postMessage(withoutAddress, `message ${count}`))
  const upTo = (await readHead(sql)).position
  await log.append(postMessage(withoutAddress, 'after the list'))
  const ids: string[] = []
  let pages = 0
  for await (const { events } of readRecords(sql, { leadIds: [], sessionIds: [withoutAddress] }, upTo)) {
    ids.push(...events.map(({ id }) => id))
    pages += 1
  }
  expect(new Set(ids).size).toBe(301)
  expect(ids).toHaveLength(301)
  // the requests of the person are a page of their own
  expect(pages).toBe(3)
})
