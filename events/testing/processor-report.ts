import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestModule } from 'vitest/node'
import { childrenOf, processorTimeOfTree } from './processor-time.ts'

const DEAREST = 10

type Kind = 'unit' | 'integration' | 'end to end' | 'browser'

const kindOf = (path: string): Kind => {
  if (/\.e2e\.test\.tsx?$/.test(path)) return path.startsWith('web/') ? 'browser' : 'end to end'
  return /\.int\.test\.tsx?$/.test(path) ? 'integration' : 'unit'
}

const secondsOf = (module: TestModule) => module.meta().processorSeconds ?? 0

/** The processor time of a service that this process started, in seconds. */
const secondsOfService = (program: RegExp): number =>
  childrenOf(process.pid)
    .filter((pid) => program.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .reduce((sum, pid) => sum + processorTimeOfTree(pid), 0)

/** Prints, at the end of a run, the processor time by kind of test and the dearest files. */
export default class ProcessorReport implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules) => {
    const files = modules.map((module) => ({ path: relative('', module.moduleId), seconds: secondsOf(module) }))
    const kinds = Map.groupBy(files, ({ path }) => kindOf(path))
    const rows: [string, number][] = [...kinds].map(([kind, of]) => [
      `${kind}, ${of.length} files`,
      of.reduce((sum, { seconds }) => sum + seconds, 0),
    ])
    rows.push(['Postgres', secondsOfService(/bin\/postgres/)])
    rows.push(['Redis', secondsOfService(/(redis|valkey)-server/)])
    rows.push(['Vitest', process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6])
    const total = rows.reduce((sum, [, seconds]) => sum + seconds, 0)
    const dearest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, Number(process.env.DEAREST ?? DEAREST))
    const line = ([name, seconds]: [string, number]) => `${seconds.toFixed(1).padStart(9)} s  ${name}\n`
    process.stdout.write(
      `\n Processor time\n${rows.map(line).join('')}${line(['in all', total])}\n Dearest files\n` +
        `${dearest.map(({ path, seconds }) => line([path, seconds])).join('')}`,
    )
  }
}
