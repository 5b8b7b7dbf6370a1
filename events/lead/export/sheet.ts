import { AGENCY_TIME_ZONE } from '../../base/agency-day.ts'
import { valueFor } from '../../base/name-of.ts'
import { referenceOf } from '../../base/reference.ts'
import { choiceInWords, industryName, STATUS_NAMES, sourceInWords } from '../labels.ts'
import { LEAD_FORM_TYPE, type Lead } from '../lead.ts'
import { isDayAlone } from '../time.ts'

/** The columns of a CSV file, in order. A workbook has more. */
export const CSV_COLUMNS = [
  'Date',
  'Time',
  'Name',
  'Email',
  'Phone',
  'Company',
  'Form Type',
  'Lead Source',
  'Industry',
  'Package',
  'Message',
] as const

/** The columns of staff's follow-up. */
const FOLLOW_UP_COLUMNS = ['Status', 'Owner', 'Next action', 'Project value', 'Conversion date'] as const

const PREFERRED_CONTACT = 'Preferred contact' satisfies ReturnType<typeof industryName>

/** The lead's reference for visitors, and the coded columns in words. */
const WORD_COLUMNS = ['Reference', 'Source in words', PREFERRED_CONTACT, 'Package in words', 'Timeline'] as const

/** The columns of a workbook, in order: first those of the CSV file. */
export const SHEET_COLUMNS = [...CSV_COLUMNS, ...FOLLOW_UP_COLUMNS, ...WORD_COLUMNS]

const dayAndTime = new Intl.DateTimeFormat('en-CA', {
  timeZone: AGENCY_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
  hourCycle: 'h23',
})

/** The day (yyyy-MM-dd) and the time (HH:mm) of an instant, in the agency's time zone. */
export const dayAndTimeOf = (timestamp: string) =>
  dayAndTime.format(new Date(timestamp)).split(', ') as [day: string, time: string]

/** The fields of a lead that the sheet needs. */
export type SheetLead = Pick<
  Lead,
  | 'id'
  | 'timestamp'
  | 'name'
  | 'email'
  | 'phone'
  | 'company'
  | 'businessName'
  | 'leadSource'
  | 'industry'
  | 'package'
  | 'timeline'
  | 'message'
  | 'ownerId'
  | 'nextActionDate'
  | 'projectValue'
  | 'conversionDate'
> & { followUpStatus: string }

/** The names of staff by their ids. */
export type Owners = ReadonlyMap<string, string>

const receivedCells = (lead: SheetLead) => {
  const [day, time] = dayAndTimeOf(lead.timestamp)
  return [day, isDayAlone(lead) ? undefined : time]
}

const leadCells = (lead: SheetLead) => [
  ...receivedCells(lead),
  lead.name,
  lead.email,
  lead.phone,
  lead.company || lead.businessName,
  LEAD_FORM_TYPE,
  lead.leadSource,
  lead.industry,
  lead.package,
  lead.message,
]

const followUpCells = (lead: SheetLead, owners: Owners) => [
  valueFor(STATUS_NAMES, lead.followUpStatus) ?? lead.followUpStatus,
  owners.get(lead.ownerId ?? ''),
  lead.nextActionDate,
  lead.projectValue,
  lead.conversionDate && dayAndTimeOf(lead.conversionDate)[0],
]

/**
 * A lead's cells in a workbook, in the order of its columns, on the clock of the agency: days are yyyy-MM-dd, times HH:mm,
 * amounts are in rand. Undefined is an empty cell.
 */
export const sheetCells = (lead: SheetLead, owners: Owners): (string | number | undefined)[] =>
  [
    ...leadCells(lead),
    ...followUpCells(lead, owners),
    referenceOf(lead.id),
    sourceInWords(lead.leadSource),
    industryName(lead) === PREFERRED_CONTACT ? choiceInWords('industry', lead.industry) : undefined,
    choiceInWords('package', lead.package),
    choiceInWords('timeline', lead.timeline),
  ].map((cell) => cell ?? undefined)

/**
 * The mark by which Excel recognizes UTF-8. With a `sep=` line after it Excel would read the file in the machine's code
 * page.
 */
export const BYTE_ORDER_MARK = '\u{FEFF}'

/**
 * The list separator of South Africa, by which Excel splits a file there; LibreOffice splits at commas, semicolons and
 * tabs.
 */
const CSV_SEPARATOR = ';'

/** Digits with their signs, or with a power of ten: Excel takes them for a number, a date or a sum. */
const SEEMS_NUMBER = /^(?:(?=[^-]*\d)\+?[\d \u00a0\u202f().,/:-]{1,100}|\d+(?:[.,]\d+)?e[+-]?\d+)$/i

/** Texts that a spreadsheet shows unchanged, although it reads them as a number, a day or a time. */
const STAYS_AS_IT_IS = /^(?:0|[1-9]\d{0,10}|\d{4}-\d\d-\d\d|\d\d:\d\d)$/

/**
 * A text as a cell that every spreadsheet shows unchanged and none reads as a formula. An import restores the original.
 */
const csvCell = (text: string) => {
  if (SEEMS_NUMBER.test(text) && !STAYS_AS_IT_IS.test(text)) return `="${text}"`
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** Cells as a line of a CSV file (RFC 4180, but for the separator). */
export const csvLine = (cells: readonly (string | number | undefined)[]) =>
  `${cells.map((cell) => `"${csvCell(String(cell ?? '')).replaceAll('"', '""')}"`).join(CSV_SEPARATOR)}\r\n`
