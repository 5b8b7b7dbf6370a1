import { parseArgs } from 'node:util'
import * as v from 'valibot'

const number = (least: number, most: number) => v.pipe(v.string(), v.toNumber(), v.minValue(least), v.maxValue(most))

const MAX_SEED = 2 ** 31 - 1

const options = v.strictObject({
  seed: v.pipe(v.optional(number(0, MAX_SEED), '1'), v.integer()),
  minutes: v.optional(number(0.1, 24 * 60), '10'),
  messages: v.optional(number(1, 2_000), '200'),
  leads: v.optional(number(1, 500), '20'),
  every: v.optional(number(0.5, 3_600), '5'),
  pace: v.optional(number(0.05, 10), '1'),
  patience: v.optional(number(10, 36_000), '240'),
  kills: v.pipe(v.optional(number(0, 10_000), '100'), v.integer()),
})

/**
 * The options of a soak: `messages` and `leads` a second, a fault on average `every` this many seconds, and `pace`, by
 * which the lengths of faults are multiplied. `patience` is how many seconds everything may take to heal after the
 * load. `kills` is how often Postgres is killed before it, while it is written and read.
 */
export type SoakOptions = v.InferOutput<typeof options>

export const SOAK_USAGE = `Usage: npm run soak -- [--seed N] [--minutes M] [--messages A_SECOND] [--leads A_SECOND] [--every SECONDS] [--pace FACTOR] [--patience SECONDS] [--kills N]
  --seed      which faults come, when, and to whom (1)
  --minutes   how long the load goes on (10)
  --messages  chat messages a second (200)
  --leads     forms a second (20)
  --every     seconds between two faults, on average (5)
  --pace      what the lengths of faults are multiplied by (1: Redis is away for 60 s, a process stopped for 20 s)
  --patience  seconds that everything may take to heal afterwards (240); a busy machine needs more
  --kills     how often Postgres is killed before that, while it is written and read (100)`

/** Reads the command line. Throws an error whose message is the usage. */
export const readSoakOptions = (args: string[]): SoakOptions => {
  const string = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: string,
        minutes: string,
        messages: string,
        leads: string,
        every: string,
        pace: string,
        patience: string,
        kills: string,
      },
    })
    return v.parse(options, { ...values })
  } catch (cause) {
    throw new Error(SOAK_USAGE, { cause })
  }
}
