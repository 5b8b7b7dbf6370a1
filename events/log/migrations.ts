import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The migrations of the data keys. A separate database for the keys gets only these. */
export const KEYS_MIGRATIONS: readonly string[] = ['0001_keys.sql']

const FOLDER = new URL('./migrations/', import.meta.url)

/**
 * The ways to run a migration, by its first line:
 * - `once`: in a transaction, and never again. The default.
 * - `statements`: once, but each statement by itself, for statements that Postgres refuses in a transaction, such as
 *   `create index concurrently`. The first line is `-- no transaction`. After a crash the file runs again from its
 *   start, so each statement must be repeatable (`if exists`, `if not exists`). Each statement ends with `;` at the end
 *   of a line.
 * - `always`: in a transaction, at the end of each run, even if the file has not changed. The first line is
 *   `-- every time`.
 */
export type MigrationMode = 'once' | 'statements' | 'always'

/** A file with a migration. `checksum` is the SHA-256 of its text. */
export type Migration = { name: string; text: string; checksum: string; mode: MigrationMode }

const modeOf = (text: string): MigrationMode => {
  const firstLine = text.slice(0, text.indexOf('\n'))
  if (/^-- no transaction$/m.test(firstLine)) return 'statements'
  if (/^-- every time$/m.test(firstLine)) return 'always'
  return 'once'
}

/** The names of all migrations of this release, sorted. */
export const migrationNames = async (folder: URL = FOLDER): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** Reads all migrations of this release, in the order in which they run. */
export const readMigrations = async (folder: URL = FOLDER): Promise<Migration[]> => {
  const migrations = await Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex'), mode: modeOf(text) }
    }),
  )
  return [...migrations.filter(({ mode }) => mode !== 'always'), ...migrations.filter(({ mode }) => mode === 'always')]
}

/** The statements of a migration that runs without a transaction. */
export const statementsOf = ({ text }: Migration): string[] =>
  text
    .replaceAll(/^--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
