import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/local/test-node.ts'
import { DEFAULT_SUPPORT_HOURS } from '../../events/support-hours.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, end, logOf, say, seriousOf, start } from './test-widget.ts'

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff.close()
  await site.close()
})

test.each([
  ['2026-11-18T07:59:59+02:00', 'today at 8AM'],
  ['2026-11-18T18:00:00+02:00', 'tomorrow at 8AM'],
  ['2026-11-20T18:00:00+02:00', 'on Monday at 8AM'],
])('at %s the chat says that someone is back %s, and takes the message all the same', async (now, words) => {
  const page = await site.openPage({ now: new Date(now) })
  const notice = chatOf(page).getByText(`We’re back ${words}, South African time.`)
  await button(page, 'Open chat').click()
  await notice.waitFor()
  await chatOf(page).getByText('Leave a message and your email address.').waitFor()
  await chatOf(page).getByText('Nobody is here now: we answer to this address.').waitFor()
  // in sight without scrolling, since it is what brings the answer
  const email = await page.getByLabel('Email (optional)').boundingBox()
  const send = await button(page, 'Start Chat').boundingBox()
  expect((email?.y ?? 0) + (email?.height ?? 0)).toBeLessThan(send?.y ?? 0)
  expect(await seriousOf(page)).toEqual([])
  await page.getByLabel('Your name').fill(`Late ${words}`)
  await button(page, 'Start Chat').click()
  await say(page, 'Call me back')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await chatOf(page).getByText('Leave a message and your email address.').waitFor()
  const sessionId = await staff.sessionOf(`Late ${words}`)
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Call me back']))
  await page.context().close()
})

test('the notice goes once somebody answers, and when the chat has ended', async () => {
  const notice = (page: Page) => chatOf(page).getByText('South African time')
  const page = await site.openPage({ now: new Date('2026-11-18T20:00:00+02:00') })
  await start(staff, page, 'Night owl')
  await notice(page).waitFor()
  await staff.answer(await staff.sessionOf('Night owl'), 'Still here')
  await notice(page).waitFor({ state: 'detached' })
  await page.context().close()
  const other = await site.openPage({ now: new Date('2026-11-18T20:00:00+02:00') })
  await start(staff, other, 'Early bird')
  await notice(other).waitFor()
  await end(other)
  await notice(other).waitFor({ state: 'detached' })
  await other.context().close()
})

test('hours that are set meanwhile reach a chat that is open, as soon as somebody looks at it', async () => {
  const page = await site.openPage()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').waitFor()
  const hours = { ...DEFAULT_SUPPORT_HOURS, opensAtMinute: 12 * 60 }
  await page.route('**/api/support-hours', (route) => route.fulfill({ json: hours }))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await chatOf(page).getByText('We’re back today at 12PM, South African time.').waitFor()
  await page.context().close()
})

test('inside support hours there is no such notice', async () => {
  const page = await site.openPage()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').waitFor()
  expect(await chatOf(page).getByText('South African time').count()).toBe(0)
  const email = chatOf(page).getByLabel('Email (optional)')
  expect(await email.getAttribute('aria-describedby')).toBe('chat-email-hint')
  await chatOf(page).getByText('So we can reply if you leave.').waitFor()
  await page.context().close()
})
