import { rebuildProjection } from '../../consumers/rebuild.ts'
import { PROJECTIONS } from '../../consumers/registry.ts'
import { type Projection, schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { TEST_KEYS } from '../keys.ts'

type Digest = Map<string, { rows: number; hash: string | null }>

/** A hash of every table of a view, whatever the order of its rows. */
const digest = async (sql: Sql, projection: Projection): Promise<Digest> => {
  const schema = schemaOf(projection)
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = ${schema} order by table_name`
  const digests: Digest = new Map()
  for (const { name } of tables) {
    const [row] = await sql<{ rows: number; hash: string | null }[]>`
      select count(*) as rows, md5(string_agg(hash, '' order by hash)) as hash
      from (select md5(to_jsonb(t)::text) as hash from ${sql(schema)}.${sql(name)} t) all_rows`
    if (row) digests.set(name, row)
  }
  return digests
}

/**
 * Fills every view from the log again and compares each of its tables with those of the workers. Returns the
 * differences. Nothing else may write to the log during that time.
 */
export const compareWithReplay = async (databaseUrl: string, sql: Sql): Promise<string[]> => {
  const differing: string[] = []
  for (const projection of PROJECTIONS) {
    const before = await digest(sql, projection)
    if (before.size === 0) differing.push(`${projection.name} has no tables`)
    await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, projection)
    for (const [table, now] of await digest(sql, projection)) {
      const was = before.get(table)
      if (was?.hash === now.hash) continue
      differing.push(
        `${projection.name}.${table}: ${was?.rows} rows by the workers, ${now.rows} by a replay, not the same`,
      )
    }
  }
  return differing
}
