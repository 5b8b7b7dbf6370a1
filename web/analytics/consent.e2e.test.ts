import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { eventually, startTestNode, type TestNode } from '../../events/testing/node.ts'

/** Stands for the service's script: reports whatever the page tells it, as the real one does. */
const TAG = `
  const report = (entry) => fetch('https://www.google-analytics.com/g/collect', {
    method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify([...entry]),
  })
  dataLayer.forEach(report)
  dataLayer.push = (entry) => report(entry)`

let database: Awaited<ReturnType<typeof createTestDatabase>>
let counting: TestNode
let silent: TestNode
let browser: TestBrowser

beforeAll(async () => {
  database = await createTestDatabase()
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[counting, silent, browser] = await Promise.all([
    startTestNode(stores, { ANALYTICS_ID: 'G-TEST123' }),
    startTestNode(stores),
    openTestBrowser(),
  ])
})

afterEach(() => browser.close())

afterAll(async () => {
  await browser?.close()
  await Promise.all([counting, silent].map((node) => node?.stop()))
  await database?.drop()
})

/** Opens a visitor's page; `tags` are the addresses of the tag that were fetched, `told` what the service was told. */
const visit = async (url: string) => {
  const context = await browser.newContext()
  const tags: string[] = []
  const told: unknown[][] = []
  await context.route(/googletagmanager|google-analytics/, async (route) => {
    const request = route.request()
    if (request.method() === 'POST') {
      told.push(JSON.parse(request.postData() ?? '[]'))
      return await route.fulfill({ status: 204 })
    }
    tags.push(request.url())
    await route.fulfill({ contentType: 'text/javascript', body: TAG })
  })
  const page = await context.newPage()
  const refusals: string[] = []
  page.on('console', (message) => message.type() === 'error' && refusals.push(message.text()))
  await page.goto(url)
  return { page, tags, told, refusals }
}

const bar = (page: Page) => page.getByRole('region', { name: 'Counting visits' })
const answer = (page: Page, name: 'No, thanks' | 'Allow') => bar(page).getByRole('button', { name }).click()
/** Until the browser has had nothing to do: then the bar is there if it comes at all. */
const idle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300), { timeout: 3_000 })))
const namesOf = (told: unknown[][]) => told.map(([command, name]) => (command === 'event' ? name : command))

test('without an id nobody is asked, and nothing is loaded', async () => {
  const { page, tags } = await visit(silent.url)
  await idle(page)
  expect(await bar(page).count()).toBe(0)
  expect(tags).toEqual([])
  expect(
    await page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /start-/.test(name)).length,
    ),
  ).toBe(0)
})

test('nothing is sent before consent; after it page views and events are', async () => {
  const { page, tags, told, refusals } = await visit(counting.url)
  await bar(page).waitFor()
  await page
    .locator('a[href^="tel:"]:visible')
    .first()
    .evaluate((link) => {
      link.addEventListener('click', (event) => event.preventDefault())
      ;(link as HTMLElement).click()
    })
  expect([tags, told]).toEqual([[], []])
  await answer(page, 'Allow')
  await eventually(() => expect(namesOf(told)).toEqual(['js', 'config']))
  expect(tags).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-TEST123'])
  expect(told[1]).toEqual(['config', 'G-TEST123', { page_path: '/' }])

  await page.locator('a[href^="tel:"]:visible').first().click()
  await eventually(() => expect(namesOf(told)).toContain('phone_click'))

  const form = page.getByRole('form', { name: 'Quote request' })
  await form.getByLabel('Full name').fill('Naledi Dlamini')
  await form.getByLabel('Email').fill('naledi@dlamini.example')
  await form.getByLabel('Phone').fill('082 555 0199')
  await form.getByRole('button').click()
  await page.getByText('Message Sent Successfully!').first().waitFor()
  await eventually(() =>
    expect(told).toEqual(
      expect.arrayContaining([
        ['event', 'form_submit', { event_category: 'lead_generation', event_label: 'contact_form', value: 1 }],
        ['event', 'generate_lead', { event_category: 'conversion', event_label: 'contact_form' }],
      ]),
    ),
  )

  await page.locator('a[href="/contract/professional"]').first().click()
  await page.waitForURL('**/contract/professional')
  await eventually(() =>
    expect(told).toEqual(
      expect.arrayContaining([
        ['event', 'package_click', { event_category: 'packages', event_label: 'professional', value: 1499 }],
        ['config', 'G-TEST123', { page_path: '/contract/professional' }],
        ['event', 'view_item', { event_category: 'packages', event_label: 'professional', value: 1499 }],
      ]),
    ),
  )
  await idle(page)
  expect(await bar(page).count()).toBe(0)
  expect(JSON.stringify(told)).not.toMatch(/naledi|Dlamini|0199/i)
  expect(refusals).toEqual([])
})

test('a refusal is as easy, is remembered, and can be taken back on the privacy page', async () => {
  const { page, tags } = await visit(counting.url)
  await bar(page).waitFor()
  const [no, yes] = await bar(page).getByRole('button').all()
  expect((await no?.boundingBox())?.width).toBe((await yes?.boundingBox())?.width)
  await answer(page, 'No, thanks')
  await page.reload()
  await idle(page)
  expect(await bar(page).count()).toBe(0)
  expect(tags).toEqual([])
  await page.goto(`${counting.url}/privacy`)
  await answer(page, 'Allow')
  await eventually(() => expect(tags).toHaveLength(1))
  await page.reload()
  await answer(page, 'No, thanks')
  const before = tags.length
  await page.goto(counting.url)
  await idle(page)
  expect(tags).toHaveLength(before)
})

test.each([360, 768, 1440])('at %i px the bar covers no floating button', async (width) => {
  const { page } = await visit(counting.url)
  await page.setViewportSize({ width, height: 780 })
  await bar(page).waitFor()
  const boxOf = async (locator: ReturnType<Page['locator']>) =>
    (await locator.boundingBox()) ?? expect.fail('not there')
  const consent = await boxOf(bar(page))
  const floating = await page.evaluate(() =>
    [...document.querySelectorAll('a,button')]
      .filter((each) => !each.closest('#consent') && getComputedStyle(each).position === 'fixed')
      .map((each) => each.getBoundingClientRect().toJSON()),
  )
  expect(floating.length).toBeGreaterThan(0)
  for (const { x, y, width: w, height: h } of floating) {
    const isApart =
      x >= consent.x + consent.width || x + w <= consent.x || y >= consent.y + consent.height || y + h <= consent.y
    expect(isApart).toBe(true)
  }
  expect(consent.x + consent.width).toBeLessThanOrEqual(width)
})
