/** What a row of an imported file means. */
import { isValid } from 'date-fns/isValid'
import { parse } from 'date-fns/parse'
import { agencyDay, startOfDay } from './agency-day.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from './follow-up.ts'
import { type EnteredPerson, enteredPerson } from './lead-entry.ts'
import { type ImportField, type ImportMapping, LEFT_OUT_NAMES, type LeftOutReason } from './lead-import.ts'
import { STATUS_NAMES } from './lead-labels.ts'

/** Where a lead came from that was imported. */
const LEAD_SOURCE = 'import'

const EARLIEST_YEAR = 2000

/**
 * A cell as it was meant: spreadsheets write numbers as `="082"` so that their zeros stay, and files of leads a `'` before
 * what is no formula. What cannot be stored goes.
 */
export const cleaned = (cell: string | undefined) =>
  (cell ?? '')
    .replace(/^="(.*)"$/s, '$1')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

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

const BAD_CELLS = ['email', 'phone', 'date'] as const

/** A cell that holds something which cannot be used: the lead comes in without it. */
export type BadCell = (typeof BAD_CELLS)[number]

/** A row as a lead, or why it cannot be one. `badCells` are those of its cells that are left out, if any are. */
export type ImportedRow =
  | {
      person: EnteredPerson
      followUpStatus: FollowUpStatus
      receivedAt?: string
      badCells?: BadCell[]
      problem?: undefined
    }
  | { problem: string; reason: Extract<LeftOutReason, 'unreachable' | 'unusable'> }

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
  if (!person) {
    const reason = cell('email') === '' && cell('phone') === '' ? 'unreachable' : 'unusable'
    return { problem: LEFT_OUT_NAMES.unusable, reason }
  }
  const receivedAt = receivedOn(cell('date'), now)
  const used = { email: person.email, phone: person.phone, date: receivedAt }
  const badCells = BAD_CELLS.filter((field) => cell(field) !== '' && !used[field])
  return {
    person: { ...person, leadSource: LEAD_SOURCE },
    followUpStatus: statusOf(cell('status')),
    ...(receivedAt && { receivedAt }),
    ...(badCells.length > 0 && { badCells }),
  }
}
