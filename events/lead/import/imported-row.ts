/** Reads the rows of an imported file. */
import * as v from 'valibot'
import { phoneKeys, readPhones, shownPhone } from '../../base/phone.ts'
import { type EnteredPerson, entered, enteredPerson } from '../entry.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../follow-up/follow-up.ts'
import { STATUS_NAMES } from '../labels.ts'
import { IMPORT_SOURCE } from '../time.ts'
import { type BAD_CELLS, type ImportField, type ImportMapping, LEFT_OUT_NAMES, type LeftOutReason } from './import.ts'
import { readImportedDate } from './imported-date.ts'

/**
 * A cell's intended value: spreadsheets write numbers as `="082"` to preserve their zeros, and files of leads a `'`
 * before text that is not a formula. Characters that cannot be stored are removed.
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

/** A cell with an unusable value: the lead is added without it. */
export type BadCell = (typeof BAD_CELLS)[number]

/** The digits that are left of a number which a spreadsheet took for an amount: `2.78211E+10`. */
const POWER_OF_TEN = /^\d+(?:[.,]\d+)?e\+?\d+$/i

/** A number whose leading 0 a spreadsheet dropped. */
const WITHOUT_ZERO = /^[1-9]\d ?\d{3} ?\d{4}$/

/** A number without the additions of programs. */
const barePhone = (cell: string) => cell.replace(/^p:/, '').replace(/^(\d+)\.0$/, '$1')

/** The intended number, with its 0 or country code; empty if the cell has none, or only a rest of one. */
const intendedPhone = (typed: string, countryCode: string): string => {
  if (!v.is(entered.phone, typed) || POWER_OF_TEN.test(typed)) return ''
  const abroad = /^\+?0{0,2}([1-9]\d{0,2})$/.exec(countryCode)?.[1]
  const whole = abroad === undefined || /^(\+|00)/.test(typed) ? typed : `+${abroad} ${typed}`
  if (whole !== typed && readPhones(whole).length > 0) return shownPhone(whole)
  return WITHOUT_ZERO.test(typed) && readPhones(typed).length > 0 ? `0${typed}` : typed
}

/** Both numbers of a row as one text, if there is room; the one that can be called comes first. */
const bothPhones = (phones: readonly string[]): string => {
  const [first = '', second = ''] = phones
    .filter(Boolean)
    .toSorted((a, b) => Number(readPhones(b).length > 0) - Number(readPhones(a).length > 0))
  const both = `${first} / ${second}`
  const known = phoneKeys(first)
  return phoneKeys(second).some((key) => !known.includes(key)) && v.is(entered.phone, both) ? both : first
}

/** Whether a lead's phone has the number that a cell meant, in any way of writing. */
const hasNumber = (phone: string, intended: string): boolean => {
  if (intended === '') return false
  const known = phoneKeys(phone)
  const keys = phoneKeys(intended)
  return phone.includes(intended) || (keys.length > 0 && keys.every((key) => known.includes(key)))
}

/**
 * The lead that a row becomes. `badCells` are the cells that are left out, `hasNewZero` that a number got back its
 * missing 0.
 */
export type ImportedLead = {
  person: EnteredPerson
  followUpStatus: FollowUpStatus
  receivedAt?: string
  badCells?: BadCell[]
  hasNewZero?: true
  problem?: undefined
}

/** A row as a lead, or why it cannot be one. */
export type ImportedRow = ImportedLead | { problem: string; reason: Extract<LeftOutReason, 'unreachable' | 'unusable'> }

const MAX_LABEL_CHARACTERS = 80

const nameIn = (row: readonly string[], { name, lastName }: ImportMapping) =>
  [name, lastName]
    .map((column) => (column === undefined ? '' : cleaned(row[column])))
    .filter(Boolean)
    .join(' ')

/** A label that identifies the row: the name, or else its first cell with text. */
export const rowLabel = (row: readonly string[], mapping: ImportMapping): string => {
  const named = nameIn(row, mapping)
  return (named || row.map(cleaned).find(Boolean) || '').slice(0, MAX_LABEL_CHARACTERS).toWellFormed()
}

/** The lead in a row of a file. An unusable address or number is left out if the other one is usable. */
export const readImportedRow = (row: readonly string[], mapping: ImportMapping, now: Date): ImportedRow => {
  const cell = (field: ImportField) => {
    const index = mapping[field]
    return index === undefined ? '' : cleaned(row[index])
  }
  const typed = [cell('phone'), cell('otherPhone')].map(barePhone)
  const phones = typed.map((phone) => intendedPhone(phone, cell('countryCode')))
  const person = enteredPerson({
    name: nameIn(row, mapping),
    email: cell('email'),
    phone: bothPhones(phones),
    company: cell('company'),
    package: cell('package'),
    message: cell('message'),
  })
  if (!person) {
    const reason = cell('email') === '' && typed.join('') === '' ? 'unreachable' : 'unusable'
    return { problem: LEFT_OUT_NAMES.unusable, reason }
  }
  const received = readImportedDate(cell('date'), now)
  const badCells: BadCell[] = []
  if (cell('email') !== '' && person.email === '') badCells.push('email')
  if (typed.some((text, at) => text !== '' && !hasNumber(person.phone, phones[at] ?? ''))) badCells.push('phone')
  if (cell('date') !== '' && !received) badCells.push('date')
  if (received?.hasLostTime) badCells.push('time')
  return {
    person: { ...person, leadSource: IMPORT_SOURCE },
    followUpStatus: statusOf(cell('status')),
    ...(received && { receivedAt: received.at }),
    ...(badCells.length > 0 && { badCells }),
    ...(phones.some((phone, at) => phone === `0${typed[at]}`) && { hasNewZero: true }),
  }
}
