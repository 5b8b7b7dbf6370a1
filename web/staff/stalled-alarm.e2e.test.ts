import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { STAFF, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { faultsOf } from './test-staff-site.ts'

/** How often the screens look. */
const LOOK_MS = 10_000
const LOOKED_AGAIN = { timeout: 60_000 }
const TIME = String.raw`(\d+ \w+ \d{4}, )?\d\d:\d\d`

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: postgres.Sql
let node: TestNode
let worker: TestProcess
let browser: TestBrowser
let page: Page

const alarm = () => page.getByRole('alert').filter({ hasText: /have been behind|are paused/ })

/** Makes it a minute ago that anything came in, or was taken in. */
const waitAMinute = () =>
  sql.unsafe(`
    update events set recorded_at = now() - interval '61 seconds';
    update checkpoint_positions set reached_at = now() - interval '61 seconds'`)

/** Lets the page's clock go on to its next look. */
const lookAgain = () => page.clock.runFor(LOOK_MS)

const submit = async (name: string) => {
  const person = { name, email: 'ana@example.com', phone: '082 555 0199', leadSource: 'hero_form' }
  expect((await node.post('/api/leads', person)).status).toBe(201)
}

beforeAll(async () => {
  await buildWebIfStale(resolve('.'))
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1 })
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[node, worker, browser] = await Promise.all([startTestNode(stores), startTestWorker(stores), openTestBrowser()])
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.clock.install()
  await page.goto(`${node.url}/admin-submissions`)
  await page.getByLabel('Username').fill(STAFF.username)
  await page.getByLabel('Password').fill(STAFF.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No submissions found').waitFor()
})

afterAll(async () => {
  worker?.kill('SIGCONT')
  await browser?.close()
  await Promise.all([node, worker].map((process) => process?.stop()))
  await sql?.end()
  await database?.drop()
})

test('a worker that hangs is told on every list that is behind for it, until it goes on', async () => {
  worker.kill('SIGSTOP')
  await submit('Ana Botha')
  await page.goto(`${node.url}/admin-submissions`)
  await page.getByText('No submissions found').waitFor()
  expect(await alarm().count()).toBe(0)
  await waitAMinute()
  await lookAgain()
  await alarm().waitFor()
  expect(await alarm().innerText()).toMatch(new RegExp(`^The lists have been behind since ${TIME}\n`))
  expect(await alarm().innerText()).toContain('Ask the person who runs the website to look at its worker')
  expect(await faultsOf(page)).toEqual([])

  for (const [path, words] of [
    ['/admin-dashboard', 'The lists have been behind since'],
    ['/admin-submissions?quarantine=true', 'The lists have been behind since'],
    ['/admin-overview', 'The figures have been behind since'],
    ['/admin-email', 'The emails have been behind since'],
    ['/admin-submissions', 'The lists have been behind since'],
  ] as const) {
    await page.goto(node.url + path)
    await alarm().getByText(words).waitFor()
    expect(await alarm().count()).toBe(1)
  }

  worker.kill('SIGCONT')
  await page.getByRole('heading', { name: 'Ana Botha' }).waitFor()
  await lookAgain()
  await expect.poll(() => alarm().count(), LOOKED_AGAIN).toBe(0)
})

test('the ended chats tell it too, and nobody is told who is not signed in', async () => {
  expect((await node.call('/api/standstill')).status).toBe(401)
  worker.kill('SIGSTOP')
  await submit('Sipho Dube')
  await waitAMinute()
  await page.goto(`${node.url}/admin-chat`)
  await page.getByRole('button', { name: /ended/i }).first().click()
  await alarm().getByText('Ended chats have been behind since').waitFor()
  expect(await faultsOf(page)).toEqual([])
  worker.kill('SIGCONT')
})

test('after a restored backup it is told at once', async () => {
  await page.goto(`${node.url}/admin-submissions`)
  await page.getByRole('heading', { name: 'Sipho Dube' }).waitFor()
  await lookAgain()
  await expect.poll(() => alarm().count(), LOOKED_AGAIN).toBe(0)
  await sql`update log_head set epoch = gen_random_uuid()`
  await page.reload()
  await alarm().getByText('The lists are paused', { exact: true }).waitFor()
})
