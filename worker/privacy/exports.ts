import type { Logger } from 'pino'
import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { listFiles, readFile } from '../../events/chat/store/files.ts'
import { readPages } from '../../events/chat/store/pages.ts'
import { type contractCopyMade, contractStreams, copyName } from '../../events/contract/signed-copy.ts'
import { readHead, readStream } from '../../events/log/read.ts'
import { privacyExportStreams } from '../../events/privacy/export.ts'
import { type HeldEntry, inWords } from '../../events/privacy/held.ts'
import { readAccount } from '../../events/privacy/store/entries.ts'
import {
  addPart,
  type ClaimedExport,
  claimExport,
  endExport,
  noteExportProgress,
  noteSubjects,
  releaseExport,
} from '../../events/privacy/store/exports.ts'
import { readRecords, readSentEmails } from '../../events/privacy/store/records.ts'
import { findPerson, type Person, readContact } from '../../events/privacy/store/subjects.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Config } from '../process/config.ts'
import { PAGE_END, pageEntry, pageHead } from './page.ts'
import { openZip } from './zip.ts'

/** The shares of the work: the data, the page, and then the files. */
const DATA_SHARE = 0.5
const PAGE_SHARE = 0.4

/** The dependencies of exports. `signal` ends one between two pages: another worker begins it again. */
export type Exporting = {
  sql: Sql
  logger: Pick<Logger, 'error'>
  config: Pick<Config, 'agencyName'>
  signal: AbortSignal
}

/** The export belongs to another worker by now, was deleted, or this worker ends. */
class NoLongerOursError extends Error {
  override name = 'NoLongerOursError'
}

type Making = Exporting & { claimed: ClaimedExport; person: Person; upTo: number; reason: string | null }

const expectOurs = (isOurs: boolean, { signal }: Exporting) => {
  if (!isOurs || signal.aborted) throw new NoLongerOursError()
}

const isNote = ({ type }: AnyRecordedEvent) => type === 'LeadNoteAdded' || type === 'LeadNoteRemoved'

const EXTENSION = /\.[a-z\d]{1,5}$/i

/** The name of a chat's file in the export: its own name is in the message. */
const pathOfFile = ({ id, name }: { id: string; name: string }) => `files/${id}${EXTENSION.exec(name)?.[0] ?? ''}`

/** Each version of a signed copy is a file. */
const pathOfCopy = ({ data, version }: RecordedEvent<typeof contractCopyMade>) =>
  `files/${copyName(data.leadId).replace('.pdf', `-${version}.pdf`)}`

/** An event as the export has it: a signed copy is a file, and notes by staff are marked. */
const asData = (event: AnyRecordedEvent) => {
  const { id, type, stream, recordedAt, data } = event
  const personal = event.type === 'ContractCopyMade' ? { file: pathOfCopy(event) } : event.personal
  return { id, type, stream, recordedAt, data, personal, ...(isNote(event) && { isNoteByStaff: true }) }
}

/** Calls `write` with each page of the person's events, and notes the progress. */
const eachPage = async (
  making: Making,
  [from, share]: [number, number],
  write: (events: AnyRecordedEvent[]) => Promise<void>,
) => {
  const { sql, claimed, person, upTo } = making
  for await (const { events, done } of readRecords(sql, person, upTo)) {
    await write(claimed.hasNotes ? events : events.filter((event) => !isNote(event)))
    expectOurs(await noteExportProgress(sql, claimed, from + share * done), making)
  }
}

type Zip = ReturnType<typeof openZip>

/** Writes everything as JSON. Returns the contracts that have a signed copy. */
const writeData = async (zip: Zip, making: Making, account: HeldEntry[]): Promise<Set<string>> => {
  const { sql, claimed, person, reason } = making
  const contracts = new Set<string>()
  const file = zip.add('data.json', { isText: true })
  const about = { exportId: claimed.id, madeAt: new Date(), hasNotes: claimed.hasNotes, whyNotesAreLeftOut: reason }
  await file.write(`{"about":${JSON.stringify(about)},\n"events":[`)
  let isFirst = true
  await eachPage(making, [0, DATA_SHARE], async (events) => {
    for (const event of events) if (event.type === 'ContractCopyMade') contracts.add(event.data.leadId)
    if (events.length === 0) return
    const text = events.map((event) => JSON.stringify(asData(event))).join(',\n')
    await file.write(`${isFirst ? '' : ','}\n${text}`)
    isFirst = false
  })
  await file.write('],\n"emails":[')
  isFirst = true
  for await (const emails of readSentEmails(sql, person)) {
    if (emails.length === 0) continue
    await file.write(`${isFirst ? '' : ','}\n${emails.map((email) => JSON.stringify(email)).join(',\n')}`)
    isFirst = false
  }
  const pages = []
  for (const sessionId of person.sessionIds) pages.push(...(await readPages(sql, sessionId)))
  const files = await listFiles(sql, person.sessionIds)
  const listed = files.map(({ id, sessionId, name, mediaType, size, storedAt }) => ({
    path: pathOfFile({ id, name }),
    sessionId,
    mediaType,
    size,
    storedAt,
  }))
  await file.write(
    `],\n"viewedPages":${JSON.stringify(pages)},\n"files":${JSON.stringify(listed)},\n"account":${JSON.stringify(account)}}\n`,
  )
  file.end()
  return contracts
}

const writePage = async (zip: Zip, making: Making, { name, account }: { name: string; account: HeldEntry[] }) => {
  const { claimed, config, reason } = making
  const page = zip.add('index.html', { isText: true })
  const remarks = claimed.hasNotes
    ? ['Notes by staff are marked as such.']
    : [`Notes by staff are left out: ${reason ?? ''}`]
  await page.write(pageHead({ name, agency: config.agencyName, madeAt: new Date(), remarks }))
  await page.write(account.map(pageEntry).join(''))
  await eachPage(making, [DATA_SHARE, PAGE_SHARE], (events) =>
    page.write(events.map((event) => pageEntry(inWords(event))).join('')),
  )
  await page.write(PAGE_END)
  page.end()
}

const writeFiles = async (zip: Zip, making: Making, contracts: ReadonlySet<string>) => {
  const { sql, claimed, person } = making
  const add = async (path: string, content: Uint8Array) => {
    const file = zip.add(path, { isText: false })
    await file.write(content)
    file.end()
    expectOurs(await noteExportProgress(sql, claimed, DATA_SHARE + PAGE_SHARE), making)
  }
  for (const { id, sessionId, name } of await listFiles(sql, person.sessionIds)) {
    const stored = await readFile(sql, { sessionId, id })
    if (stored) await add(pathOfFile({ id, name }), stored.content)
  }
  for (const leadId of contracts) {
    for (const made of await readStream(sql, contractStreams.of(leadId))) {
      if (made.type !== 'ContractCopyMade' || !made.personal) continue
      await add(pathOfCopy(made), Buffer.from(made.personal.pdf, 'base64'))
    }
  }
}

const reasonOf = async (sql: Sql, { id, subjectId }: ClaimedExport) => {
  const events = await readStream(sql, privacyExportStreams.of(subjectId))
  const asked = events.find((event) => event.type === 'PrivacyExportRequested' && event.data.exportId === id)
  return asked?.type === 'PrivacyExportRequested' ? (asked.personal?.reason ?? null) : null
}

const makeExport = async (exporting: Exporting, claimed: ClaimedExport) => {
  const { sql } = exporting
  const subject = { kind: claimed.kind, id: claimed.subjectId }
  const { position: upTo } = await readHead(sql)
  const [contact, person] = await Promise.all([readContact(sql, subject), findPerson(sql, subject)])
  expectOurs(await noteSubjects(sql, claimed, [...person.leadIds, ...person.sessionIds]), exporting)
  const making = { ...exporting, claimed, person, upTo, reason: await reasonOf(sql, claimed) }
  const account = person.accountId ? await readAccount(sql, person.accountId) : []
  const zip = openZip(async (part, nth) => expectOurs(await addPart(sql, claimed, nth, part), exporting))
  const contracts = await writeData(zip, making, account)
  await writePage(zip, making, { name: contact?.name ?? '', account })
  await writeFiles(zip, making, contracts)
  await endExport(sql, claimed, await zip.end())
}

/**
 * Makes the exports that owners have asked for, the oldest first. A worker that dies leaves its claim, which expires: the
 * next one begins again. Memory holds one page of events and one part of the file, however much a person has.
 */
export const makeExports = async (exporting: Exporting): Promise<void> => {
  while (!exporting.signal.aborted) {
    const claimed = await claimExport(exporting.sql)
    if (!claimed) return
    try {
      await makeExport(exporting, claimed)
    } catch (error) {
      await releaseExport(exporting.sql, claimed)
      if (error instanceof NoLongerOursError) return
      exporting.logger.error({ err: error, exportId: claimed.id }, 'an export of personal data failed, trying again')
      return
    }
  }
}
