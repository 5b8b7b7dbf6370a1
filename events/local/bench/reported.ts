import process from 'node:process'
import type { Cost } from './cost.ts'

/** The name that this product has among the peers of a claim. */
export const OURS = 'this product'

/** A claim's figures, round by round, for this product and for each peer. */
export type Series = Record<string, readonly number[]>

/** The processor time of a unit, such as a message, round by round, for this product and for each peer. */
export type Costs = Record<string, Cost[]>

/** A message of a benchmark to the process that prints the figures and makes the report. */
export type Reported = { type: 'series'; claim: string; series: Series; costs: Costs }

/**
 * How thorough a benchmark is. `report` leaves out what the report does not show; `quick` takes seconds, proves that it
 * runs, and gives no figures that count.
 */
export type Pace = 'full' | 'report' | 'quick'

const paceOf = (name: string | undefined): Pace => (name === 'report' || name === 'quick' ? name : 'full')

/** How thorough this run is, by BENCH_PACE. */
export const PACE: Pace = paceOf(process.env.BENCH_PACE)

/** Picks by the pace of this run; a report is as thorough as a full run if it has no value of its own. */
export const paced = <Value>({ full, report = full, quick }: { full: Value; report?: Value; quick: Value }): Value =>
  ({ full, report, quick })[PACE]

/** Sends a claim's figures to the bench command, which prints them and may write them into the report. */
export const reportSeries = (claim: string, series: Series, costs: Costs = {}): void => {
  const reported: Reported = { type: 'series', claim, series, costs }
  if (process.connected) process.send?.(reported)
}
