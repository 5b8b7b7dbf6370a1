import type { Sql } from '../events/stores/connection.ts'
import { etagOf, loadFolder, type Page } from './http/page.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** How long the files of a version are stored after its last node has ended. */
const RETENTION_HOURS = 24
const REPORT_EVERY_MS = 30 * 60 * 1000
const RETRY_MS = 5_000
/** The minimum time between a node's lookups of new names: any caller may request names that do not exist. */
const LOOK_EVERY_MS = 1_000
/** Files of other versions, in memory: more than some versions have. */
const MAX_CACHED_FILES = 500

/** The files of one version whose names contain a hash of their content. */
export type Assets = ReadonlyMap<string, Page<Buffer>>

/** The files of this version. */
export const loadAssets = (): Promise<Assets> => loadFolder('assets', IMMUTABLE)

const storeMissing = async (sql: Sql, assets: Assets) => {
  const stored = await sql<{ name: string }[]>`select name from page_assets where name = any(${[...assets.keys()]})`
  const known = new Set(stored.map(({ name }) => name))
  for (const [name, { type, bodies }] of assets) {
    if (known.has(name)) continue
    await sql`
      insert into page_assets (name, type, body, br, gzip)
      values (${name}, ${type}, ${bodies.identity}, ${bodies.br ?? null}, ${bodies.gzip ?? null})
      on conflict do nothing`
  }
}

/** Several nodes store their files at the same time, so rows that another node has locked are skipped. */
const markServed = async (sql: Sql, assets: Assets) => {
  await sql`
    update page_assets set served_at = now() where name in (
      select name from page_assets where name = any(${[...assets.keys()]}) order by name for update skip locked
    )`
  await sql`
    delete from page_assets where name in (
      select name from page_assets where served_at < now() - make_interval(hours => ${RETENTION_HOURS})
      order by name for update skip locked
    )`
}

type Row = { type: string; body: Buffer; br: Buffer | null; gzip: Buffer | null }

const asPage = ({ type, body, br, gzip }: Row): Page => ({
  type,
  etag: etagOf(body),
  cacheControl: IMMUTABLE,
  policy: undefined,
  bodies: { identity: body, ...(br && { br }), ...(gzip && { gzip }) },
})

/**
 * During a rollout a page of one version requests its files from nodes of the other, and a page that was opened before
 * does so later. Each node therefore stores its files in the database, and finds those of others there: they stay for a
 * day after the last node that has them. Names that do not exist cost at most one query per second.
 */
export const shareAssets = async (
  sql: Sql,
  assets: Assets,
  { onError }: { onError: (error: unknown) => void },
): Promise<{ find: (name: string) => Promise<Page | undefined>; stop: () => void }> => {
  const report = async () => {
    await storeMissing(sql, assets)
    await markServed(sql, assets)
  }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  /** Until it has succeeded once, pages of this version find their files on its own nodes only. */
  const reportRepeatedly = async () => {
    const hasWorked = await report().then(
      () => true,
      (error) => onError(error),
    )
    if (!isStopped) timer = setTimeout(reportRepeatedly, hasWorked ? REPORT_EVERY_MS : RETRY_MS)
  }
  await reportRepeatedly()

  const cached = new Map<string, Page>()
  let names: ReadonlySet<string> = new Set()
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  const look = async () => {
    lookedAt = performance.now()
    const rows = await sql<{ name: string }[]>`select name from page_assets`
    names = new Set(rows.map(({ name }) => name))
  }
  const lookSometimes = () => {
    if (performance.now() - lookedAt >= LOOK_EVERY_MS) {
      looking = look().finally(() => {
        looking = undefined
      })
    }
    return looking
  }
  return {
    find: async (name) => {
      const known = cached.get(name)
      if (known) return known
      if (!names.has(name)) await lookSometimes()
      if (!names.has(name)) return undefined
      const [row] = await sql<Row[]>`select type, body, br, gzip from page_assets where name = ${name}`
      if (!row) return undefined
      if (cached.size >= MAX_CACHED_FILES) cached.clear()
      const page = asPage(row)
      cached.set(name, page)
      return page
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
