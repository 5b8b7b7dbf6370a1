import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TEST_ENVIRONMENT } from '../../testing/process.ts'
import { median } from '../figures.ts'

const WRITER = fileURLToPath(new URL('writer.cli.ts', import.meta.url))

/** The request to a writer: append to this log for so long. */
export type WriteOrder = { url: string; ms: number }

/** The result of a writer: how long each of its appends took, in milliseconds. */
export type Written = { latencies: number[] }

type Round = { perSecond: number; p50: number }

/** Starts processes that append to a log on request. */
export const openWriters = async ({ processes, callers }: { processes: number; callers: number }) => {
  const children = Array.from({ length: processes }, () => fork(WRITER, [String(callers)], { env: TEST_ENVIRONMENT }))
  await Promise.all(children.map((child) => once(child, 'message')))
  return {
    /** Appends in all of them for this many milliseconds. */
    write: async (url: string, ms: number): Promise<Round> => {
      const order: WriteOrder = { url, ms }
      const answers = await Promise.all(
        children.map(async (child) => {
          const answer = once(child, 'message')
          child.send(order)
          const [written] = (await answer) as [Written]
          return written.latencies
        }),
      )
      const latencies = answers.flat()
      return { perSecond: (latencies.length * 1_000) / ms, p50: median(latencies) }
    },
    stop: async (): Promise<void> => {
      const ended = children.map((child) => once(child, 'exit'))
      for (const child of children) child.disconnect()
      await Promise.all(ended)
    },
  }
}
