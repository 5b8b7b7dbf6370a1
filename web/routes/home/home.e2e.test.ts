import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE, startTestSite, TABLET, type TestSite } from '../../testing/site.ts'

/** A business whose name needs more than one line. */
const LONG_NAME = 'Mokoena and Daughters Plumbing, Heating and Solar of Bloemfontein'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const isInWindow = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => {
    const { top } = (document.querySelector(wanted) as Element).getBoundingClientRect()
    return top >= 0 && top < innerHeight / 2
  }, selector)

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, bottom } = element.getBoundingClientRect()
      return { x, y: Math.round(y), width: Math.round(width), bottom: Math.round(bottom) }
    }),
  )

/** Buttons, trades and cards line up, and nothing is cut off. */
const linesUp = async (page: Page, width: number) => {
  const [first, second] = await boxesOf(page, '[aria-labelledby=hero-title] [data-button]')
  if (width <= TABLET.width) expect(first).toMatchObject({ x: second?.x, width: second?.width })
  const trades = await boxesOf(page, 'label:has([name=previewTrade])')
  expect(new Set(trades.map(({ y }) => y)).size).toBe(2)
  const visits = await boxesOf(page, '#portfolio li a')
  if (width >= TABLET.width) expect(new Set(visits.map(({ y }) => y)).size).toBe(1)
  const found = page.locator('#services li', { hasText: 'SEO Optimization' }).locator('div').first()
  const room = await found.evaluate((it) => {
    const card = it.firstElementChild?.lastElementChild as Element
    return it.getBoundingClientRect().bottom - card.getBoundingClientRect().bottom
  })
  expect(room).toBeGreaterThan(8)
}

/** The floating buttons have a margin of their own, next to all content. */
const floatsBeside = async (page: Page) => {
  const floating = await page.getByRole('button', { name: 'Open chat' }).boundingBox()
  const right = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('main :is(h1, h2, h3, p, li, input, select, button, a, summary)')]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getBoundingClientRect().right),
    ),
  )
  expect(right).toBeLessThanOrEqual(floating?.x ?? 0)
}

/** Expects that the preview shows a name, and neither it nor its address cut. */
const showsWhole = async (page: Page, name: string) => {
  await page.locator('[data-preview=all]').getByText(name).waitFor()
  const cut = await page
    .locator('[data-preview=all] :is([data-preview=name], [data-preview=domain])')
    .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent))
  expect(cut).toEqual([])
}

test('everything lines up and shows whole in a window of any width, next to the floating buttons', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  for (const viewport of [PHONE, TABLET, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport)
    await linesUp(page, viewport.width)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  // in reach of a thumb: the preview below the headline, and the whole page
  const [headline, preview] = await boxesOf(page, '#hero-title, [data-preview=all]')
  expect(preview?.y).toBeLessThan((headline?.bottom ?? 0) + 32)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(10_000)
  await page.setViewportSize(PHONE)
  await page.getByLabel('Name', { exact: true }).fill(LONG_NAME)
  await showsWhole(page, LONG_NAME)
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await floatsBeside(page)
  }
  await showsWhole(page, LONG_NAME)
  await page.context().close()
})

test('the bar links to every section, from this page and from others, below its own height', async () => {
  const page = await site.open('/thanks', { reducedMotion: 'reduce' })
  const bar = page.getByRole('navigation', { name: 'Main' })
  for (const [label, id] of Object.entries({
    Pricing: 'pricing',
    Portfolio: 'portfolio',
    FAQ: 'faq',
    Contact: 'contact',
  })) {
    await bar.getByRole('link', { name: label }).click()
    await page.waitForURL(`${site.node.url}/#${id}`)
    await isInWindow(page, `#${id}`)
    const gap = await page.evaluate((section) => {
      const top = (selector: string) => (document.querySelector(selector) as Element).getBoundingClientRect()
      return top(`#${section}`).top - top('header').bottom
    }, id)
    if (id !== 'contact') expect(Math.abs(gap)).toBeLessThan(4)
    if (id === 'pricing') await page.goto(`${site.node.url}/thanks`)
  }
  await bar.getByRole('link', { name: 'Home' }).click()
  await page.waitForFunction(() => scrollY === 0)
  await page.getByRole('link', { name: 'GET STARTED' }).click()
  await isInWindow(page, '#contact')
  await page.context().close()
})

test('on a phone one bar and the menu have the links, and the bar is hidden while a form is filled in', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const bar = page.getByRole('navigation', { name: 'Contact us' })
  const chat = page.getByRole('button', { name: 'Open chat' })
  const barTop = (await bar.boundingBox())?.y ?? 0
  // the first screen has the whole preview, and the header the phone number
  const action = page.getByRole('link', { name: 'Get a free consultation' })
  const box = await page.locator('[data-preview=all]').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(barTop)
  await page.getByRole('banner').getByRole('link', { name: '+27 21 555 0142' }).waitFor()

  expect(await page.getByRole('complementary', { name: 'WhatsApp' }).isVisible()).toBe(false)
  const links = await bar.getByRole('link').all()
  expect(links).toHaveLength(3)
  const boxes = await Promise.all([...links, chat].map((each) => each.boundingBox()))
  const sorted = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 }).sort((a, b) => a.x - b.x)
  for (const [index, { x, width, height }] of sorted.entries()) {
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual((sorted[index + 1]?.x ?? PHONE.width) + 1)
  }
  const form = page.getByRole('form', { name: 'Quote request' })
  for (const field of await form
    .locator('input:not([type=hidden]):not([tabindex="-1"]), select, textarea, button')
    .all()) {
    await field.focus()
    await bar.waitFor({ state: 'hidden' })
    await chat.waitFor({ state: 'hidden' })
  }
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await bar.waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const foot = page.getByRole('contentinfo').getByRole('link', { name: 'Your website project' })
  const footBox = await foot.boundingBox()
  expect((footBox?.y ?? 0) + (footBox?.height ?? 0)).toBeLessThanOrEqual(barTop)

  const opener = page.getByRole('button', { name: 'Open menu' })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await opener.click()
  await menu.waitFor()
  await page.mouse.click(180, 600)
  await menu.waitFor({ state: 'hidden' })
  await opener.click()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  await opener.click()
  await menu.getByRole('link', { name: 'FAQ' }).click()
  await menu.waitFor({ state: 'hidden' })
  await isInWindow(page, '#faq')
  await action.click()
  await isInWindow(page, '#consultation')
  await page.context().close()
})

test('the page comes in the first packets, nothing moves as it loads, and other code loads later', async () => {
  // the data that a server sends before the first acknowledgement: ten segments (RFC 6928) of 1,460 bytes
  const firstPacketsBytes = 10 * 1_460
  const page = await site.open('/', { viewport: PHONE })
  const answer = await page.request.get(site.node.url, { headers: { 'accept-encoding': 'br' } })
  const headers = answer.headersArray().reduce((sum, { name, value }) => sum + name.length + value.length + 4, 0)
  // a name, an address and a cookie that are longer than in this test
  const roomBytes = 100
  expect(Number(answer.headers()['content-length']) + headers).toBeLessThan(firstPacketsBytes - roomBytes)

  // the code that is not needed at first is fetched once the page shows
  const order = await page.waitForFunction(() => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const fetched = performance.getEntriesByType('resource').find(({ name }) => name.includes('/afterwards-'))
    return painted && fetched && { painted, fetched: fetched.startTime }
  })
  const { painted, fetched } = (await order.jsonValue()) as { painted: number; fetched: number }
  expect(fetched).toBeGreaterThanOrEqual(painted)

  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
  expect(shift).toBe(0)

  const ahead = page.locator('script[type=speculationrules]')
  expect(await ahead.count()).toBe(0)
  await page.mouse.wheel(0, 10)
  await ahead.waitFor({ state: 'attached' })
  await page.context().close()
})

test('blocks appear and the race runs when scrolled to, and again on demand; all is still with reduced motion', async () => {
  const page = await site.open('/')
  const waiting = page.locator('[data-reveal=waiting]')
  const race = page.locator('[aria-labelledby=race-title]')
  const running = () =>
    page.evaluate(() => {
      const race = document.querySelector('[aria-labelledby=race-title]')
      return document.getAnimations().filter(({ effect }) => race?.contains((effect as KeyframeEffect).target)).length
    })
  expect(await waiting.count()).toBe(0)
  await page.mouse.wheel(0, 200)
  await page.locator('#pricing [data-reveal=waiting]').waitFor({ state: 'attached' })
  await race.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 50)
  await expect.poll(running).toBeGreaterThan(2)
  await expect.poll(running, { timeout: 9_000 }).toBe(0)
  await page.getByText('Run the race again').click()
  await expect.poll(running).toBeGreaterThan(2)
  await page.locator('#pricing [data-reveal]').scrollIntoViewIfNeeded()
  await page.locator('#pricing [data-reveal=shown]').waitFor()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('about:blank')
  await page.goto(site.node.url)
  await race.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 50)
  await page.waitForFunction(() => scrollY > 100)
  expect(await waiting.count()).toBe(0)
  expect(await running()).toBe(0)
  const clocks = await race
    .locator('.clock')
    .evaluateAll((all) => all.map((clock) => getComputedStyle(clock).counterReset))
  expect(clocks).toEqual(['n 5', 'n 7'])
  expect(await page.getByText('Run the race again').isVisible()).toBe(false)
  await page.context().close()
})

test('the preview of the visitor’s own site follows trade and colours without script', async () => {
  const page = await site.open('/', { javaScriptEnabled: false, reducedMotion: 'reduce' })
  // the search result among the services follows the trade too
  const seen = () => page.locator('[class*=for-]:visible').allInnerTexts()
  for (const [trade, headline, action, search] of [
    ['Bakery', 'Still warm at seven.', 'See today’s bread', 'fresh bread'],
    ['Plumber', 'Burst pipe? On our way.', 'Call us now', 'plumber'],
    ['Guesthouse', 'Wake up to the Karoo.', 'Check your dates', 'guesthouse'],
    ['Hair salon', 'Your best hair day.', 'Book a chair', 'hair salon'],
    ['Mechanic', 'Back on the road by five.', 'Book a service', 'car service'],
    ['Butchery', 'Cut fresh this morning.', 'Order your braai', 'boerewors'],
  ]) {
    await page.locator('label', { hasText: trade }).click()
    await expect.poll(seen).toEqual([headline, action, '', search])
  }
  await page.getByText('Ocean blue', { exact: true }).click({ force: true })
  expect(await page.getByRole('radio', { name: 'Ocean blue' }).isChecked()).toBe(true)
  await page.context().close()
})

test('the preview is included in every form, and is restored as last chosen, on whatever page that was', async () => {
  const page = await site.open('/', { reducedMotion: 'reduce' })
  const preview = page.locator('[data-preview=all]')
  const nameField = page.getByLabel('Name', { exact: true })
  const quote = page.getByRole('form', { name: 'Quote request' })
  const company = quote.getByLabel('Company')
  const businessName = page.getByRole('form', { name: / contract$/ }).getByLabel('Business name')
  const colour = () => preview.locator('[data-preview=name]').evaluate((element) => getComputedStyle(element).color)
  const before = await colour()
  await page.getByRole('radio', { name: 'Guesthouse' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('Wake up to the Karoo.').waitFor()
  await page.getByText('Forest green', { exact: true }).click({ force: true })
  await expect.poll(colour).not.toBe(before)
  await nameField.fill('Old Name')
  await preview.getByText('oldname.co.za').waitFor()
  await expect.poll(() => company.inputValue()).toBe('Old Name')
  await expect.poll(() => quote.getByLabel('Message').inputValue()).toBe('My preview: guesthouse, in Forest green.')

  await page.goto(`${site.node.url}/yourwebsiteinfo`)
  const answer = page.getByLabel('Business name')
  await answer.focus()
  await expect.poll(() => answer.inputValue()).toBe('Old Name')
  await page.goto(`${site.node.url}/contract/essential`)
  await expect.poll(() => businessName.inputValue()).toBe('Old Name')
  await businessName.fill('Registered Name')

  await page.goto(site.node.url)
  await page.getByText('Wake up to the Karoo.').waitFor()
  await preview.getByText('Old Name').waitFor()
  await nameField.fill('')
  await nameField.pressSequentially(LONG_NAME)
  await page.getByText('Plumber', { exact: true }).click()
  await expect.poll(() => company.inputValue()).toBe(LONG_NAME)
  await page.goto(`${site.node.url}/contract/professional`)
  await expect.poll(() => businessName.inputValue()).toBe(LONG_NAME)
  await page.goBack()
  await page.goBack()
  await expect.poll(() => businessName.inputValue()).toBe('Registered Name')
  await page.goBack()
  await page.goBack()
  await page.getByText('Burst pipe? On our way.').waitFor()
  await preview.getByText(LONG_NAME).waitFor()
  expect(await nameField.inputValue()).toBe(LONG_NAME)
  await expect.poll(() => company.inputValue()).toBe(LONG_NAME)
  await page.context().close()
})
