import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import { eventually, STAFF, signIn, startTestWorker } from '../../../events/testing/node.ts'
import { DESKTOP, PHONE, readForAWhile, startTestSite, TABLET, type TestSite } from '../../test-site.ts'

let site: TestSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const FORMS = [
  {
    name: 'Free consultation',
    action: 'Get my free consultation',
    title: 'Quote Request Sent!',
    description: "We'll get back to you within 2 hours during business hours.",
    request: 'consultation request',
  },
  {
    name: 'Quote request',
    action: 'Request my quote',
    title: 'Message Sent Successfully!',
    description: 'We typically respond within 2 hours during business hours',
    request: 'quote request',
  },
]

const fillIn = async (form: Locator) => {
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Phone').fill('082 555 0142')
  await form.getByLabel('Email').fill('thandi@example.co.za')
}

const isInWindow = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => {
    const { top } = (document.querySelector(wanted) as Element).getBoundingClientRect()
    return top >= 0 && top < innerHeight / 2
  }, selector)

describe.each(FORMS)('the form "$name"', ({ name, action, title, description, request }) => {
  test('says what is wrong on submit, then on change', async () => {
    const page = await site.open('/')
    const form = page.getByRole('form', { name })
    await form.getByRole('button', { name: action }).click()
    await form.getByText('Name must be at least 2 characters', { exact: true }).waitFor()
    await form.getByText('Please enter a valid email address', { exact: true }).waitFor()
    await form.getByText('Please enter a valid phone number', { exact: true }).waitFor()
    await fillIn(form)
    await form.getByText(/must be|Please enter/).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('fails with a word on where to turn, keeps what was typed, and succeeds with one lead in the end', async () => {
    const page = await site.open('/')
    const form = page.getByRole('form', { name })
    const button = form.getByRole('button', { name: new RegExp(`^(${action}|Sending...)$`) })
    await fillIn(form)
    await readForAWhile(page)
    const keys: string[] = []
    let proceed = () => {}
    await page.route('**/api/leads', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      const status = [429, 500][keys.length - 1]
      if (status) return route.fulfill({ status, body: 'no' })
      if (keys.length === 3) return route.abort('connectionrefused')
      await new Promise<void>((resolve) => {
        proceed = resolve
      })
      return route.continue()
    })
    for (let round = 0; round < 3; round += 1) {
      await button.click()
      const failure = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
      await failure.getByText('Please try again or contact us directly at hello@karoowebstudio.example').waitFor()
      await expect.poll(() => button.isEnabled()).toBe(true)
      await expect.poll(() => button.innerText()).toBe(action)
      expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
      await failure.getByRole('button', { name: 'Dismiss' }).click()
      await failure.waitFor({ state: 'detached' })
    }
    await button.click()
    await form.getByRole('button', { name: 'Sending...', disabled: true }).waitFor()
    await eventually(() => expect(keys).toHaveLength(4))
    proceed()
    const toast = page.getByRole('status').filter({ hasText: title })
    await toast.getByText(title, { exact: true }).waitFor()
    await toast.getByText(description, { exact: true }).waitFor()
    await page.getByRole('heading', { name: `Thanks, we've received your ${request}.` }).waitFor()
    await page.getByRole('button', { name: 'Send another request' }).click()
    await expect.poll(() => form.getByLabel('Full name').inputValue()).toBe('')
    expect(new Set(keys).size).toBe(1)
    await page.context().close()
  })
})

test('what the quote form offers, and what a visitor types, reaches staff as it stands', async () => {
  const worker = await startTestWorker(site.stores)
  const page = await site.open('/')
  const form = page.getByRole('form', { name: 'Quote request' })
  const labelsOf = (label: string) => form.getByLabel(label).locator('option').allInnerTexts()
  expect(await labelsOf('Package')).toEqual([
    'Please choose',
    'Essential - R1,399',
    'Professional - R250/month',
    'Premium - R450/month',
    'Custom',
  ])
  // one amount is not all that a package costs
  expect(await form.getByRole('link', { name: 'packages and prices' }).getAttribute('href')).toBe('#pricing')
  await form.getByText('Your quote confirms the total.').waitFor()
  await fillIn(form)
  await form.getByLabel('Company').fill('<i>Nkosi</i> & "Sons"')
  await form.getByLabel('Package').selectOption('premium')
  await form.getByLabel('Preferred contact method').selectOption('whatsapp')
  await form.getByLabel('Timeline').selectOption('2-4weeks')
  await form.getByLabel('Message').fill('<script>alert(1)</script>')
  await readForAWhile(page)
  await form.getByRole('button').click()
  await page.getByText('Message Sent Successfully!').waitFor()

  const staff = await signIn(site.node)
  await eventually(async () => {
    const leads = await (await site.node.call('/api/leads?q=Sons', { headers: staff })).json()
    expect(leads).toEqual([
      expect.objectContaining({
        company: '<i>Nkosi</i> & "Sons"',
        package: 'premium',
        industry: 'whatsapp',
        timeline: '2-4weeks',
        message: '<script>alert(1)</script>',
        leadSource: 'contact_form',
        pageUrl: `${site.node.url}/`,
      }),
    ])
  })

  const dashboard = await site.open('/admin-dashboard')
  await dashboard.getByLabel('Username').fill(STAFF.username)
  await dashboard.getByLabel('Password').fill(STAFF.password)
  await dashboard.getByRole('button', { name: 'Sign in' }).click()
  await dashboard.getByText('<i>Nkosi</i> & "Sons"').first().waitFor()
  await dashboard.context().close()
  await worker.stop()
  await page.context().close()
})

test('the bar leads to every section, from here and from elsewhere, below its own height', async () => {
  const page = await site.open('/thanks', { reducedMotion: 'reduce' })
  for (const [label, id] of Object.entries({
    Pricing: 'pricing',
    Portfolio: 'portfolio',
    FAQ: 'faq',
    Contact: 'contact',
  })) {
    await page.goto(`${site.node.url}/thanks`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click()
    await page.waitForURL(`${site.node.url}/#${id}`)
    await isInWindow(page, `#${id}`)
    const gap = await page.evaluate((section) => {
      const top = (selector: string) => (document.querySelector(selector) as Element).getBoundingClientRect()
      return top(`#${section}`).top - top('header').bottom
    }, id)
    if (id !== 'contact') expect(Math.abs(gap)).toBeLessThan(4)
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.waitForFunction(() => scrollY === 0)
  await page.getByRole('link', { name: 'GET STARTED' }).click()
  await isInWindow(page, '#contact')
  await page.context().close()
})

test('on a phone the menu opens, leads to a section and closes, also by a tap outside and by Escape', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const opener = page.getByRole('button', { name: 'Open menu' })
  await opener.click()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.waitFor()
  expect(await menu.getByRole('listitem').allInnerTexts()).toEqual(['Home', 'Pricing', 'Portfolio', 'FAQ', 'Contact'])
  expect(await menu.getByRole('link', { name: 'GET STARTED' }).getAttribute('href')).toBe('#contact')
  await menu.getByRole('link', { name: 'FAQ' }).click()
  await menu.waitFor({ state: 'hidden' })
  await isInWindow(page, '#faq')
  await opener.click()
  await menu.waitFor()
  await page.mouse.click(180, 600)
  await menu.waitFor({ state: 'hidden' })
  await opener.click()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.context().close()
})

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, bottom } = element.getBoundingClientRect()
      return { x, y: Math.round(y), width: Math.round(width), bottom: Math.round(bottom) }
    }),
  )

test.each([PHONE, TABLET, { width: 1280, height: 800 }])(
  'at $width px buttons, trades and cards line up, and nothing is cut off',
  async (viewport) => {
    const page = await site.open('/', { viewport, reducedMotion: 'reduce' })
    const [first, second] = await boxesOf(page, '[aria-labelledby=hero-title] [data-button]')
    if (viewport.width <= TABLET.width) expect(first).toMatchObject({ x: second?.x, width: second?.width })
    const trades = await boxesOf(page, '[name=previewTrade] + label')
    expect(new Set(trades.map(({ y }) => y)).size).toBe(1)
    const visits = await boxesOf(page, '#portfolio li a')
    const facts = await boxesOf(page, '#portfolio li p:last-of-type')
    if (viewport.width >= TABLET.width)
      for (const ones of [visits, facts]) expect(new Set(ones.map(({ y }) => y)).size).toBe(1)
    const found = page.locator('#services li', { hasText: 'SEO Optimization' }).locator('div').first()
    const room = await found.evaluate((it) => {
      const card = it.firstElementChild?.lastElementChild as Element
      return it.getBoundingClientRect().bottom - card.getBoundingClientRect().bottom
    })
    expect(room).toBeGreaterThan(8)
    await page.context().close()
  },
)

test('on a phone one bar leads to a call, WhatsApp, the chat and a quote, and gives way while a form is filled in', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const bar = page.getByRole('navigation', { name: 'Contact us' })
  const chat = page.getByRole('button', { name: 'Open chat' })
  expect(await bar.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+27215550142')
  expect(await bar.getByRole('link', { name: 'WhatsApp (new tab)' }).getAttribute('href')).toMatch(
    /^https:\/\/wa\.me\//,
  )
  expect(await bar.getByRole('link', { name: 'Get a quote' }).getAttribute('href')).toBe('#contact')
  expect(await page.getByRole('complementary', { name: 'WhatsApp' }).isVisible()).toBe(false)
  const boxes = await Promise.all([...(await bar.getByRole('link').all()), chat].map((each) => each.boundingBox()))
  const sorted = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 }).sort((a, b) => a.x - b.x)
  for (const [index, { x, width, height }] of sorted.entries()) {
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual((sorted[index + 1]?.x ?? PHONE.width) + 1)
  }
  const barTop = (await bar.boundingBox())?.y ?? 0
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
  await page.context().close()
})

test('on a phone the first screen has the primary button, and the bar the phone number', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const action = page.getByRole('link', { name: 'Get a free consultation' })
  const box = await action.boundingBox()
  const bar = await page.getByRole('navigation', { name: 'Contact us' }).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await page.getByRole('banner').getByRole('link', { name: '+27 21 555 0142' }).waitFor()
  await action.click()
  await isInWindow(page, '#consultation')
  await page.context().close()
})

test.each([1024, 1280, 1440])(
  'at %i px the buttons that float have a margin of their own, beside all content',
  async (width) => {
    const page = await site.open('/', { viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    const floating = await page.getByRole('button', { name: 'Open chat' }).boundingBox()
    const right = await page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('main :is(h1, h2, h3, p, li, input, select, button, a, summary)')]
          .filter((element) => element.checkVisibility())
          .map((element) => element.getBoundingClientRect().right),
      ),
    )
    expect(right).toBeLessThanOrEqual(floating?.x ?? 0)
    await page.context().close()
  },
)

test('the whole page comes in the first packets, and what it does afterwards is fetched once it shows', async () => {
  // what a server sends before the first acknowledgement: ten segments (RFC 6928) of 1,460 bytes
  const firstPacketsBytes = 10 * 1_460
  const page = await site.open('/', { viewport: PHONE })
  const answer = await page.request.get(site.node.url, { headers: { 'accept-encoding': 'br' } })
  const headers = answer.headersArray().reduce((sum, { name, value }) => sum + name.length + value.length + 4, 0)
  // a name, an address and a cookie that are longer than here
  const roomBytes = 100
  expect(Number(answer.headers()['content-length']) + headers).toBeLessThan(firstPacketsBytes - roomBytes)
  const order = await page.waitForFunction(() => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const fetched = performance.getEntriesByType('resource').find(({ name }) => name.includes('/afterwards-'))
    return painted && fetched && { painted, fetched: fetched.startTime }
  })
  const { painted, fetched } = (await order.jsonValue()) as { painted: number; fetched: number }
  expect(fetched).toBeGreaterThanOrEqual(painted)
  const ahead = page.locator('script[type=speculationrules]')
  expect(await ahead.count()).toBe(0)
  await page.mouse.wheel(0, 10)
  await ahead.waitFor({ state: 'attached' })
  await page.context().close()
})

test('the page says what it took on this device, and is honest where it was slow', async () => {
  const page = await site.open('/')
  await page.getByText(/^This page reached you in (less than )?\d+\.\d s and weighs \d+ kB\.$/).waitFor()
  const said = Number(/weighs (\d+) kB/.exec(await page.locator('[data-proof]').innerText())?.[1])
  const [document, fetched] = await page.evaluate(() => {
    const sizeOf = (entry: PerformanceEntry) => (entry as PerformanceResourceTiming).transferSize ?? 0
    const entries = performance.getEntries()
    return [sizeOf(entries[0] as PerformanceEntry), entries.reduce((sum, entry) => sum + sizeOf(entry), 0)] as const
  })
  // what comes into sight later is fetched later
  expect(said).toBeGreaterThanOrEqual(Math.ceil(document / 1000))
  expect(said).toBeLessThanOrEqual(Math.ceil(fetched / 1000) + 2)

  await page.evaluate(() => sessionStorage.setItem('hero_form-draft', '{"name":"Thandi"}'))
  await page.reload()
  await expect
    .poll(() => page.getByRole('form', { name: 'Free consultation' }).getByLabel('Full name').inputValue())
    .toBe('Thandi')
  const line = page.locator('[data-proof]', { hasText: /weighs \d+ kB/ })
  await line.waitFor()
  expect(Number(/weighs (\d+) kB/.exec(await line.innerText())?.[1])).toBeLessThanOrEqual(said)

  const context = await page.context().browser()?.newContext()
  const slow = await context?.newPage()
  if (!slow) throw new Error('No page')
  await slow.route(`${site.node.url}/`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await route.continue()
  })
  await slow.goto(site.node.url)
  await slow
    .getByText(/^This page took [2-9]\.\d s to reach you\. It weighs \d+ kB: a typical one weighs \d+ times as much\.$/)
    .waitFor()
  await slow.context().close()
  await page.context().close()
})

describe('the preview of the visitor’s own site', () => {
  const businessNameOf = (page: Page) =>
    page.getByRole('form', { name: 'Professional contract' }).getByLabel('Business name')
  const colourOf = (page: Page) =>
    page.locator('[data-preview=all] [data-preview=name]').evaluate((element) => getComputedStyle(element).color)

  test('follows trade and colours without script', async () => {
    const page = await site.open('/', { javaScriptEnabled: false, reducedMotion: 'reduce' })
    await page.getByText('Still warm at seven.').waitFor()
    await page.getByText('Plumber', { exact: true }).click()
    await page.getByText('Burst pipe? On our way.').waitFor()
    expect(await page.getByText('Still warm at seven.').isVisible()).toBe(false)
    await page.getByText('Ocean blue', { exact: true }).click({ force: true })
    expect(await page.getByRole('radio', { name: 'Ocean blue' }).isChecked()).toBe(true)
    await page.context().close()
  })

  test('shows the name as it is typed, and takes the choice into the forms, over a reload and the questionnaire', async () => {
    const page = await site.open('/', { reducedMotion: 'reduce' })
    const before = await colourOf(page)
    await page.getByRole('radio', { name: 'Guesthouse' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Wake up to the Karoo.').waitFor()
    await page.getByText('Forest green', { exact: true }).click({ force: true })
    await expect.poll(() => colourOf(page)).not.toBe(before)
    await page.getByLabel('Name', { exact: true }).fill('Tannie Bé & Seun')
    await page.locator('[data-preview=all]').getByText('tanniebeseun.co.za').waitFor()
    const quote = page.getByRole('form', { name: 'Quote request' })
    const words = 'My preview: guesthouse, in Forest green.'
    await expect.poll(() => quote.getByLabel('Company').inputValue()).toBe('Tannie Bé & Seun')
    await expect.poll(() => quote.getByLabel('Message').inputValue()).toBe(words)
    expect(await page.locator('#hero_form-message').inputValue()).toBe(words)

    await quote.getByLabel('Message').fill('My own words')
    await page.getByText('Plumber', { exact: true }).click()
    await page.getByText('Burst pipe? On our way.').waitFor()
    await expect
      .poll(() => page.locator('#hero_form-message').inputValue())
      .toBe('My preview: plumber, in Forest green.')
    expect(await quote.getByLabel('Message').inputValue()).toBe('My own words')

    await page.goto(`${site.node.url}/yourwebsiteinfo`)
    await page.getByLabel('Business name').focus()
    await expect.poll(() => page.getByLabel('Business name').inputValue()).toBe('Tannie Bé & Seun')
    await expect.poll(() => page.getByRole('radio', { name: /Forest green/ }).isChecked()).toBe(true)
    expect(await page.getByLabel('How should Google list you?').inputValue()).toBe('HomeAndConstructionBusiness')

    await page.goto(site.node.url)
    await page.getByText('Burst pipe? On our way.').waitFor()
    await page.locator('[data-preview=all]').getByText('Tannie Bé & Seun').waitFor()
    await page.context().close()
  })

  test.each([PHONE, DESKTOP])('shows a long name and its address whole at $width px', async (viewport) => {
    const page = await site.open('/', { viewport, reducedMotion: 'reduce' })
    const name = 'Mokoena and Daughters Plumbing, Heating and Solar of Bloemfontein'
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.locator('[data-preview=all]').getByText(name).waitFor()
    const cut = await page
      .locator('[data-preview=all] :is([data-preview=name], [data-preview=domain])')
      .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent))
    expect(cut).toEqual([])
    await page.context().close()
  })

  test('gives a contract its name, whole, and comes back as it was chosen last, whatever page that was on', async () => {
    const page = await site.open('/', { reducedMotion: 'reduce' })
    const preview = page.locator('[data-preview=all]')
    const nameField = page.getByLabel('Name', { exact: true })
    const company = page.getByRole('form', { name: 'Quote request' }).getByLabel('Company')
    const long = 'Mokoena and Daughters Plumbing, Heating and Solar of Bloemfontein'
    await nameField.fill('Old Name')
    await expect.poll(() => company.inputValue()).toBe('Old Name')
    await page.goto(`${site.node.url}/contract/essential`)
    const businessName = page.getByRole('form', { name: 'Essential contract' }).getByLabel('Business name')
    await expect.poll(() => businessName.inputValue()).toBe('Old Name')
    await businessName.fill('Registered Name')

    await page.goto(site.node.url)
    await nameField.fill('')
    await nameField.pressSequentially(long)
    await page.getByText('Plumber', { exact: true }).click()
    await expect.poll(() => company.inputValue()).toBe(long)
    await page.goto(`${site.node.url}/contract/professional`)
    await expect.poll(() => businessNameOf(page).inputValue()).toBe(long)
    await page.goBack()
    await page.goBack()
    await expect.poll(() => businessName.inputValue()).toBe('Registered Name')
    await page.goBack()
    await page.getByText('Burst pipe? On our way.').waitFor()
    await preview.getByText(long).waitFor()
    expect(await nameField.inputValue()).toBe(long)
    await expect.poll(() => company.inputValue()).toBe(long)
    await page.context().close()
  })

  test('goes with the lead of the hero form', async () => {
    const worker = await startTestWorker(site.stores)
    const page = await site.open('/', { reducedMotion: 'reduce' })
    await page.getByLabel('Name', { exact: true }).fill('Preview Bakers')
    const form = page.getByRole('form', { name: 'Free consultation' })
    await expect.poll(() => form.getByLabel('Company').inputValue()).toBe('Preview Bakers')
    await fillIn(form)
    await readForAWhile(page)
    await form.getByRole('button', { name: 'Get my free consultation' }).click()
    await page.getByText('Quote Request Sent!').first().waitFor()
    const staff = await signIn(site.node)
    await eventually(async () => {
      const leads = await (await site.node.call('/api/leads?q=Preview+Bakers', { headers: staff })).json()
      expect(leads).toEqual([
        expect.objectContaining({ leadSource: 'hero_form', message: 'My preview: bakery, in Karoo earth.' }),
      ])
    })
    await worker.stop()
    await page.context().close()
  })
})

test('the race runs once it is seen, and again on demand; it is still where motion is unwelcome', async () => {
  const running = (page: Page) =>
    page.evaluate(() => {
      const race = document.querySelector('[aria-labelledby=race-title]')
      return document.getAnimations().filter(({ effect }) => race?.contains((effect as KeyframeEffect).target)).length
    })
  const page = await site.open('/')
  await page.locator('[aria-labelledby=race-title]').scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 50)
  await expect.poll(() => running(page)).toBeGreaterThan(2)
  await expect.poll(() => running(page), { timeout: 9_000 }).toBe(0)
  await page.getByText('Run the race again').click()
  await expect.poll(() => running(page)).toBeGreaterThan(2)
  const calm = await site.open('/', { reducedMotion: 'reduce' })
  await calm.locator('[aria-labelledby=race-title]').scrollIntoViewIfNeeded()
  await calm.mouse.wheel(0, 50)
  await calm.waitForFunction(() => scrollY > 100)
  expect(await running(calm)).toBe(0)
  const clocks = await calm
    .locator('[aria-labelledby=race-title] .clock')
    .evaluateAll((all) => all.map((clock) => getComputedStyle(clock).counterReset))
  expect(clocks).toEqual(['n 5', 'n 7'])
  expect(await calm.getByText('Run the race again').isVisible()).toBe(false)
  await calm.context().close()
  await page.context().close()
})

test('nothing on the page moves while it loads and settles', async () => {
  const page = await site.open('/', { viewport: PHONE })
  await page
    .getByText(/weighs \d+ kB/)
    .first()
    .waitFor()
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
  await page.context().close()
})

test('blocks below the window wait for the first scroll to hide, and come in as they are reached', async () => {
  const page = await site.open('/')
  const block = page.locator('#pricing [data-reveal]')
  const states = () => page.locator('[data-reveal=waiting]').count()
  expect(await states()).toBe(0)
  await page.mouse.wheel(0, 200)
  await page.locator('#pricing [data-reveal=waiting]').waitFor({ state: 'attached' })
  await block.scrollIntoViewIfNeeded()
  await page.locator('#pricing [data-reveal=shown]').waitFor()

  const calm = await site.open('/', { reducedMotion: 'reduce' })
  await calm.mouse.wheel(0, 200)
  await calm.waitForFunction(() => scrollY > 100)
  expect(await calm.locator('[data-reveal=waiting]').count()).toBe(0)
  await page.context().close()
  await calm.context().close()
})

test('links leave by the right door, and the ended offer is not shown', async () => {
  const page = await site.open('/')
  for (const work of ['Harbour Bakery', 'Highveld Plumbing', 'Karoo Stoep Guesthouse']) {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: work }) })
    expect(await card.locator('b').allInnerTexts()).toEqual(['0.8 s', '1 day'])
    expect(await page.getByRole('link', { name: `Visit ${work} (new tab)` }).getAttribute('target')).toBe('_blank')
  }
  for (const name of ['Essential', 'Professional', 'Premium'])
    expect(await page.getByRole('link', { name: `Choose ${name}` }).getAttribute('href')).toBe(
      `/contract/${name.toLowerCase()}`,
    )
  const ways = page.getByRole('region', { name: 'Ask for a quote' })
  expect(await ways.getByRole('link', { name: 'Message us on WhatsApp (new tab)' }).getAttribute('href')).toBe(
    `https://wa.me/27825550142?text=${encodeURIComponent("Hi! I'd like a quote for a website.")}`,
  )
  const call = page.locator('[aria-labelledby=final-call-title]').getByRole('link', { name: 'Call' })
  expect(await call.getAttribute('href')).toBe('tel:+27215550142')
  expect(await page.getByText('The offer ends 30 September 2025').count()).toBe(0)
  await page.context().close()
})
