import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestSite, type PageOptions, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, inputOf, logOf, say, seriousOf, start } from './test-widget.ts'

const AT_NIGHT = new Date('2026-11-18T20:00:00+02:00')
const IN_HOURS = new Date('2026-11-18T10:00:00+02:00')

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite({ SMTP_URL: '', EMAIL_FORWARD_URL: '' })
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff?.close()
  await site?.close()
})

const open = async (options: PageOptions) => {
  const page = await site.openPage(options)
  onTestFinished(() => page.context().close())
  return page
}

test('where the site has no mail server nobody is promised an email at night: the chat asks for a phone number', async () => {
  const page = await open({ now: AT_NIGHT })
  await button(page, 'Open chat').click()
  await chatOf(page)
    .getByText('Leave a message with your phone number, or look in here again for our answer.')
    .waitFor()
  await chatOf(page).getByText('So our team can find your requests.').waitFor()
  expect(
    await chatOf(page)
      .getByText(/answer to this address|reply if you leave/)
      .count(),
  ).toBe(0)
  expect(await seriousOf(page)).toEqual([])
  await page.getByLabel('Your name').fill('Night owl')
  await button(page, 'Start Chat').click()
  await say(page, 'Call me at 082 555 0142')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await chatOf(page)
    .getByText('Leave a message with your phone number, or look in here again for our answer.')
    .waitFor()
  expect(await chatOf(page).getByLabel('Your email, so our answer reaches you').count()).toBe(0)
  expect(
    await chatOf(page)
      .getByText(/We will answer at/)
      .count(),
  ).toBe(0)
  // what it says will happen happens
  const sessionId = await staff.sessionOf('Night owl')
  await page.goto('about:blank')
  await staff.answer(sessionId, 'We call you at eight')
  await page.goto(site.url)
  await logOf(page).getByText('We call you at eight').waitFor()
})

test('an address that was given is kept without a promise, also where the chat is forgotten', async () => {
  const page = await open({ now: AT_NIGHT, viewport: { width: 390, height: 844 } })
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').fill('Has an address')
  await page.getByLabel('Email (optional)').fill('kept@example.co.za')
  await button(page, 'Start Chat').click()
  await inputOf(page).waitFor()
  await chatOf(page)
    .getByText('Leave a message with your phone number, or look in here again for our answer.')
    .waitFor()
  expect(
    await chatOf(page)
      .getByText(/kept@example/)
      .count(),
  ).toBe(0)
  await button(page, 'Forget chat').click()
  await chatOf(page).getByText('Our team keeps the chat.', { exact: false }).waitFor()
  expect(await chatOf(page).getByText('can answer by email', { exact: false }).count()).toBe(0)
})

test('in support hours who waits a minute is asked for a phone number', async () => {
  const page = await open({})
  await page.clock.install({ time: IN_HOURS })
  await page.reload()
  await start(staff, page, 'Patient')
  await say(page, 'Anybody?')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await page.clock.fastForward(61_000)
  const words = chatOf(page).getByText('Nobody has been free to answer yet.')
  await words.waitFor()
  expect(await words.textContent()).toContain('leave your phone number in a message, or message us on WhatsApp.')
  expect(await chatOf(page).getByLabel('Your email, so our answer reaches you').count()).toBe(0)
  expect(await seriousOf(page)).toEqual([])
})
