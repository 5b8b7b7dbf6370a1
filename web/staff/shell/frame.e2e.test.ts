import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTheFuture } from '../../../events/testing/future.ts'
import { PHONE, TABLET } from '../../testing/site.ts'
import { faultsOf, type StaffSite, signOutOn, startStaffSite } from '../../testing/staff-site.ts'

const THUMB = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** A size that a thumb hits reliably (WCAG 2.2, 2.5.8, requires 24; a link within a line is exempt there too). */
const THUMB_PX = 36

/** The shown form of a value that no version knows. */
const NEW = 'Brand new'

let site: StaffSite
let leadId: string
let sessionId: string
/** A page on a desktop, which each test leaves at any address. */
let page: Page

beforeAll(async () => {
  site = await startStaffSite([{ name: 'Zanele Qwabe', businessName: 'Uxbridge Bakery' }])
  const message = 'We bake. '.repeat(40)
  leadId = (await site.submit({ name: 'Thandi Nkosi', businessName: 'Nkosi Bakery', message })).id
  const contract = { leadSource: 'contract_premium', businessName: 'Stoep', agreedToTerms: true } as const
  await site.submit({ name: 'Contract Chris', ...contract })
  await site.submit({ name: 'Trapped Thami', message: 'x', quartz: 'filled in' } as object)
  sessionId = await site.chat({ name: 'Zodwa', email: 'zodwa@example.com' }, 'Do you build shops?')
  page = await site.open('/admin-today')
})

afterAll(() => site?.stop())

const navigationOf = (of: Page) => of.getByRole('navigation', { name: 'Staff' })
const titled = (title: string, of = page) =>
  expect.poll(() => of.title()).toMatch(new RegExp(`^(\\(\\d+\\) )?${title} \\| .`))
const focusedId = () => page.evaluate(() => document.activeElement?.id)
/** Where the first line of the top bar ends. */
const headHeight = async (of: Page) => {
  const { y, height } = (await of.locator('[data-top-bar] h1').boundingBox()) ?? expect.fail()
  return y + height
}

test('Today asks staff without a name of their own for one until they dismiss it', async () => {
  const prompt = page.getByRole('complementary', { name: 'Your name' })
  await prompt.getByText('customers now see "Support Team"').waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await prompt.getByRole('button', { name: 'Not now' }).click()
  await prompt.waitFor({ state: 'detached' })
  expect(await focusedId()).toBe('content')
})

test('every screen has a title of its own, and takes the focus when it opens', async () => {
  for (const [link, title] of [
    ['Chat', 'Chat'],
    ['Overview', 'Overview'],
    ['Contracts', 'Contracts'],
    ['Settings', 'Packages · Settings'],
    ['Today', 'Today'],
    ['Leads', 'Leads dashboard'],
  ] as const) {
    await navigationOf(page)
      .getByRole('link', { name: new RegExp(`^${link}`) })
      .press('Enter')
    await titled(title)
    await expect.poll(focusedId).toBe('content')
  }
})

test('the palette opens a lead, a chat and the quarantine by keys alone, and returns the focus', async () => {
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const chosen = palette.getByRole('option', { selected: true })
  const open = async () => {
    await page.keyboard.press('Control+K')
    await palette.getByRole('combobox').waitFor()
  }
  const opener = page.getByRole('button', { name: 'Search' })
  await opener.click()
  await expect.poll(() => chosen.textContent()).toBe('Today')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => chosen.textContent()).toBe('Leads')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)

  await open()
  await page.keyboard.type('qw')
  await chosen.filter({ hasText: 'Zanele Qwabe, Uxbridge Bakery' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Zanele Qwabe, Uxbridge Bakery' }).waitFor()
  await titled('Zanele Qwabe, Uxbridge Bakery')

  await open()
  await page.keyboard.type('zodwa')
  await chosen.filter({ hasText: /^Zodwa/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/admin-chat?session=${sessionId}`)

  await open()
  await page.keyboard.type('trapped')
  const flagged = palette.getByRole('option', { name: '1 in quarantine matches "trapped"' })
  await flagged.waitFor()
  expect(await faultsOf(page)).toEqual([])
  await flagged.click()
  await page.waitForURL('**/admin-submissions?quarantine=true&decided=true&q=trapped')
  await page.getByRole('article', { name: 'Trapped Thami' }).waitFor()
})

test('the side bar keeps its width, and each entry one line, with long counts and with a long name of the agency', async () => {
  await page.route('**/api/leads/waiting', (route) => route.fulfill({ json: { count: 120, overdue: 120, newest: [] } }))
  await page.route('**/api/chats/waiting', (route) => route.fulfill({ json: { count: 120 } }))
  await page.route('**/api/emails/summary', async (route) => {
    const summary = await (await route.fetch()).json()
    await route.fulfill({ json: { ...summary, stuck: 120 } })
  })
  await page.goto('/admin-overview')
  await expect.poll(() => navigationOf(page).getByText('99+').count()).toBe(4)
  const fits = async () => {
    for (const [width, barWidth] of [
      [1024, 56],
      [1279, 56],
      [1280, 220],
      [1440, 220],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const bar = page.getByRole('banner')
      expect.soft((await bar.boundingBox())?.width, `at ${width} px`).toBe(barWidth)
      for (const entry of await bar.getByRole('link').all()) {
        expect.soft((await entry.boundingBox())?.height, `at ${width} px`).toBeLessThanOrEqual(40)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
  }
  await fits()
  expect(await faultsOf(page)).toEqual([])
  await page.unrouteAll()
  await page.reload()
  await navigationOf(page).waitFor()
  const name = page.getByRole('banner').locator('a[href="/"] span')
  const long = 'Mountain and Ocean Digital Web Design Studio of Cape Town'
  await name.evaluate((it, text) => Object.assign(it, { textContent: text }), long)
  await fits()
})

/** Holds back the response to the first request for the signed-in account until the returned function is called. */
const holdSignIn = async (of: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  await of.route('**/api/me', async (route) => {
    asked += 1
    if (asked === 1) await promise
    await route.fallback()
  })
  return resolve
}

const callsOf = (of: Page) => {
  const calls: string[] = []
  of.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/me') calls.push(pathname)
  })
  return calls
}

test('the frame shows before the signed-in account is known, and requests nothing without a session', async () => {
  const release = await holdSignIn(page)
  await page.goto('/admin-today')
  await navigationOf(page).getByRole('link', { name: 'Leads', exact: true }).waitFor()
  await page.getByText('The server takes longer than usual to say who is signed in.').waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  release()
  await page.getByText('Thandi Nkosi').first().waitFor()
  await page.unrouteAll()

  const stranger = await (await site.browser.newContext({ baseURL: site.node.url })).newPage()
  const tell = await holdSignIn(stranger)
  const calls = callsOf(stranger)
  await stranger.goto('/admin-today')
  await navigationOf(stranger).waitFor()
  expect(calls).toEqual([])
  tell()
  await stranger.waitForURL('**/login?**')
  expect(calls.filter((path) => path !== '/api/login/ways')).toEqual([])
  await stranger.context().close()
})

test('a call of the API is found and sent by keyboard, and fits every window; its document is public', async () => {
  const response = await fetch(`${site.node.url}/api/openapi.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: expect.stringMatching('^http') }] })
  await page.goto('/admin-api')
  await page.locator('summary').filter({ hasText: 'Lists leads' }).press('Enter')
  const form = page.getByRole('form', { name: 'GET /api/leads', exact: true })
  await form.getByLabel('limit').fill('1')
  await form.getByRole('button', { name: 'Send' }).press('Enter')
  await form.getByText('200 OK').waitFor()
  await form.getByRole('region', { name: 'Response' }).getByText('Contract Chris').waitFor()
  for (const viewport of [PHONE, TABLET, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport)
    expect(await faultsOf(page)).toEqual([])
  }
  const made = await site.call('POST', '/api/tokens', { name: 'Bookkeeping', scopes: ['leads:read'] })
  await page.getByLabel('API token').fill((await made.json()).token)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('200 OK').waitFor()
})

test('a selected element is visible as such in forced colours', async () => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto('/admin-settings/support-hours')
  const groundOf = (name: string, role: 'link' | 'button' = 'link') =>
    page.getByRole(role, { name, exact: true }).evaluate((it) => getComputedStyle(it).backgroundColor)
  const form = page.getByRole('form', { name: 'Support hours' })
  const groundOfDay = (name: string) =>
    form.locator('label', { hasText: name }).evaluate((it) => getComputedStyle(it).backgroundColor)
  await form.waitFor()
  for (const [chosen, other] of [
    ['Settings', 'Overview'],
    ['Support hours', 'Showcase'],
  ] as const)
    expect(await groundOf(chosen), chosen).not.toBe(await groundOf(other))
  expect(await groundOfDay('Monday')).not.toBe(await groundOfDay('Sunday'))
  await page.goto('/admin-dashboard')
  await page.getByRole('button', { name: 'Newest First' }).waitFor()
  expect(await groundOf('Newest First', 'button')).not.toBe(await groundOf('Oldest First', 'button'))
  await page.emulateMedia({ forcedColors: 'none' })
})

/** Changes every response and every frame to look as if it came from a newer node with values unknown to this page. */
const upgradeNode = async (to: Page) => {
  await to.route('**/api/**', async (route) => {
    if (route.request().url().endsWith('/stream')) return await route.continue()
    const response = await route.fetch()
    const isJson = response.headers()['content-type']?.includes('json')
    await route.fulfill(isJson ? { response, json: fromTheFuture(await response.json()) } : { response })
  })
  await to.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((text) => {
      socket.send(JSON.stringify({ type: 'brand_new', sessionId, party: 'bot' }))
      socket.send(JSON.stringify({ type: 'receipt', sessionId, party: 'bot', delivered: 1, seen: 1 }))
      socket.send(JSON.stringify(fromTheFuture(JSON.parse(String(text)), ['type', 'senderType', 'party'])))
    })
  })
}

test('responses and frames of a newer node, with values that this page does not know, break no screen', async () => {
  await upgradeNode(page)
  await page.goto('/admin-dashboard')
  const card = page.getByRole('article', { name: 'Stoep' })
  await card.getByText(NEW, { exact: true }).waitFor()
  await card.getByText('Email brand new', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto('/admin-submissions?quarantine=true')
  await page.getByText(`${NEW}.`).waitFor()
  await page.goto(`/admin-lead?id=${leadId}`)
  const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await entries.filter({ hasText: NEW }).first().waitFor()
  expect(await page.getByLabel('Status').inputValue()).toBe('brand_new')
  expect(await faultsOf(page)).toEqual([])
  await page.goto('/admin-overview')
  await page.getByText(/^3 leads in 30 days.*Brand new/).waitFor()
  await page.locator('svg').getByText(NEW, { exact: true }).first().waitFor()
  await page.goto(`/admin-chat?session=${sessionId}`)
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('log').getByText('Do you build shops?').waitFor()

  const visitor = await site.browser.newPage({ baseURL: site.node.url })
  await upgradeNode(visitor)
  await visitor.goto('/')
  await visitor.getByRole('button', { name: 'Open chat' }).click()
  await visitor.getByLabel('Your name').fill('Zanele')
  await visitor.getByRole('button', { name: 'Start Chat' }).click()
  await visitor.getByText('Thanks for reaching out!').waitFor()
  await visitor.getByPlaceholder('Type your message...').fill('Is this still open?')
  await visitor.keyboard.press('Enter')
  const bubble = visitor.getByRole('log').getByRole('listitem').filter({ hasText: 'Is this still open?' })
  await bubble.getByText(/Sent|Delivered|Seen/).waitFor()

  // open and ended chats
  await page.getByRole('button', { name: 'Zanele' }).first().click()
  await page.getByRole('button', { name: 'End chat' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  await page.getByText(/^This chat has ended/).waitFor()
  await page.getByRole('button', { name: 'Ended', exact: true }).click()
  await page.getByRole('list', { name: 'Ended chats' }).getByRole('button', { name: 'Zanele' }).waitFor()
  await visitor.context().close()
  await page.unrouteAll()
})

/** The controls that are too small for a thumb, unless a larger one does the same. */
const smallControls = (of: Page) =>
  of.evaluate((least) => {
    const isInText = (it: Element) => it.tagName === 'A' && !it.matches('[data-button], nav *')
    const isSeen = (it: Element) => {
      const { width, height } = it.getBoundingClientRect()
      return width > 1 && height > 1 && getComputedStyle(it).visibility === 'visible'
    }
    const sizeOf = (it: Element) => {
      const areas = [it, ...(it instanceof HTMLInputElement ? (it.labels ?? []) : [])]
      const boxes = areas.map((area) => area.getBoundingClientRect())
      return Math.max(...boxes.map(({ width, height }) => Math.min(width, height)))
    }
    const controls = document.querySelectorAll('a[href], button, select, summary, input:not([type=hidden]), textarea')
    return [...controls]
      .filter((it) => isSeen(it) && !isInText(it) && !it.closest('.skip') && sizeOf(it) < least)
      .map((it) => `${it.tagName} ${it.ariaLabel ?? it.textContent?.slice(0, 40) ?? ''} ${Math.round(sizeOf(it))}`)
  }, THUMB_PX)

/** The fields whose type is below 16 px: a phone zooms in on them. */
const zoomedFields = (of: Page) =>
  of
    .locator('main :is(input:not([type=checkbox], [type=radio], [type=file]), select, textarea)')
    .evaluateAll((all) =>
      all
        .filter((it) => it.checkVisibility() && Number.parseFloat(getComputedStyle(it).fontSize) < 16)
        .map((it) => it.id),
    )

test('on a phone every screen works with a thumb, below a head of one row and above a bar of screens', async () => {
  await page.context().close()
  page = await site.open('/admin-today', THUMB)
  for (const [path, text] of [
    ['/admin-today', 'New'],
    ['/admin-submissions', 'Nkosi Bakery'],
    ['/admin-submissions?quarantine=true', 'Trapped Thami'],
    [`/admin-lead?id=${leadId}`, 'What they sent'],
    ['/admin-chat', 'Zodwa'],
    [`/admin-chat?session=${sessionId}`, 'Do you build shops?'],
    ['/admin-overview', 'Overview'],
    ['/admin-pipeline', 'Nkosi Bakery'],
    ['/admin-import', 'Nothing has been imported yet.'],
    ['/admin-email', 'Stoep'],
    ['/admin-settings', 'Essential - R999'],
    ['/admin-settings/support-hours', 'Add a closure'],
    ['/admin-settings/webhooks', 'Add a webhook'],
    ['/admin-account', 'Notify me when'],
    ['/admin-webhooks', 'No deliveries'],
    ['/admin-api', 'Lists leads'],
    ['/admin-account-history', 'signed in'],
    ['/admin-dashboard', 'submissions found'],
  ] as const) {
    await page.goto(path)
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect.soft(await smallControls(page), path).toEqual([])
    expect.soft(await zoomedFields(page), path).toEqual([])
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0)
    if ((await page.locator('[data-top-bar]').count()) > 0) expect(await headHeight(page), path).toBeLessThanOrEqual(64)
    // a chat has the whole window
    const bar = await navigationOf(page).boundingBox()
    if (bar) expect([bar.y + bar.height, bar.height <= 64]).toEqual([844, true])
  }
  // the dashboard links to the quarantine, while its other text stays folded
  const link = page.getByRole('link', { name: 'Quarantine (1)' })
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(THUMB_PX)
  // during typing, the bar at the foot is hidden
  await page.getByLabel('Search').focus()
  await navigationOf(page).waitFor({ state: 'hidden' })
  await page.getByLabel('Search').blur()
  await navigationOf(page).waitFor()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Quarantine' }).waitFor()
})

test('the other screens are behind "More", for a thumb and by keyboard', async () => {
  const screen = (name: string) => navigationOf(page).getByRole('link', { name })
  for (const name of ['Today', 'Leads', 'Chat']) expect(await screen(name).isVisible()).toBe(true)
  expect(await screen('Settings').isVisible()).toBe(false)
  const more = navigationOf(page).getByRole('button', { name: 'More' })
  await more.press('Enter')
  await screen('Settings').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Search')
  await page.keyboard.press('Escape')
  await screen('Settings').waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('More')
  await more.tap()
  await screen('Overview').tap()
  await titled('Overview')
  await screen('Overview').waitFor({ state: 'hidden' })
})

test('on a phone the palette works with a thumb, and the text of a toast has the full width', async () => {
  await navigationOf(page).getByRole('button', { name: 'More' }).tap()
  await page.getByRole('button', { name: 'Search' }).tap()
  const palette = page.getByRole('dialog')
  await palette.getByRole('combobox').fill('Nkosi')
  // not the entry that searches for it, which is there at once
  const lead = palette.getByRole('group', { name: 'Leads' }).getByRole('option').first()
  await lead.waitFor()
  expect(await smallControls(page)).toEqual([])
  expect(await faultsOf(page)).toEqual([])
  const heights = await palette
    .getByRole('option')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(THUMB_PX)
  await lead.tap()
  await page.waitForURL(/admin-lead/)
  await page.getByRole('button', { name: 'Assign to me' }).tap()
  const notices = page.getByRole('region', { name: 'Notifications (F8)' })
  const undo = notices.getByRole('button', { name: 'Undo' })
  const boxOf = async (it: typeof undo) => (await it.boundingBox()) ?? expect.fail()
  const words = await boxOf(notices.getByText(/^Assigned to you/).locator('..'))
  const [action, dismiss] = [await boxOf(undo), await boxOf(notices.getByRole('button', { name: 'Dismiss' }))]
  expect(words.width).toBeGreaterThan(250)
  expect(action.y).toBeGreaterThanOrEqual(words.y + words.height)
  expect(dismiss.y).toBeLessThan(action.y)
  expect(await faultsOf(page)).toEqual([])
})

test('after the session has ended, sign-out still works, and no screen shows an account as signed in', async () => {
  await page.goto('/admin-account')
  await page.getByLabel('Name', { exact: true }).fill('Half a na')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save profile' }).click()
  await page.getByRole('alert').filter({ hasText: 'Your session has ended.' }).waitFor()
  await signOutOn(page)
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/login')
})
