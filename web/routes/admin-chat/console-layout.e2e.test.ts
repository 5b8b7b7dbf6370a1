import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import {
  addSipho,
  boxOf,
  bubbleOf,
  entryOf,
  openConsolePage,
  paneOf,
  say,
  sessionIn,
  startChat,
} from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { signInAt } from '../../chat/test-staff.ts'
import { violationsIn } from '../../test-axe.ts'

const PNG = readFileSync('web/public/icon-192.png')

let site: TestSite
let page: Page
let siphoId: string

beforeAll(async () => {
  site = await openTestSite()
  siphoId = await addSipho(site)
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

test('on a phone the messages have the room, with the keyboard up too; what is known of the visitor is folded', async () => {
  const visitor = await startChat(site, 'Folded', { email: 'folded@example.co.za' })
  await say(visitor, 'Did you get my request?')
  await entryOf(page, 'Folded').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Folded' }).waitFor()
  const cookie = await signInAt(site.nodes[0], site.url)
  const lead = { name: 'Folded Khumalo', email: 'folded@example.co.za', phone: '082 555 0177' }
  const path = `/api/chats/${sessionIn(page)}/lead`
  expect((await site.nodes[0].post(path, lead, { origin: site.url, cookie })).status).toBe(201)
  await paneOf(page).getByRole('region', { name: 'Waiting lead' }).waitFor()
  await button('Hand over').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByLabel('Note').fill('They want a shop for tea, with delivery all over the country. '.repeat(3))
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  const note = paneOf(page).getByText('Note from you')
  await note.waitFor()

  const edgesOf = async (element: Locator) => {
    const { y, height } = (await element.boundingBox()) ?? expect.fail()
    return { top: y, height, bottom: y + height }
  }
  const log = paneOf(page).getByRole('log')
  const form = paneOf(page).locator('form')
  const fits = (height: number, share: number) =>
    eventually(async () => {
      const [pane, list, foot] = await Promise.all([paneOf(page), log, form].map(edgesOf))
      expect(list?.height).toBeGreaterThanOrEqual(share * height)
      expect(foot?.top).toBeGreaterThanOrEqual(list?.bottom ?? 0)
      expect(foot?.bottom).toBeLessThanOrEqual(pane?.bottom ?? 0)
      expect(pane?.bottom).toBeLessThanOrEqual(height)
    })
  await page.setViewportSize({ width: 390, height: 844 })
  await button('All chats').click()
  await entryOf(page, 'Folded').click()
  await note.waitFor({ state: 'hidden' })
  await fits(844, 0.4)
  // what is known of the chat is in sight below it, above the bar
  const [about, bar] = [page.getByText(/^About this chat/), page.getByRole('navigation', { name: 'Staff' })]
  await boxOf(page).blur()
  await eventually(async () => {
    const [known, top] = [(await edgesOf(about)).bottom, (await edgesOf(bar)).top]
    expect(top - known).toBeGreaterThanOrEqual(0)
    expect(top - known).toBeLessThan(32)
  })
  await boxOf(page).focus()
  await page.setViewportSize({ width: 390, height: 500 })
  await fits(500, 0.4)
  const brief = paneOf(page).getByText(/^About this visitor · Assigned to Sipho, a lead waits, with a note$/)
  expect(await violationsIn(page, 'main')).toEqual([])
  await brief.click()
  await note.waitFor()
  await fits(500, 0)
  expect(await violationsIn(page, 'main')).toEqual([])
  await brief.click()
  await page.setViewportSize({ width: 1440, height: 900 })
  await note.waitFor()
  expect(await brief.isVisible()).toBe(false)
  await visitor.context().close()
})
