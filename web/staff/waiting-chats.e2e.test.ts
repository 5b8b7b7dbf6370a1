import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { boxOf, bubbleOf, entryOf, say } from '../chat/test-console.ts'
import { hide, noteAlerts, notedIn } from './test-alerts.ts'
import { type StaffSite, startStaffSite } from './test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const linkOf = (page: Page, name: string) => page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name })
const titled = (page: Page, title: string) => expect.poll(() => page.title()).toContain(title)
/** The page's next answer on which chats wait. */
const nextAnswer = (page: Page) => page.waitForResponse('**/api/chats/waiting')

/** Counts the tones of all tabs of a browser. */
const countTones = (page: Page) =>
  page.context().addInitScript(() => {
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      localStorage.setItem('tones', String(Number(localStorage.getItem('tones') ?? 0) + 1))
      start.apply(this, when)
    }
  })

/** A page that tells of news by sound and notification, and knows which chats wait already. */
const openTelling = async (path: string) => {
  const page = await site.open('/admin-account')
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await noteAlerts(page)
  await countTones(page)
  await page.reload()
  await nextAnswer(page)
  await page.getByRole('button', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Sound', exact: true }).click()
  await page.goto(path)
  await nextAnswer(page)
  await page.evaluate(() => localStorage.removeItem('tones'))
  return page
}

test('a new chat shows on every staff screen, by badge, title, sound and notification, in one tab of a browser', async () => {
  const page = await openTelling('/admin-overview')
  const other = await page.context().newPage()
  const told = nextAnswer(other)
  await other.goto('/admin-email')
  await told
  for (const tab of [page, other]) await hide(tab)
  const id = await site.chat({ name: 'Thabo', email: 'thabo@example.com' }, 'Do you build shops?')
  for (const tab of [page, other]) await linkOf(tab, 'Live chat 1 waiting').waitFor()
  await titled(page, '(1) Overview')
  await titled(other, '(1) Email')
  await eventually(async () => expect(await notedIn(page)).toEqual(['New chat: Thabo: Nobody has answered yet.']))
  expect(await page.evaluate(() => localStorage.getItem('tones'))).toBe('2')
  const teller = (await page.evaluate(() => 'openNoted' in window)) ? page : other
  await teller.evaluate(() => (window as unknown as { openNoted: () => void }).openNoted())
  await teller.waitForURL(`**/admin-chat?session=${id}`)
  await teller.getByRole('heading', { name: 'Chat with Thabo' }).waitFor()
  await page.context().close()
})

test('what the console has told of no other screen tells again', async () => {
  const page = await openTelling('/admin-chat')
  await page.getByText('Connected', { exact: true }).waitFor()
  const other = await page.context().newPage()
  await other.goto('/admin-email')
  await nextAnswer(other)
  await site.chat({ name: 'Vusi', email: 'vusi@example.com' }, 'And mine?')
  await eventually(async () => expect(await notedIn(page)).toEqual(['New message from Vusi: And mine?']))
  await linkOf(other, 'Live chat 2 waiting').waitFor()
  await nextAnswer(other)
  await other.close()
  const answered = nextAnswer(page)
  await linkOf(page, 'Overview').click()
  await answered
  await nextAnswer(page)
  expect(await notedIn(page)).toHaveLength(1)
  await site.chat({ name: 'Zola', email: 'zola@example.com' }, 'Anybody there?')
  await eventually(async () => expect((await notedIn(page)).at(-1)).toBe('New chat: Zola: Nobody has answered yet.'))
  await page.context().close()
})

test('who was answered once waits again with the next message, on every screen alike, also once it is read', async () => {
  const me = await site.hire('Lindiwe Khumalo')
  const page = await site.open('/admin-email', { as: me })
  const badge = page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name: /^Live chat/ })
  const waiting = async () => (await (await site.call('GET', '/api/chats/waiting')).json()).count as number
  const shown = (count: number) => `Live chat${count > 0 ? `${count} waiting` : ''}`
  const before = await waiting()
  const visitor = await site.browser.newPage({ baseURL: site.node.url })
  await visitor.goto('/')
  await visitor.getByRole('button', { name: 'Open chat' }).click()
  await visitor.getByLabel('Your name').fill('Naledi')
  await visitor.getByRole('button', { name: 'Start Chat' }).click()
  await visitor.getByText('Thanks for reaching out!').waitFor()
  await say(visitor, 'Do you build shops?')

  await page.goto('/admin-chat')
  await entryOf(page, 'Naledi').click()
  await boxOf(page).fill('We do')
  await page.keyboard.press('Enter')
  await bubbleOf(visitor, 'We do').waitFor()
  await expect.poll(() => badge.textContent()).toBe(shown(before))
  await say(visitor, 'And for tea?')
  await bubbleOf(visitor, 'And for tea?').getByText('Seen').waitFor()
  await entryOf(page, 'Naledi')
    .getByText(/Waiting since/)
    .waitFor()
  const all = shown(before + 1)
  await expect.poll(() => badge.textContent()).toBe(all)
  await linkOf(page, 'Email').click()
  await eventually(async () => expect(await waiting()).toBe(before + 1))
  await expect.poll(() => badge.textContent(), { timeout: 15_000 }).toBe(all)

  // the console that has not heard of the chats yet has nothing to say against it
  await page.routeWebSocket('**/ws', () => {})
  await badge.click()
  await page.getByText('Active Sessions: …').waitFor()
  expect(await badge.textContent()).toBe(all)
  await page.context().close()
  await visitor.context().close()
})
