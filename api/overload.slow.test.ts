import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { leadsProjection } from '../events/lead/store/view.ts'
import { schemaOf } from '../events/projections/projection.ts'
import { signIn } from '../events/testing/node.ts'
import { startProduct } from '../events/testing/product.ts'
import { joinChat, joinStaff, say } from './testing/socket-client.ts'

const SEARCHES = 64
const VISITS = 10
/** Per visit: a few milliseconds on a quiet machine. A machine that runs other tests has slower moments. */
const PROMPT_MS = 2_000
/**
 * The limit of the median of each kind of visit, unless it is not much slower than before: behind searches all wait for
 * seconds.
 */
const USUAL_MS = 250
const SLOWER = 3
const LEAD = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }

const { node, sql } = await startProduct({ worker: 'has run' })
const staff = await signIn(node)

/** Makes every search wait in Postgres until it is released. */
const holdSearches = async () => {
  const tx = await sql.reserve()
  await tx`begin`
  await tx.unsafe(`lock table ${schemaOf(leadsProjection)}.entries in access exclusive mode`)
  let isHeld = true
  const release = async () => {
    if (!isHeld) return
    isHeld = false
    await tx`rollback`
    tx.release()
  }
  return { release, [Symbol.asyncDispose]: release }
}

const searchesThatWait = async () => {
  const rows = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length
}

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The slowest of VISITS, and the median of each kind. */
const visitAll = async () => {
  const visits: number[][] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    visits.push([
      await timed(async () => expect((await node.post('/api/leads', LEAD)).status).toBe(201)),
      await timed(async () => expect((await node.call('/readyz')).status).toBe(200)),
      await timed(async () => {
        const { client, sessionId } = await joinChat(node)
        await say(client, sessionId, `hello ${visit}`)
        await client.close()
      }),
      await timed(async () => expect((await node.call('/api/me', { headers: staff })).status).toBe(200)),
      await timed(async () => (await joinStaff(node, staff)).close()),
    ])
  }
  const medians = [0, 1, 2, 3, 4].map((kind) => {
    const tooks = visits.map((took) => took[kind] ?? 0).toSorted((one, other) => one - other)
    return tooks[VISITS / 2] ?? 0
  })
  return { slowest: Math.max(...visits.flat()), medians }
}

test('searches that hang delay no visitor, make no node unready, and are shed in time', async () => {
  const before = await visitAll()
  await using held = await holdSearches()
  const searches = Array.from({ length: SEARCHES }, (_, number) =>
    node.call(`/api/leads?limit=10&q=slow${number}`, { headers: staff }),
  )
  await expect.poll(searchesThatWait).toBeGreaterThan(0)
  await delay(500)
  const { slowest, medians } = await visitAll()
  expect(slowest).toBeLessThan(PROMPT_MS)
  // searches that delay visits delay every kind of them
  for (const [kind, took] of medians.entries()) {
    expect(took).toBeLessThan(Math.max(USUAL_MS, SLOWER * (before.medians[kind] ?? 0)))
  }
  const answers = await Promise.all(searches)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(answers.filter((answer) => !(Number(answer.headers.get('retry-after')) > 0))).toEqual([])
  await held.release()
  expect((await node.call('/api/leads?limit=10', { headers: staff })).status).toBe(200)
})
