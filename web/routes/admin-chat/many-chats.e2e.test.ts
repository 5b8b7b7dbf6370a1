import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { beginChats, fillActiveChats, sayInChats } from '../../../events/testing/fill-active-chats.ts'
import { eventually } from '../../../events/testing/node.ts'
import { entryOf, openConsolePage, say, startChat } from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { signInAt } from '../../chat/test-staff.ts'
import { violationsIn } from '../../test-axe.ts'

const ACTIVE_CHATS = 10_000
const PHONE = { width: 390, height: 844 }

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
  // the worker makes the view
  await eventually(() => fillActiveChats(site.databaseUrl, ACTIVE_CHATS))
})

afterAll(() => site.close())

/** How long a console waits for its list, and how large that is. */
const join = async () => {
  const cookie = await signInAt(site.nodes[0], site.url)
  const headers = { origin: site.url, cookie }
  const socket = new WebSocket(`${site.nodes[0].url.replace('http', 'ws')}/ws`, { headers })
  await new Promise((resolve) => socket.once('open', resolve))
  const began = performance.now()
  socket.send(JSON.stringify({ type: 'join_admin' }))
  const text = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(data.toString())))
  const tookMs = performance.now() - began
  socket.terminate()
  return { tookMs, text, frame: JSON.parse(text) }
}

test('a console with 10,000 active chats gets the newest, within a second, and small', async () => {
  const joins = []
  for (let time = 0; time < 5; time += 1) joins.push(await join())
  const [fastest] = joins.toSorted((one, other) => one.tookMs - other.tookMs)
  expect(fastest?.tookMs).toBeLessThan(1_000)
  expect(fastest?.text.length).toBeLessThan(64 * 1024)
  expect(fastest?.frame).toMatchObject({ type: 'active_sessions', total: ACTIVE_CHATS, next: expect.any(String) })
  expect(fastest?.frame.sessions).toHaveLength(50)
  expect(fastest?.frame.sessions[0].visitorName).toBe('Visitor 1')
})

test('its pages come on demand, any chat is found by a search, and one in which somebody writes comes by itself', async () => {
  const visitor = await startChat(site, 'Quiet')
  const page = await openConsolePage(site)
  const rows = page.getByRole('list', { name: 'Active chats' }).getByRole('listitem')
  await page.getByText(/^Active Sessions: 1000\d$/).waitFor()
  expect(await rows.count()).toBe(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await eventually(async () => expect(await rows.count()).toBe(100))
  expect(await rows.last().innerText()).toContain('Visitor 100')
  await page.getByLabel('Search active chats').fill('Visitor 7777')
  const found = page.getByRole('list', { name: 'Active chats found' }).getByRole('listitem')
  await eventually(async () => expect(await found.allInnerTexts()).toEqual([expect.stringContaining('Visitor 7777')]))
  expect(await violationsIn(page, 'main')).toEqual([])
  await page.getByLabel('Search active chats').fill('nobody at all')
  await page.getByText('No active chat matches "nobody at all"').waitFor()
  await page.getByLabel('Search active chats').fill('')
  await eventually(async () => expect(await rows.count()).toBe(100))
  expect(await entryOf(page, 'Quiet').count()).toBe(0)
  await say(visitor, 'Is anybody there?')
  await entryOf(page, 'Quiet').getByText('Is anybody there?').waitFor()
  await visitor.context().close()
  await page.context().close()
})

test('where hundreds of chats write at once, a console takes up what a person can look at, and asks for no more', async () => {
  const chats = await beginChats(site.databaseUrl, 300)
  let asked = 0
  let sent: string[] = []
  let flood = () => {}
  let cut = () => {}
  const page = await openConsolePage(site, undefined, {
    prepare: (opened) => {
      opened.on('request', (request) => {
        if (/\/api\/chats\/[0-9a-f-]{36}$/.test(request.url())) asked += 1
      })
      return opened.routeWebSocket('**/ws', (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((text) => {
          sent.push(JSON.parse(String(text)).type)
          server.send(text)
        })
        const timestamp = new Date().toISOString()
        const last = { senderType: 'visitor', senderName: 'One of many', message: 'Hello', timestamp }
        const outline = { lastSequence: 1, answered: 0, waitingSince: timestamp, last }
        flood = () => {
          const told = chats.map((sessionId) => ({ sessionId, ...outline }))
          socket.send(JSON.stringify({ type: 'chat_outlines', chats: told }))
        }
        cut = () => {
          server.close()
          socket.close()
        }
      })
    },
  })
  const rows = page.getByRole('list', { name: 'Active chats' }).getByRole('listitem')
  await eventually(async () => expect(await rows.count()).toBe(50))
  flood()
  await eventually(async () => expect(await rows.count()).toBe(200))
  flood()
  await entryOf(page, 'Visitor').first().waitFor()
  expect(asked).toBeLessThanOrEqual(150)

  // on a new connection the same chats are there, with what was said meanwhile, for one question
  const ids = await rows.getByRole('button').evaluateAll((all) => all.map((row) => row.getAttribute('data-session')))
  const written = ids.filter((id) => id !== null && chats.includes(id)) as string[]
  expect(written.length).toBeGreaterThanOrEqual(100)
  await sayInChats(site.databaseUrl, written, 'Hello')
  await sayInChats(site.databaseUrl, written, 'Hello again')
  asked = 0
  sent = []
  cut()
  const again = rows.filter({ hasText: 'Hello again' })
  await eventually(async () => expect(await again.count()).toBe(written.length), 60_000)
  expect(await rows.count()).toBe(200)
  expect(await again.first().textContent()).toContain('2 unread')
  expect(asked).toBe(0)
  const questions = ['join_admin', 'get_messages', 'open_chat']
  expect(sent.filter((type) => questions.includes(type))).toEqual(['join_admin'])
  await page.context().close()
})

test('on a phone the list reads as on a large screen', async () => {
  const page = await openConsolePage(site, undefined, { viewport: PHONE })
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.context().close()
})

test('where the chats cannot be listed yet, as right after the first start, the console says so and joins by itself', async () => {
  // an older node refuses; a newer one brings the console in without the list
  const refusal = { code: 'unavailable', message: 'Not available just now: try again', refused: 'join_admin' }
  const answers: object[] = [
    { type: 'error', ...refusal },
    { type: 'active_sessions', sessions: [], total: 0, isPreparing: true },
    { type: 'active_sessions', sessions: [], total: 0, isPreparing: true },
  ]
  const page = await openConsolePage(site, undefined, {
    prepare: (opened) =>
      opened.routeWebSocket('**/ws', (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((text) => {
          const answer = JSON.parse(String(text)).type === 'join_admin' ? answers.shift() : undefined
          if (answer) socket.send(JSON.stringify(answer))
          else server.send(text)
        })
      }),
  })
  await page.getByText('The chats are being prepared. They appear here in a moment.').waitFor()
  await page.getByText(/^Active Sessions: 10\d{3}$/).waitFor()
  expect(await page.getByText('being prepared').count()).toBe(0)
  await page.context().close()
})
