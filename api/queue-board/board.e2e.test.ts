import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QUEUES } from '../../events/stores/redis/queues.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { openTestQueues } from '../../events/testing/queues.ts'
import { openTestAccounts } from '../testing/accounts.ts'

const PAGE = { accept: 'text/html' }
const API = '/admin-queues/api/queues'
/** How long a node waits for a response from Redis (`api/process/run-node.ts`). */
const REDIS_COMMAND_TIMEOUT_MS = 2_000

const accounts = await openTestAccounts()
const queues = await openTestQueues(accounts.stores)
const work = queues.open(QUEUES.work)
let browser: TestBrowser

beforeAll(async () => {
  browser = await openTestBrowser()
})

afterAll(async () => {
  await Promise.all([browser.close(), queues.close()])
  await accounts.stop()
})

const get = (path: string, headers: object = accounts.owner()) => accounts.send('GET', path, undefined, headers)
const put = (path: string, headers: object = accounts.owner()) => accounts.send('PUT', path, undefined, headers)

describe('access', () => {
  const paths = [
    '/admin-queues',
    '/admin-queues/',
    '/admin-queues/queue/work',
    API,
    '/admin-queues/static/images/logo.svg',
  ]

  test('an owner gets the page, its files and the queues', async () => {
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
    const { queues: shown } = await (await get(API)).json()
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(Object.values(QUEUES))
  })

  test('people who are not signed in are sent to the sign-in, and calls are refused', async () => {
    const page = await get('/admin-queues', PAGE)
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?next=/admin-queues'])
    for (const path of paths) expect([path, (await get(path, {})).status]).toEqual([path, 401])
    expect((await put(`${API}/work/1/retry`, {})).status).toBe(401)
  })

  test('an agent sees that it is for owners', async () => {
    const agent = await accounts.signInAs(await accounts.add('agent'))
    for (const path of paths) expect([path, (await get(path, agent)).status]).toEqual([path, 403])
    expect((await put(`${API}/work/1/retry`, agent)).status).toBe(403)
    const page = await get('/admin-queues', { ...agent, ...PAGE })
    expect(page.status).toBe(403)
    expect(await page.text()).toContain('Only an admin may do this')
  })

  test('an account that is removed, or no longer an owner’s, loses it at once', async () => {
    const [removed, demoted] = [await accounts.add('owner'), await accounts.add('owner')]
    const [gone, lower] = [await accounts.signInAs(removed), await accounts.signInAs(demoted)]
    expect((await get(API, gone)).status).toBe(200)
    await accounts.send('DELETE', `/api/accounts/${removed.id}`)
    await accounts.send('PATCH', `/api/accounts/${demoted.id}`, { role: 'agent' })
    expect((await get(API, gone)).status).toBe(401)
    expect((await get(API, lower)).status).toBe(401)
    expect((await get(API, await accounts.signInAs(demoted))).status).toBe(403)
  })
})

describe('the page', () => {
  test('has a policy of its own that allows no foreign origin and no script in the page', async () => {
    const response = await get('/admin-queues', { ...accounts.owner(), ...PAGE })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("base-uri 'self';")
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
    const page = await response.text()
    const files = [...page.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => `/admin-queues/${file}`)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const answer = await get(file)
      expect([file, answer.status, answer.headers.get('cache-control')]).toEqual([
        file,
        200,
        expect.stringMatching(/^private, max-age=\d{8}/),
      ])
    }
    expect((await get('/login', PAGE)).headers.get('content-security-policy')).toContain("base-uri 'none'")
  })
})

test.each([
  ['PUT', `${API}/work/1/retry`],
  ['PUT', `${API}/work/1/clean`],
  ['PUT', `${API}/work/pause`],
  ['PUT', `${API}/work/obliterate`],
  ['PUT', `${API}/work/job-schedulers/x/run`],
  ['POST', `${API}/work/add`],
  ['PATCH', `${API}/work/1/delay`],
  ['DELETE', `${API}/work`],
])('%s %s is refused: the board is read-only', async (method, path) => {
  const response = await accounts.send(method, path, {})
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ detail: 'The queues can only be read here' })
})

describe('without Redis', () => {
  const headers = () => ({ ...accounts.owner() })
  /** A node whose connection to Redis can be cut. */
  let lonely: TestNode
  let redis: FaultProxy

  beforeAll(async () => {
    redis = await openFaultProxy(accounts.stores.redisUrl)
    lonely = await startTestNode({ ...accounts.stores, redisUrl: redis.url })
  })

  afterAll(async () => {
    await lonely.stop()
    await redis.close()
  })

  const readyOf = async () => (await (await lonely.call('/readyz')).json()).redis

  test('the page and its calls return 503 at once, and recover by themselves', async () => {
    await redis.refuse()
    await eventually(async () => expect(await readyOf()).toBe('down'))
    const began = performance.now()
    const page = await lonely.call('/admin-queues', { headers: { ...headers(), ...PAGE } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=UTF-8'])
    expect(await page.text()).toContain('Redis cannot be reached')
    expect((await lonely.call(API, { headers: headers() })).status).toBe(503)
    // each would take two seconds if it called Redis, and far less otherwise, even on a busy machine
    expect(performance.now() - began).toBeLessThan(2 * REDIS_COMMAND_TIMEOUT_MS)
    await redis.resume()
    await eventually(async () => expect((await lonely.call(API, { headers: headers() })).status).toBe(200))
  })

  test('a Redis that hangs is abandoned within seconds', async () => {
    await eventually(async () => expect((await lonely.call(API, { headers: headers() })).status).toBe(200))
    redis.stall()
    const began = performance.now()
    expect((await lonely.call(API, { headers: headers() })).status).toBe(503)
    expect(performance.now() - began).toBeLessThan(8_000)
    await redis.resume()
    await eventually(async () => expect((await lonely.call(API, { headers: headers() })).status).toBe(200))
  })
})

describe('in a browser', () => {
  const SIZES = [
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
  ]

  /** Bull Board's page links to fonts on another company's server, which the policy blocks. */
  const BLOCKED_FONTS = /^Loading the stylesheet 'https:\/\/fonts\.googleapis\.com.* violates/
  /** The browser's complaints: errors, and requests to another origin. */
  const complaints: string[] = []

  const openBoard = async (path: string, viewport = SIZES[0], as = accounts.owner()): Promise<Page> => {
    const context = await browser.newContext({ viewport: viewport ?? null })
    const { url } = accounts.nodes[0]
    const [name = '', value = ''] = as.cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' && !BLOCKED_FONTS.test(message.text())
      if (isComplaint) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfinished', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
        complaints.push(`asked ${request.url()}`)
    })
    await page.goto(`${url}/admin-queues${path}`)
    return page
  }

  test.each(SIZES)('shows queues, jobs and schedulers at $width px, and calls no other server', async (size) => {
    const job = await work.add('leads', { version: 1 }, { delay: 3_600_000 })
    await work.upsertJobScheduler('retention', { every: 3_600_000 }, { name: 'retention' })
    const page = await openBoard('', size)
    for (const name of Object.values(QUEUES)) {
      await expect.poll(() => page.getByRole('link', { name, exact: true }).first().isVisible()).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await page.goto(`${accounts.nodes[0].url}/admin-queues/queue/work?status=delayed`)
    await page.getByText('leads').first().waitFor()
    await page.goto(`${accounts.nodes[0].url}/admin-queues/job-schedulers`)
    await page.getByRole('cell', { name: 'retention' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Remove scheduler' }).isVisible()).toBe(false)
    await page.close()
    await work.removeJobScheduler('retention')
    await job.remove()
    expect(complaints).toEqual([])
  })

  test('offers nothing that changes a job', async () => {
    await work.obliterate({ force: true })
    await queues.fail(work, 'retention', {})
    const page = await openBoard('/queue/work?status=failed')
    await page.getByText('Error: it does not work').first().waitFor()
    const drawn = (icon: string) => page.locator(`button:visible .lucide-${icon}`).count()
    for (const icon of ['refresh-cw', 'trash-2', 'pencil', 'files', 'clock'])
      expect([icon, await drawn(icon)]).toEqual([icon, 0])
    await page.close()
    expect(complaints).toEqual([])
  })

  test.each(SIZES)(
    'an agent sees at $width px that it is for owners, in a page that looks like the others',
    async (size) => {
      const agent = await accounts.signInAs(await accounts.add('agent'))
      const seen = complaints.length
      const page = await openBoard('', size, agent)
      await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
      await page.getByText('Only an admin may do this.').waitFor()
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
})
