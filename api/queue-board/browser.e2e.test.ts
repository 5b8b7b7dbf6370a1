import type { Queue } from 'bullmq'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { QUEUES } from '../../events/log/queues.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { openTestQueues } from '../../events/testing/queues.ts'
import { openTestAccounts, type TestAccounts } from '../staff/test-accounts.ts'

const SIZES = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
]

let accounts: TestAccounts
let queues: Awaited<ReturnType<typeof openTestQueues>>
let upkeep: Queue
let browser: TestBrowser
/** What the browser complained of, by its console or because it could not load something. */
const complaints: string[] = []

beforeAll(async () => {
  accounts = await openTestAccounts()
  queues = await openTestQueues(accounts.stores)
  upkeep = queues.open(QUEUES.upkeep)
  browser = await openTestBrowser()
})

afterAll(async () => {
  await browser.close()
  await queues.close()
  await accounts.stop()
})

const openBoard = async (path: string, viewport = SIZES[0], as = accounts.owner()): Promise<Page> => {
  const context = await browser.newContext({ viewport: viewport ?? null })
  const { url } = accounts.nodes[0]
  const [name = '', value = ''] = as.cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(`asks ${request.url()}`)
  })
  await page.goto(`${url}/admin-queues${path}`)
  return page
}

test.each(SIZES)('shows queues, progress and schedulers at $width px, and asks nobody else', async (size) => {
  const job = await upkeep.add('rebuild', { view: 'leads' }, { delay: 3_600_000 })
  await job.updateProgress({ position: 4_399, head: 10_000 })
  await upkeep.upsertJobScheduler('retention', { every: 3_600_000 }, { name: 'retention' })
  const page = await openBoard('', size)
  for (const name of Object.values(QUEUES)) {
    await expect.poll(() => page.getByRole('link', { name, exact: true }).first().isVisible()).toBe(true)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.goto(`${accounts.nodes[0].url}/admin-queues/queue/upkeep?status=delayed`)
  await page.getByText('43%').waitFor()
  await page.goto(`${accounts.nodes[0].url}/admin-queues/job-schedulers`)
  await page.getByRole('cell', { name: 'retention' }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Remove scheduler' }).isVisible()).toBe(false)
  await page.close()
  await upkeep.removeJobScheduler('retention')
  await job.remove()
  expect(complaints).toEqual([])
})

test('offers what is allowed on a job, and no more', async () => {
  await upkeep.obliterate({ force: true })
  const id = await queues.fail(upkeep, 'retention', {})
  const page = await openBoard('/queue/upkeep?status=failed')
  await page.getByText('Error: it does not work').first().waitFor()
  const drawn = (icon: string) => page.locator(`button:visible:not(:has-text("all")) .lucide-${icon}`)
  for (const icon of ['files', 'pencil', 'clock', 'ellipsis-vertical'])
    expect([icon, await drawn(icon).count()]).toEqual([icon, 0])
  expect(await drawn('trash-2').count()).toBe(1)
  await drawn('refresh-cw').click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(async () => (await upkeep.getJob(id))?.getState()).toBe('waiting')
  await page.close()
  expect(complaints).toEqual([])
})

test.each(SIZES)(
  'an agent is shown at $width px that it is for owners, in a page that looks like the others',
  async (size) => {
    const agent = await accounts.signInAs(await accounts.add('agent'))
    const seen = complaints.length
    const page = await openBoard('', size, agent)
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await page.getByText('Only an owner may do this.').waitFor()
    expect(await page.getByRole('link', { name: 'email screen' }).getAttribute('href')).toBe('/admin-email')
    expect(await page.getByRole('link', { name: 'Try again' }).count()).toBe(0)
    expect(
      await page.locator('header img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    // the refusal itself
    expect(complaints.splice(seen).filter((text) => !text.includes('403'))).toEqual([])
    await page.context().close()
  },
)
