import { expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { fileOf, startTestImports } from '../testing/imports.ts'

/** Enough for a machine under load. */
const WAIT_MS = 110_000
/** The promise is 10 s on an idle machine: here the tests of other files share the processors. */
const PROMISED_MS = 3 * 10_000

const product = await startTestImports()
const { sql, startWorker, get, post, received, start, reaches, total, importAndTakeBack } = product

const hasBegun = (id: string) =>
  eventually(async () => expect((await get(`/api/imports/${id}`)).done).toBeGreaterThan(0), WAIT_MS)

test('an import of 10,000 rows is begun twice at once, added once in time, and undone completely', {
  timeout: 5 * WAIT_MS,
}, async () => {
  expect(await importAndTakeBack(10_000)).toBeLessThan(PROMISED_MS)
})

test('an import whose worker is killed continues with another one, without a row lost or doubled', {
  timeout: 5 * WAIT_MS,
}, async () => {
  const { id } = await received(fileOf('killed', 5_000))
  await start(id)
  await hasBegun(id)
  product.worker.kill('SIGKILL')
  await sql`update lead_imports set claimed_until = now() where id = ${id}`
  await startWorker()
  expect(await reaches(id, 'done')).toMatchObject({ done: 5_000, added: 5_000, skipped: 0 })
  await eventually(async () => expect(await total('q=killed')).toBe(5_000), WAIT_MS)
})

test('an import that is undone while it runs leaves nothing', { timeout: 5 * WAIT_MS }, async () => {
  const { id } = await received(fileOf('early', 8_000))
  await start(id)
  await hasBegun(id)
  await post(`/api/imports/${id}/undo`, {})
  await reaches(id, 'undone')
  await eventually(async () => expect(await total('q=early')).toBe(0), WAIT_MS)
})
