import { isValid, parse } from 'date-fns'
import * as v from 'valibot'
import { agencyDay, startOfDay } from './agency-day.ts'
import { defineEvent, defineStreams, type RecordedEvent } from './definition.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from './follow-up.ts'
import { type EnteredPerson, enteredPerson } from './lead-entry.ts'
import { STATUS_NAMES } from './lead-labels.ts'

/** The largest file that is imported, in bytes; in rows, its header apart; in columns. */
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024
export const MAX_IMPORT_ROWS = 20_000
export const MAX_IMPORT_COLUMNS = 500

/** Where a lead came from that was imported. */
const LEAD_SOURCE = 'import'

const EARLIEST_YEAR = 2000

/** What a column of a file may be. */
export const IMPORT_FIELDS = ['name', 'email', 'phone', 'company', 'package', 'message', 'status', 'date'] as const

export type ImportField = (typeof IMPORT_FIELDS)[number]

const column = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_IMPORT_COLUMNS - 1)))

/** Which column, counted from 0, is which field. One way to reach people has to be among them. */
export const importMapping = v.pipe(
  v.strictObject(v.entriesFromList(IMPORT_FIELDS, column)),
  v.check(
    ({ email, phone }) => email !== undefined || phone !== undefined,
    'Say which column holds email addresses or phone numbers',
  ),
)

export type ImportMapping = v.InferOutput<typeof importMapping>

/** How an import is begun; the body of `POST /api/imports/:id/start`. */
export const importStartForm = v.strictObject({
  mapping: importMapping,
  addsDuplicates: v.optional(v.boolean(), false),
})

const id = v.pipe(v.string(), v.uuid())

/** Staff had the rows of a file added as leads. */
export const leadImportRequested = defineEvent({
  type: 'LeadImportRequested',
  schemaVersion: 1,
  data: v.object({ by: id, rows: v.number(), mapping: importMapping, addsDuplicates: v.boolean() }),
  personal: null,
})

/** Staff took a whole import back: its leads go, and what is personal in them. */
export const leadImportUndone = defineEvent({
  type: 'LeadImportUndone',
  schemaVersion: 1,
  data: v.object({ by: id }),
  personal: null,
})

/** A stream an import. Leads are added while it is at RUNNING_IMPORT_VERSION. */
export const leadImportStreams = defineStreams<
  RecordedEvent<typeof leadImportRequested> | RecordedEvent<typeof leadImportUndone>
>('import-')

/** The version of an import that nobody has taken back. */
export const RUNNING_IMPORT_VERSION = 1

/** Words that headers have, beside the field's own. */
const HEADER_WORDS: Record<ImportField, RegExp> = {
  name: /^(full |first |contact |client |customer )?name$|^contact$|^naam$/,
  email: /e-?mail/,
  phone: /phone|mobile|^cell|^tel|whatsapp|^number$/,
  company: /company|business|organi[sz]ation/,
  package: /package|product|plan/,
  message: /message|note|comment|enquiry|inquiry|description/,
  status: /status|stage/,
  date: /date|created|received|submitted|timestamp/,
}

/** Which field each column seems to be by its header: the first that fits is taken. */
export const suggestMapping = (headers: readonly string[]): Partial<Record<ImportField, number>> => {
  const named = headers.map((header) => header.trim().toLowerCase())
  const taken = new Set<number>()
  const found = IMPORT_FIELDS.flatMap((field) => {
    const index = named.findIndex((header, at) => !taken.has(at) && HEADER_WORDS[field].test(header))
    if (index < 0) return []
    taken.add(index)
    return [[field, index] as const]
  })
  return Object.fromEntries(found)
}

/** A cell as it was meant: spreadsheets write numbers as `="082"` so that their zeros stay. What cannot be stored goes. */
const cleaned = (cell: string | undefined) =>
  (cell ?? '')
    .replace(/^="(.*)"$/s, '$1')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()

const statusOf = (text: string): FollowUpStatus => {
  const word = text.toLowerCase()
  return (
    FOLLOW_UP_STATUSES.find((status) => status === word || STATUS_NAMES[status].toLowerCase() === word) ?? 'contacted'
  )
}

const DATE_FORMATS = ['yyyy-MM-dd', 'yyyy/MM/dd', 'dd/MM/yyyy', 'd/M/yyyy', 'dd-MM-yyyy', 'd MMM yyyy', 'd MMMM yyyy']

/** The day of a date, its time left out, as the instant where it begins; undefined for what is none, or is to come. */
const receivedOn = (text: string, now: Date): string | undefined => {
  const [day = ''] = text.split(/[T,]|\s+\d{1,2}:/)
  for (const format of DATE_FORMATS) {
    const date = parse(day.trim(), format, new Date(0))
    if (!isValid(date) || date.getFullYear() < EARLIEST_YEAR) continue
    const months = String(date.getMonth() + 1).padStart(2, '0')
    const name = `${date.getFullYear()}-${months}-${String(date.getDate()).padStart(2, '0')}`
    return name > agencyDay(now) ? undefined : startOfDay(name).toISOString()
  }
  return undefined
}

/** A row as a lead, or why it cannot be one. */
export type ImportedRow =
  | { person: EnteredPerson; followUpStatus: FollowUpStatus; receivedAt?: string; problem?: undefined }
  | { problem: string }

/** What a row of a file means. An address or a number that cannot be used is left out where the other one can. */
export const readImportedRow = (row: readonly string[], mapping: ImportMapping, now: Date): ImportedRow => {
  const cell = (field: ImportField) => {
    const index = mapping[field]
    return index === undefined ? '' : cleaned(row[index])
  }
  const person = enteredPerson({
    name: cell('name'),
    email: cell('email'),
    phone: cell('phone'),
    company: cell('company'),
    package: cell('package'),
    message: cell('message'),
  })
  if (!person) return { problem: 'No email address and no phone number that can be used' }
  const receivedAt = receivedOn(cell('date'), now)
  return {
    person: { ...person, leadSource: LEAD_SOURCE },
    followUpStatus: statusOf(cell('status')),
    ...(receivedAt && { receivedAt }),
  }
}
