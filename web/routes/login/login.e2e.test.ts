import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

const leave = (page: Page) => page.context().close()
const alertOf = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

test.each([PHONE, DESKTOP])('has no fault that axe knows, with and without errors, at $width px', async (viewport) => {
  const page = await site.open('/login', { viewport })
  await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Username is required').waitFor()
  await page.getByText('Password is required').waitFor()
  await expect.poll(() => page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => page.getByLabel('Username').evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await violationsIn(page, 'html')).toEqual([])
  await leave(page)
})

test('leads back to where one was going, with all that the address said', async () => {
  const path = '/admin-submissions?quarantine=true'
  const page = await site.open(path)
  await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`)
  await fillSignIn(page)
  await page.waitForURL(`**${path}`)
  await page.getByRole('heading', { name: 'Quarantine' }).waitFor()
  await page.goBack()
  expect(new URL(page.url()).pathname).not.toBe('/login')
  await leave(page)
})

test('is reached by one refused request, whichever screen the address is of', async () => {
  const page = await site.open('/login')
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname)
  })
  for (const path of ['/admin-today', '/admin-chat', '/admin-lead?id=00000000-0000-4000-8000-000000000000#answer']) {
    refused.length = 0
    await page.goto(site.node.url + path)
    await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`)
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
    expect(refused).toEqual(['/api/me'])
  }
  await leave(page)
})

test('leads an owner back to the queues, and from the email list to them', async () => {
  const page = await site.open('/admin-queues')
  await page.waitForURL('**/login?next=/admin-queues')
  await fillSignIn(page)
  await page.waitForURL('**/admin-queues')
  await page.getByText('email-service').first().waitFor()
  await page.goto(`${site.node.url}/admin-email`)
  await page.getByRole('link', { name: 'queues' }).click()
  await page.getByText('email-service').first().waitFor()
  await leave(page)
})

test('forgets what somebody typed on this device more than 7 days ago', async () => {
  const page = await site.open('/login')
  await page.evaluate(() => {
    for (const days of [6, 8]) {
      const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()
      localStorage.setItem(`staff/somebody/lead-${days}-note-draft`, JSON.stringify({ typed: '"Half a no"', at }))
    }
  })
  await page.reload()
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual(['staff/somebody/lead-6-note-draft'])
  await leave(page)
})

test('never leads to another site', async () => {
  const page = await site.open(`/login?next=${encodeURIComponent('https://evil.example/admin-chat')}`)
  await fillSignIn(page)
  await page.waitForURL('**/admin-today')
  await leave(page)
})

test('tells password managers what is what, and says when Caps Lock is on', async () => {
  const page = await site.open('/login')
  const username = page.getByLabel('Username')
  const password = page.getByLabel('Password')
  expect(await username.getAttribute('autocomplete')).toBe('username')
  expect(await password.getAttribute('autocomplete')).toBe('current-password')
  expect(await password.getAttribute('type')).toBe('password')
  const press = (isOn: boolean) =>
    password.evaluate((field, modifierCapsLock) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock }))
    }, isOn)
  await press(true)
  await page.getByText('Caps Lock is on.').waitFor()
  await press(false)
  await page.getByText('Caps Lock is on.').waitFor({ state: 'detached' })
  await leave(page)
})

test.each([PHONE, DESKTOP])(
  'a forgotten password: where this site cannot send emails to single people it says so, at $width px',
  async (viewport) => {
    const page = await site.open('/login', { viewport })
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('Username is required').waitFor()
    await page.getByLabel('Username').fill('nobody')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('status').getByText('This site cannot send emails to single people. Ask an owner').waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Back to sign-in' }).click()
    await page.getByLabel('Password').waitFor()
    await leave(page)
  },
)

const LERATO = { username: 'lerato', displayName: 'Lerato', password: 'the first password', role: 'agent' }

/** The address of a link by which Lerato chooses a new password. */
const passwordLink = async () => {
  const session = await site.node.post('/api/login', STAFF)
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  const listed = await (await site.node.call('/api/accounts', { headers: { cookie } })).json()
  const known = listed.find(({ username }: { username: string }) => username === LERATO.username)
  const { id } = known ?? (await (await site.node.post('/api/accounts', LERATO, { cookie })).json())
  const made = await site.node.post(`/api/accounts/${id}/password-link`, {}, { cookie })
  return new URL((await made.json()).address)
}

test('a link that is opened where somebody asked for it leads to the sign-in, once its password is saved', async () => {
  const page = await site.open('/login')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  const link = await passwordLink()
  await page.goto(site.node.url + link.pathname + link.hash)
  await page.getByLabel('New password', { exact: true }).fill('a new long password')
  await page.getByLabel('Confirm new password').fill('a new long password')
  await page.getByRole('button', { name: 'Save the new password' }).click()
  await page.getByText('Your new password is saved. Sign in with it.').waitFor()
  await fillSignIn(page, { username: LERATO.username, password: 'a new long password' })
  await page.waitForURL('**/admin-today')
  await page.goto(site.node.url + link.pathname + link.hash)
  await alertOf(page).getByText('This link was used, or is over.').waitFor()
  expect(await page.getByLabel('New password', { exact: true }).count()).toBe(0)
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.getByRole('button', { name: 'Ask for a new link' }).click()
  await page.getByRole('heading', { name: 'Forgotten password' }).waitFor()
  await leave(page)
})

test('two clicks sign in once', async () => {
  const page = await site.open('/login')
  let sent = 0
  await page.route('**/api/login', async (route) => {
    sent += 1
    await route.continue()
  })
  await page.getByLabel('Username').fill(STAFF.username)
  await page.getByLabel('Password').fill(STAFF.password)
  await page.getByRole('button', { name: 'Sign in' }).dblclick()
  await page.waitForURL('**/admin-today')
  expect(sent).toBe(1)
  await leave(page)
})

test('says what was wrong, and after ten failures how long to wait', async () => {
  const page = await site.open('/login')
  await fillSignIn(page, { ...STAFF, password: 'not the password' })
  await alertOf(page).getByText('Incorrect username or password.').waitFor()
  expect(await page.getByLabel('Password').evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await page.getByLabel('Username').inputValue()).toBe(STAFF.username)
  for (let failure = 1; failure < 10; failure += 1) {
    await page.evaluate(
      (body) => fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify({ ...STAFF, password: 'not the password' }),
    )
  }
  await fillSignIn(page)
  await alertOf(page).getByText('Too many tries. Try again in 15 minutes.').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await alertOf(page).getByText('You are offline. Try again once you are connected.').waitFor()
  await leave(page)
})
