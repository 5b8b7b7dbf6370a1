import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from './definition.ts'
import { requiredEmail } from './text.ts'

/** The largest file that is imported, in bytes; in rows, its header apart; in columns. */
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024
export const MAX_IMPORT_ROWS = 20_000
export const MAX_IMPORT_COLUMNS = 500

/** What a column of a file may be. */
export const IMPORT_FIELDS = ['name', 'email', 'phone', 'company', 'package', 'message', 'status', 'date'] as const

export type ImportField = (typeof IMPORT_FIELDS)[number]

/**
 * Why an import leaves a row out: it names no address and no number (`unreachable`), or none that can be used
 * (`unusable`); a lead has them (`known`), or a row before it (`in_file`); its person was erased.
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

/** Cells that may hold what cannot be used. `time` is that of its date. */
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

/** Words that headers have, beside the field's own: in English and in Afrikaans. */
const HEADER_WORDS: Record<ImportField, RegExp> = {
  name: /^(full |first |contact |client |customer )?name( (and|&) surname)?$|^contact$|^((volle |kontak|kli[eë]nt)?naam( (en|&) van)?|voornaam|kontak(persoon)?|kli[eë]nt)$/,
  email: /e-?mail|\be[- ]?pos/,
  phone: /phone|mobile|^cell|^tel|whatsapp|^number$|foon|^sel(nommer|nr)?$|^(kontak)?nommer$/,
  company: /company|business|organi[sz]a|firma|maatskappy|besigheid|onderneming/,
  package: /package|product|plan|pakket|produk/,
  message: /message|note|comment|enquiry|inquiry|description|boodskap|^nota|opmerking|kommentaar|navraag|beskrywing/,
  status: /status|stage|stadium/,
  date: /date|created|received|submitted|timestamp|datum|geskep|ontvang|ingedien/,
}

const address = requiredEmail('Not an address')

/** The first column that is not taken and whose cells are email addresses, as far as they have text. */
const columnOfAddresses = (headers: readonly string[], rows: readonly string[][], taken: ReadonlySet<number>) =>
  headers.findIndex((_, at) => {
    const cells = rows.map((row) => row[at]?.trim()).filter(Boolean)
    return !taken.has(at) && cells.length > 0 && cells.every((cell) => v.is(address, cell))
  })

/**
 * Which field each column seems to be by its header: the first that fits is taken. Where no header fits the email, it is
 * what the first rows have addresses in.
 */
export const suggestMapping = (
  headers: readonly string[],
  rows: readonly string[][] = [],
): Partial<Record<ImportField, number>> => {
  const named = headers.map((header) => header.trim().toLowerCase())
  const taken = new Set<number>()
  const found = IMPORT_FIELDS.flatMap((field) => {
    const index = named.findIndex((header, at) => !taken.has(at) && HEADER_WORDS[field].test(header))
    if (index < 0) return []
    taken.add(index)
    return [[field, index] as const]
  })
  const mapping: Partial<Record<ImportField, number>> = Object.fromEntries(found)
  const byCells = mapping.email === undefined ? columnOfAddresses(headers, rows, taken) : -1
  return byCells < 0 ? mapping : { ...mapping, email: byCells }
}
