import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestModule } from 'vitest/node'
import { childrenOf, processorTimeOfTree } from './processor-time.ts'

const DEAREST = 10

/**
 * The limit of `npm test` in all, in seconds of a processor on which `reference` takes REFERENCE_MS. New tests have to
 * fit.
 */
const BUDGET_SECONDS = 1_000
const REFERENCE_MS = 27
const REFERENCE_ROUNDS = 5

/** How long a fixed piece of work takes this machine, in milliseconds of processor time: the median of some rounds. */
const reference = (): number => {
  const rounds = Array.from({ length: REFERENCE_ROUNDS }, () => {
    const before = process.cpuUsage()
    const words = Array.from({ length: 60_000 }, (_, index) => `${(index * 7919) % 65_537}:${index}`)
    const counts = new Map<string, number>()
    for (const word of words.sort()) counts.set(word.slice(0, 4), (counts.get(word.slice(0, 4)) ?? 0) + 1)
    JSON.parse(JSON.stringify([...counts]))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e3
  })
  return rounds.sort((a, b) => a - b)[REFERENCE_ROUNDS >> 1] ?? REFERENCE_MS
}

const KINDS: Record<string, string> = { dom: 'document', int: 'integration', e2e: 'end to end', slow: 'slow' }

const kindOf = (path: string): string => {
  const [, infix = ''] = /\.(\w+)\.test\.tsx?$/.exec(path) ?? []
  if (infix === 'e2e' && path.startsWith('web/')) return 'browser'
  return KINDS[infix] ?? 'unit'
}

const secondsOf = (module: TestModule) => module.meta().processorSeconds ?? 0

/** The processor time of a service that this process started, in seconds. */
const secondsOfService = (program: RegExp): number =>
  childrenOf(process.pid)
    .filter((pid) => program.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .reduce((sum, pid) => sum + processorTimeOfTree(pid), 0)

/** Whether `npm test` runs without arguments of a caller, which leave out files. */
const isWhole = process.argv.at(-1) === '--project=!slow'

const holdToBudget = (seconds: number) => {
  const slowness = Math.max(1, reference() / REFERENCE_MS)
  const budget = BUDGET_SECONDS * slowness
  const [taken, allowed] = [seconds, budget].map(Math.round)
  process.stdout.write(`\nThe run took ${taken} of ${allowed} s of processor time\n`)
  if (seconds <= budget) return
  process.stderr.write(
    'That is over the budget of the suite: move proofs to cheaper tests, or make the dearest files cheaper\n',
  )
  process.exitCode = 1
}

/**
 * Prints, at the end of a run, the processor time by kind of test and the dearest files, and on Ctrl-C how far the run came.
 * A whole run of `npm test` fails if it took more than its budget; slower machines have one that is as much larger.
 */
export default class ProcessorReport implements Reporter {
  #files = 0
  #ended = 0

  onInit(): void {
    process.once('SIGINT', () =>
      process.stdout.write(`\nStopped: ${this.#ended} of ${this.#files} test files have run\n`),
    )
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length
  }

  onTestModuleEnd(): void {
    this.#ended += 1
  }

  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, _errors, reason) => {
    const files = modules.map((module) => ({ path: relative('', module.moduleId), seconds: secondsOf(module) }))
    const kinds = Map.groupBy(files, ({ path }) => kindOf(path))
    const rows: [string, number][] = [...kinds].map(([kind, of]) => [
      `${kind}, ${of.length} files`,
      of.reduce((sum, { seconds }) => sum + seconds, 0),
    ])
    const { user, system } = process.cpuUsage()
    rows.push(['Postgres', secondsOfService(/bin\/postgres/)])
    rows.push(['Redis', secondsOfService(/(redis|valkey)-server/)])
    rows.push(['Vitest', (user + system) / 1e6])
    const total = rows.reduce((sum, [, seconds]) => sum + seconds, 0)
    const dearest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, DEAREST)
    const line = ([name, seconds]: [string, number]) => `${seconds.toFixed(1).padStart(9)} s  ${name}\n`
    process.stdout.write(
      `\n Processor time\n${rows.map(line).join('')}${line(['in all', total])}\n Dearest files\n` +
        `${dearest.map(({ path, seconds }) => line([path, seconds])).join('')}`,
    )
    if (isWhole && reason === 'passed') holdToBudget(total)
  }
}
