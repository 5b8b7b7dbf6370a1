import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { median } from '../figures.ts'
import { type Claim, subjectOf, type Target } from './claims.ts'
import { OURS, type Series } from './reported.ts'

const result = v.object({
  takenAt: v.pipe(v.string(), v.isoTimestamp()),
  /** A quick run proves that a benchmark runs; its figures do not count. */
  isQuick: v.boolean(),
  machine: v.string(),
  series: v.record(v.string(), v.array(v.number())),
})

/** A claim's figures, as they were taken. */
export type Result = v.InferOutput<typeof result>

/** What has been measured so far, by claim. */
export type Results = Record<string, Result>

/** Reads what was measured before. */
export const readResults = (file: URL): Results =>
  v.parse(v.record(v.string(), result), JSON.parse(readFileSync(file, 'utf8')))

const DIGITS = 4
const short = (value: number) => Number(value.toPrecision(DIGITS))

/** Writes what has been measured, each figure to four digits, one line for each claim. */
export const writeResults = (file: URL, results: Results): void => {
  const lines = Object.entries(results).map(([claim, { series, ...taken }]) => {
    const shortened = Object.fromEntries(Object.entries(series).map(([name, rounds]) => [name, rounds.map(short)]))
    return `  ${JSON.stringify(claim)}: ${JSON.stringify({ ...taken, series: shortened })}`
  })
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

/** Adds a result; one of a quick run never takes the place of one that counts. */
export const withResult = (results: Results, claim: string, fresh: Result): Results =>
  fresh.isQuick && results[claim]?.isQuick === false ? results : { ...results, [claim]: fresh }

/** The median of a peer's rounds, and the least and the most of them. */
export type Spread = { median: number; least: number; most: number }

/** Undefined where the peer was not measured. */
export const spreadOf = (series: Series, name: string): Spread | undefined => {
  const rounds = series[name]
  if (!rounds || rounds.length === 0) return undefined
  return { median: median([...rounds]), least: Math.min(...rounds), most: Math.max(...rounds) }
}

/**
 * One figure beside another: the median of the rounds' own ratios, for both were measured in the same moment in each
 * round; the ratio of the medians where they have not as many rounds.
 */
export const ratioOf = (series: Series, name: string, against: string): number | undefined => {
  const [ones, others] = [series[name] ?? [], series[against] ?? []]
  if (ones.length === 0 || others.length === 0) return undefined
  if (ones.length !== others.length) return median([...ones]) / median([...others])
  return median(ones.map((one, round) => one / (others[round] ?? Number.NaN)))
}

/**
 * What came of a target: the ratio, or the figure itself, and whether it is reached; undefined where it was not
 * measured.
 */
export type Outcome = { value: number; isReached: boolean }

/** Compares what was measured with what is to be reached. */
export const outcomeOf = (target: Target, series: Series): Outcome | undefined => {
  const { against, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target
  const subject = subjectOf(target)
  const value = against === undefined ? spreadOf(series, subject)?.median : ratioOf(series, subject, against)
  return value === undefined || Number.isNaN(value)
    ? undefined
    : { value, isReached: value >= atLeast && value <= atMost }
}

/** Whether all of a claim is reached; undefined where something was not measured. */
export const isReached = ({ targets }: Claim, series: Series): boolean | undefined => {
  const outcomes = targets.map((target) => outcomeOf(target, series))
  return outcomes.includes(undefined) ? undefined : outcomes.every((outcome) => outcome?.isReached)
}

/** The median of this product's figure in a claim. */
export const oursOf = (results: Results, claim: string): number | undefined =>
  spreadOf(results[claim]?.series ?? {}, OURS)?.median
