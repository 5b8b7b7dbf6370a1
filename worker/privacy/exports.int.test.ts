import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import pino from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../events/base/time.ts'
import { chatMessagePosted, chatStarted, chatStreams, messageStreams } from '../../events/chat/chat.ts'
import { chatEmailGiven, chatEmailStreams } from '../../events/chat/given-email.ts'
import { chatRated, chatRatingStreams } from '../../events/chat/rating.ts'
import { storeFile } from '../../events/chat/store/files.ts'
import { notePage } from '../../events/chat/store/pages.ts'
import { PROJECTIONS, prepareConsumers } from '../../events/consumers/registry.ts'
import { contractCopyMade, contractStreams } from '../../events/contract/signed-copy.ts'
import { eraseAll } from '../../events/erasure/append-erasures.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { leadCorrected } from '../../events/lead/correction.ts'
import { leadNoteAdded } from '../../events/lead/follow-up/follow-up.ts'
import { submitWebsiteInfo, type WebsiteInfo, websiteInfoForm } from '../../events/lead/form/website-info.ts'
import { leadStreams, leadSubmitted } from '../../events/lead/lead.ts'
import { leadAnswerStreams, leadContacted, leadEmailWritten } from '../../events/lead/reply/answer.ts'
import { privacyExportRequested, privacyExportStreams } from '../../events/privacy/export.ts'
import {
  addExport,
  claimExport,
  deleteOldExports,
  findExport,
  listExports,
  readParts,
} from '../../events/privacy/store/exports.ts'
import { project } from '../../events/projections/projection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { type Exporting, makeExports } from './exports.ts'

const { sql, log } = await openOwnLog()
const logger = pino({ level: 'silent' })
const STAFF = randomUUID()
const NEVER = new AbortController().signal

const exporting = (more: Partial<Exporting> = {}): Exporting => ({
  sql,
  logger,
  config: { agencyName: 'Karoo Web Studio' },
  signal: NEVER,
  ...more,
})

beforeAll(() => prepareConsumers(sql))
beforeEach(() => sql`delete from privacy_exports`)

const catchUp = async () => {
  for (const view of PROJECTIONS) while ((await project(sql, view)).hasMore);
}

const append = (stream: string, event: object) =>
  log.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event } as never] })

const request = async (leadId: string, { hasNotes = true, reason = null as string | null } = {}) => {
  const id = randomUUID()
  const data = { exportId: id, kind: 'lead' as const, hasNotes, by: STAFF }
  await append(
    privacyExportStreams.of(leadId),
    privacyExportRequested(data, { subjectId: leadId, personal: { reason } }),
  )
  await addExport(sql, { id, subject: { kind: 'lead', id: leadId }, madeBy: STAFF, hasNotes })
  return id
}

const filesOf = async (id: string): Promise<Record<string, Buffer>> => {
  const found = (await findExport(sql, id)) ?? expect.fail()
  expect(found.state).toBe('ready')
  const parts: Buffer[] = []
  for await (const part of readParts(sql, found)) parts.push(part)
  return Object.fromEntries(
    Object.entries(unzipSync(Buffer.concat(parts))).map(([name, bytes]) => [name, Buffer.from(bytes)]),
  )
}

/** Words, one for each field that is filled in. */
const openWords = () => {
  const words: string[] = []
  return {
    words,
    of: (field: string) => {
      const word = `mark-${field}-${randomUUID().slice(0, 8)}`
      words.push(word)
      return word
    },
  }
}

const timesIn = (text: string, word: string) => text.split(word).length - 1

const PERSON = { email: 'zanele@example.com', phone: '082 555 0142' }

/** Writes a word into every field of a person's events, tables and files. */
const fillIn = async (mark: (field: string) => string) => {
  const [leadId, questionnaireId, sessionId] = [randomUUID(), randomUUID(), randomUUID()]
  const touch = (name: string) => ({
    source: mark(`${name}-source`),
    medium: mark(`${name}-medium`),
    campaign: mark(`${name}-campaign`),
    term: mark(`${name}-term`),
    content: mark(`${name}-content`),
    referrer: mark(`${name}-referrer`),
    landingPage: mark(`${name}-landing`),
  })
  const evidence = {
    signature: mark('signature'),
    clientAddress: mark('address'),
    userAgent: mark('agent'),
    openedAt: null,
    tickedAt: null,
    contractSha256: mark('contract-hash'),
  }
  const form = {
    ...PERSON,
    name: mark('name'),
    company: mark('company'),
    businessName: mark('business'),
    industry: mark('industry'),
    package: mark('package'),
    message: mark('message'),
    timeline: mark('timeline'),
    leadSource: 'contract_essential',
    pageUrl: mark('page'),
    agreedToTerms: true,
  }
  const terms = { version: 1, sha256: mark('terms-hash'), isNamed: true, agreement: mark('agreement') }
  const of = <Personal>(subjectId: string, personal: Personal) => ({ subjectId, personal })
  await append(
    leadStreams.of(leadId),
    leadSubmitted(
      { source: 'contract_essential', package: 'none', isContract: true, terms } as never,
      of(leadId, { ...form, firstTouch: touch('first'), lastTouch: touch('last'), evidence }) as never,
    ),
  )
  await append(leadStreams.of(leadId), leadNoteAdded({ by: STAFF }, of(leadId, { note: mark('note') })))
  await append(
    leadStreams.of(leadId),
    leadCorrected({ by: STAFF } as never, of(leadId, { name: mark('corrected') }) as never),
  )
  const email = { to: PERSON.email, subject: mark('subject'), text: mark('text') }
  await append(leadAnswerStreams.of(leadId), leadEmailWritten({ leadId, by: STAFF }, of(leadId, email)))
  await append(
    leadAnswerStreams.of(leadId),
    leadContacted({ leadId, channel: 'whatsapp', by: STAFF }, of(leadId, { to: '0825550142', text: mark('whatsapp') })),
  )
  const pdf = Buffer.from(`%PDF ${mark('pdf')}`)
  await append(
    contractStreams.of(leadId),
    contractCopyMade({ leadId, sha256: 'hash' }, of(leadId, { pdf: pdf.toString('base64') })),
  )
  const names = Object.keys(websiteInfoForm.entries)
  const answers = Object.fromEntries(
    names.filter((name) => name !== 'email' && name !== 'phoneNumber').map((name) => [name, mark(name)]),
  ) as WebsiteInfo
  const answered = { ...answers, email: PERSON.email, phoneNumber: PERSON.phone }
  await append(leadStreams.of(questionnaireId), submitWebsiteInfo({ leadId: questionnaireId, form: answered }))
  const visitor = {
    visitorName: mark('visitor'),
    visitorEmail: PERSON.email,
    pageUrl: mark('chat-page'),
    userAgent: mark('chat-agent'),
    greeting: mark('greeting'),
  }
  await append(chatStreams.of(sessionId), chatStarted({}, of(sessionId, visitor)))
  const given = { visitorEmail: `${mark('given')}@example.com` }
  await append(chatEmailStreams.of(sessionId), chatEmailGiven({}, of(sessionId, given)))
  const file = { id: randomUUID(), name: `${mark('file')}.png`, mediaType: 'image/png' as const, size: 4 }
  const message = {
    senderName: mark('sender'),
    message: mark('chat-message'),
    clientMessageId: mark('message-id'),
    file,
  }
  await append(messageStreams.of(sessionId), chatMessagePosted({ senderType: 'visitor' }, of(sessionId, message)))
  await append(
    chatRatingStreams.of(sessionId),
    chatRated({ score: 'good' }, of(sessionId, { comment: mark('comment') })),
  )
  await storeFile(sql, { sessionId, party: 'visitor', file, content: Buffer.from(mark('bytes')) })
  await notePage(sql, { sessionId, pageUrl: visitor.pageUrl }, mark('viewed'))
  await sql`insert into deliveries (event_id, event_position, stream, state, recipient)
    values (${leadId}, 1, ${leadStreams.of(leadId)}, 'delivered', 'agency')`
  await sql`insert into delivery_tries (event_id, attempt, kind, answer) values (${leadId}, 1, 'delivered', ${mark('response')})`
  await catchUp()
  return { leadId, questionnaireId, sessionId }
}

test('an export has every word of a person once in its data, and each file', async () => {
  const { words, of } = openWords()
  const { leadId, sessionId } = await fillIn(of)
  const id = await request(leadId, { hasNotes: true })
  await makeExports(exporting())
  const files = await filesOf(id)
  const data = files['data.json']?.toString() ?? ''
  expect(JSON.parse(data)).toMatchObject({ about: { exportId: id, hasNotes: true } })
  const inFiles = words.filter((word) => /^mark-(pdf|bytes)-/.test(word))
  const others = words.filter((word) => !inFiles.includes(word))
  expect(others.filter((word) => timesIn(data, word) !== 1)).toEqual([])
  const rest = Object.entries(files).filter(([name]) => name.startsWith('files/'))
  for (const word of inFiles) expect(rest.filter(([, bytes]) => bytes.includes(word))).toHaveLength(1)
  // below the heading, which has the name
  const page = files['index.html']?.toString().replace(/^.*?<article>/s, '') ?? ''
  // on the page: all that a person reads, without the keys of code and the responses to emails
  const shown = others.filter((word) => !/^mark-(message-id|viewed|response)-/.test(word))
  expect(shown.filter((word) => timesIn(page, word) !== 1)).toEqual([])
  expect(timesIn(data, '"isNoteByStaff":true')).toBe(1)
  expect(await listExports(sql, sessionId)).toMatchObject([{ id, progress: 1 }])
  const [stored] = await sql<{ text: string }[]>`
    select string_agg(encode(bytes, 'escape'), '') as text from privacy_export_parts where export_id = ${id}`
  expect(others.filter((word) => stored?.text.includes(word))).toEqual([])
})

test('notes by staff are left out with a reason, which the export names', async () => {
  const { of } = openWords()
  const { leadId } = await fillIn(of)
  const id = await request(leadId, { hasNotes: false, reason: 'They name another client' })
  await makeExports(exporting())
  const files = await filesOf(id)
  for (const name of ['data.json', 'index.html']) {
    expect(files[name]?.toString()).not.toContain('mark-note-')
    expect(files[name]?.toString()).toContain('They name another client')
  }
})

test('a worker that died leaves its export to the next one, and one that is no longer its own is not finished', async () => {
  const { of } = openWords()
  const { leadId } = await fillIn(of)
  const id = await request(leadId)
  await claimExport(sql)
  await makeExports(exporting())
  expect(await findExport(sql, id)).toMatchObject({ state: 'waiting' })
  await sql`update privacy_exports set claimed_until = now() - interval '1 second'`
  await Promise.all([makeExports(exporting()), makeExports(exporting())])
  expect(Object.keys(await filesOf(id))).toContain('data.json')
})

test('an export goes with its person, and after the days that owners set', async () => {
  const { of } = openWords()
  const [first, second] = [await fillIn(of), await fillIn(of)]
  const id = await request(first.leadId)
  await makeExports(exporting())
  expect(await findExport(sql, id)).toMatchObject({ state: 'ready' })
  const bus = { publish: () => {} } as unknown as Bus
  // the other lead has the same address: the export holds it too
  await eraseAll({ sql, log, bus, logger }, { leads: [second.leadId], chats: [], by: STAFF })
  while (await eraseKeys(sql));
  expect(await findExport(sql, id)).toBeUndefined()
  expect(await sql`select from privacy_export_parts where export_id = ${id}`).toHaveLength(0)
  const later = await request(first.leadId)
  await deleteOldExports(sql, { days: 7, now: new Date(Date.now() + 6 * DAY_MS) })
  expect(await findExport(sql, later)).toBeDefined()
  await deleteOldExports(sql, { days: 7, now: new Date(Date.now() + 8 * DAY_MS) })
  expect(await findExport(sql, later)).toBeUndefined()
})

test('a person with 2,000 leads is exported in bounded memory, with progress', async () => {
  const email = 'many@example.com'
  const ids = Array.from({ length: 2_000 }, () => randomUUID())
  for (let from = 0; from < ids.length; from += 250) {
    const some = ids.slice(from, from + 250)
    await Promise.all(some.map((id) => log.append(newLead(id, { email, message: `message of ${id}` }))))
  }
  await catchUp()
  const id = await request(ids[0] ?? '')
  const seen = new Set<number>()
  const watching = setInterval(async () => {
    const found = await findExport(sql, id)
    if (found) seen.add(found.progress)
  }, 20)
  await makeExports(exporting())
  clearInterval(watching)
  const data = JSON.parse((await filesOf(id))['data.json']?.toString() ?? '')
  expect(data.events.filter(({ type }: { type: string }) => type === 'LeadSubmitted')).toHaveLength(2_000)
  expect(seen.size).toBeGreaterThan(2)
})
