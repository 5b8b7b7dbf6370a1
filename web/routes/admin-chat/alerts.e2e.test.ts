import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { bubbleOf, entryOf, openConsolePage, paneOf, say, startChat } from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'

let site: TestSite
let page: Page
let visitor: Page
let other: Page

beforeAll(async () => {
  site = await openTestSite()
  page = await openConsolePage(site)
  visitor = await startChat(site, 'Thabo')
  other = await startChat(site, 'Vusi')
})

afterAll(() => site?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Notes notifications and tones that the browser makes, and makes them. */
const noteAlerts = (context: Page) =>
  context.addInitScript(() => {
    const noted: string[] = []
    Object.assign(window, { noted })
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        noted.push(`${title}: ${options?.body}`)
      }
    }
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      noted.push('tone')
      start.apply(this, when)
    }
  })

const notedOn = (on: Page) => on.evaluate(() => (window as unknown as { noted: string[] }).noted)

test('alerts are off until they are switched on, and a browser that refuses them is explained', async () => {
  const notifications = button('Notifications')
  await expect.poll(() => notifications.getAttribute('aria-pressed')).toBe('false')
  await expect.poll(() => button('Sound').getAttribute('aria-pressed')).toBe('false')
  expect(await page.getByText('Your browser blocks notifications').count()).toBe(0)
  // what is not granted is refused
  await page.context().grantPermissions(['geolocation'], { origin: site.url })
  await notifications.click()
  await page
    .getByText(/^Your browser blocks notifications from this site\. To allow them: .* press "Notifications"\./)
    .waitFor()
  expect(await notifications.getAttribute('aria-pressed')).toBe('false')
})

test('alerts come for what nobody looks at, and are remembered by the browser', async () => {
  await page.context().grantPermissions(['notifications'], { origin: site.url })
  await noteAlerts(page)
  await page.reload()
  await button('Notifications').click()
  await button('Sound').click()
  await eventually(async () => expect(await notedOn(page)).toEqual(['tone', 'tone']))
  await page.reload()
  for (const name of ['Notifications', 'Sound'])
    await expect.poll(() => button(name).getAttribute('aria-pressed')).toBe('true')
  await entryOf(page, 'Vusi').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Vusi' }).waitFor()
  await say(other, 'You look at this')
  await bubbleOf(page, 'You look at this').waitFor()
  expect(await notedOn(page)).toEqual([])
  await say(visitor, 'But not at this')
  await eventually(async () =>
    expect(await notedOn(page)).toEqual(['tone', 'tone', 'New message from Thabo: But not at this']),
  )
  await eventually(async () => expect(await page.title()).toMatch(/^\(1\) Live chat/))
})

test('one alert for each chat comes for what was written while there was no connection', async () => {
  const before = await notedOn(page)
  await page.context().setOffline(true)
  await page.getByText('Connecting to chat server...').waitFor()
  await say(visitor, 'Are you away?')
  await say(visitor, 'I shall wait')
  await page.context().setOffline(false)
  await eventually(async () =>
    expect(await notedOn(page)).toEqual([...before, 'tone', 'tone', 'New message from Thabo: I shall wait']),
  )
  await eventually(async () => expect(await page.title()).toMatch(/^\(3\) Live chat/))
})

/** Has the page believe that somebody is at it, or that its tab is hidden, or another window has the focus. */
const be = (where: 'here' | 'hidden' | 'elsewhere') =>
  page.evaluate((place) => {
    Object.defineProperty(document, 'hidden', { get: () => place === 'hidden', configurable: true })
    document.hasFocus = () => place === 'here'
    if (place === 'hidden') document.dispatchEvent(new Event('visibilitychange'))
    else window.dispatchEvent(new Event(place === 'here' ? 'focus' : 'blur'))
  }, where)

test.each(['hidden', 'elsewhere'] as const)(
  'alerts come for the chosen chat too while its user is away (%s), and it is seen only by one who is back',
  async (away) => {
    const message = `Are you ${away}?`
    await be(away)
    await say(other, message)
    await eventually(async () => expect((await notedOn(page)).at(-1)).toBe(`New message from Vusi: ${message}`))
    await eventually(async () => expect(await page.title()).toMatch(/^\(4\) Live chat/))
    await bubbleOf(other, message).getByText('Delivered').waitFor()
    await be('here')
    await bubbleOf(other, message).getByText('Seen').waitFor()
    await eventually(async () => expect(await page.title()).toMatch(/^\(3\) Live chat/))
  },
)
