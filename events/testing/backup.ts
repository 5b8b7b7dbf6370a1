import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { withDatabase } from './database.ts'

const run = promisify(execFile)

/** A backup of a test database, from which others are restored. */
export type TestBackup = {
  restore: () => Promise<{ url: string; drop: () => Promise<void> }>
  drop: () => Promise<void>
}

/** A way to back up a test database. */
export type BackupMeans = { name: string; take: (databaseUrl: string) => Promise<TestBackup> }

const onServer = async <T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return await work(sql).finally(() => sql.end())
}

const create = async (server: string, template: string) => {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(withDatabase(server, 'postgres'), (sql) => sql`create database ${sql(name)} template ${sql(template)}`)
  const drop = () =>
    onServer(withDatabase(server, 'postgres'), async (sql) => {
      await sql`drop database if exists ${sql(name)} with (force)`
    })
  return { url: withDatabase(server, name), drop }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** All files of the database, unchanged: as from a snapshot of the disk. There must be no connections to it. */
export const FILE_BACKUP: BackupMeans = {
  name: 'its files',
  take: async (databaseUrl) => {
    const copy = await create(databaseUrl, nameOf(databaseUrl))
    return { restore: () => create(databaseUrl, nameOf(copy.url)), drop: copy.drop }
  },
}

const majorOf = async (program: string) => Number(/ (\d+)/.exec((await run(program, ['--version'])).stdout)?.[1] ?? 0)

/** The folder of a pg_dump that this server's major version lets in, if this machine has one. */
export const findDumpPrograms = async (databaseUrl: string): Promise<string | undefined> => {
  const [server] = await onServer(
    databaseUrl,
    (sql) => sql<{ major: number }[]>`
    select current_setting('server_version_num')::integer / 10000 as major`,
  )
  const folders = [...(process.env.PATH ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin')]
  for (const folder of folders) {
    const major = await majorOf(join(folder, 'pg_dump')).catch(() => 0)
    if (server && major >= server.major) return folder
  }
  return undefined
}

/**
 * `pg_dump` and `pg_restore`, without views and data keys (api/OPERATIONS.md: Back up), if this machine has them in the
 * server's version.
 */
export const findDumpMeans = async (databaseUrl: string): Promise<BackupMeans[]> => {
  const programs = await findDumpPrograms(databaseUrl)
  if (programs === undefined) return []
  return [
    {
      name: 'pg_dump and pg_restore',
      take: async (url) => {
        const folder = await mkdtemp(join(tmpdir(), 'backup-'))
        const file = join(folder, 'dump')
        const without = [
          '--exclude-schema=view_*',
          '--exclude-table-data=subject_keys',
          '--exclude-table-data=lead_import_keys',
        ]
        const options = ['--format=custom', ...without, `--file=${file}`, `--dbname=${url}`]
        await run(join(programs, 'pg_dump'), options)
        return {
          restore: async () => {
            const fresh = await create(url, 'template0')
            await run(join(programs, 'pg_restore'), ['--exit-on-error', `--dbname=${fresh.url}`, file])
            return fresh
          },
          drop: () => rm(folder, { recursive: true }),
        }
      },
    },
  ]
}

/** The places of a text in all tables of a database and in their files. */
export const findText = (databaseUrl: string, text: string): Promise<string[]> =>
  onServer(databaseUrl, async (sql) => {
    await sql`checkpoint`
    const rows = await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
      where pg_relation_filepath(c.oid) is not null and pg_relation_size(c.oid) > 0
        and position(${Buffer.from(text)}::bytea in pg_read_binary_file(pg_relation_filepath(c.oid))) > 0
      order by name`
    return rows.map(({ name }) => name)
  })
