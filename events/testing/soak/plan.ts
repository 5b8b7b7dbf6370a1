import fc from 'fast-check'

/** The faults of a soak. A kind that this machine does not allow is left out and reported. */
export const FAULT_KINDS = [
  'node killed',
  'worker killed',
  'Postgres killed',
  'Redis restarted empty',
  'Redis away',
  'answers of Postgres lost',
  'answers of nodes lost',
  'news lost',
  'slow readers',
  'email service hangs',
  'disk full',
  'clock moved',
  'process stopped',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** How long those faults last that last, in seconds. */
export const FAULT_SECONDS: Readonly<Record<FaultKind, number>> = {
  'node killed': 0,
  'worker killed': 0,
  'Postgres killed': 0,
  'Redis restarted empty': 0,
  'Redis away': 60,
  'answers of Postgres lost': 0,
  'answers of nodes lost': 0,
  'news lost': 20,
  'slow readers': 20,
  'email service hangs': 25,
  'disk full': 8,
  'clock moved': 20,
  'process stopped': 20,
}

/** A fault, its time in milliseconds after the start, and a number that chooses its target. */
export type PlannedFault = { kind: FaultKind; atMs: number; target: number }

const MAX_TARGET = 1_000

/**
 * The faults of a run, the same for the same seed: each kind as often as the others, give or take one, at random
 * moments over the run's length.
 */
export const planFaults = (
  kinds: readonly FaultKind[],
  { seed, lengthMs, everyMs }: { seed: number; lengthMs: number; everyMs: number },
): PlannedFault[] => {
  const count = Math.floor(lengthMs / everyMs)
  const chance = { seed, unbiased: true }
  const rounds = fc.shuffledSubarray([...kinds], { minLength: kinds.length })
  const order = fc.sample(rounds, { ...chance, numRuns: Math.ceil(count / kinds.length) }).flat()
  const moments = fc.record({ atMs: fc.nat(Math.floor(lengthMs)), target: fc.nat(MAX_TARGET) })
  return fc
    .sample(moments, { ...chance, numRuns: count })
    .sort((a, b) => a.atMs - b.atMs)
    .flatMap((moment, index) => {
      const kind = order[index]
      return kind === undefined ? [] : [{ kind, ...moment }]
    })
}
