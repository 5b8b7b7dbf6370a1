import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { requiredEmail } from '../../base/text.ts'

/** The largest file that is imported, in bytes; in rows, its header apart; in columns. */
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024
export const MAX_IMPORT_ROWS = 20_000
export const MAX_IMPORT_COLUMNS = 500

/** The fields that a column of a file may hold. `countryCode` is that of both phones. */
export const IMPORT_FIELDS = [
  'name',
  'lastName',
  'email',
  'countryCode',
  'phone',
  'otherPhone',
  'company',
  'package',
  'message',
  'status',
  'date',
] as const

export type ImportField = (typeof IMPORT_FIELDS)[number]

/**
 * Why an import leaves a row out: it names no address and no number (`unreachable`), or no usable one (`unusable`); a
 * lead has them (`known`), or an earlier row (`in_file`); its person was erased.
 */
export const LEFT_OUT_REASONS = ['unreachable', 'unusable', 'known', 'in_file', 'erased'] as const

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** The same in words, as staff read them. */
export const LEFT_OUT_NAMES: Record<LeftOutReason, string> = {
  unreachable: 'No email address and no phone number',
  unusable: 'No email address and no phone number that can be used',
  known: 'A lead has this address or number already',
  in_file: 'An earlier row has this address or number',
  erased: 'This person was erased',
}

/** The kinds of cells that may be unusable. `time` is that of its date. */
export const BAD_CELLS = ['email', 'phone', 'date', 'time'] as const

/** The same in words, as staff read them. */
export const BAD_CELL_NAMES: Record<(typeof BAD_CELLS)[number], string> = {
  email: 'email address',
  phone: 'phone number',
  date: 'date',
  time: 'time',
}

/**
 * A row that was left out; `line` counts rows with text from 1, the header apart, `number` is the row's as a spreadsheet
 * shows it.
 */
export type LeftOutRow = [line: number, reason: LeftOutReason, number: number]

/** A row that was added without these cells. */
export type IncompleteRow = [line: number, cells: (typeof BAD_CELLS)[number][], number: number]

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

/** Staff undid a whole import: its leads are withdrawn, and their personal data is erased. */
export const leadImportUndone = defineEvent({
  type: 'LeadImportUndone',
  schemaVersion: 1,
  data: v.object({ by: id }),
  personal: null,
})

/** One stream per import. Leads are added while it is at RUNNING_IMPORT_VERSION. */
export const leadImportStreams = defineStreams<
  RecordedEvent<typeof leadImportRequested> | RecordedEvent<typeof leadImportUndone>
>('import-')

/** The version of an import that has not been undone. */
export const RUNNING_IMPORT_VERSION = 1

const FIRST_NAME = /^(first|given|fore) ?names?$|^fname$|^voornaam$/
const LAST_NAME = /^(last|family|sur) ?name$|^lname$|^(familie|agter)naam$|^van$/
const PLAIN_NAME = /^(name|naam)$/
const WHOLE_NAME =
  /^((full|contact|client|customer|display|lead) ?)?name( (and )?surname)?$|^contact$|^((volle |kontak|kli[eë]nt)?naam( (en )?van)?|kontak(persoon)?|kli[eë]nt)$/

const MOBILE = /mobile|^cell|whats ?app|^sel(foon|nommer|nr)?$/
const PHONE = /phone(?!tic)|^tel|^(contact )?(number|no|nr)$|foon|^(kontak)?nommer$/

/** Words that headers have, in English and in Afrikaans, the best ones first. */
const HEADER_WORDS: Record<Exclude<ImportField, 'name' | 'lastName'>, readonly RegExp[]> = {
  email: [/e ?mail|\be ?pos/],
  countryCode: [/(country|dial(ling)?) ?code|landkode/],
  phone: [MOBILE, PHONE],
  otherPhone: [MOBILE, PHONE],
  company: [/^organi[sz]ation (\d )?name$/, /company|business|organi[sz]a|firma|maatskappy|besigheid|onderneming/],
  package: [/package|product|plan|pakket|produk/],
  message: [/message|note|comment|enquiry|inquiry|description|boodskap|^nota|opmerking|kommentaar|navraag|beskrywing/],
  status: [/status|stage|stadium/],
  date: [/date|created|received|submitted|timestamp|datum|geskep|ontvang|ingedien/],
}

/** Columns of address books that describe other columns: the kind of a number, the sound of a name, a birthday. */
const ABOUT_OTHERS = /\b(type|label|title|department)$|^(phonetic|yomi)\b|birth/

/** The words of a header in small letters: of `LastName`, `last_name` and `Last name` they are the same. */
const wordsOf = (header: string) =>
  header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const address = requiredEmail('Not an address')

/** The first free column whose cells with text are all email addresses. */
const columnOfAddresses = (headers: readonly string[], rows: readonly string[][], assigned: ReadonlySet<number>) =>
  headers.findIndex((_, at) => {
    const cells = rows.map((row) => row[at]?.trim()).filter(Boolean)
    return !assigned.has(at) && cells.length > 0 && cells.every((cell) => v.is(address, cell))
  })

/** The columns of the name: the first and the last name if there are both. */
const nameColumns = (columnOf: (...wanted: RegExp[]) => number | undefined) => {
  const lastName = columnOf(LAST_NAME)
  if (lastName === undefined) return { name: columnOf(WHOLE_NAME, FIRST_NAME) }
  const first = columnOf(FIRST_NAME, PLAIN_NAME)
  const whole = first === undefined ? columnOf(WHOLE_NAME) : undefined
  return whole === undefined ? { name: first, lastName } : { name: whole }
}

/**
 * The likely field of each column by its header: the first column that fits best. If no header fits the email, it is
 * the column with addresses in the first rows.
 */
export const suggestMapping = (
  headers: readonly string[],
  rows: readonly string[][] = [],
): Partial<Record<ImportField, number>> => {
  const named = headers.map(wordsOf)
  const assigned = new Set<number>()
  const columnOf = (...wanted: RegExp[]): number | undefined => {
    for (const words of wanted) {
      const found = named.findIndex(
        (header, at) => !assigned.has(at) && words.test(header) && !ABOUT_OTHERS.test(header),
      )
      if (found >= 0) return found
    }
    return undefined
  }
  const mapping: Partial<Record<ImportField, number>> = {}
  const assignColumn = (field: ImportField, column: number | undefined) => {
    if (column === undefined) return
    mapping[field] = column
    assigned.add(column)
  }
  const { name, lastName } = nameColumns(columnOf)
  assignColumn('name', name)
  assignColumn('lastName', lastName)
  for (const [field, wanted] of Object.entries(HEADER_WORDS)) assignColumn(field as ImportField, columnOf(...wanted))
  const byCells = mapping.email === undefined ? columnOfAddresses(headers, rows, assigned) : -1
  return byCells < 0 ? mapping : { ...mapping, email: byCells }
}
