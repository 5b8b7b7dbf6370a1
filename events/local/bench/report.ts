import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import process from 'node:process'
import { markdownOf } from './markdown.ts'
import { pictureOf } from './picture.ts'
import type { Reported } from './reported.ts'
import { type Results, readResults, withResult, writeResults } from './results.ts'

const RESULTS = new URL('results.json', import.meta.url)
const TEXT = new URL('bench.md', import.meta.url)
const PICTURE = new URL('bench.svg', import.meta.url)

const isReported = (message: unknown): message is Reported =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'series'

/** The report of the benchmarks: earlier measurements stay until they are repeated. */
export type Report = {
  /** Takes in a message of a benchmark. */
  hear: (message: unknown) => void
  /** Writes the results, `bench.md` and `bench.svg`. */
  write: () => void
}

/** Opens the report. `postgres` is the version of the server that the figures are taken on. */
export const openReport = ({ isQuick, postgres }: { isQuick: boolean; postgres: string }): Report => {
  let results: Results = existsSync(RESULTS) ? readResults(RESULTS) : {}
  const machine = `${cpus().length} cores, Node.js ${process.versions.node}, Postgres ${postgres}`
  return {
    hear: (message) => {
      if (!isReported(message)) return
      const { claim, series } = message
      const rounds = Object.fromEntries(
        Object.entries(series).map(([name, figures]) => [name, figures.filter(Number.isFinite)]),
      )
      results = withResult(results, claim, { takenAt: new Date().toISOString(), isQuick, machine, series: rounds })
    },
    write: () => {
      writeResults(RESULTS, results)
      writeFileSync(TEXT, markdownOf(results))
      writeFileSync(PICTURE, pictureOf(results))
    },
  }
}
