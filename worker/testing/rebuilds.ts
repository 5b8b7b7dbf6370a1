import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect } from 'vitest'
import { prepareConsumers } from '../../events/consumers/registry.ts'
import { listLeads } from '../../events/lead/store/lead-list.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { runTestCli } from '../../events/testing/cli.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { eventually, nodeEnvironment } from '../../events/testing/node.ts'
import { openTestWorkers } from './workers.ts'

const LEADS = 20
const NO_PORT = 1
const VIEW = schemaOf(leadsProjection)

/** Twenty leads and workers as processes, for tests of rebuilds of the view of leads. */
export const startTestRebuilds = async () => {
  const workers = await openTestWorkers()
  const { sql } = workers
  for (let count = 0; count < LEADS; count += 1) await workers.log.append(newLead(randomUUID()))
  await prepareConsumers(sql)
  afterEach(() => workers.reset())
  afterAll(() => workers.close())

  const halfTables = async () => {
    const rows = await sql<{ name: string }[]>`
      select nspname as name from pg_namespace where nspname like ${`${VIEW.replaceAll('_', '\\_')}\\_next\\_%`}`
    return rows.map(({ name }) => name)
  }
  return {
    workers,
    leads: LEADS,
    rebuildByCommand: () =>
      runTestCli('worker/projections.cli.ts', ['rebuild', 'leads'], nodeEnvironment(workers.stores, NO_PORT)),
    /** As if no worker had ever filled the view. */
    dropView: async () => {
      await sql.unsafe(`drop schema if exists ${VIEW} cascade`)
      await sql`update checkpoints set filled_at = null where consumer = 'leads'`
    },
    isFilled: () =>
      eventually(async () => expect(await listLeads(sql, { sort: 'asc' }, { limit: 100 })).toHaveLength(LEADS)),
    /** Which tables the view has: others after a rebuild. */
    tables: async () => {
      const rows = await sql<{ oid: number }[]>`select oid::int from pg_namespace where nspname = ${VIEW}`
      return rows[0]?.oid
    },
    halfTables,
    /** Delays every rebuild of the view once its new tables are full, before they replace the old ones. */
    holdUp: async () => {
      const tx = await sql.reserve()
      await tx`begin`
      await tx`set local idle_in_transaction_session_timeout = 0` // a slow machine starts a worker during that time
      await tx`select from checkpoints where consumer = 'leads' for update`
      return async () => {
        await tx`commit`
        tx.release()
      }
    },
    isUnderWay: () => eventually(async () => expect(await halfTables()).toHaveLength(1)),
  }
}
