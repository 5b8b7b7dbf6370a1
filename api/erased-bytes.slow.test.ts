import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalService, startPostgres } from '../events/local/postgres.ts'
import { migrate } from '../events/log/migrate.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { asRuntimeUser, testRedisUrl } from '../events/testing/database.ts'
import { json, openTestService, type TestService } from '../events/testing/email-service.ts'
import { makeTestFolder } from '../events/testing/folders.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'
import { installedPostgres } from '../events/testing/services-kind.ts'
import { openMarks } from './testing/marks.ts'
import { NOWHERE, type TestPerson, visitEverything } from './testing/person.ts'
import { findInAnswers, findInDump, findInFiles, findInRedis, type Traces } from './testing/traces.ts'

const marks = openMarks()
const ENV = { LOG_LEVEL: 'trace', TRUST_PROXY: '1' }

let dataDir: string
let postgres: LocalService
let sql: Sql
let service: TestService
let stores: { databaseUrl: string; redisUrl: string }
let nodes: [TestNode, TestNode]
let worker: TestProcess
let owner: { cookie: string }
const printed: (() => string)[] = []

const startWorker = async (script: string) => {
  const emails = { EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' }
  const started = await startTestWorker(stores, { ...ENV, ...emails }, script)
  printed.push(started.printed)
  return started
}

beforeAll(async () => {
  dataDir = makeTestFolder()
  postgres = await startPostgres({ dataDir, installed: installedPostgres })
  await migrate(postgres.url, { runtimeUrl: asRuntimeUser(postgres.url) })
  sql = connect(postgres.url, { max: 2, name: 'test' })
  stores = { databaseUrl: postgres.url, redisUrl: await testRedisUrl() }
  service = await openTestService()
  nodes = await Promise.all([startTestNode(stores, ENV), startTestNode(stores, ENV)])
  printed.push(...nodes.map((node) => node.printed))
  worker = await startWorker('worker/main.ts')
  owner = await signIn(nodes[0])
})

afterAll(async () => {
  await Promise.all([...(nodes ?? []), worker].map((process) => process?.stop()))
  await service?.close()
  await sql?.end()
  await postgres?.stop()
  await rm(dataDir, { recursive: true })
})

const get = async (path: string) => (await nodes[0].call(path, { headers: owner })).json()

/** Searches the files in the cluster's folder, except the write-ahead log. */
const searchFiles = async () => {
  await sql`checkpoint`
  const found = Object.entries(await findInFiles(dataDir, marks))
  const isWal = ([path]: [string, unknown]) => path.includes('/pg_wal/')
  return { files: Object.fromEntries(found.filter((each) => !isWal(each))), wal: found.filter(isWal) }
}

/** The service refuses at first, and quotes the visitor's own words in its reason and in later messages. */
const quoteVisitor = () => {
  const message = `refused: ${marks.of('answer of the email service')}`
  let refusals = 3
  service.reply((response, submission) => {
    refusals -= 1
    const success = refusals < 0 ? 'true' : 'false'
    json({ success, message: `${message} ${submission.fields.map(([, value]) => value).join(' ')}` })(
      response,
      submission,
    )
  })
}

const fieldsIn = (...traces: Traces[]) => new Set(traces.flatMap((each) => Object.values(each).flat()))

let person: TestPerson
let leadIds: string[]
const everything = () => ({ ...person, leadIds, marks })

test('staff have a visitor’s input, and Postgres has some of it in its files', async () => {
  quoteVisitor()
  person = await visitEverything(nodes, marks, owner)
  const [leadId = ''] = person.leadIds
  await eventually(async () => {
    leadIds = (await get(`/api/leads/${leadId}/erase`)).leads.map(({ id }: { id: string }) => id)
    expect(leadIds).toHaveLength(6)
  })
  const quoted = marks.of('answer of the email service')
  await eventually(async () => {
    expect(await sql`select from delivery_tries where answer like ${`%${quoted}%`}`).not.toHaveLength(0)
    expect(await sql`select from deliveries where state not in ('delivered', 'rejected')`).toHaveLength(0)
  }, 60_000)
  await sql`analyze`
  const seen = fieldsIn(await findInAnswers(nodes[0], owner, everything()))
  expect(marks.fields().filter((field) => !seen.has(field) && !field.startsWith(NOWHERE))).toEqual([])
  const { files, wal } = await searchFiles()
  expect(Object.keys(files).length).toBeGreaterThan(0)
  expect(wal.length).toBeGreaterThan(0)
})

test('an export has every field of the visitor, encrypted in the database', async () => {
  const [leadId = ''] = leadIds
  const path = `/api/privacy/people/${leadId}/exports`
  const asked = await nodes[0].post(path, { kind: 'lead' }, owner)
  expect(asked.status).toBe(202)
  const [{ id }] = await asked.json()
  await eventually(async () => expect(await get(path)).toMatchObject([{ id, state: 'ready' }]), 30_000)
  expect((await nodes[1].call(`/api/privacy/exports/${id}/file?download=${id}`, { headers: owner })).status).toBe(403)
  const { address } = await (await nodes[0].post(`/api/privacy/exports/${id}/download`, {}, owner)).json()
  const zip = await (await nodes[1].call(address, { headers: owner })).arrayBuffer()
  const files = Object.values(unzipSync(new Uint8Array(zip))).map((bytes) => Buffer.from(bytes))
  const found = new Set(files.flatMap((bytes) => marks.foundIn(bytes)))
  // a search, and the responses of the other side, are not about one person alone
  const others = marks.fields().filter((field) => !found.has(field) && !field.startsWith(NOWHERE))
  expect(others).toEqual([])
  expect(marks.foundIn(Buffer.from(zip))).not.toContain('note')
})

test('after the erasure, the files of the tables contain it only until these are rewritten', async () => {
  const keys = await sql<{ id: string; wrapped: Buffer }[]>`select subject_id as id, wrapped from subject_keys`
  for (const { id, wrapped } of keys) marks.add(`data key ${id}`, wrapped)
  const [leadId = ''] = leadIds
  await eventually(async () =>
    expect((await nodes[0].post(`/api/leads/${leadId}/erase`, { leadIds, contracts: 'erase' }, owner)).status).toBe(
      204,
    ),
  )
  await eventually(async () => {
    expect(await sql`select from subject_keys where destroyed_at is null`).toHaveLength(0)
    expect(await get('/api/leads')).toEqual([])
  })
  expect(fieldsIn((await searchFiles()).files).size).toBeGreaterThan(0)

  await worker.stop()
  worker = await startWorker('worker/testing/hasty-worker.cli.ts')
  await eventually(async () => {
    expect(await sql`select from rewrites`).toHaveLength(0)
    expect(await sql`select from pg_namespace where nspname like 'view%old%'`).toHaveLength(0)
  })
  expect((await searchFiles()).files).toEqual({})
})

test('no dump, no key in Redis, no line of a log and no response to staff contains it either', async () => {
  expect(await findInDump(postgres.url, marks)).toEqual({})
  expect(await findInRedis(stores.redisUrl, marks)).toEqual({})
  expect(printed.flatMap((each) => marks.foundIn(each()))).toEqual([])
  const fresh = await startTestNode(stores, ENV)
  try {
    for (const node of [...nodes, fresh]) {
      const staff = await signIn(node)
      expect(await findInAnswers(node, staff, everything())).toEqual({})
    }
  } finally {
    await fresh.stop()
  }
  await Promise.all(person.sockets.map((socket) => socket.close()))
})

test('Postgres writes nothing of a failed statement to its own log', async () => {
  const word = marks.of('statement that fails')
  await expect(sql`select ${word}::text::integer`).rejects.toThrow(word)
  const log = await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8')
  expect(log).toContain('LOG:')
  expect(marks.foundIn(log)).toEqual([])
})
