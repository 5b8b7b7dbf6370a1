import type { Page, Worker } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceOf } from '../../../events/reference.ts'
import { STAFF } from '../../../events/testing/node.ts'
import { openTestPushService, type TestPushService } from '../../../events/testing/push-service.ts'
import { violationsIn } from '../../test-axe.ts'
import { type StaffSite, startStaffSite } from '../test-staff-site.ts'

let site: StaffSite
let push: TestPushService

beforeAll(async () => {
  push = await openTestPushService()
  site = await startStaffSite([], { PUSH_TEST_ORIGINS: push.origin })
  const always = { days: [1, 2, 3, 4, 5, 6, 7], opensAtMinute: 0, closesAtMinute: 24 * 60 }
  const changed = await site.node.call('/api/settings/support-hours', {
    method: 'PUT',
    headers: { ...site.owner, 'content-type': 'application/json', 'if-match': '"0"' },
    body: JSON.stringify(always),
  })
  expect(changed.status).toBe(200)
})

afterAll(async () => {
  await site?.stop()
  await push?.close()
})

/**
 * Has a browser find its device at the service of the tests: that of its maker is on the internet. All else is the
 * browser's.
 */
const reachableAt = (page: Page, device: ReturnType<TestPushService['device']>) =>
  page.addInitScript(
    ({ endpoint, keys }) => {
      const KEPT = 'subscribed-with'
      const keyOf = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer
      const subscription = () => ({
        endpoint,
        options: { applicationServerKey: keyOf(localStorage.getItem(KEPT) ?? '') },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => localStorage.removeItem(KEPT),
      })
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (localStorage.getItem(KEPT) ? subscription() : null),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem(KEPT, applicationServerKey)
          return subscription()
        },
      })
    },
    { endpoint: device.endpoint, keys: device.keys },
  )

/** Loads the page again, allowed to notify: a browser without a window forgets that as it loads. */
const reload = async (page: Page) => {
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await page.reload()
}

type Shown = NotificationOptions & { close: () => void }
type WorkerScope = EventTarget & { registration: ServiceWorkerRegistration; shown?: Shown; standing?: Shown[] }

/** Hands the worker what its service would, and answers what it shows; a browser without a window shows nothing itself. */
const deliver = (worker: Worker, message: unknown) =>
  worker.evaluate(async (text) => {
    const scope = self as unknown as WorkerScope
    const others = ({ tag }: NotificationOptions) => (scope.standing ?? []).filter((other) => other.tag !== tag)
    scope.registration.showNotification = async (title, options = {}) => {
      const close = () => Object.assign(scope, { standing: others(options) })
      scope.shown = Object.assign({ title, close }, options)
      scope.standing = [...others(options), scope.shown]
    }
    scope.registration.getNotifications = async ({ tag } = {}) =>
      (scope.standing ?? []).filter((each) => !tag || each.tag === tag) as unknown as Notification[]
    let showing: Promise<unknown> | undefined
    const waitUntil = (work: Promise<unknown>) => {
      showing = work
    }
    delete scope.shown
    scope.dispatchEvent(Object.assign(new Event('push'), { data: { json: () => JSON.parse(text) }, waitUntil }))
    await showing
    return scope.shown && { ...(scope.shown as object), close: undefined }
  }, JSON.stringify(message))

/** The tags of all that the worker shows now. */
const standingTags = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as WorkerScope).standing?.map(({ tag }) => tag))

/** Presses what the worker has shown last. */
const press = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = self as unknown as WorkerScope
    const notification = { ...scope.shown, close: () => {} }
    let opening: Promise<unknown> | undefined
    const waitUntil = (work: Promise<unknown>) => {
      // only a real press may bring a page to the front
      opening = work.catch(() => {})
    }
    scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
    await opening
  })

test('a device is told of a new lead while no page looks, and opens it', async () => {
  const device = push.device()
  const page = await site.open('/admin-account')
  await reachableAt(page, device)
  await reload(page)
  const button = page.getByRole('button', { name: 'Notify this device' })
  await button.click()
  await page.getByText('This device gets notifications about leads and chats.').waitFor()
  expect(await button.getAttribute('aria-pressed')).toBe('true')
  expect(await violationsIn(page)).toEqual([])
  const { publicKey } = await (await site.call('GET', '/api/me/push')).json()
  expect(await page.evaluate(() => localStorage.getItem('subscribed-with'))).toBe(publicKey)
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Your account:' }).click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')

  const { id } = await site.submit({ name: 'Thandi Nkosi' })
  await expect.poll(() => push.taken.length, { timeout: 40_000 }).toBe(1)
  const [taken = expect.fail()] = push.taken
  const message = device.open(taken.body)
  expect(message).toEqual({ title: 'New lead', body: `Reference ${referenceOf(id)}`, leadId: id })
  expect([taken.claims?.aud, taken.publicKey]).toEqual([push.origin, publicKey])

  const [worker = expect.fail()] = page.context().serviceWorkers()
  const told = { title: 'New lead', body: `Reference ${referenceOf(id)}`, tag: `lead-${id}` }
  expect(await deliver(worker, message)).toMatchObject({ ...told, silent: false, data: `/admin-lead?id=${id}` })
  await press(worker)
  await page.waitForURL(`**/admin-lead?id=${id}`)
  await page.getByRole('heading', { name: 'Thandi Nkosi' }).waitFor()

  push.taken.length = 0
  const sessionId = await site.chat({ name: 'Thabo', email: 'thabo@example.com' }, 'Do you build shops?')
  await expect.poll(() => push.taken.length, { timeout: 60_000 }).toBe(1)
  const ofChat = device.open(push.taken[0]?.body ?? expect.fail())
  expect(ofChat).toEqual({ title: 'A visitor waits in the chat', body: 'Nobody has answered yet.', sessionId })
  const address = `/admin-chat?session=${sessionId}`
  const several = { title: '3 chats wait for an answer', body: 'Nobody has answered them yet.', kind: 'chats' }
  await deliver(worker, ofChat)
  expect(await deliver(worker, several)).toMatchObject({ title: several.title, tag: 'chats', data: '/admin-chat' })
  expect(await standingTags(worker)).toEqual([told.tag, 'chats'])
  expect(await deliver(worker, ofChat)).toMatchObject({ tag: sessionId, data: address })
  await press(worker)
  await page.waitForURL(`**${address}`)
  await page.getByRole('heading', { name: 'Chat with Thabo' }).waitFor()
  for (const inSight of [ofChat, several]) {
    // a device that shows nothing loses its subscription
    expect(await deliver(worker, inSight)).toMatchObject({ silent: true })
    expect(await standingTags(worker)).toEqual([told.tag])
  }
  await page.context().close()
}, 120_000)

test('a device is told nothing any more once its user has turned that off, or has signed out, or somebody else signs in', async () => {
  const page = await site.open('/admin-account')
  await reachableAt(page, push.device())
  await reload(page)
  const button = page.getByRole('button', { name: 'Notify this device' })
  const ended = () => page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok())
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await Promise.all([ended(), button.click()])
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  const session = await site.hire('Sipho Dube')
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: site.node.url }])
  await Promise.all([ended(), reload(page)])
  await page.getByRole('link', { name: 'Your account: Sipho Dube' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('subscribed-with'))).toBeNull()
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await Promise.all([ended(), page.getByRole('button', { name: 'Sign out' }).click()])
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.getItem('subscribed-with'))).toBeNull()
  await page.context().close()
})

test('a device whose browser has ended its notifications says so, and has them again by a press', async () => {
  const page = await site.open('/admin-account')
  await reachableAt(page, push.device())
  await reload(page)
  const button = page.getByRole('button', { name: 'Notify this device' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await page.evaluate(() => localStorage.removeItem('subscribed-with'))
  await reload(page)
  const stopped = page.getByText('Your browser has stopped the notifications on this device.')
  await stopped.waitFor()
  await button.click()
  await page.getByText('This device gets notifications about leads and chats.').waitFor()
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  await reload(page)
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
  expect(await stopped.count()).toBe(0)
  await page.context().close()
})

test('a device asks again as soon as its user has signed in again, and again for another key of the site', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  const signIn = async () => {
    const response = await site.node.post('/api/login', STAFF)
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const kept = async ({ endpoint }: { endpoint: string }) =>
    (await sql`select 1 from push_subscriptions where endpoint = ${endpoint}`).length
  const [device, session] = [push.device(), await signIn()]
  const page = await site.open('/admin-account', { as: session })
  await reachableAt(page, device)
  await reload(page)
  const button = page.getByRole('button', { name: 'Notify this device' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  expect(await kept(device)).toBe(1)
  await site.call('POST', '/api/logout', {}, session)
  expect(await kept(device)).toBe(0)
  const [name = '', value = ''] = (await signIn()).cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: site.node.url }])
  await page.goto('/admin-overview')
  await expect.poll(() => kept(device)).toBe(1)

  await page.evaluate(() => localStorage.setItem('subscribed-with', 'an-older-key'))
  await page.reload()
  const { publicKey } = await (await site.call('GET', '/api/me/push')).json()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('subscribed-with'))).toBe(publicKey)
  await page.context().close()
  await sql.end()
})

test('no address within the own network is taken, and none without keys', async () => {
  const { keys } = push.device()
  for (const body of [
    { endpoint: 'https://127.0.0.1/x', keys },
    { endpoint: 'https://postgres/x', keys },
    { endpoint: 'http://fcm.googleapis.com/x', keys },
    { endpoint: 'https://user@fcm.googleapis.com/x', keys },
    { endpoint: 'no address', keys },
    { endpoint: `https://fcm.googleapis.com/${'x'.repeat(2_000)}`, keys },
    { endpoint: 'https://fcm.googleapis.com/x', keys: { ...keys, auth: 'short' } },
    { endpoint: 'https://fcm.googleapis.com/x' },
  ])
    expect([body, (await site.call('POST', '/api/me/push', body)).status]).toEqual([body, 422])
})
