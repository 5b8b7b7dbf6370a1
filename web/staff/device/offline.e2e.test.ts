import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../test-axe.ts'
import { type StaffSite, startStaffSite } from '../test-staff-site.ts'

const OFFLINE = 'You are offline. Try again once you are connected.'

let site: StaffSite
let leadId: string
let sessionId: string

beforeAll(async () => {
  site = await startStaffSite()
  leadId = (await site.submit({ name: 'Thandi Nkosi' })).id
  sessionId = await site.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
})

afterAll(() => site?.stop())

const notice = (page: Page) => page.getByText('You are offline. What you see may be old.')

/** Opens a screen, once the worker looks after it. */
const open = async (path: string) => {
  const page = await site.open(path)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.getByRole('navigation', { name: 'Staff' }).waitFor()
  return page
}

const cut = async (page: Page) => {
  await page.context().setOffline(true)
  await notice(page).waitFor()
}

const mend = async (page: Page) => {
  await page.context().setOffline(false)
  await notice(page).waitFor({ state: 'detached' })
}

test('can be installed, and opens on Today then', async () => {
  const page = await open('/admin-dashboard')
  const session = await page.context().newCDPSession(page)
  const { url, errors, data = '' } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/staff.webmanifest', []])
  const manifest = JSON.parse(data)
  expect(manifest).toMatchObject({ start_url: '/admin-today', display: 'standalone' })
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (address) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob())
      return `${width}x${height}`
    }, src)
    expect([src, size]).toEqual([src, sizes])
  }
  await page.goto(manifest.start_url)
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  await page.context().close()
})

test('keeps no answer, so that each release and each answer comes from a node', async () => {
  const page = await open('/admin-today')
  await page.getByText('Thandi Nkosi').first().waitFor()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  const script = await site.node.call('/admin-worker.js')
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const controlled = (path: string) =>
    page.evaluate(async (at) => (await navigator.serviceWorker.getRegistration(at)) !== undefined, path)
  expect(await Promise.all(['/admin-chat', '/', '/login', '/contract/premium'].map(controlled))).toEqual([
    true,
    false,
    false,
    false,
  ])
  await page.context().close()
})

test('a screen that is opened without a network says so in a sentence, and comes by itself', async () => {
  const page = await open('/admin-today')
  await page.context().setOffline(true)
  await page.goto('/admin-overview')
  await page.getByText('This screen needs the internet. It opens by itself once you are connected again.').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.context().close()
})

test('so does a screen whose code has not come yet, and the present one says what becomes of what is typed', async () => {
  const page = await open('/admin-today')
  await cut(page)
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('This screen needs the internet.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.context().close()
})

test('what is typed on a lead stays while there is no network, and is saved afterwards', async () => {
  const page = await open(`/admin-lead?id=${leadId}`)
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  await cut(page)
  await page.getByRole('textbox', { name: 'Note' }).fill('Wants a shop')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText(OFFLINE).first().waitFor()
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Wants a shop')
  await page.getByLabel('Next action').fill('2027-01-15')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Not saved').first().waitFor()
  expect(await page.getByLabel('Next action').inputValue()).toBe('2027-01-15')
  await mend(page)
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Wants a shop').last().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.context().close()
})

test.each([
  {
    path: '/admin-account',
    form: 'What you are told of',
    field: 'Your email address',
    typed: 'me@agency.example',
    send: 'Save',
  },
  {
    path: '/admin-settings',
    form: 'Inbox addresses',
    field: 'Address',
    typed: 'inbox@agency.example',
    send: 'Save inbox addresses',
    add: true,
  },
])('what is typed in $form stays too', async ({ path, form: name, field, typed, send, add }) => {
  const page = await open(path)
  const form = page.getByRole('form', { name })
  if (add) await form.getByRole('button', { name: 'Add an address' }).click()
  await form.getByRole('textbox', { name: field }).last().waitFor()
  await cut(page)
  await form.getByRole('textbox', { name: field }).last().fill(typed)
  await form.getByRole('button', { name: send }).click()
  await page.getByText(OFFLINE).first().waitFor()
  expect(await form.getByRole('textbox', { name: field }).last().inputValue()).toBe(typed)
  await mend(page)
  await form.getByRole('button', { name: send }).click()
  await page.getByText(OFFLINE).waitFor({ state: 'detached' })
  await page.context().close()
})

test('a lead that is entered by hand stays in its form, and an answer in the chat in its field', async () => {
  const page = await open('/admin-dashboard')
  await page.getByRole('button', { name: 'Add lead' }).click()
  await cut(page)
  const dialog = page.getByRole('dialog', { name: 'Add lead' })
  await dialog.getByLabel('Phone').fill('082 555 0142')
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await dialog.getByText(OFFLINE).waitFor()
  expect(await dialog.getByLabel('Phone').inputValue()).toBe('082 555 0142')
  await mend(page)
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await page.waitForURL('**/admin-lead?id=*')
  await page.goto(`/admin-chat?session=${sessionId}`)
  const input = page.getByPlaceholder('Type your response...')
  await input.fill('Yes, we do')
  await cut(page)
  expect(await input.inputValue()).toBe('Yes, we do')
  await mend(page)
  await page.reload()
  await expect.poll(() => input.inputValue()).toBe('Yes, we do')
  await page.context().close()
})
