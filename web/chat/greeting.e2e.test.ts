import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, STAFF } from '../../events/testing/node.ts'
import { violationsIn } from '../test-axe.ts'
import { fillSignIn } from '../test-sign-in.ts'
import { entryOf, openConsolePage } from './test-console.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { button, isSent, textsOf } from './test-widget.ts'

const PAGE = '/contract/premium'
const TEXT = 'Questions about Premium? We answer in minutes.'
const PHONE = { width: 390, height: 800 }
/** On a Sunday. */
const OUT_OF_HOURS = new Date('2026-11-22T10:00:00+02:00')

let site: TestSite
let owner: Page

beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site?.close())

const bubbleOn = (page: Page) => page.getByRole('complementary', { name: 'Message from our team' })
const form = () => owner.getByRole('form', { name: 'Proactive messages' })
const save = async () => {
  await form().getByRole('button', { name: 'Save proactive messages' }).click()
  await form().getByText('Saved', { exact: true }).waitFor()
}
const htmlOf = async (path: string) => await (await fetch(site.url + path)).text()
const leave = (page: Page) => page.context().close()

test('an owner sets messages by page, which are checked, and a page without one has no byte of them', async () => {
  const before = await htmlOf('/')
  expect(await htmlOf(PAGE)).not.toContain('greeting')
  owner = await site.openPage({ path: '/admin-settings' })
  await fillSignIn(owner, STAFF)
  await form().getByRole('button', { name: 'Add a message' }).click()
  await form().getByLabel('After seconds').fill('soon')
  await form().getByRole('button', { name: 'Save proactive messages' }).click()
  for (const problem of ['Choose a page', 'Enter whole seconds from 0 to 600', 'Write a message'])
    await form().getByText(problem).waitFor()
  expect(await violationsIn(owner, '#chat-greetings')).toEqual([])
  await form().getByLabel('Page').selectOption({ label: 'Premium' })
  await form().getByLabel('After seconds').fill('0')
  await form().getByLabel('Message', { exact: true }).fill(TEXT)
  await form().getByRole('button', { name: 'Add a message' }).click()
  await form().getByLabel('Page').last().selectOption({ label: 'Premium' })
  await form().getByLabel('Message', { exact: true }).last().fill('Twice')
  await form().getByRole('button', { name: 'Save proactive messages' }).click()
  await form().getByText('A page can have one message').waitFor()
  await form().getByRole('button', { name: 'Remove message 2' }).click()
  await save()
  await eventually(async () => expect(await htmlOf(PAGE)).toContain('data-greeting'))
  expect(await htmlOf('/')).toBe(before)
})

test('a visitor who clicks the message opens the chat with it, and sees none again', async () => {
  const page = await site.openPage({ path: PAGE })
  await bubbleOn(page).getByText(TEXT).waitFor()
  expect(await violationsIn(page, '#greeting')).toEqual([])
  await bubbleOn(page).getByRole('button', { name: TEXT }).click()
  const chat = page.getByRole('region', { name: 'Live chat' })
  await chat.getByText(TEXT).waitFor()
  expect(await bubbleOn(page).count()).toBe(0)
  expect(await violationsIn(page, '[data-island=chat]')).toEqual([])
  await page.keyboard.press('Escape')
  await eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open chat'),
  )
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await bubbleOn(page).count()).toBe(0)
  await leave(page)
})

test('what the visitor answered stays above their first message, and staff see it there', async () => {
  const page = await site.openPage({ path: PAGE })
  await bubbleOn(page).getByRole('button', { name: TEXT }).click()
  await page.getByLabel('How can we help?').fill('Yes, I need a webshop')
  await page.getByLabel('Your name').fill('Zola')
  await button(page, 'Start Chat').click()
  await isSent(page, 'Yes, I need a webshop')
  const said = [TEXT, expect.stringContaining('Thanks for reaching out!'), 'Yes, I need a webshop']
  expect(await textsOf(page)).toEqual(said)
  expect(await violationsIn(page, '[data-island=chat]')).toEqual([])
  await page.reload()
  await eventually(async () => expect(await textsOf(page)).toEqual(said))
  const staff = await openConsolePage(site)
  await entryOf(staff, 'Zola').click()
  const log = staff.getByRole('log', { name: 'Messages with Zola' })
  await log.getByText('Yes, I need a webshop').waitFor()
  await log.getByText(`Asked by the site: ${TEXT}`).waitFor()
  expect(await violationsIn(staff, '[role=log]')).toEqual([])
  await Promise.all([page, staff].map(leave))
})

test('on a phone it is above the bar, moves only where motion is welcome, waits behind a dialog, and stays closed', async () => {
  const page = await site.openPage({
    path: PAGE,
    viewport: PHONE,
    prepare: async (it) => {
      await it.emulateMedia({ reducedMotion: 'reduce' })
      await it.addInitScript(() => {
        addEventListener('DOMContentLoaded', () => {
          if (sessionStorage.getItem('seen')) return
          const dialog = document.createElement('dialog')
          document.body.append(dialog)
          dialog.showModal()
        })
      })
    },
  })
  await page.waitForLoadState('networkidle')
  expect(await bubbleOn(page).count()).toBe(0)
  await page.evaluate(() => {
    sessionStorage.setItem('seen', 'yes')
    document.querySelector('dialog')?.close()
  })
  await bubbleOn(page).getByText(TEXT).waitFor()
  const [bubble, bar] = await Promise.all([
    bubbleOn(page).boundingBox(),
    page.getByRole('navigation', { name: 'Contact us' }).boundingBox(),
  ])
  expect((bubble?.y ?? 0) + (bubble?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(await bubbleOn(page).evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
  await bubbleOn(page).getByRole('button', { name: 'Close message' }).click()
  expect(await bubbleOn(page).count()).toBe(0)
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await bubbleOn(page).count()).toBe(0)
  await leave(page)
})

test('outside the support hours it shows only where it is meant to', async () => {
  const page = await site.openPage({ path: PAGE, now: OUT_OF_HOURS })
  await page.waitForLoadState('networkidle')
  expect(await bubbleOn(page).count()).toBe(0)
  await form().getByLabel('Outside support hours too').check()
  await save()
  await eventually(async () => expect(await htmlOf(PAGE)).toContain('&quot;isAnyTime&quot;:true'))
  await page.reload()
  await bubbleOn(page).getByText(TEXT).waitFor()
  await Promise.all([page, owner].map(leave))
})
