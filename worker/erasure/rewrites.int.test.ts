import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { prepareConsumers } from '../../events/consumers/registry.ts'
import { claimRewrites, finishRewrite, REWRITE_AFTER_MS } from '../../events/erasure/due-rewrites.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { leadErased, leadStreams } from '../../events/lead/lead.ts'
import { changedLeads, leadsProjection } from '../../events/lead/store/view.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { project, schemaOf } from '../../events/projections/projection.ts'
import { removeUnusedTables } from '../../events/projections/unused-tables.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../../events/testing/database.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { openTestKeys } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { rewriteErased } from './rewrites.ts'

const VIEW = schemaOf(leadsProjection)
const TABLES = [`${VIEW}.leads`, `${VIEW}.entries`, 'deliveries', 'delivery_tries', 'subject_keys']

let database: TestDatabase
let owner: Sql
let sql: Sql
let appender: Appender
let errors: unknown[]
/** How often something was found in use. */
let timesInUse: number

beforeAll(async () => {
  database = await createTestDatabase()
  const keys = openTestKeys()
  owner = connect(database.url, { max: 4, name: 'test', keys })
  sql = connect(database.runtimeUrl, { max: 4, name: 'test', keys })
  appender = openAppender(database.runtimeUrl, { keys })
  await prepareConsumers(sql)
})

beforeEach(async () => {
  errors = []
  timesInUse = 0
  await owner`truncate rewrites`
})

afterAll(async () => {
  await appender.close()
  await Promise.all([owner, sql].map((each) => each.end()))
  await database.drop()
})

const logger = {
  info: (_: unknown, line?: string) => {
    if (line?.startsWith('in use')) timesInUse += 1
  },
  error: (error: unknown) => errors.push(error),
}
/** A worker that does nothing else, again and again. */
const start = ({ afterMs }: { afterMs: number }) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const rewriting = { sql, logger, directUrl: database.runtimeUrl, keysDatabaseUrl: undefined }
  const run = async () => {
    while (!signal.aborted) {
      await rewriteErased(rewriting, { afterMs, signal })
      await delay(50)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
/** The files of the tables, by table; those of indexes too. */
const files = async () => {
  const rows = await owner<{ name: string; file: number }[]>`
    select name, pg_relation_filenode(name) as file from unnest(${TABLES}::text[]) as t (name)
    union all select indexrelid::regclass::text, pg_relation_filenode(indexrelid) from pg_index
    where indrelid = any(${TABLES}::regclass[])`
  return new Map(rows.map(({ name, file }) => [name, file]))
}
const renewed = (before: Map<string, number>, after: Map<string, number>) =>
  [...after].flatMap(([name, file]) => (before.get(name) === file ? [] : [name]))
const waiting = async () =>
  (await owner<{ name: string }[]>`select name from rewrites order by name`).map(({ name }) => name)
const makeDue = () =>
  owner`update rewrites set since = since - interval '1 hour', last_at = last_at - interval '1 hour'`
const eraseSomebody = async () => {
  const leadId = randomUUID()
  await appender.append(newLead(leadId, { name: 'Erased Soon' }))
  await appender.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadErased({ by: randomUUID() }) }],
  })
  while (await eraseKeys(sql));
  while ((await project(sql, leadsProjection)).hasMore);
}
/** A transaction that stays open, after one statement. */
const hold = async (statement: string) => {
  const tx = await owner.reserve()
  await tx`begin isolation level repeatable read`
  await tx.unsafe(statement)
  return async () => {
    await tx`commit`
    tx.release()
  }
}

test('nothing is rewritten before its time, then each table and index is, once', async () => {
  await eraseSomebody()
  const before = await files()
  const patient = start({ afterMs: REWRITE_AFTER_MS })
  const workers = [start({ afterMs: 60_000 }), start({ afterMs: 60_000 })]
  try {
    expect(await waiting()).toEqual(['chats', 'deliveries', 'leads', 'subject_keys'])
    await makeDue()
    await eventually(async () => expect(await waiting()).toEqual([]))
    const after = await files()
    expect(renewed(before, after).sort()).toEqual([...after.keys()].sort())
    expect(await changedLeads(sql, 0, 10)).toMatchObject([{ lead: { name: 'Erased' } }])
    await eventually(async () => {
      await removeUnusedTables(sql)
      expect(await owner`select from pg_namespace where nspname like 'view%old%'`).toHaveLength(0)
    })
    expect(errors).toEqual([])
  } finally {
    await Promise.all([patient, ...workers].map((each) => each.stop()))
  }
})

test('a person who is erased during a rewrite is left to the next one', async () => {
  await eraseSomebody()
  const wanted = [leadsProjection]
  const [claimed, ...rest] = await claimRewrites(sql, { wanted, afterMs: 0 })
  if (!claimed) throw new Error('Nothing was due')
  expect(rest).toEqual([])
  expect(await claimRewrites(sql, { wanted, afterMs: 0 })).toEqual([])
  await eraseSomebody()
  await finishRewrite(sql, claimed)
  const [again] = await claimRewrites(sql, { wanted, afterMs: 0 })
  if (!again) throw new Error('The second erasure was taken for done')
  await finishRewrite(sql, again)
  expect(await waiting()).not.toContain('leads')
})

test('a long reader of the old tables delays no other, and the tables that it reads are rewritten after it', async () => {
  await eraseSomebody()
  const before = await files()
  const release = await hold(TABLES.map((name) => `lock table ${name} in access share mode`).join('; '))
  const worker = start({ afterMs: 0 })
  try {
    await eventually(() => expect(timesInUse).toBeGreaterThan(3))
    expect(await waiting()).toEqual(['deliveries', 'subject_keys'])
    expect(renewed(before, await files())).toContain(`${VIEW}.leads`)
    await removeUnusedTables(sql)
    await appender.append(newLead(randomUUID()))
    expect(await project(sql, leadsProjection)).toMatchObject({ advanced: true })
    await release()
    await eventually(async () => expect(await waiting()).toEqual([]))
    expect(renewed(before, await files())).toContain('subject_keys')
    expect(errors).toEqual([])
  } finally {
    await worker.stop()
  }
})

test('a table does not count as rewritten while a transaction may still see its old rows', async () => {
  const release = await hold('select 1 from events')
  await eraseSomebody()
  const worker = start({ afterMs: 0 })
  try {
    await eventually(() => expect(timesInUse).toBeGreaterThan(3))
    expect(await waiting()).toEqual(['deliveries', 'subject_keys'])
    await release()
    await eventually(async () => expect(await waiting()).toEqual([]))
  } finally {
    await worker.stop()
  }
})

test('a rewrite that fails, or whose worker died, is tried again', async () => {
  await eraseSomebody()
  await owner`update rewrites set claimed_until = now() + interval '1 second'`
  await owner`alter function rewrite_deliveries rename to away`
  const worker = start({ afterMs: 0 })
  try {
    await eventually(async () => expect(await waiting()).toEqual(['deliveries']))
    await eventually(() => expect(errors.length).toBeGreaterThan(1))
    await owner`alter function away rename to rewrite_deliveries`
    await eventually(async () => expect(await waiting()).toEqual([]))
  } finally {
    await worker.stop()
  }
})

test('a version of a view that was given up is not waited for', async () => {
  await eraseSomebody()
  await owner`insert into rewrites (name, version) values ('leads', 2)`
  const worker = start({ afterMs: 0 })
  try {
    await eventually(async () => expect(await waiting()).toEqual([]))
  } finally {
    await worker.stop()
  }
})
