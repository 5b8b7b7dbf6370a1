/** The money and the dates of contracts, on any day (yyyy-mm-dd in the agency's time zone). */

import { addDays } from '../base/agency-day.ts'
import type { PackageId } from '../settings/prices.ts'
import { contractState, endsOn, firstPossibleEnd, type Life, lastDayOf, liveOn } from './life.ts'
import type { ContractState } from './wire.ts'

/** A contract, in its own price and minimum term: null without a monthly fee. */
export type ContractFacts = {
  package: PackageId
  signedOn: string
  monthly: number | null
  months: number | null
  noticeDays?: number | null
  life: Pick<Life, 'steps'>
}

/** Within how many days after the signature a site is promised to be live. */
export const PROMISED_DAYS: Record<PackageId, number> = { essential: 7, professional: 14, premium: 14 }

/** How far ahead ends are shown, in days. */
const AHEAD_DAYS = 60

const DAY_MS = 24 * 60 * 60 * 1000

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Whether the monthly fee runs on a day, the first and the last included. */
const isRunning = ({ life }: ContractFacts, day: string): boolean => {
  const [first, last] = [liveOn(life), endsOn(life)]
  return first !== null && first <= day && (last === null || last >= day)
}

/** The monthly fees that run on a day, in rand. */
export const recurringOn = (contracts: readonly ContractFacts[], day: string): number =>
  contracts.reduce((sum, contract) => sum + (isRunning(contract, day) ? (contract.monthly ?? 0) : 0), 0)

/** The running contracts with a monthly fee, and its sum in rand, of each package that has any. */
export const recurringByPackage = (contracts: readonly ContractFacts[], day: string) =>
  [...Map.groupBy(contracts, (each) => each.package)].flatMap(([packageId, ofPackage]) => {
    const running = ofPackage.filter((each) => each.monthly !== null && isRunning(each, day))
    return running.length > 0
      ? [{ package: packageId, contracts: running.length, monthly: recurringOn(running, day) }]
      : []
  })

/** The monthly fees that ran on the last day of each month of a range, and on its last day, in rand. */
export const recurringByMonth = (
  contracts: readonly ContractFacts[],
  { from, asOf }: { from: string; asOf: string },
): { day: string; monthly: number }[] => {
  const days: string[] = []
  for (let day = from; day <= asOf; day = addDays(day, 1)) {
    if (day === asOf || addDays(day, 1).endsWith('-01')) days.push(day)
  }
  return days.map((day) => ({ day, monthly: recurringOn(contracts, day) }))
}

/** The dates of a contract that staff look at. `waits` counts days since the signature, null once it is live. */
export type ContractDates = {
  state: ContractState
  liveOn: string | null
  endsOn: string | null
  firstPossibleEnd: string | null
  waits: number | null
  promised: number
  isLate: boolean
  isEnding: boolean
}

/** Whether a contract ends soon, or the minimum term of one without a set end is soon over. */
const isEnding = ({ life, months }: ContractFacts, today: string) => {
  const live = liveOn(life)
  if (live === null || months === null) return false
  const end = endsOn(life) ?? lastDayOf(live, months)
  return end >= today && end <= addDays(today, AHEAD_DAYS)
}

/** The dates of a contract, as of a day. */
export const datesOf = (contract: ContractFacts, today: string): ContractDates => {
  const { life, signedOn } = contract
  const state = contractState(life, today)
  const waits = state === 'signed' || state === 'accepted' ? daysBetween(signedOn, today) : null
  const promised = PROMISED_DAYS[contract.package]
  return {
    state,
    liveOn: liveOn(life),
    endsOn: endsOn(life),
    firstPossibleEnd: firstPossibleEnd(life, contract, today),
    waits,
    promised,
    isLate: waits !== null && waits > promised,
    isEnding: isEnding(contract, today),
  }
}
