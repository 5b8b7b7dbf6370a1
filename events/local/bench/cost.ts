// Processor time as the benchmarks count it.

/** Processor time in microseconds, by the operating system's accounting: of API nodes and workers, Postgres and Redis. */
export type Cost = { nodes: number; postgres: number; redis: number }

/** Makes a cost part by part. */
export const partsOf = (read: (part: keyof Cost) => number): Cost => ({
  nodes: read('nodes'),
  postgres: read('postgres'),
  redis: read('redis'),
})

/** A cost divided by the number of units that it was spent on, such as messages. */
export const aUnit = (cost: Cost, units: number): Cost => partsOf((part) => cost[part] / units)

/** All of a cost. */
export const sumOf = ({ nodes, postgres, redis }: Cost): number => nodes + postgres + redis
