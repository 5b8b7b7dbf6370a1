import { AGENCY_TIME_ZONE } from './agency-day.ts'
import { LEAD_FORM_TYPE, type Lead } from './lead.ts'
import { choiceInWords, industryName, STATUS_NAMES, sourceInWords } from './lead-labels.ts'
import { isDayAlone } from './lead-time.ts'
import { valueFor } from './name-of.ts'
import { referenceOf } from './reference.ts'

/** The columns of a CSV file, in order: those that the specification names (3: CSV export). A workbook has more. */
const CSV_COLUMNS = [
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

/** What staff have made of the lead. */
const FOLLOW_UP_COLUMNS = ['Status', 'Owner', 'Next action', 'Project value', 'Conversion date'] as const

const PREFERRED_CONTACT = 'Preferred contact' satisfies ReturnType<typeof industryName>

/** How a visitor names the lead, and in words what the columns of the specification say in codes. */
const WORD_COLUMNS = ['Reference', 'Source in words', PREFERRED_CONTACT, 'Package in words', 'Timeline'] as const

/** The columns of a workbook, in order: first those of the CSV file. */
export const SHEET_COLUMNS = [...CSV_COLUMNS, ...FOLLOW_UP_COLUMNS, ...WORD_COLUMNS]

const dayAndTime = new Intl.DateTimeFormat('en-CA', {
  timeZone: AGENCY_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
  hourCycle: 'h23',
})

/** The day (yyyy-MM-dd) and the time (HH:mm) of an instant, where the agency is. */
export const dayAndTimeOf = (timestamp: string) =>
  dayAndTime.format(new Date(timestamp)).split(', ') as [day: string, time: string]

/** What the sheet needs of a lead. */
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

const isPhoneNumber = (text: string) => /^\+[\d ()./-]+$/.test(text)

/** A text that no spreadsheet takes for a formula; phone numbers with a leading + stay as they are. */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) && !isPhoneNumber(text) ? `'${text}` : text)

/** The mark by which Excel knows UTF-8. */
export const CSV_MARK = '\u{FEFF}'

const csvLine = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

/** Digits that a spreadsheet would show, and save, as another number. */
const losesDigits = (text: string) => /^(?:0\d+|\d{12,})$/.test(text) || isPhoneNumber(text)

/**
 * Texts as a line of a CSV file (RFC 4180), of which no spreadsheet takes one for a formula, or changes its digits. An
 * import reads them as they were.
 */
export const csvLineToCorrect = (texts: readonly string[]) =>
  csvLine(texts.map((text) => (losesDigits(text) ? `="${text}"` : harmless(text))))

/** How a CSV file of leads begins: the mark, and the header. */
export const CSV_BEGINNING = `${CSV_MARK}${csvLine(CSV_COLUMNS)}`

/** A lead as a line of a CSV file (RFC 4180). */
export const csvLineOf = (lead: SheetLead) => csvLine(leadCells(lead).map((cell) => harmless(String(cell ?? ''))))
