import { AGENCY_TIME_ZONE } from './agency-day.ts'
import { LEAD_FORM_TYPE, type Lead } from './lead.ts'

/** The columns of an export, in order (specification, 3: CSV export). */
export const LEAD_COLUMNS = [
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
  | 'timestamp'
  | 'name'
  | 'email'
  | 'phone'
  | 'company'
  | 'businessName'
  | 'leadSource'
  | 'industry'
  | 'package'
  | 'message'
>

/** The texts of the columns after day and time. */
export const leadTexts = (lead: SheetLead): string[] =>
  [
    lead.name,
    lead.email,
    lead.phone,
    lead.company || lead.businessName,
    LEAD_FORM_TYPE,
    lead.leadSource,
    lead.industry,
    lead.package,
    lead.message,
  ].map((text) => text ?? '')

const isPhoneNumber = (text: string) => /^\+[\d ()./-]+$/.test(text)

/** A text that no spreadsheet takes for a formula; phone numbers with a leading + stay as they are. */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) && !isPhoneNumber(text) ? `'${text}` : text)

const csvLine = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

/** How a CSV file of leads begins: the mark by which Excel knows UTF-8, and the header. */
export const CSV_BEGINNING = `\u{FEFF}${csvLine(LEAD_COLUMNS)}`

/** A lead as a line of a CSV file (RFC 4180). */
export const csvLineOf = (lead: SheetLead) =>
  csvLine([...dayAndTimeOf(lead.timestamp), ...leadTexts(lead).map(harmless)])
