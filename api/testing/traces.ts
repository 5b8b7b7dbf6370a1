import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { connect } from '../../events/stores/connection.ts'
import { findDumpPrograms } from '../../events/testing/backup.ts'
import type { TestNode } from '../../events/testing/node.ts'
import type { Marks } from './marks.ts'
import { openTestClient } from './socket-client.ts'

const run = promisify(execFile)

const MAX_DUMP_BYTES = 1024 * 1024 * 1024

/** The fields that were found, by place. */
export type Traces = Record<string, string[]>

const tracesIn = (marks: Marks, places: Iterable<[place: string, content: string | Buffer]>): Traces => {
  const found = [...places].map(([place, content]): [string, string[]] => [place, marks.foundIn(content)])
  return Object.fromEntries(found.filter(([, fields]) => fields.length > 0))
}

/** Searches all files of a folder byte by byte; files that disappear during that time are left out. */
export const findInFiles = async (folder: string, marks: Marks): Promise<Traces> => {
  const traces: Traces = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const bytes = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0)
    Object.assign(traces, tracesIn(marks, [[relative(folder, path), bytes]]))
  }
  return traces
}

/** Searches a dump of the database by pg_dump, if the machine has one that is new enough, and every table. */
export const findInDump = async (databaseUrl: string, marks: Marks): Promise<Traces> => {
  const traces: Traces = {}
  const programs = await findDumpPrograms(databaseUrl)
  if (programs) {
    const { stdout } = await run(join(programs, 'pg_dump'), [databaseUrl], { maxBuffer: MAX_DUMP_BYTES })
    Object.assign(traces, tracesIn(marks, [['pg_dump', stdout]]))
  }
  const sql = connect(databaseUrl, { max: 1, name: 'test' })
  try {
    const tables = await sql<{ name: string }[]>`select oid::regclass::text as name from pg_class where relkind = 'r'`
    for (const { name } of tables) {
      const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)
      Object.assign(traces, tracesIn(marks, [[name, rows.map(({ row }) => row).join('\n')]]))
    }
  } finally {
    await sql.end()
  }
  return traces
}

const readKey = async (redis: Redis, key: string): Promise<string> => {
  const content = await Promise.all([
    redis.get(key).catch(() => null),
    redis.hgetall(key).catch(() => null),
    redis.lrange(key, 0, -1).catch(() => null),
    redis.smembers(key).catch(() => null),
    redis.zrange(key, 0, '-1').catch(() => null),
    redis.xrange(key, '-', '+').catch(() => null),
    redis.dumpBuffer(key).then((bytes) => bytes?.toString('latin1')),
  ])
  return JSON.stringify(content)
}

/** Searches all keys of a Redis database, and their values. */
export const findInRedis = async (redisUrl: string, marks: Marks): Promise<Traces> => {
  const redis = new Redis(redisUrl)
  try {
    const places: [string, string][] = []
    for await (const keys of redis.scanStream()) {
      for (const key of keys as string[]) places.push([key, key + (await readKey(redis, key))])
    }
    return tracesIn(marks, places)
  } finally {
    redis.disconnect()
  }
}

/** The output of the stream of leads, up to this many leads. */
const readStream = async (node: TestNode, staff: { cookie: string }, leads: number): Promise<string> => {
  const response = await node.call('/api/leads/stream', { headers: { ...staff, 'last-event-id': '0' } })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.split('event: lead').length > leads) break
  }
  return text
}

const readSocket = async (node: TestNode, staff: { cookie: string }, sessionId: string): Promise<string> => {
  const client = await openTestClient(node, staff)
  client.send({ type: 'join_admin' })
  const sessions = await client.take('active_sessions')
  client.send({ type: 'get_messages', sessionId })
  const history = await client.take('chat_history')
  await client.close()
  return JSON.stringify([sessions, history])
}

/** Searches everything that staff can read about leads and a chat, through one node. */
export const findInAnswers = async (
  node: TestNode,
  staff: { cookie: string },
  about: { leadIds: string[]; signedId: string; sessionId: string; fileId: string; marks: Marks },
): Promise<Traces> => {
  const { leadIds, signedId, sessionId, fileId, marks } = about
  const paths = [
    '/api/leads',
    '/api/leads?quarantine=true',
    '/api/leads/summary',
    '/api/leads/stages',
    '/api/leads/waiting',
    '/api/leads/export?format=csv',
    ...leadIds.flatMap((id) => ['', '/history', '/person', '/erase'].map((part) => `/api/leads/${id}${part}`)),
    `/api/leads/${signedId}/contract`,
    '/api/chats',
    `/api/chats/${sessionId}`,
    '/api/emails?limit=100',
    '/api/outbox',
    '/api/overview',
  ]
  const answers = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const response = await node.call(path, { headers: staff })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
      return [path, text]
    }),
  )
  const file = `/api/chat-files/${sessionId}/${fileId}`
  const fetched = await node.call(file, { headers: staff })
  const told = fetched.headers.get('content-disposition') ?? ''
  const streamed = await readStream(node, staff, leadIds.length)
  return tracesIn(marks, [
    ...answers,
    [file, told + (await fetched.text())],
    ['stream', streamed],
    ['socket', await readSocket(node, staff, sessionId)],
  ])
}
