import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF, signIn } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

const NEXT = 'a password that is new'

const openAccount = async (password = STAFF.password, viewport = DESKTOP) => {
  const page = await site.open('/admin-account', { viewport })
  await fillSignIn(page, { ...STAFF, password })
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  return page
}

const fill = async (page: Page, [current, next, repeat]: readonly [string, string, string]) => {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password').fill(repeat)
  await page.getByRole('button', { name: 'Change password' }).click()
}

test.each([PHONE, DESKTOP])('says who one is, and has no fault that axe knows, at $width px', async (viewport) => {
  const page = await openAccount(STAFF.password, viewport)
  await page.getByRole('definition').filter({ hasText: 'Owner' }).waitFor()
  expect(await page.getByRole('definition').allTextContents()).toEqual([STAFF.username, 'Owner'])
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(STAFF.username)
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.context().close()
})

test('one’s name in the header leads here', async () => {
  const page = await openAccount()
  await page.getByRole('link', { name: 'Submissions' }).click()
  const link = page.getByRole('link', { name: `Your account: ${STAFF.username}` })
  // the name is underlined, the initials before it are not
  const lines = await link.evaluate((it) =>
    [it, ...it.children].map((each) => getComputedStyle(each).textDecorationLine),
  )
  expect(lines).toEqual(['none', 'none', 'underline'])
  await link.click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.context().close()
})

/** A picture as a camera takes it, that a PNG cannot make small. */
const takePicture = async (page: Page) => {
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

test('a photo is saved where the browser cannot write WebP, and takes nothing back that an owner has changed', async () => {
  const page = await openAccount()
  const form = page.getByRole('form', { name: 'Profile' })
  await form.getByText('This is your username, which customers do not see').waitFor()
  const buffer = await takePicture(page)
  await page.evaluate(() => {
    const write = HTMLCanvasElement.prototype.toDataURL
    HTMLCanvasElement.prototype.toDataURL = function (type, quality) {
      return write.call(this, type === 'image/webp' ? 'image/png' : type, quality)
    }
  })
  const owner = await signIn(site.node)
  const { id } = await (await site.node.call('/api/me', { headers: owner })).json()
  const renamed = await site.node.call(`/api/accounts/${id}`, {
    method: 'PATCH',
    headers: { ...owner, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Named by an Owner' }),
  })
  expect(renamed.status).toBe(200)
  await form.getByLabel('Photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await form.getByRole('button', { name: 'Remove photo' }).waitFor()
  const save = form.getByRole('button', { name: 'Save profile' })
  const saved = form.getByText('Saved. Your colleagues see it now.')
  await save.click()
  await saved.waitFor()
  const { displayName, photo } = await (await site.node.call('/api/me', { headers: owner })).json()
  expect(displayName).toBe('Named by an Owner')
  expect((await site.node.call(photo, { headers: owner })).headers.get('content-type')).toBe('image/jpeg')
  await expect.poll(() => form.getByLabel('Name', { exact: true }).inputValue()).toBe('Named by an Owner')
  await form
    .getByText(
      'Colleagues see it, and so do people you email or write to on WhatsApp. The chat does not show it to visitors.',
    )
    .waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  await form.getByLabel('Name', { exact: true }).fill(STAFF.username)
  await form.getByRole('button', { name: 'Remove photo' }).click()
  await saved.waitFor({ state: 'detached' })
  await save.click()
  await saved.waitFor()
  const me = await (await site.node.call('/api/me', { headers: owner })).json()
  expect(me).toMatchObject({ displayName: STAFF.username, photo: null })
  const noPicture = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  const refusal = form.getByText('Your browser can’t read this file as a picture')
  await form.getByLabel('Photo').setInputFiles(noPicture)
  await refusal.waitFor()
  expect(await saved.count()).toBe(0)
  await form.getByLabel('Name', { exact: true }).fill('Named Again')
  await save.click()
  await saved.waitFor()
  expect(await refusal.count()).toBe(0)
  await page.context().close()
})

test('a password that cannot be is told at its field', async () => {
  const page = await openAccount()
  for (const [typed, message] of [
    [['', NEXT, NEXT], 'Password is required'],
    [[STAFF.password, 'short', 'short'], 'Must be at least 8 characters'],
    [[STAFF.password, STAFF.password, STAFF.password], 'Choose a different password'],
    [[STAFF.password, NEXT, 'a password that is knew'], 'This is not the same password'],
    [['not the password', NEXT, NEXT], 'This is not your current password'],
  ] as const) {
    await fill(page, typed)
    await page.getByText(message).waitFor()
  }
  expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.context().close()
})

test('says where emails about leads go, and which; a reload shows it so', async () => {
  const page = await openAccount()
  const form = page.getByRole('form', { name: 'What you are told of' })
  await form.getByLabel('Your email address').fill('not an address')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter a valid email address').waitFor()
  await form.getByLabel('Your email address').fill(' thandi@agency.example ')
  await form.getByLabel('When a new lead comes in').uncheck()
  await form.getByLabel('When a visitor waits in a chat (on your devices only)').uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter your password').waitFor()
  await form.getByLabel('Your password').fill(STAFF.password)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved. You get emails about leads from now on.').waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.reload()
  await expect.poll(() => form.getByLabel('Your email address').inputValue()).toBe('thandi@agency.example')
  expect(await form.getByLabel('When a new lead comes in').isChecked()).toBe(false)
  expect(await form.getByLabel('When a visitor waits in a chat (on your devices only)').isChecked()).toBe(false)
  expect(await form.getByLabel('When nobody has answered a lead for 90 minutes').isChecked()).toBe(true)
  await form.getByLabel('Your email address').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved. You get no emails about leads.').waitFor()
  await page.context().close()
})

test('a screen whose code cannot be fetched says so, and loads again', async () => {
  const page = await openAccount()
  await page.route(/\/assets\/(settings|use-settings)/, (route) => route.abort())
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.unroute(/\/assets\/(settings|use-settings)/)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await page.context().close()
})

test('signing out leads to the sign-in page, and Back shows nothing', async () => {
  const page = await openAccount()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.goBack()
  await page.waitForURL('**/login?next=*')
  await page.context().close()
})

test('a session that was begun elsewhere is shown, and ended from here', async () => {
  const elsewhere = await openAccount()
  const page = await openAccount()
  const rows = page.getByRole('listitem').filter({ hasText: 'Signed in' })
  await rows.filter({ hasText: 'This browser' }).getByText('Chrome on Linux').waitFor()
  const buttons = page.getByRole('button', { name: /^End session: Chrome on Linux/ })
  await buttons.first().waitFor()
  const before = await buttons.count()
  await buttons.first().dblclick()
  await expect.poll(() => buttons.count()).toBe(before - 1)
  await elsewhere.waitForURL('**/login?next=%2Fadmin-account*')
  await page.reload()
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  await Promise.all([page, elsewhere].map((each) => each.context().close()))
})

test('a change of the password signs out elsewhere, and not here', async () => {
  const elsewhere = await openAccount()
  const page = await openAccount()
  await page.getByLabel('Current password').waitFor()
  const autocompletes = await page
    .getByRole('form', { name: 'Your password' })
    .locator('input')
    .evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete')))
  expect(autocompletes).toEqual(['username', 'current-password', 'new-password', 'new-password'])
  let sent = 0
  await page.route('**/api/me/password', async (route) => {
    sent += 1
    await route.continue()
  })
  await page.getByLabel('Current password').fill(STAFF.password)
  await page.getByLabel('New password', { exact: true }).fill(NEXT)
  await page.getByLabel('Confirm new password').fill(NEXT)
  await page.getByRole('button', { name: 'Change password' }).dblclick()
  await page.getByText('Your password is changed. Everywhere else you have been signed out.').waitFor()
  expect(await page.getByText('Your password is changed').count()).toBe(1)
  expect(sent).toBe(1)
  await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')

  await page.reload()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await elsewhere.reload()
  await elsewhere.waitForURL('**/login?next=%2Fadmin-account*')
  await fillSignIn(elsewhere)
  await elsewhere.getByText('Incorrect username or password.').waitFor()
  await fillSignIn(elsewhere, { ...STAFF, password: NEXT })
  await elsewhere.getByRole('heading', { name: 'Your account' }).waitFor()
  await Promise.all([page, elsewhere].map((each) => each.context().close()))
})
