import { randomUUID } from 'node:crypto'
import type { Sql } from '../stores/connection.ts'

/** For tests: appends an event without a subject, of any type and version, as code of another version would. */
export const appendRaw = (
  sql: Sql,
  {
    stream,
    type,
    schemaVersion = 1,
    data = {},
  }: { stream: string; type: string; schemaVersion?: number; data?: object },
) => {
  const id = randomUUID()
  const line = [1, id, id, stream, '', type, schemaVersion, JSON.stringify(data), '', '', '{}', '', ''].join('\t')
  return sql<{ outcome: string; position: number }[]>`select outcome, position from append_events(${line}, '')`
}
