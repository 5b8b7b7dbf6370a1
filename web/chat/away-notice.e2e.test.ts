import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_SUPPORT_HOURS } from '../../events/support-hours.ts'
import { eventually } from '../../events/testing/node.ts'
import { IN_HOURS, openTestSite, type PageOptions, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, end, inputOf, logOf, say, seriousOf, start } from './test-widget.ts'

const AT_NIGHT = new Date('2026-11-18T20:00:00+02:00')

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
  await chatOf(page).getByText(`Away, back ${words}`, { exact: true }).waitFor()
  expect(await chatOf(page).getByText('Connected', { exact: true }).count()).toBe(0)
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

const emailOf = (page: Page) => chatOf(page).getByLabel('Your email, so our answer reaches you')

const openAtNight = async (more: PageOptions = {}) => {
  const page = await site.openPage({ now: AT_NIGHT, ...more })
  onTestFinished(() => page.context().close())
  return page
}

/** Waits until staff are told that a visitor gave this address. */
const isTold = (sessionId: string, visitorEmail: string) =>
  eventually(() => expect(staff.frames).toContainEqual({ type: 'visitor_email', sessionId, visitorEmail }))

/** Has a page wait with what the site tells of its answers until `tell` is called. */
const holdAnswering = () => {
  const { promise, resolve: tell } = Promise.withResolvers<void>()
  const prepare = (opened: Page) =>
    opened.route('**/api/support-hours', async (route) => {
      await promise
      await route.continue()
    })
  return { prepare, tell }
}

test('until the site has told whether it can send emails, none is promised and no address is asked for', async () => {
  const { prepare, tell } = holdAnswering()
  const page = await openAtNight({ prepare })
  await button(page, 'Open chat').click()
  await chatOf(page).getByText('Leave a message.', { exact: false }).waitFor()
  await chatOf(page).getByText('So our team can find your requests.').waitFor()
  await page.getByLabel('Your name').fill('Not told')
  await button(page, 'Start Chat').click()
  await say(page, 'Anybody?')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await chatOf(page).getByText('Leave a message.', { exact: false }).waitFor()
  expect(await chatOf(page).getByText(/email/i).count()).toBe(0)
  tell()
  await chatOf(page).getByText('Leave a message and your email address.').waitFor()
  await emailOf(page).waitFor()
})

test('who started without an address while nobody was there is asked for one, and may correct it', async () => {
  const page = await openAtNight()
  const sessionId = await start(staff, page, 'No address yet')
  await emailOf(page).fill('not an address')
  await emailOf(page).press('Enter')
  await chatOf(page).getByText('Please enter a valid email address').waitFor()
  expect(await emailOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await seriousOf(page)).toEqual([])
  await emailOf(page).fill('typo@example.co.zz')
  await button(page, 'Save').click()
  await chatOf(page).getByText('We will answer at typo@example.co.zz.').waitFor()
  await chatOf(page).getByText('Leave a message.', { exact: false }).waitFor()
  expect(await inputOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await seriousOf(page)).toEqual([])
  await isTold(sessionId, 'typo@example.co.zz')
  await page.reload()
  await button(page, 'Change email address').click()
  expect(await emailOf(page).inputValue()).toBe('typo@example.co.zz')
  await button(page, 'Keep it as it is').click()
  await button(page, 'Change email address').click()
  await emailOf(page).fill('right@example.co.za')
  await emailOf(page).press('Enter')
  await chatOf(page).getByText('We will answer at right@example.co.za.').waitFor()
  await isTold(sessionId, 'right@example.co.za')
})

test('an address whose confirmation is lost is sent again as the same one until it is confirmed', async () => {
  const page = await openAtNight()
  const sent: string[] = []
  let isLost = true
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((data) => {
      if (String(data).includes('give_email')) sent.push(String(data))
      server.send(data)
    })
    server.onMessage((data) => {
      if (!isLost || !String(data).includes('email_accepted')) return socket.send(data)
      isLost = false
      socket.close()
    })
  })
  await page.reload()
  const sessionId = await start(staff, page, 'Cut off')
  await emailOf(page).fill('cut-off@example.co.za')
  await button(page, 'Save').click()
  await chatOf(page).getByText('We will answer at cut-off@example.co.za.').waitFor()
  expect(isLost).toBe(false)
  expect(sent.length).toBeGreaterThan(1)
  expect(new Set(sent).size).toBe(1)
  await isTold(sessionId, 'cut-off@example.co.za')
})

test('beside a node of before, and to who came by a link, no address is asked for', async () => {
  const page = await openAtNight()
  let isOld = true
  let joined: { sessionId: string; resumeToken: string } | undefined
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((data) => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'chat_joined') joined = frame
      socket.send(isOld ? String(data).replaceAll(',"takesEmail":true', '') : data)
    })
  })
  await page.reload()
  await start(staff, page, 'Early')
  await say(page, 'hello')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  expect(await emailOf(page).count()).toBe(0)
  isOld = false
  await page.reload()
  await emailOf(page).fill('early@example.co.za')
  await button(page, 'Save').click()
  await chatOf(page).getByText('We will answer at early@example.co.za.').waitFor()
  const heard: string[] = []
  const other = await openAtNight({
    path: `/#chat=${joined?.sessionId}.${joined?.resumeToken}`,
    prepare: async (opened) => {
      opened.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))))
    },
  })
  await logOf(other).getByText('hello').waitFor()
  await chatOf(other).getByText('Leave a message.', { exact: false }).waitFor()
  expect(await emailOf(other).count()).toBe(0)
  expect(heard.filter((frame) => frame.includes('chat_joined'))).not.toHaveLength(0)
  expect(heard.filter((frame) => frame.includes('early@example.co.za'))).toEqual([])
})

test('an address that is being typed stays though somebody answers', async () => {
  const page = await openAtNight()
  const sessionId = await start(staff, page, 'Slow hand')
  await emailOf(page).fill('slow@exam')
  await staff.answer(sessionId, 'Still here')
  await chatOf(page).getByText('South African time').waitFor({ state: 'detached' })
  await emailOf(page).fill('slow@example.co.za')
  await emailOf(page).press('Enter')
  await isTold(sessionId, 'slow@example.co.za')
  await emailOf(page).waitFor({ state: 'detached' })
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

test('inside support hours who waits a minute for a first answer is asked for an address, and rates nothing', async () => {
  const page = await site.openPage({ viewport: { width: 390, height: 844 } })
  onTestFinished(() => page.context().close())
  await page.clock.install({ time: IN_HOURS })
  await page.reload()
  const sessionId = await start(staff, page, 'Patient')
  await say(page, 'Anybody?')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  expect(await emailOf(page).count()).toBe(0)
  await page.clock.fastForward(61_000)
  await chatOf(page).getByText('Nobody has been free to answer yet.').waitFor()
  const whatsapp = chatOf(page).getByRole('link', { name: 'message us on WhatsApp' })
  expect(await whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\//)
  await emailOf(page).waitFor()
  expect(await seriousOf(page)).toEqual([])
  await emailOf(page).fill('patient@example.co.za')
  await button(page, 'Save').click()
  await chatOf(page).getByText('We will answer at patient@example.co.za.').waitFor()
  await isTold(sessionId, 'patient@example.co.za')
  await end(page)
  await chatOf(page).getByText('This chat has ended.').waitFor()
  expect(await chatOf(page).getByText('How was this chat?').count()).toBe(0)
})

test('who waits while the site has not told whether it can send emails is promised nothing and asked for nothing', async () => {
  const { prepare, tell } = holdAnswering()
  const page = await site.openPage({ prepare })
  onTestFinished(() => page.context().close())
  await page.clock.install({ time: IN_HOURS })
  await page.reload()
  await start(staff, page, 'Waits untold')
  await say(page, 'Anybody?')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await page.clock.fastForward(61_000)
  const notice = chatOf(page).getByText('Nobody has been free to answer yet.')
  await notice.waitFor()
  expect(await notice.textContent()).toBe('Nobody has been free to answer yet. You can also message us on WhatsApp.')
  expect(await seriousOf(page)).toEqual([])
  tell()
  await chatOf(page).getByText('leave your email address', { exact: false }).waitFor()
  await emailOf(page).waitFor()
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
