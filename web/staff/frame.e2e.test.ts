import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from './test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const titled = (page: Page, title: string) => expect.poll(() => page.title()).toMatch(new RegExp(`^${title} \\| .`))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)

test('every screen has a title of its own, and takes the focus of those who go there', async () => {
  const page = await site.open('/admin-dashboard')
  await titled(page, 'Leads dashboard')
  expect(await focused(page)).not.toBe('content')
  const navigation = page.getByRole('navigation', { name: 'Staff' })
  for (const [link, title] of [
    ['Submissions', 'Form submissions'],
    ['Live chat', 'Live chat'],
    ['Overview', 'Overview'],
    ['Email', 'Email'],
    ['Settings', 'Settings'],
    ['Today', 'Today'],
    ['Dashboard', 'Leads dashboard'],
  ] as const) {
    await navigation.getByRole('link', { name: link }).press('Enter')
    await titled(page, title)
    await expect.poll(() => focused(page)).toBe('content')
  }
  await page.goto('/admin-submissions?quarantine=true')
  await titled(page, 'Quarantine')
  await page.goto('/admin-account')
  await titled(page, 'Your account')
  const lead = await site.submit({ businessName: 'Stoep & Co' })
  await page.goto(`/admin-lead?id=${lead.id}`)
  await titled(page, 'Ana Botha, Stoep & Co')
  await page.context().close()
})

test('on a phone the head is one row, and the screens are a bar at the foot, for a thumb and by keyboard', async () => {
  const page = await site.open('/admin-dashboard', { viewport: { width: 390, height: 844 } })
  const navigation = page.getByRole('navigation', { name: 'Staff' })
  const screen = (name: string) => navigation.getByRole('link', { name })
  for (const width of [320, 390, 768]) {
    await page.setViewportSize({ width, height: 844 })
    const { height } = (await page.getByRole('banner').boundingBox()) ?? expect.fail()
    expect(height, `at ${width} px`).toBeLessThanOrEqual(64)
    const bar = (await navigation.boundingBox()) ?? expect.fail()
    expect(bar.y + bar.height).toBe(844)
    expect(bar.height).toBeLessThanOrEqual(64)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Today', 'Dashboard', 'Live chat', 'Email']) expect(await screen(name).isVisible()).toBe(true)
  expect(await screen('Pipeline').isVisible()).toBe(false)
  const more = navigation.getByRole('button', { name: 'More' })
  await more.press('Enter')
  await screen('Pipeline').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Pipeline')
  await page.keyboard.press('Escape')
  await screen('Pipeline').waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('More')
  await more.click()
  await screen('Overview').click()
  await titled(page, 'Overview')
  await screen('Overview').waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1024, height: 800 })
  await screen('Settings').waitFor()
  const { height } = (await page.getByRole('banner').boundingBox()) ?? expect.fail()
  expect(height).toBeLessThanOrEqual(70)
  await page.context().close()
})

test('with a count beside each of its entries the menu is still one line', async () => {
  const page = await site.open('/admin-overview')
  await page.route('**/api/leads/waiting', (route) => route.fulfill({ json: { count: 120, overdue: 120, newest: [] } }))
  await page.route('**/api/chats/waiting', (route) => route.fulfill({ json: { count: 120 } }))
  await page.route('**/api/emails/summary', async (route) => {
    const summary = await (await route.fetch()).json()
    await route.fulfill({ json: { ...summary, stuck: 120 } })
  })
  await page.reload()
  const navigation = page.getByRole('navigation', { name: 'Staff' })
  await expect.poll(() => navigation.getByText('99+').count()).toBe(3)
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const { height } = (await page.getByRole('banner').boundingBox()) ?? expect.fail()
    expect.soft(height, `at ${width} px`).toBeLessThanOrEqual(70)
    expect(await faultsOf(page)).toEqual([])
  }
  await page.context().close()
})

test('a long name of the agency gives way to the menu', async () => {
  const page = await site.open('/admin-overview')
  await page.getByRole('navigation', { name: 'Staff' }).waitFor()
  const long = 'Mountain and Ocean Digital Web Design Studio of Cape Town'
  const logo = page.getByRole('banner').locator('a[href="/"]')
  await logo.locator('span').evaluate((name, text) => {
    name.textContent = text
  }, long)
  for (const width of [1024, 1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const { height } = (await page.getByRole('banner').boundingBox()) ?? expect.fail()
    expect(height, `at ${width} px`).toBeLessThanOrEqual(70)
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await page.context().close()
})

/** Lets nothing answer the first question who is signed in until the returned function is called. */
const holdSignIn = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/api/me', async (route) => {
    asked += 1
    if (asked === 1) await promise
    await route.fallback()
  })
  return resolve
}

const callsOf = (page: Page) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/me') calls.push(pathname)
  })
  return calls
}

test('the frame shows at once while nothing says who is signed in, and offers to try again', async () => {
  await site.submit({ name: 'Secret Sindi' })
  const page = await site.open('/login')
  const calls = callsOf(page)
  const release = await holdSignIn(page)
  await page.goto('/admin-today')
  await page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name: 'Dashboard' }).waitFor()
  await page.getByRole('heading', { name: 'Loading...' }).waitFor()
  await page.getByText('The server takes longer than usual to say who is signed in.').waitFor()
  expect(calls).toEqual([])
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Secret Sindi').waitFor()
  release()
  await page.context().close()
})

test('nothing is asked for and shown to somebody who is signed out, however late that is known', async () => {
  const page = await (await site.browser.newContext({ baseURL: site.node.url })).newPage()
  const release = await holdSignIn(page)
  const calls = callsOf(page)
  await page.goto('/admin-today')
  await page.getByRole('navigation', { name: 'Staff' }).waitFor()
  expect(calls).toEqual([])
  release()
  await page.waitForURL('**/login?**')
  expect(calls.filter((path) => path !== '/api/login/ways')).toEqual([])
  await page.context().close()
})

test('while somebody types on a phone, the bar at the foot gives way', async () => {
  const page = await site.open('/admin-dashboard', { viewport: { width: 390, height: 844 } })
  const navigation = page.getByRole('navigation', { name: 'Staff' })
  await navigation.waitFor()
  await page.getByLabel('Search').focus()
  await navigation.waitFor({ state: 'hidden' })
  await page.getByLabel('Search').blur()
  await navigation.waitFor()
  await page.context().close()
})

test('what is chosen shows as such where the system chooses the colours', async () => {
  const page = await site.open('/admin-settings', { forcedColors: 'active' })
  const groundOf = (name: string, role: 'link' | 'button' = 'link') =>
    page.getByRole(role, { name, exact: true }).evaluate((it) => getComputedStyle(it).backgroundColor)
  const form = page.getByRole('form', { name: 'Support hours' })
  const groundOfDay = (name: string) =>
    form.locator('label', { hasText: name }).evaluate((it) => getComputedStyle(it).backgroundColor)
  await form.waitFor()
  for (const [chosen, other] of [
    ['Settings', 'Overview'],
    ['Agency', 'Your account'],
    ['Support hours', 'Showcase'],
  ] as const)
    expect(await groundOf(chosen), chosen).not.toBe(await groundOf(other))
  expect(await groundOfDay('Monday')).not.toBe(await groundOfDay('Sunday'))
  await page.goto('/admin-dashboard')
  await page.getByRole('button', { name: 'Newest First' }).waitFor()
  expect(await groundOf('Newest First', 'button')).not.toBe(await groundOf('Oldest First', 'button'))
  await page.context().close()
})

test('somebody whose session has ended can still sign out, and is not told that they are signed in', async () => {
  const page = await site.open('/admin-account')
  await page.getByLabel('Name', { exact: true }).fill('Half a na')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save profile' }).click()
  await page.getByRole('alert').filter({ hasText: 'Your session has ended.' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/login')
  await page.context().close()
})
