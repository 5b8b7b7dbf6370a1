// The account's own screen, and the ways in and out: sign-in, sessions, passwords, two-factor sign-in.

import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { cookieOf, openAs } from '../../testing/signed-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../testing/site.ts'
import { openAccountMenu, signOutOn } from '../../testing/staff-site.ts'

const AGENT = { username: 'sipho', displayName: 'Sipho Dlamini', password: 'the password of Sipho', role: 'agent' }
const NEXT = 'a password that is new'
const STEP_S = 30

let site: TestSite
let page: Page
let recoveryCode: string

beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

const leave = (of: Page) => of.context().close()
const alertOf = (of: Page) => of.getByRole('alert').filter({ hasText: /./ })
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_S })
const fits = (of: Page) => of.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
const focused = (of: Page) =>
  of.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)

test('a signed-out staff member reaches the sign-in after one refused request, sees errors, and continues from there', async () => {
  page = await site.open('/login', { viewport: PHONE })
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname)
  })
  const target = '/admin-submissions?quarantine=true'
  for (const path of ['/admin-chat', '/admin-lead?id=00000000-0000-4000-8000-000000000000#answer', target]) {
    refused.length = 0
    await page.goto(site.node.url + path)
    await page.waitForURL(`**/login?next=${encodeURIComponent(path)}`)
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
    expect(refused).toEqual(['/api/me'])
  }
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Username').fill('nobody')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.getByRole('status').getByText('This site cannot send emails to single people. Ask an Admin').waitFor()
  expect(await violationsIn(page)).toEqual([])
  expect(await fits(page)).toBe(true)
  await page.getByRole('button', { name: 'Back to sign-in' }).click()

  await page.setViewportSize(DESKTOP)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Password is required').waitFor()
  await expect.poll(() => focused(page)).toBe('username')
  expect(await violationsIn(page)).toEqual([])
  await fillSignIn(page, { ...STAFF, password: 'not the password' })
  await alertOf(page).getByText('Incorrect username or password.').waitFor()
  // the button that was pressed was disabled during that time, and lost the focus
  expect(await focused(page)).toBe('password')
  await fillSignIn(page)
  await page.waitForURL(`**${target}`)
  await page.getByRole('heading', { name: 'Quarantine' }).waitFor()
  await page.goBack()
  expect(new URL(page.url()).pathname).not.toBe('/login')
})

test('the account screen fits a phone and a desktop, and the menu of the account leads there', async () => {
  await page.goto(`${site.node.url}/admin-submissions`)
  await openAccountMenu(page)
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('link', { name: `Your account: ${STAFF.username}` }).click()
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
  await page.getByText('This browser', { exact: true }).waitFor()
  const form = page.getByRole('form', { name: 'Your password' })
  await form.getByRole('button', { name: 'Change password' }).click()
  await form.getByText('Password is required').first().waitFor()
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    expect(await violationsIn(page)).toEqual([])
    expect(await fits(page)).toBe(true)
  }
})

/** A camera-like picture, which does not get small as a PNG. */
const takePicture = async () => {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 })
    const context = canvas.getContext('2d')
    const picture = context?.createImageData(300, 200)
    if (!context || !picture) throw new Error('There is no canvas')
    for (const at of picture.data.keys()) {
      const light = 128 + 90 * Math.sin(at / 4_000) + 16 * Math.random()
      picture.data[at] = at % 4 === 3 ? 255 : light
    }
    context.putImageData(picture, 0, 0)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(url.replace(/^.*,/, ''), 'base64')
}

test('a photo is saved if the browser cannot write WebP, and reverts no change of an owner', async () => {
  const form = page.getByRole('form', { name: 'Profile' })
  const buffer = await takePicture()
  await page.evaluate(() => {
    const write = HTMLCanvasElement.prototype.toDataURL
    HTMLCanvasElement.prototype.toDataURL = function (type, quality) {
      return write.call(this, type === 'image/webp' ? 'image/png' : type, quality)
    }
  })
  const cookie = await cookieOf(site, STAFF)
  const me = async () => await (await site.node.call('/api/me', { headers: { cookie } })).json()
  const renamed = await site.node.call(`/api/accounts/${(await me()).id}`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Named by an Owner' }),
  })
  expect(renamed.status).toBe(200)
  await form.getByLabel('Photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await form.getByRole('button', { name: 'Remove photo' }).waitFor()
  await form.getByRole('button', { name: 'Save profile' }).click()
  await form.getByText('Saved. Your colleagues see it now.').waitFor()
  const { displayName, photo } = await me()
  expect(displayName).toBe('Named by an Owner')
  expect((await site.node.call(photo, { headers: { cookie } })).headers.get('content-type')).toBe('image/jpeg')
  await expect.poll(() => form.getByLabel('Name', { exact: true }).inputValue()).toBe('Named by an Owner')
  expect(await violationsIn(page)).toEqual([])
  await form.getByRole('button', { name: 'Remove photo' }).click()
  await form.getByText('Saved. Your colleagues see it now.').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Save profile' }).click()
  await form.getByText('Saved. Your colleagues see it now.').waitFor()
  expect(await me()).toMatchObject({ displayName: 'Named by an Owner', photo: null })
})

test('a screen whose code cannot be fetched shows so, and loads again', async () => {
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.unroute(/\/assets\/.*\.js/)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
})

test('a session that was begun elsewhere is ended from here, and a change of the password ends all others', async () => {
  await page.goto(`${site.node.url}/admin-account`)
  const elsewhere = await openAs(site, await cookieOf(site, STAFF), '/admin-account')
  await elsewhere.getByText('This browser', { exact: true }).waitFor()
  await page.reload()
  const buttons = page.getByRole('button', { name: /^End session:/ })
  await buttons.first().waitFor()
  const before = await buttons.count()
  await buttons.first().click()
  await expect.poll(() => buttons.count()).toBe(before - 1)
  await elsewhere.waitForURL('**/login?next=%2Fadmin-account*')
  await fillSignIn(elsewhere)
  await elsewhere.getByRole('heading', { name: 'Your account' }).waitFor()

  await page.getByLabel('Current password').fill(STAFF.password)
  await page.getByLabel('New password', { exact: true }).fill(NEXT)
  await page.getByLabel('Confirm new password').fill(NEXT)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password is changed. Everywhere else you have been signed out.').waitFor()
  await page.reload()
  await page.getByText('This browser', { exact: true }).waitFor()
  await elsewhere.waitForURL('**/login?next=%2Fadmin-account*')
  await fillSignIn(elsewhere)
  await elsewhere.getByText('Incorrect username or password.').waitFor()
  await leave(elsewhere)
})

/** Sets the second factor up by the keyboard, on the page that shows it. Returns its secret. */
const setUp = async (of: Page) => {
  await of.getByRole('button', { name: 'Set up two-factor sign-in' }).press('Enter')
  await of.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
  await expect.poll(() => focused(of)).toBe('Set up two-factor sign-in')
  const shown = await of.locator('#two-factor code').textContent()
  const secret = shown?.replaceAll(' ', '').toUpperCase() ?? ''
  const form = of.getByRole('form', { name: 'Set up two-factor sign-in' })
  expect(await violationsIn(of)).toEqual([])
  expect(await fits(of)).toBe(true)
  await form.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await form.getByRole('button', { name: 'Turn on' }).press('Enter')
  await of.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await expect.poll(() => focused(of)).toBe('Recovery codes')
  return secret
}

test('two-factor sign-in is set up by keyboard, and signing in asks for its code and shows if it is wrong', async () => {
  const secret = await setUp(page)
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('dialog', { name: 'Leave without your recovery codes?' }).waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' }) // the closing form returns the focus
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  expect(await codes.count()).toBe(10)
  recoveryCode = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have saved them' }).press('Enter')
  await page.getByText('It is on. 10 recovery codes are left.').waitFor()
  await expect.poll(() => focused(page)).toBe('two-factor-title')

  // signing out opens the sign-in page, and Back shows nothing
  await signOutOn(page)
  await page.waitForURL('**/login')
  await page.goBack()
  await page.waitForURL('**/login?next=*')
  await page.goto(`${site.node.url}/login?next=/admin-queues`)
  await page.setViewportSize(PHONE)
  await fillSignIn(page, { ...STAFF, password: NEXT })
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Wait for the next one in your app, or use another recovery code.').waitFor()
  expect(await focused(page)).toBe('code')
  expect(await violationsIn(page)).toEqual([])
  await page.getByLabel('Code').fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Sign in' }).click()
  // the queues are a page of the node's own
  await page.waitForURL('**/admin-queues')
  await page.getByText('email-service').first().waitFor()
})

/** No session has confirmed its password recently. */
const forgetConfirmations = async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await sql`update staff_sessions set confirmed_at = null`
  await sql.end()
}

test('an agent who needs it sets it up first, and again once an owner has turned it off', async () => {
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await site.node.post('/api/accounts', AGENT, { cookie })).status).toBe(201)
  await page.setViewportSize(DESKTOP)
  await page.goto(`${site.node.url}/admin-settings/accounts`)
  const rule = page.getByLabel('Require two-factor sign-in for all accounts')
  await rule.check()
  await expect.poll(() => rule.isEnabled()).toBe(true)

  const agent = await openAs(site, await cookieOf(site, AGENT), '/admin-chat', { viewport: PHONE })
  await agent.getByRole('heading', { name: 'Set up two-factor sign-in', level: 1 }).waitFor()
  expect(await agent.getByRole('navigation', { name: 'Staff' }).count()).toBe(0)
  await setUp(agent)
  expect(await violationsIn(agent)).toEqual([])
  expect(await fits(agent)).toBe(true)
  await agent.getByRole('button', { name: 'I have saved them' }).press('Enter')
  await agent.getByText('Connected', { exact: true }).waitFor()

  await page.reload()
  const row = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: 'Sipho Dlamini' })
  await row.getByRole('button', { name: 'Turn off two-factor for Sipho Dlamini' }).click()
  await forgetConfirmations()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.waitFor()
  expect(await focused(page)).toBe('confirm-password')
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    expect(await violationsIn(page)).toEqual([])
    expect(await fits(page)).toBe(true)
  }
  await question.getByLabel('Your password').fill(NEXT)
  await question.getByLabel('Code').fill(recoveryCode)
  await question.getByRole('button', { name: 'Confirm' }).press('Enter')
  // the open chat is closed with the rest
  await agent.waitForURL('**/login?*')
  await fillSignIn(agent, AGENT)
  await agent.getByRole('heading', { name: 'Set up two-factor sign-in', level: 1 }).waitFor()
  await Promise.all([page, agent].map(leave))
})
