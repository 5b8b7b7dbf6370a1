// Waiting chats and leads, as shown in all tabs of a browser, and unfinished replies.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { hide, noteAlerts, notedIn } from '../../testing/alerts.ts'
import { boxOf, bubbleOf, entryOf, say } from '../../testing/chat/console.ts'
import { installClock } from '../../testing/clock.ts'
import { faultsOf, type StaffSite, signOutOn, startStaffSite } from '../../testing/staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const linkOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name }).first()
const titled = (page: Page, title: string) => expect.poll(() => page.title()).toContain(title)
/** The page's next response about waiting chats or leads. */
const nextAnswer = (page: Page, what: 'chats' | 'leads' = 'chats') => page.waitForResponse(`**/api/${what}/waiting`)

/** The interval of the pages' polling. */
const POLL_MS = 10_000
/** How long the pages may take to show a response before they poll again, which costs more than a look at them. */
const SHOWN_MS = 1_000

/** Checks the pages of a browser, each time after they have polled again. */
const polled = (page: Page, check: () => Promise<unknown>) =>
  eventually(async () => {
    await page.context().clock.fastForward(POLL_MS)
    await eventually(check, SHOWN_MS)
  })
const shows = async (tabs: Page[], name: string, text: string) => {
  for (const tab of tabs) expect(await linkOf(tab, name).textContent()).toBe(text)
}

/** Counts the tones of all tabs of a browser. */
const countTones = (page: Page) =>
  page.context().addInitScript(() => {
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      localStorage.setItem('tones', String(Number(localStorage.getItem('tones') ?? 0) + 1))
      start.apply(this, when)
    }
  })

test('a new chat and a new lead show on every staff screen, and one tab of a browser announces them by sound and notification', async () => {
  const page = await site.open('/admin-account')
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await noteAlerts(page)
  await countTones(page)
  await installClock(page.context())
  await page.reload()
  await nextAnswer(page)
  await page.getByRole('button', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Sound', exact: true }).click()
  const knows = Promise.all([nextAnswer(page), nextAnswer(page, 'leads')])
  await page.goto('/admin-overview')
  await knows
  await page.evaluate(() => localStorage.removeItem('tones'))
  const other = await page.context().newPage()
  const told = Promise.all([nextAnswer(other), nextAnswer(other, 'leads')])
  await other.goto('/admin-email')
  await told
  for (const tab of [page, other]) await hide(tab)

  await site.chat({ name: 'Thabo', email: 'thabo@example.com' }, 'Do you build shops?')
  await polled(page, () => shows([page, other], 'Chat', 'Chat1 waiting'))
  await titled(page, '(1) Overview')
  await titled(other, '(1) Email')
  const ofChat = 'New chat: Thabo: No reply yet.'
  await polled(page, async () => expect(await notedIn(page)).toEqual([ofChat]))
  expect(await page.evaluate(() => localStorage.getItem('tones'))).toBe('2')

  const lead = await site.submit({ name: 'Sipho Dube' })
  await polled(page, async () => expect(await page.title()).toContain('(2) Overview'))
  await titled(other, '(2) Email')
  const ofLead = 'New lead: Sipho Dube: Consultation form'
  await polled(page, async () => expect(await notedIn(page)).toEqual([ofChat, ofLead]))
  await site.submit({ name: 'Spam', message: 'x', quartz: 'filled in' } as object)
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' })
  await polled(page, () => shows([page, other], 'Leads', 'Leads'))
  expect(await notedIn(page)).toHaveLength(2)

  // a click on the notification leads there
  for (const tab of [page, other]) await tab.evaluate(() => Reflect.deleteProperty(window, 'openNoted'))
  const vusi = await site.chat({ name: 'Vusi', email: 'vusi@example.com' }, 'And mine?')
  await polled(page, async () => expect((await notedIn(page)).at(-1)).toBe('New chat: Vusi: No reply yet.'))
  const teller = (await page.evaluate(() => 'openNoted' in window)) ? page : other
  await teller.evaluate(() => (window as unknown as { openNoted: () => void }).openNoted())
  await teller.waitForURL(`**/admin-chat?session=${vusi}`)
  await teller.getByRole('heading', { name: 'Chat with Vusi' }).waitFor()

  // no other screen repeats a notification of the console
  await page.goto('/admin-chat')
  await page.getByText('Connected', { exact: true }).waitFor()
  await other.goto('/admin-email')
  await nextAnswer(other)
  await site.chat({ name: 'Zola', email: 'zola@example.com' }, 'Anybody there?')
  await eventually(async () => expect((await notedIn(page)).at(-1)).toBe('New message from Zola: Anybody there?'))
  await polled(page, () => shows([other], 'Chat', 'Chat3 waiting'))
  await other.close()
  const count = (await notedIn(page)).length
  const answered = nextAnswer(page)
  await linkOf(page, 'Overview').click()
  await answered
  const polledAgain = nextAnswer(page)
  await page.context().clock.fastForward(POLL_MS)
  await polledAgain
  expect(await notedIn(page)).toHaveLength(count)
  await site.chat({ name: 'Anele', email: 'anele@example.com' }, 'Hello?')
  await polled(page, async () => expect((await notedIn(page)).at(-1)).toBe('New chat: Anele: No reply yet.'))
  await page.context().close()
})

test('a visitor who got a reply waits again after the next message, on every screen, also once it is read', async () => {
  const me = await site.hire('Lindiwe Khumalo')
  const page = await site.open('/admin-email', { as: me })
  const badge = page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name: /^Chat/ })
  const waiting = async () => (await (await site.call('GET', '/api/chats/waiting')).json()).count as number
  const shown = (count: number) => `Chat${count > 0 ? `${count} waiting` : ''}`
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
    .getByText(/Waits /)
    .waitFor()
  const all = shown(before + 1)
  await expect.poll(() => badge.textContent()).toBe(all)
  await linkOf(page, 'Overview').click()
  await eventually(async () => expect(await waiting()).toBe(before + 1))
  await expect.poll(() => badge.textContent(), { timeout: 15_000 }).toBe(all)

  // a console that has not received the chats yet does not hide the count
  await page.routeWebSocket('**/ws', () => {})
  await badge.click()
  await page.getByText('Active Sessions: …').waitFor()
  expect(await badge.textContent()).toBe(all)
  await page.context().close()
  await visitor.context().close()
})

test('the question before signing out lists drafts in chats and about a lead, without storing names; signing out removes them', async () => {
  const [naledi, zodwa] = [
    await site.chat({ name: 'Nomsa', email: '' }, 'Do you build shops?'),
    await site.chat({ name: 'Zodwa', email: '' }, 'Do you build shops?'),
  ]
  const lead = await site.submit({ name: 'Anna Smith' })
  const page = await site.open('/admin-today', { as: await site.hire('Kagiso Molefe') })
  const signOut = () => signOutOn(page)
  const question = page.getByRole('dialog', { name: 'Sign out without saving?' })
  const items = () => question.getByRole('listitem').allInnerTexts()
  let isHeldBack = true
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!isHeldBack || !String(frame).includes('"send_message"')) server.send(frame)
    })
  })
  // a reply that is being sent is listed in the question until the server has it
  await page.goto(`/admin-chat?session=${naledi}`)
  await boxOf(page).fill('We do')
  await page.keyboard.press('Enter')
  await bubbleOf(page, 'We do').waitFor()
  await signOut()
  await expect.poll(items).toEqual(['A chat reply to Nomsa that was not sent'])
  await question.getByRole('button', { name: 'Stay here' }).click()
  isHeldBack = false
  await page.reload()
  await bubbleOf(page, 'We do')
    .getByText(/Sent|Delivered|Seen/)
    .waitFor()

  await boxOf(page).fill('Yes, we')
  await page.goto(`/admin-chat?session=${zodwa}`)
  await entryOf(page, 'Nomsa').getByText('Draft: Yes, we').waitFor()
  await boxOf(page).fill('   ')
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('Note').fill('Half a no')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`/admin-lead?id=${lead.id}`)
  await page.getByLabel('Note', { exact: true }).fill('Half a no')
  await linkOf(page, 'Today').click()
  await signOut()
  await expect
    .poll(items)
    .toEqual([
      'A chat reply to Nomsa that was not sent',
      'A hand-over note about Zodwa that was not sent',
      'A note about Anna Smith that was not saved',
    ])
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
    /Nomsa|Zodwa|Smith/,
  )
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel(/username/i).waitFor()
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
    /Yes, we|Half a no/,
  )
  await page.context().close()
})
