import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
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
