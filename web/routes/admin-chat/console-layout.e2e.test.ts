import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { boxOf, bubbleOf, entryOf, openConsolePage, paneOf, say, startChat } from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { violationsIn } from '../../test-axe.ts'

const PNG = readFileSync('web/public/icon-192.png')

let site: TestSite
let page: Page

beforeAll(async () => {
  site = await openTestSite()
  page = await openConsolePage(site)
  await startChat(site, 'Nomsa')
  await entryOf(page, 'Nomsa').click()
  await boxOf(page).waitFor()
})

afterAll(() => site?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const listbox = () => page.getByRole('listbox', { name: 'Canned replies' })

test('a message of 4,000 characters without a space, and a long name, stay inside their places', async () => {
  const wide = await startChat(site, `Anna-${'very-long-name'.repeat(12)}`)
  await say(wide, 'x'.repeat(4_000))
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    if (width === 390) {
      await button('All chats').click()
      await entryOf(page, 'Nomsa').waitFor()
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (width === 390) await entryOf(page, 'Anna').click()
    await bubbleOf(page, 'xxxx').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await page.getByRole('log').evaluate((log) => log.scrollWidth <= log.clientWidth)).toBe(true)
    expect(await violationsIn(page, 'main')).toEqual([])
  }
  await wide.context().close()
})

test('on a phone a chosen chat fills the window: the way back and the field are in sight together', async () => {
  await page.setViewportSize({ width: 390, height: 600 })
  await button('All chats').click()
  await entryOf(page, 'Nomsa').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  const isInSight = (element: Locator) =>
    eventually(async () => {
      const { y = -1, height = 0 } = (await element.boundingBox()) ?? {}
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + height).toBeLessThanOrEqual(600)
    })
  await isInSight(button('All chats'))
  await isInSight(boxOf(page))
  await boxOf(page).fill('/')
  expect(await listbox().evaluate((list) => list.scrollHeight <= list.clientHeight)).toBe(true)
  await boxOf(page).fill('')
  await page.setViewportSize({ width: 1440, height: 900 })
  expect((await paneOf(page).boundingBox())?.height).toBe(600)
})

test('on a laptop the foot of the pane is in sight, with some air, once the field has the focus', async () => {
  await page.setViewportSize({ width: 1366, height: 650 })
  await boxOf(page).blur()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await boxOf(page).focus()
  await eventually(async () => {
    const { y = -1, height = 0 } = (await paneOf(page).boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(650 - y - height).toBeGreaterThanOrEqual(15)
  })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the newest message stays in view as pictures come, as the header grows and as the window gets lower', async () => {
  const visitor = await startChat(site, 'Pictured')
  for (const name of ['one.png', 'two.png']) {
    const [chooser] = await Promise.all([
      visitor.waitForEvent('filechooser'),
      visitor.getByRole('button', { name: 'Attach a file' }).click(),
    ])
    await chooser.setFiles([{ name, mimeType: 'image/png', buffer: PNG }])
    await visitor.getByRole('log').getByRole('img', { name }).waitFor()
  }
  await say(visitor, 'Which of the two?')
  const arrived = Promise.withResolvers<void>()
  await page.route('**/chat-files/**', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await entryOf(page, 'Pictured').click()
  await bubbleOf(page, 'Which of the two?').waitFor()
  const log = paneOf(page).getByRole('log')
  const left = () =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
  const isAtEnd = () => expect.poll(left).toBeLessThan(2)
  await isAtEnd()
  // what is above the list grows before the browser has told that the list was scrolled to its end
  await log.evaluate((list: HTMLElement) => {
    list.parentElement?.style.setProperty('height', '400px')
    list.scrollTop = 0
    list.scrollTop = list.scrollHeight
    const header = list.parentElement?.firstElementChild as HTMLElement
    header.style.paddingBottom = '120px'
  })
  await isAtEnd()
  arrived.resolve()
  for (const name of ['one.png', 'two.png']) {
    const image = log.getByRole('img', { name })
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  }
  await isAtEnd()
  await page.setViewportSize({ width: 1440, height: 500 })
  await isAtEnd()
  await page.setViewportSize({ width: 1440, height: 900 })
  await isAtEnd()
  await log.evaluate((list) => list.scrollBy({ top: -150, behavior: 'instant' }))
  await page.setViewportSize({ width: 1440, height: 700 })
  await expect.poll(left).toBeGreaterThan(100)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.unroute('**/chat-files/**')
  await visitor.context().close()
})
