import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import process from 'node:process'
import { printTable } from '../figures.ts'
import { CLAIMS } from './claims.ts'
import { figureText, markdownOf, spreadText, targetText } from './markdown.ts'
import { pictureOf } from './picture.ts'
import { OURS, type Reported } from './reported.ts'
import { costOf, type Results, ratioOf, readResults, withResult, writeResults } from './results.ts'

const RESULTS = new URL('results.json', import.meta.url)
const TEXT = new URL('bench.md', import.meta.url)
const PICTURE = new URL('bench.svg', import.meta.url)

/** Whether a message of a benchmark holds figures. */
export const isReported = (message: unknown): message is Reported =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'series'

/** Prints the figures of a claim: this product, its peers, and the processor time of a unit. */
export const printReported = ({ claim: id, series, costs }: Reported): void => {
  const claim = CLAIMS.find((each) => each.id === id)
  process.stdout.write(`  ${claim ? `${claim.what}, ${claim.unit} (${id})` : id}\n`)
  printTable(
    ['', 'median (least–most)', 'this product / it', 'to reach', 'µs of nodes', 'Postgres', 'Redis', 'sum'],
    [...new Set([...Object.keys(series), ...Object.keys(costs)])].map((name) => {
      const ratio = name === OURS ? undefined : ratioOf(series, OURS, name)
      const wanted = claim?.targets.filter(({ of, against }) => (against ?? of ?? OURS) === name).map(targetText)
      const cost = costOf(costs, name)
      const parts = cost ? [cost.nodes, cost.postgres, cost.redis, cost.sum] : []
      return [
        name,
        spreadText(series, name),
        ratio === undefined ? '' : figureText(ratio),
        wanted?.join(', ') ?? '',
        ...parts.map(figureText),
      ]
    }),
  )
}

/** The report of the benchmarks: earlier measurements stay until they are repeated. */
export type Report = {
  /** Takes in the figures of a claim. */
  add: (reported: Reported) => void
  /** Writes the results, `bench.md` and `bench.svg`. */
  write: () => void
}

/** Opens the report. `postgres` is the version of the server that the figures are taken on. */
export const openReport = ({ isQuick, postgres }: { isQuick: boolean; postgres: string }): Report => {
  let results: Results = existsSync(RESULTS) ? readResults(RESULTS) : {}
  const machine = `${cpus().length} cores, Node.js ${process.versions.node}, Postgres ${postgres}`
  return {
    add: ({ claim, series, costs }) => {
      const finite = Object.entries(series).map(([name, figures]) => [name, figures.filter(Number.isFinite)])
      const taken = { takenAt: new Date().toISOString(), isQuick, machine }
      results = withResult(results, claim, { ...taken, series: Object.fromEntries(finite), costs })
    },
    write: () => {
      writeResults(RESULTS, results)
      writeFileSync(TEXT, markdownOf(results))
      writeFileSync(PICTURE, pictureOf(results))
    },
  }
}
