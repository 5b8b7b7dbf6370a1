import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { STAFF } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { startTestSite, type TestSite } from '../../test-site.ts'

let site: TestSite
let page: Page
let siphosPassword = ''

beforeAll(async () => {
  site = await startTestSite()
  page = await site.open('/admin-settings')
  await fillSignIn(page)
  await accounts().first().waitFor()
})
afterAll(() => site.stop())

const accounts = () => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')
const account = (name: string) => accounts().filter({ hasText: name })
const dialog = (name: string) => page.getByRole('dialog', { name })

test('one’s own account can be renamed, and neither demoted nor removed here', async () => {
  const own = account(STAFF.username)
  expect(await own.getByRole('button').allTextContents()).toEqual(['Edit'])
  await own.getByRole('link', { name: 'Change your password' }).waitFor()
  await own.getByRole('button', { name: 'Edit thandi' }).click()
  await dialog('Edit thandi').getByText('Another owner must change your role.').waitFor()
  await dialog('Edit thandi').getByLabel('Name').fill('Thandi Nkosi')
  await dialog('Edit thandi').getByRole('button', { name: 'Save account' }).click()
  await account('Thandi Nkosi').getByText('Owner').waitFor()
})

test('an account is added once, with what is wrong told at its field', async () => {
  await page.getByRole('button', { name: 'Add an account' }).click()
  const form = dialog('Add an account')
  await form.getByRole('button', { name: 'Add account' }).click()
  for (const message of ['Name is required', 'Username is required', 'Password is required']) {
    await form.getByText(message, { exact: true }).waitFor()
  }
  expect(await violationsIn(page, 'html')).toEqual([])
  await form.getByLabel('Name', { exact: true }).fill('Sipho Dlamini')
  await form.getByLabel('Username').fill('THANDI')
  await form.getByLabel('Role').selectOption('Agent')
  await form.getByRole('button', { name: 'Suggest a password' }).click()
  await form.getByRole('button', { name: 'Add account' }).click()
  await form.getByText('This username is taken').waitFor()
  await form.getByLabel('Username').fill('sipho')
  siphosPassword = await form.getByRole('textbox', { name: 'Password' }).inputValue()
  expect(siphosPassword.length).toBeGreaterThan(15)
  await form.getByRole('button', { name: 'Add account' }).dblclick()
  await page.getByText('Sipho Dlamini can sign in now.').first().waitFor()
  await account('Sipho Dlamini').getByText('sipho, since').waitFor()
  expect((await site.node.post('/api/login', { username: 'sipho', password: siphosPassword })).status).toBe(204)
})

test('who has forgotten a password chooses a new one by a link that an owner makes', async () => {
  await account('Sipho Dlamini').getByRole('button', { name: 'Password link for Sipho Dlamini' }).click()
  const made = dialog('A password link for Sipho Dlamini')
  await made.getByRole('button', { name: 'Make a link' }).click()
  const address = await made.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(await violationsIn(page, 'html')).toEqual([])
  await made.getByRole('button', { name: 'Done' }).click()

  const { pathname, hash } = new URL(address)
  const other = await site.open(pathname + hash)
  onTestFinished(() => other.context().close())
  await other.getByLabel('New password', { exact: true }).fill('a password by a link')
  await other.getByRole('button', { name: 'Save the new password' }).click()
  await other.getByText('This is not the same password').waitFor()
  await other.getByLabel('Confirm new password').fill('a password by a link')
  expect(await violationsIn(other, 'html')).toEqual([])
  await other.getByRole('button', { name: 'Save the new password' }).click()
  await other.getByText('Your new password is saved. Sign in with it.').waitFor()
  siphosPassword = 'a password by a link'
  await fillSignIn(other, { username: 'sipho', password: siphosPassword })
  await other.getByRole('link', { name: 'Your account: Sipho Dlamini' }).waitFor()

  const again = await site.open(pathname + hash)
  onTestFinished(() => again.context().close())
  await again.getByText('This link was used, or is over. Ask for a new one.').waitFor()
})

test('a tab shows the person of now once another account has signed in, in another tab', async () => {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('No context')
  onTestFinished(() => context.close())
  const [before, other] = [await context.newPage(), await context.newPage()]
  const yours = (of: Page, name: string) => of.getByRole('link', { name: `Your account: ${name}` }).waitFor()
  await before.goto(`${site.node.url}/admin-dashboard`)
  await fillSignIn(before)
  await yours(before, 'Thandi Nkosi')
  await other.goto(`${site.node.url}/login`)
  await fillSignIn(other, { username: 'sipho', password: siphosPassword })
  await yours(other, 'Sipho Dlamini')
  await yours(before, 'Sipho Dlamini')
})

test('a role is changed', async () => {
  await account('Sipho').getByRole('button', { name: 'Edit Sipho Dlamini' }).click()
  await dialog('Edit Sipho Dlamini').getByLabel('Role').selectOption('Owner')
  await dialog('Edit Sipho Dlamini').getByRole('button', { name: 'Save account' }).click()
  await account('Sipho').getByText('Owner').waitFor()
})

test('a password is set, and the old one is good no more', async () => {
  await account('Sipho').getByRole('button', { name: 'Set password for Sipho Dlamini' }).click()
  const form = dialog('A new password for Sipho Dlamini')
  await form.getByRole('textbox', { name: 'Password' }).fill('short')
  await form.getByRole('button', { name: 'Set password' }).click()
  await form.getByText('Must be at least 8 characters').waitFor()
  await form.getByRole('textbox', { name: 'Password' }).fill('a password for Sipho')
  await form.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Sipho Dlamini is signed out everywhere and signs in with the new one.').first().waitFor()
  const answer = await site.node.post('/api/login', { username: 'sipho', password: 'a password for Sipho' })
  expect(answer.status).toBe(204)
})

test('an account is removed only after a question that names the person', async () => {
  const remove = account('Sipho').getByRole('button', { name: 'Remove Sipho Dlamini' })
  await remove.click()
  const question = dialog('Remove Sipho Dlamini?')
  await question.getByText('Sipho Dlamini (sipho) is signed out everywhere at once').waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  const cancel = question.getByRole('button', { name: 'Cancel' })
  await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true)
  await remove.click()
  await cancel.click()
  expect(await accounts().count()).toBe(2)
  await remove.click()
  await question.getByRole('button', { name: 'Remove Sipho Dlamini' }).click()
  await account('Sipho').waitFor({ state: 'detached' })
  expect(await accounts().count()).toBe(1)
})

test('what an owner does who is one no more is refused in words', async () => {
  await page.route('**/api/accounts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status: 403, title: 'Not allowed', detail: 'Only an owner may do this' }),
        })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Add an account' }).click()
  const form = dialog('Add an account')
  await form.getByLabel('Name', { exact: true }).fill('Naledi')
  await form.getByLabel('Username').fill('naledi')
  await form.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
  await form.getByRole('button', { name: 'Add account' }).click()
  await form.getByRole('alert').getByText('Only an owner may do this.').waitFor()
})
