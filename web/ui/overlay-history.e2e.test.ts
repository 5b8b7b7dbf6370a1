import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterwards, PHONE, startTestSite, type TestSite } from '../test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(async () => {
  await site.stop()
})

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const chatOf = (page: Page) => page.getByRole('region', { name: 'Live chat' })
const openMenu = async (page: Page) => {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menuOf(page).waitFor()
}
const isAt = (page: Page, address: string) => expect.poll(() => page.url()).toBe(site.node.url + address)

/** Opens a page after another one, so that a way back too many shows. */
const openAfterPrivacy = async (path: string) => {
  const page = await site.open('/privacy', { viewport: PHONE, reducedMotion: 'reduce', hasTouch: true })
  await page.goto(site.node.url + path)
  await afterwards(page)
  return page
}

test('Back closes the menu and stays on the page; Forward and a reload keep it open; a second Back leaves', async () => {
  const page = await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  const leftOf = (selector: string) => page.locator(selector).evaluate((it) => it.getBoundingClientRect().x)
  expect(await leftOf('#menu-entries li:first-child')).toBe(await leftOf('header > div > a'))
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  await page.goForward()
  await menuOf(page).waitFor()
  await page.reload()
  await menuOf(page).waitFor()
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

test('two ways back at once close the menu and leave the page', async () => {
  const page = await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  await Promise.all([
    page.waitForURL('**/privacy'),
    page.evaluate('setTimeout(() => [history.back(), history.back()])'),
  ])
  await isAt(page, '/privacy')
  await page.context().close()
})

test('no other way of closing the menu leaves an entry', async () => {
  const page = await openAfterPrivacy('/contract/premium')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close menu' }).click(),
    () => page.mouse.click(4, 600),
  ]) {
    await openMenu(page)
    await close()
    await menuOf(page).waitFor({ state: 'hidden' })
  }
  await page.waitForFunction(() => !history.state?.overlay)
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

test.each([
  ['/contract/premium', '/#pricing'],
  ['/', '/#pricing'],
])('an entry of the menu leads from %s to %s, and Back leads to where it was chosen', async (from, to) => {
  const page = await openAfterPrivacy(from)
  await openMenu(page)
  await menuOf(page).getByRole('link', { name: 'Pricing' }).click()
  await isAt(page, to)
  await page.waitForFunction(() => {
    const { top, bottom } = (document.querySelector('#pricing') as Element).getBoundingClientRect()
    return top < innerHeight / 2 && bottom > 0
  })
  await menuOf(page).waitFor({ state: 'hidden' })
  await page.goBack()
  await isAt(page, from)
  expect(await menuOf(page).count()).toBe(0)
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

test('a link beside the open menu leads where it says, and leaves no entry of the menu', async () => {
  const page = await openAfterPrivacy('/')
  await openMenu(page)
  await page.getByRole('navigation', { name: 'Contact us' }).getByRole('link', { name: 'Get a quote' }).click()
  await isAt(page, '/#contact')
  await menuOf(page).waitFor({ state: 'hidden' })
  await page.goBack()
  await isAt(page, '/')
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

test('the chat opens over the open menu, and Back closes the one, then leaves', async () => {
  const page = await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  await page.getByRole('button', { name: 'Open chat' }).tap()
  await page.getByLabel('Your name').waitFor()
  expect(await menuOf(page).count()).toBe(0)
  await page.waitForFunction(() => history.state?.overlay === 'chat')
  await page.goBack()
  await chatOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  expect(await menuOf(page).count()).toBe(0)
  await page.goForward()
  await page.getByLabel('Your name').waitFor()
  await page.goBack()
  await chatOf(page).waitFor({ state: 'hidden' })
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

test('a page that was scrolled below the open menu stays where it is on the way back', async () => {
  const page = await openAfterPrivacy('/')
  await openMenu(page)
  await page.evaluate(() => scrollTo(0, 900))
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => [scrollY, history.scrollRestoration])).toEqual([900, 'auto'])
  await page.context().close()
})
