import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../test-site.ts'

const AGENT = { username: 'sipho', password: 'the password of Sipho' }
const STEP_S = 30

let site: TestSite
let owner: Page
let agent: Page

beforeAll(async () => {
  site = await startTestSite()
  owner = await site.open('/admin-account', { viewport: DESKTOP })
  await fillSignIn(owner)
  await owner.getByRole('heading', { name: 'Your account' }).waitFor()
  const added = { ...AGENT, displayName: 'Sipho Dlamini', role: 'agent' }
  await owner.evaluate(
    (body) => fetch('/api/accounts', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    JSON.stringify(added),
  )
})
afterAll(() => site.stop())

const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_S })

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Sets the second factor up by the keyboard, on the page that shows it; answers the secret and the recovery codes. */
const setUp = async (page: Page, password: string) => {
  await page.getByRole('button', { name: 'Set up two-factor sign-in' }).press('Enter')
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Set up two-factor sign-in')
  const shown = await page.locator('#two-factor code').textContent()
  const secret = shown?.replaceAll(' ', '').toUpperCase() ?? ''
  const form = page.getByRole('form', { name: 'Set up two-factor sign-in' })
  await form.getByRole('button', { name: 'Turn on' }).press('Enter')
  await form.getByText('A code is required').waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  expect(await fits(page)).toBe(true)
  await form.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await form.getByLabel('Your password').fill(password)
  await form.getByRole('button', { name: 'Turn on' }).press('Enter')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  await expect.poll(() => focused(page)).toBe('Recovery codes')
  expect(await violationsIn(page, 'html')).toEqual([])
  expect(await fits(page)).toBe(true)
  const texts = await codes.allTextContents()
  const link = page.getByRole('link', { name: 'Overview' })
  // who has to set it up first has no other screen to go to
  if ((await link.count()) > 0) {
    await link.click()
    const question = page.getByRole('dialog', { name: 'Leave without your recovery codes?' })
    await question.getByText('They are not shown again.').waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    await question.getByRole('button', { name: 'Stay here' }).click()
    expect(await codes.allTextContents()).toEqual(texts)
  }
  await page.getByRole('button', { name: 'I have kept them' }).press('Enter')
  return { secret, codes: texts }
}

let factor: Awaited<ReturnType<typeof setUp>>

test('an owner sets it up with a QR code and gets ten recovery codes', async () => {
  factor = await setUp(owner, STAFF.password)
  expect(factor.codes).toHaveLength(10)
  await owner.getByText('It is on. 10 recovery codes are left.').waitFor()
  await expect.poll(() => owner.evaluate(() => document.activeElement?.id)).toBe('two-factor-title')
})

test('signing in asks for the code, says when it is wrong, and takes a recovery code too', async () => {
  const page = await site.open('/login', { viewport: PHONE })
  await fillSignIn(page)
  await page.getByLabel('Code').fill('000000')
  expect(await violationsIn(page, 'html')).toEqual([])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Wait for the next one in your app, or use another recovery code.').waitFor()
  await page.getByLabel('Code').fill(codeOf(factor.secret, 1))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/admin-today')
  await page.context().close()

  const other = await site.open('/login')
  await fillSignIn(other)
  await other.getByLabel('Code').fill(factor.codes[0] ?? '')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.waitForURL('**/admin-today')
  await other.context().close()
})

test('an owner requires it of everybody: an agent sets it up before anything else', async () => {
  await owner.goto(`${site.node.url}/admin-settings#accounts`)
  const rule = owner.getByLabel('Require two-factor sign-in of everybody')
  await rule.check()
  await expect.poll(() => rule.isEnabled()).toBe(true)
  expect(await violationsIn(owner, 'html')).toEqual([])

  agent = await site.open('/admin-chat', { viewport: PHONE })
  await fillSignIn(agent, AGENT)
  await agent.getByRole('heading', { name: 'Set up two-factor sign-in', level: 1 }).waitFor()
  expect(await agent.getByRole('navigation', { name: 'Staff' }).count()).toBe(0)
  await setUp(agent, AGENT.password)
  await agent.getByRole('navigation', { name: 'Staff' }).waitFor()
})

test('an owner takes it off for somebody who lost their phone', async () => {
  await owner.reload()
  const row = owner.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: 'Sipho Dlamini' })
  await row.getByText('Two-factor', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Turn off two-factor for Sipho Dlamini' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await row.getByText('Two-factor', { exact: true }).waitFor({ state: 'detached' })
  // the open chat is closed with the rest
  await agent.waitForURL('**/login?*')
  await fillSignIn(agent, AGENT)
  await agent.getByRole('heading', { name: 'Set up two-factor sign-in', level: 1 }).waitFor()
  const rule = owner.getByLabel('Require two-factor sign-in of everybody')
  await rule.uncheck()
  await expect.poll(() => rule.isEnabled()).toBe(true)
  await agent.reload()
  await agent.getByRole('navigation', { name: 'Staff' }).waitFor()
  await agent.context().close()
})
