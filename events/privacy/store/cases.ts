import type { Queryable } from '../../log/decode.ts'
import { readStream } from '../../log/read.ts'
import { CASES_STREAM, evolveCases, type PrivacyCase } from '../case.ts'

/** All requests about privacy, oldest first, and the version of their stream. */
export const readCases = async (sql: Queryable): Promise<{ cases: PrivacyCase[]; version: number }> => {
  const events = await readStream(sql, CASES_STREAM)
  return { cases: events.reduce(evolveCases, []), version: events.at(-1)?.version ?? 0 }
}
