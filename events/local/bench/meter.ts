import { readdirSync } from 'node:fs'
import process from 'node:process'
import { connect } from '../../stores/connection.ts'
import { connectRedis } from '../../stores/redis/redis.ts'
import { processorTimeOf, statOf } from '../processor.ts'
import { type Cost, partsOf } from './cost.ts'

/** The processor time of each part at one moment, by process. */
type Reading = Record<keyof Cost, Map<number, number>>

/** The processes that a process has started. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return statOf(pid).parent === parent
      } catch {
        return false
      }
    })

/** Processes that end while they are measured are left out: connections stay open during that time. */
const timesOf = (pids: readonly number[]): Map<number, number> =>
  new Map(
    pids.flatMap((pid): [number, number][] => {
      try {
        return [[pid, processorTimeOf([pid])]]
      } catch {
        return []
      }
    }),
  )

const added = (before: Map<number, number>, after: Map<number, number>) =>
  [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)

/** A meter: `during` does work and returns its result and cost. */
export type Meter = {
  during: <Result>(nodes: readonly number[], work: () => Promise<Result>) => Promise<{ result: Result; cost: Cost }>
}

/** Opens the meter of the processor time of nodes and of the stores behind these addresses. It needs Linux. */
export const openMeter = async (
  { DATABASE_URL = '', REDIS_URL = '' }: NodeJS.ProcessEnv = process.env,
): Promise<Meter> => {
  const sql = connect(DATABASE_URL, { max: 1, name: 'meter' })
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = statOf(backend?.pid ?? 0).parent
  await sql.end()
  const redis = connectRedis(REDIS_URL)
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()

  const read = (nodes: readonly number[]): Reading => ({
    nodes: timesOf(nodes),
    postgres: timesOf([postmaster, ...childrenOf(postmaster)]),
    redis: timesOf([redisPid]),
  })
  return {
    during: async (nodes, work) => {
      const before = read(nodes)
      const result = await work()
      const after = read(nodes)
      return { result, cost: partsOf((part) => added(before[part], after[part])) }
    },
  }
}
