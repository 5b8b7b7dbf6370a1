import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { leadStreams } from '../../../lead/lead.ts'
import type { OpenPeer } from '../peers.ts'

const CONNECTIONS = 10

/** The order of message-db's own installer, without its files that only read and those for its own user. */
const SQL_FILES = [
  'schema/message-store',
  'tables/messages',
  'types/message',
  'functions/hash-64',
  'functions/acquire-lock',
  'functions/category',
  'functions/is-category',
  'functions/id',
  'functions/cardinal-id',
  'functions/stream-version',
  'functions/write-message',
  'indexes/messages-id',
  'indexes/messages-stream',
  'indexes/messages-category',
]

const folder = join(dirname(createRequire(import.meta.url).resolve('@eventide/message-db/package.json')), 'database')

/** message-db's `write_message` over a pool: one stream per lead, which must not exist yet (version -1). */
export const openPeer: OpenPeer = async (databaseUrl, event) => {
  const connection = { search_path: 'message_store,public' }
  const sql = postgres(databaseUrl, { max: CONNECTIONS, connection, onnotice: () => {} })
  for (const file of SQL_FILES) await sql.unsafe(readFileSync(join(folder, `${file}.sql`), 'utf8'))
  return {
    name: 'message-db',
    write: () => {
      const { type, data, subjectId, personal } = event()
      const content = sql.json({ ...data, ...personal } as never)
      return sql`
        select write_message(
          ${randomUUID()}, ${leadStreams.of(subjectId)}, ${type}, ${content}::jsonb, null, -1)`
    },
    close: () => sql.end(),
  }
}
