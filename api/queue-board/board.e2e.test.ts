import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QUEUES } from '../../events/log/queues.ts'
import { readLog } from '../../events/log/read.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { openTestQueues } from '../../events/testing/queues.ts'
import { openTestAccounts } from '../staff/test-accounts.ts'

const PAGE = { accept: 'text/html' }
const API = '/admin-queues/api/queues'
/** How long a node waits for an answer of Redis (`api/run-node.ts`). */
const REDIS_COMMAND_TIMEOUT_MS = 2_000

const accounts = await openTestAccounts()
const { sql } = accounts
const queues = await openTestQueues(accounts.stores)
const upkeep = queues.open(QUEUES.upkeep)
const email = queues.open(QUEUES.emailService)
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
    '/admin-queues/queue/upkeep',
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
    expect((await put(`${API}/upkeep/1/retry`, {})).status).toBe(401)
  })

  test('an agent is told that it is for owners', async () => {
    const agent = await accounts.signInAs(await accounts.add('agent'))
    for (const path of paths) expect([path, (await get(path, agent)).status]).toEqual([path, 403])
    expect((await put(`${API}/upkeep/1/retry`, agent)).status).toBe(403)
    const page = await get('/admin-queues', { ...agent, ...PAGE })
    expect(page.status).toBe(403)
    expect(await page.text()).toContain('Only an owner may do this')
  })

  test('an account that is removed, or is an owner’s no more, loses it at once', async () => {
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
  test('loads nothing from elsewhere, under a policy of its own that allows no foreign origin and no script in the page', async () => {
    const response = await get('/admin-queues', { ...accounts.owner(), ...PAGE })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("base-uri 'self';")
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
    const page = await response.text()
    expect(page.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull()
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

describe('changes', () => {
  test('a failed job is retried, and a finished one removed', async () => {
    const id = await queues.fail(upkeep, 'test', {})
    expect((await put(`${API}/upkeep/${id}/retry`)).status).toBe(204)
    expect(await (await upkeep.getJob(id))?.getState()).toBe('waiting')
    expect((await put(`${API}/upkeep/${id}/clean`)).status).toBe(204)
    expect(await upkeep.getJob(id)).toBeUndefined()
  })

  test('a job that waits for its time is promoted, once', async () => {
    const job = await upkeep.add('test', {}, { delay: 3_600_000 })
    expect((await put(`${API}/upkeep/${job.id}/promote`)).status).toBe(204)
    expect(await job.getState()).toBe('waiting')
    const again = await put(`${API}/upkeep/${job.id}/promote`)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({
      error: 'Changed by somebody else',
      message: expect.stringContaining('look again'),
    })
    await job.remove()
  })

  test('a page of another origin changes nothing', async () => {
    const job = await upkeep.add('test', {}, { delay: 3_600_000 })
    const foreign = { ...accounts.owner(), origin: 'https://evil.example' }
    expect((await put(`${API}/upkeep/${job.id}/promote`, foreign)).status).toBe(403)
    expect(await job.getState()).toBe('delayed')
    await job.remove()
  })

  test.each([
    ['PUT', `${API}/pause`],
    ['PUT', `${API}/upkeep/pause`],
    ['PUT', `${API}/upkeep/empty`],
    ['PUT', `${API}/upkeep/obliterate`],
    ['PUT', `${API}/upkeep/concurrency`],
    ['PUT', `${API}/upkeep/rate-limit`],
    ['PUT', `${API}/upkeep/job-schedulers/x/remove`],
    ['PATCH', `${API}/upkeep/job-schedulers/x`],
    ['POST', `${API}/upkeep/add`],
    ['PATCH', `${API}/upkeep/1/update-data`],
    ['PATCH', `${API}/upkeep/1/delay`],
  ])('%s %s is refused', async (method, path) => {
    const response = await accounts.send(method, path, {})
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      detail: 'Jobs can be retried, promoted and removed here, and nothing else',
    })
  })
})

describe('email', () => {
  const submit = async () => {
    const response = await accounts.nodes[0].post('/api/leads', {
      name: 'Ana Botha',
      email: 'ana@example.com',
      phone: '+27 82 555 0199',
      leadSource: 'contract_premium',
      businessName: 'Botha and Sons',
      agreedToTerms: true,
      message: 'A shop',
    })
    expect(response.status).toBe(201)
    const lead = (await readLog(sql, 0, 1_000)).findLast(({ type }) => type === 'LeadSubmitted')
    if (!lead) throw new Error('There is no lead')
    await sql`
      insert into deliveries (event_id, event_position, stream, recipient, asked_at)
      values (${lead.id}, ${lead.position}, ${lead.stream}, 'agency', now())`
    return lead.id
  }

  const askedAgain = async () =>
    (await readLog(sql, 0, 1_000)).flatMap((event) => (event.type === 'EmailResendRequested' ? [event] : []))

  test('a failed email that is retried is asked for in the log, by the owner who did it', async () => {
    const eventId = await submit()
    const id = await queues.fail(email, 'forward', { eventId })
    expect((await put(`${API}/email-service/${id}/retry`)).status).toBe(204)
    const me = await (await get('/api/me')).json()
    expect((await askedAgain()).at(-1)).toMatchObject({
      data: { forwardId: eventId, by: me.id },
      metadata: { actor: { type: 'staff', id: me.id } },
    })
    expect(await email.getJob(id)).toBeUndefined()
  })

  test('all that failed are asked for, each once', async () => {
    const before = (await askedAgain()).length
    const eventIds = [await submit(), await submit()]
    for (const eventId of [...eventIds, randomUUID()]) await queues.fail(email, 'forward', { eventId })
    expect((await put(`${API}/email-service/retry/failed`)).status).toBe(204)
    const asked = (await askedAgain()).slice(before)
    expect(asked.map(({ data }) => data.forwardId).sort()).toEqual([...eventIds].sort())
    expect((await put(`${API}/email-service/retry/completed`)).status).toBe(403)
  })

  test('a job that has gone is told as such', async () => {
    expect((await put(`${API}/email-service/999/retry`)).status).toBe(409)
  })
})

describe('without Redis', () => {
  const headers = () => ({ ...accounts.owner() })
  /** A node with a way to Redis that can be taken from it. */
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

  test('the page and its calls answer 503 at once, and come back by themselves', async () => {
    await redis.refuse()
    await eventually(async () => expect(await readyOf()).toBe('down'))
    const began = performance.now()
    const page = await lonely.call('/admin-queues', { headers: { ...headers(), ...PAGE } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=UTF-8'])
    expect(await page.text()).toContain('Redis cannot be reached')
    expect((await lonely.call(API, { headers: headers() })).status).toBe(503)
    // each would take two seconds if it asked Redis, and is far from that on a busy machine too
    expect(performance.now() - began).toBeLessThan(2 * REDIS_COMMAND_TIMEOUT_MS)
    await redis.resume()
    await eventually(async () => expect((await lonely.call(API, { headers: headers() })).status).toBe(200))
  })

  test('a Redis that hangs is given up within seconds', async () => {
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

  /** What the browser complained of, by its console or because it could not load something. */
  const complaints: string[] = []

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
})
