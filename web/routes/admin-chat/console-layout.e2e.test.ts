import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { boxOf, bubbleOf, entryOf, openConsolePage, paneOf, say, startChat } from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { violationsIn } from '../../test-axe.ts'

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
