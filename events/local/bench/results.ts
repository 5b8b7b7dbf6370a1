import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { median } from '../figures.ts'
import { type Claim, subjectOf, type Target } from './claims.ts'
import { type Cost, partsOf, sumOf } from './cost.ts'
import { type Costs, OURS, type Series } from './reported.ts'

const cost = v.object({ nodes: v.number(), postgres: v.number(), redis: v.number() })
const result = v.object({
  takenAt: v.pipe(v.string(), v.isoTimestamp()),
  /** A quick run proves that a benchmark runs; its figures do not count. */
  isQuick: v.boolean(),
  machine: v.string(),
  series: v.record(v.string(), v.array(v.number())),
  /** The processor time of a unit, in microseconds. */
  costs: v.record(v.string(), v.array(cost)),
})

/** The figures of a claim, as measured. */
export type Result = v.InferOutput<typeof result>

/** All measurements so far, by claim. */
export type Results = Record<string, Result>

/** Reads the earlier measurements. */
export const readResults = (file: URL): Results =>
  v.parse(v.record(v.string(), result), JSON.parse(readFileSync(file, 'utf8')))

const DIGITS = 4
const short = (value: number) => Number(value.toPrecision(DIGITS))

/** Writes the measurements, each figure to four digits, one line for each claim. */
export const writeResults = (file: URL, results: Results): void => {
  const shortened = (_: string, value: unknown) => (typeof value === 'number' ? short(value) : value)
  const lines = Object.entries(results).map(
    ([claim, result]) => `  ${JSON.stringify(claim)}: ${JSON.stringify(result, shortened)}`,
  )
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

/** Adds a result; one of a quick run never takes the place of one that counts. */
export const withResult = (results: Results, claim: string, fresh: Result): Results =>
  fresh.isQuick && results[claim]?.isQuick === false ? results : { ...results, [claim]: fresh }

/** The median of a peer's rounds, and their minimum and maximum. */
export type Spread = { median: number; least: number; most: number }

/** Undefined if the peer was not measured. */
export const spreadOf = (series: Series, name: string): Spread | undefined => {
  const rounds = series[name]
  if (!rounds || rounds.length === 0) return undefined
  return { median: median([...rounds]), least: Math.min(...rounds), most: Math.max(...rounds) }
}

/**
 * The ratio of one figure to another: the median of the rounds' own ratios, as both were measured at the same time in
 * each round; the ratio of the medians if they have different numbers of rounds.
 */
export const ratioOf = (series: Series, name: string, against: string): number | undefined => {
  const [ones, others] = [series[name] ?? [], series[against] ?? []]
  if (ones.length === 0 || others.length === 0) return undefined
  if (ones.length !== others.length) return median([...ones]) / median([...others])
  return median(ones.map((one, round) => one / (others[round] ?? Number.NaN)))
}

/**
 * The result of a target: the ratio, or the figure itself, and whether it is reached; undefined if it was not measured.
 */
export type Outcome = { value: number; isReached: boolean }

/** Compares a measurement with its target. */
export const outcomeOf = (target: Target, series: Series): Outcome | undefined => {
  const { against, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target
  const subject = subjectOf(target)
  const value = against === undefined ? spreadOf(series, subject)?.median : ratioOf(series, subject, against)
  return value === undefined || Number.isNaN(value)
    ? undefined
    : { value, isReached: value >= atLeast && value <= atMost }
}

/** Whether all of a claim is reached; undefined if something was not measured. */
export const isReached = ({ targets }: Claim, series: Series): boolean | undefined => {
  const outcomes = targets.map((target) => outcomeOf(target, series))
  return outcomes.includes(undefined) ? undefined : outcomes.every((outcome) => outcome?.isReached)
}

/** The median of each part of a peer's cost, and their sum; undefined if it was not measured. */
export const costOf = (costs: Costs, name: string): (Cost & { sum: number }) | undefined => {
  const rounds = costs[name]
  if (!rounds || rounds.length === 0) return undefined
  return { ...partsOf((part) => median(rounds.map((cost) => cost[part]))), sum: median(rounds.map(sumOf)) }
}

/** The median of this product's figure in a claim. */
export const oursOf = (results: Results, claim: string): number | undefined =>
  spreadOf(results[claim]?.series ?? {}, OURS)?.median
