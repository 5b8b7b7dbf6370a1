/** What a row of an imported file means. */
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from './follow-up.ts'
import { readImportedDate } from './imported-date.ts'
import { type EnteredPerson, enteredPerson } from './lead-entry.ts'
import {
  type BAD_CELLS,
  type ImportField,
  type ImportMapping,
  LEFT_OUT_NAMES,
  type LeftOutReason,
} from './lead-import.ts'
import { STATUS_NAMES } from './lead-labels.ts'
import { IMPORT_SOURCE } from './lead-time.ts'

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

const CHECKED_CELLS = ['email', 'phone', 'date'] as const

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

const MAX_LABEL_CHARACTERS = 80

/** What tells a row from others: the name, or else what stands in its first cell with text. */
export const rowLabel = (row: readonly string[], { name }: ImportMapping): string => {
  const named = name === undefined ? '' : cleaned(row[name])
  return (named || row.map(cleaned).find(Boolean) || '').slice(0, MAX_LABEL_CHARACTERS).toWellFormed()
}

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
  const received = readImportedDate(cell('date'), now)
  const used = { email: person.email, phone: person.phone, date: received?.at }
  const badCells: BadCell[] = CHECKED_CELLS.filter((field) => cell(field) !== '' && !used[field])
  if (received?.hasLostTime) badCells.push('time')
  return {
    person: { ...person, leadSource: IMPORT_SOURCE },
    followUpStatus: statusOf(cell('status')),
    ...(received && { receivedAt: received.at }),
    ...(badCells.length > 0 && { badCells }),
  }
}
