import process from 'node:process'
import { type Appender, openAppender } from '../../log/append.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { leadRequest, newLead } from './leads.ts'
import type { WriteOrder, Written } from './writers.ts'

// A process that appends on request, for benchmarks: `writer.cli.ts <callers>`. It ends with its parent.

const callers = Number(process.argv[2] ?? 1)
const appenders = new Map<string, Appender>()

const appenderOf = (url: string) => {
  const appender = appenders.get(url) ?? openAppender(url, { keys: TEST_KEYS })
  appenders.set(url, appender)
  return appender
}

const write = async ({ url, ms }: WriteOrder): Promise<Written> => {
  const appender = appenderOf(url)
  const latencies: number[] = []
  const begin = performance.now()
  const call = async () => {
    while (performance.now() - begin < ms) {
      const sent = performance.now()
      await appender.append(leadRequest(newLead()))
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return { latencies }
}

process.on('message', async (order) => process.send?.(await write(order as WriteOrder)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
