import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillActiveChats } from '../../../events/testing/fill-active-chats.ts'
import { eventually } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import {
  addSipho,
  boxOf,
  bubbleOf,
  entryOf,
  joinVisitor,
  openConsolePage,
  type PagelessVisitor,
  paneOf,
  SIPHO,
  signedIn,
} from '../../testing/chat/console.ts'
import { openTestSite, type TestSite } from '../../testing/chat/site.ts'
import { openTestStaff } from '../../testing/chat/staff.ts'

const PNG = readFileSync('web/public/icon-192.png')

const DESKTOP = { width: 1440, height: 900 }

let site: TestSite
let page: Page
let siphoId: string
let thandiId: string

beforeAll(async () => {
  site = await openTestSite()
  siphoId = await addSipho(site)
  const me = await site.nodes[0].call('/api/me', { headers: await signedIn(site) })
  thandiId = (await me.json()).id
  page = await openConsolePage(site)
  await joinVisitor(site, 'Nomsa')
  await entryOf(page, 'Nomsa').click()
  await boxOf(page).waitFor()
})

afterAll(() => site?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const listbox = () => page.getByRole('listbox', { name: 'Canned replies' })
const log = () => paneOf(page).getByRole('log')

const areaOf = async (locator: Locator) => {
  const { x, y, width, height } = (await locator.boundingBox()) ?? expect.fail()
  return { x, y, right: x + width, bottom: y + height, height }
}

/** How far the messages are scrolled from their end. */
const left = () =>
  log().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)

/** Sipho hands a chat over to Thandi, who has the page open. */
const handToThandi = async ({ sessionId }: PagelessVisitor, note = '') => {
  const asked = { to: thandiId, version: 0, note }
  const made = await site.nodes[0].post(`/api/chats/${sessionId}/assign`, asked, await signedIn(site, SIPHO))
  expect(made.status).toBe(200)
}

test('a message of 4,000 characters without a space, and a long name, stay inside their boxes', async () => {
  await joinVisitor(site, `Anna-${'very-long-name'.repeat(12)}`, { said: ['x'.repeat(4_000)] })
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
    expect(await log().evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true)
    if (width !== 1024) expect(await violationsIn(page, 'main')).toEqual([])
  }
})

test('on a phone a chosen chat fills the window: the way back and the field are visible together', async () => {
  await page.setViewportSize({ width: 390, height: 600 })
  await button('All chats').click()
  await entryOf(page, 'Nomsa').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  const isInSight = (element: Locator) =>
    eventually(async () => {
      const { y, bottom } = await areaOf(element)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(bottom).toBeLessThanOrEqual(600)
    })
  await isInSight(button('All chats'))
  await isInSight(boxOf(page))
  await boxOf(page).fill('/')
  expect(await listbox().evaluate((list) => list.scrollHeight <= list.clientHeight)).toBe(true)
  await boxOf(page).fill('')
  await page.setViewportSize(DESKTOP)
  expect((await paneOf(page).boundingBox())?.height).toBe(600)
  // a higher window is filled, with room for a toast at its foot
  await page.setViewportSize({ width: 1440, height: 1080 })
  const { height, bottom } = await areaOf(paneOf(page))
  expect(height).toBeGreaterThan(850)
  expect(1080 - bottom).toBeLessThanOrEqual(130)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(1080)
  await page.setViewportSize(DESKTOP)
})

test('on a laptop the foot of the pane is visible, with some space, once the field has the focus', async () => {
  await page.setViewportSize({ width: 1366, height: 650 })
  await boxOf(page).blur()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await boxOf(page).focus()
  await eventually(async () => {
    const { y, bottom } = await areaOf(paneOf(page))
    expect(y).toBeGreaterThan(0)
    expect(650 - bottom).toBeGreaterThanOrEqual(15)
  })
  await page.setViewportSize(DESKTOP)
})

test('a banner covers neither the frame of the screen nor the reply field, in any window', async () => {
  const handed = await joinVisitor(site, 'Handed one')
  await entryOf(page, 'Handed one').waitFor()
  await handToThandi(handed)
  const notice = page.getByRole('status').filter({ hasText: 'Sipho handed you a chat' }).locator('> div')
  // it stays while it has the focus
  await notice.getByRole('button', { name: 'Dismiss' }).focus()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await eventually(async () => {
      const told = await areaOf(notice)
      const controls = [page.getByRole('banner'), page.getByRole('navigation', { name: 'Staff' }), boxOf(page)]
      for (const control of [...controls, page.getByRole('button', { name: 'Send' })]) {
        const { x, y, right, bottom } = await areaOf(control)
        expect(told.right <= x || right <= told.x || told.bottom <= y || bottom <= told.y, `at ${width} px`).toBe(true)
      }
      expect(told.bottom).toBeGreaterThan(844 / 2)
    })
  }
  await notice.getByRole('button', { name: 'Open' }).click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Handed one' }).waitFor()
  // the buttons of assignment are in one row
  const letGo = paneOf(page).getByRole('button', { name: 'Unassign' })
  const handOn = paneOf(page).getByRole('button', { name: 'Hand over' })
  for (const width of [320, 390, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    if (width === 320) {
      await letGo.waitFor({ state: 'hidden' })
      await paneOf(page).getByText('About this visitor').click()
    }
    expect((await areaOf(handOn)).y, `at ${width} px`).toBe((await areaOf(letGo)).y)
  }
  await page.setViewportSize(DESKTOP)
})

/** Sends a picture as the page of a visitor does. */
const sendPicture = async ({ sessionId, resumeToken, say }: PagelessVisitor, name: string) => {
  const stored = await site.nodes[0].call(`/api/chat-files/${sessionId}`, {
    method: 'POST',
    body: PNG,
    headers: {
      origin: site.url,
      authorization: `Bearer ${resumeToken}`,
      'content-type': 'image/png',
      'x-file-name': name,
    },
  })
  expect(stored.status).toBe(201)
  await say(name, { fileId: (await stored.json()).id })
}

test('the newest message stays in view as pictures load, as the header grows and as the window gets lower', async () => {
  const visitor = await joinVisitor(site, 'Pictured')
  for (const name of ['one.png', 'two.png']) await sendPicture(visitor, name)
  await visitor.say('Which of the two?')
  const arrived = Promise.withResolvers<void>()
  await page.route('**/chat-files/**', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await entryOf(page, 'Pictured').click()
  await bubbleOf(page, 'Which of the two?').waitFor()
  const isAtEnd = () => expect.poll(left).toBeLessThan(2)
  await isAtEnd()
  // the content above the list grows before the browser has reported that the list was scrolled to its end
  await log().evaluate((list: HTMLElement) => {
    list.parentElement?.style.setProperty('height', '400px')
    list.scrollTop = 0
    list.scrollTop = list.scrollHeight
    const header = list.parentElement?.firstElementChild as HTMLElement
    header.style.paddingBottom = '120px'
  })
  await isAtEnd()
  arrived.resolve()
  for (const name of ['one.png', 'two.png']) {
    const image = log().getByRole('img', { name })
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  }
  await isAtEnd()
  await page.setViewportSize({ width: 1440, height: 500 })
  await isAtEnd()
  await page.setViewportSize(DESKTOP)
  await isAtEnd()
  await log().evaluate((list) => list.scrollBy({ top: -150, behavior: 'instant' }))
  await page.setViewportSize({ width: 1440, height: 700 })
  await expect.poll(left).toBeGreaterThan(100)
  await page.setViewportSize(DESKTOP)
  await page.unroute('**/chat-files/**')
})

test('a long chat opens at its end, and earlier messages are inserted above those being read', async () => {
  const staff = await openTestStaff(site.nodes[0], site.url)
  const { sessionId } = await joinVisitor(site, 'Lindiwe')
  for (let count = 1; count <= 120; count += 1) await staff.answer(sessionId, `Line ${count}. ${'word '.repeat(790)}`)
  staff.close()
  await entryOf(page, 'Lindiwe').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Lindiwe' }).waitFor()
  const messages = log()
    .getByRole('listitem')
    .filter({ hasText: /^Line \d/ })
  const earlier = button('Show earlier messages')
  const holds = (count: number) => eventually(async () => expect(await messages.count()).toBe(count))
  await holds(100)
  expect(await left()).toBeLessThan(2)
  expect(await messages.first().textContent()).toMatch(/^Line 21\./)
  const top = async () => (await bubbleOf(page, 'Line 21.').boundingBox())?.y ?? 0
  // visible, as it is once it is pressed
  await earlier.scrollIntoViewIfNeeded()
  const before = await top()
  await earlier.click()
  await holds(120)
  expect(Math.abs((await top()) - before)).toBeLessThan(40)
  expect(await messages.first().textContent()).toMatch(/^Line 1\./)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log')
})

test('on a phone the messages have the room, with the keyboard open too; the facts about the visitor are folded', async () => {
  const visitor = await joinVisitor(site, 'Folded', {
    email: 'folded@example.co.za',
    said: ['Did you get my request?'],
  })
  await entryOf(page, 'Folded').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Folded' }).waitFor()
  const lead = { name: 'Folded Khumalo', email: 'folded@example.co.za', phone: '082 555 0177' }
  const path = `/api/chats/${visitor.sessionId}/lead`
  expect((await site.nodes[0].post(path, lead, await signedIn(site))).status).toBe(201)
  await paneOf(page).getByRole('region', { name: 'Waiting lead' }).waitFor()
  await button('Hand over').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByLabel('Note').fill('They want a shop for tea, with delivery all over the country. '.repeat(3))
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  const note = paneOf(page).getByText('Note from you')
  await note.waitFor()

  const form = paneOf(page).locator('form')
  const fits = (height: number, share: number) =>
    eventually(async () => {
      const [pane, list, foot] = await Promise.all([paneOf(page), log(), form].map(areaOf))
      expect(list?.height).toBeGreaterThanOrEqual(share * height)
      expect(foot?.y).toBeGreaterThanOrEqual(list?.bottom ?? 0)
      expect(foot?.bottom).toBeLessThanOrEqual(pane?.bottom ?? 0)
      expect(pane?.bottom).toBeLessThanOrEqual(height)
    })
  await page.setViewportSize({ width: 390, height: 844 })
  await button('All chats').click()
  await entryOf(page, 'Folded').click()
  await note.waitFor({ state: 'hidden' })
  await fits(844, 0.4)
  // the facts about the chat are visible below it, above the bar
  const [about, bar] = [page.getByText(/^About this chat/), page.getByRole('navigation', { name: 'Staff' })]
  await boxOf(page).blur()
  await eventually(async () => {
    const [known, top] = [(await areaOf(about)).bottom, (await areaOf(bar)).y]
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
  await page.setViewportSize(DESKTOP)
  await note.waitFor()
  expect(await brief.isVisible()).toBe(false)
})

test('on a phone a list of more chats than a page reads as on a large screen', async () => {
  await fillActiveChats(site.databaseUrl, 60)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin-chat')
  await button('Show more').waitFor()
  await page.getByLabel('Search active chats').waitFor()
  expect(await violationsIn(page, 'main')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
