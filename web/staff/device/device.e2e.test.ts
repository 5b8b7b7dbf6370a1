// The staff screens on a phone or computer: installed, without a network, with notifications.
import type { Page, Worker } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceOf } from '../../../events/base/reference.ts'
import { STAFF } from '../../../events/testing/node.ts'
import { openTestPushService, type TestPushService } from '../../../events/testing/push-service.ts'
import { violationsIn } from '../../testing/axe.ts'
import { openAccountMenu, type StaffSite, signOutOn, startStaffSite } from '../../testing/staff-site.ts'

let site: StaffSite
let push: TestPushService
let page: Page

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
  page = await site.open('/admin-dashboard')
})

afterAll(async () => {
  await site?.stop()
  await push?.close()
})

/**
 * Lets a browser find its device at the push service of the tests: that of its maker is on the internet. All else is
 * the browser's.
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

/** Loads the page again, allowed to notify: a browser without a window drops the permission on load. */
const reload = async (page: Page) => {
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await page.reload()
}

type Shown = NotificationOptions & { close: () => void }
type WorkerScope = EventTarget & { registration: ServiceWorkerRegistration; shown?: Shown; standing?: Shown[] }

/**
 * Delivers a push message to the worker, and returns the notification that it shows; a browser without a window shows
 * none itself.
 */
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

/** The tags of all notifications that the worker shows now. */
const standingTags = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as WorkerScope).standing?.map(({ tag }) => tag))

/** Clicks the notification that the worker has shown last. */
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

const OFFLINE = 'You are offline. Try again once you are connected.'

const notice = () => page.getByText('You are offline. What you see may be old.')

const cut = async () => {
  await page.context().setOffline(true)
  await notice().waitFor()
}

const mend = async () => {
  await page.context().setOffline(false)
  await notice().waitFor({ state: 'detached' })
}

/** Loads a screen once the worker controls it. */
const load = async (path: string) => {
  await page.goto(path)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

test('can be installed, opens on Today then, and caches no response, so each release comes from a node', async () => {
  const session = await page.context().newCDPSession(page)
  const { url, errors, data = '' } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/staff.webmanifest', []])
  const manifest = JSON.parse(data)
  expect(manifest).toMatchObject({ start_url: '/admin-today', display: 'standalone' })
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (address) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob())
      return `${width}x${height}`
    }, src)
    expect([src, size]).toEqual([src, sizes])
  }
  await load(manifest.start_url)
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  const script = await site.node.call('/admin-worker.js')
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const controlled = (path: string) =>
    page.evaluate(async (at) => (await navigator.serviceWorker.getRegistration(at)) !== undefined, path)
  expect(await Promise.all(['/admin-chat', '/', '/login', '/contract/premium'].map(controlled))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a screen opened without a network or without its code shows so, and loads by itself later', async () => {
  await cut()
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByText('This screen needs the internet.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('Connected', { exact: true }).waitFor()

  await page.context().setOffline(true)
  await page.goto('/admin-overview')
  await page.getByText('This screen needs the internet. It opens by itself once you are connected again.').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('a device shows a notification of a new lead while no page is visible, and opens it', async () => {
  const device = push.device()
  await reachableAt(page, device)
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await page.goto('/admin-account')
  const button = page.getByRole('button', { name: 'Notify this device' })
  await button.click()
  await page.getByText('This device gets notifications about leads and chats.').waitFor()
  expect(await button.getAttribute('aria-pressed')).toBe('true')
  expect(await violationsIn(page)).toEqual([])
  const { publicKey } = await (await site.call('GET', '/api/me/push')).json()
  expect(await page.evaluate(() => localStorage.getItem('subscribed-with'))).toBe(publicKey)
  await page.getByRole('link', { name: 'Overview' }).click()
  await openAccountMenu(page)
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

  const sessionId = await site.chat({ name: 'Thabo', email: 'thabo@example.com' }, 'Do you build shops?')
  const ofChat = { title: 'A visitor waits in the chat', body: 'No reply yet.', sessionId }
  const address = `/admin-chat?session=${sessionId}`
  const several = { title: '3 chats wait for an answer', body: 'They have had no reply yet.', kind: 'chats' }
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
})

test('a device gets no notifications once its user has turned them off or signed out, or another account signs in', async () => {
  const other = await site.open('/admin-account')
  await reachableAt(other, push.device())
  await reload(other)
  const button = other.getByRole('button', { name: 'Notify this device' })
  const ended = () => other.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok())
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  // a staff member whose browser has ended their notifications sees so, and turns them on again with one press
  await other.evaluate(() => localStorage.removeItem('subscribed-with'))
  await reload(other)
  const stopped = other.getByText('Your browser has stopped the notifications on this device.')
  await stopped.waitFor()
  await button.click()
  await other.getByText('This device gets notifications about leads and chats.').waitFor()
  await Promise.all([ended(), button.click()])
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  await reload(other)
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
  expect(await stopped.count()).toBe(0)
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  const session = await site.hire('Sipho Dube')
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s)
  await other.context().addCookies([{ name, value, url: site.node.url }])
  await Promise.all([ended(), reload(other)])
  await other.getByRole('button', { name: 'Account: Sipho Dube' }).waitFor()
  expect(await other.evaluate(() => localStorage.getItem('subscribed-with'))).toBeNull()
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await Promise.all([ended(), signOutOn(other)])
  await other.waitForURL('**/login')
  expect(await other.evaluate(() => localStorage.getItem('subscribed-with'))).toBeNull()
  await other.context().close()
})

test('a device subscribes again once its user has signed in again, and for another key of the site', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  const signIn = async () => {
    const response = await site.node.post('/api/login', STAFF)
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const kept = async ({ endpoint }: { endpoint: string }) =>
    (await sql`select 1 from push_subscriptions where endpoint = ${endpoint}`).length
  const [device, session] = [push.device(), await signIn()]
  const other = await site.open('/admin-account', { as: session })
  await reachableAt(other, device)
  await reload(other)
  const button = other.getByRole('button', { name: 'Notify this device' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  expect(await kept(device)).toBe(1)
  await site.call('POST', '/api/logout', {}, session)
  expect(await kept(device)).toBe(0)
  const [name = '', value = ''] = (await signIn()).cookie.split(/=(.*)/s)
  await other.context().addCookies([{ name, value, url: site.node.url }])
  await other.goto('/admin-overview')
  await expect.poll(() => kept(device)).toBe(1)

  await other.evaluate(() => localStorage.setItem('subscribed-with', 'an-older-key'))
  await other.reload()
  const { publicKey } = await (await site.call('GET', '/api/me/push')).json()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('subscribed-with'))).toBe(publicKey)
  await other.context().close()
  await sql.end()
})

test('typed text stays while there is no network, and is saved afterwards: on a lead, a new lead, and in a chat', async () => {
  const { id } = await site.submit({ name: 'Naledi Nkosi' })
  await load(`/admin-lead?id=${id}`)
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  await cut()
  await page.getByRole('textbox', { name: 'Note' }).fill('Wants a shop')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText(OFFLINE).first().waitFor()
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Wants a shop')
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Quoted' })
  await page.getByText('Not saved').first().waitFor()
  await mend()
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Wants a shop').last().waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Quoted' })
  await page.getByText('Saved', { exact: true }).waitFor()

  await load('/admin-dashboard')
  await page.getByRole('button', { name: 'Add lead' }).click()
  await cut()
  const dialog = page.getByRole('dialog', { name: 'Add lead' })
  await dialog.getByLabel('Phone').fill('082 555 0142')
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await dialog.getByText(OFFLINE).waitFor()
  expect(await dialog.getByLabel('Phone').inputValue()).toBe('082 555 0142')
  await mend()
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await page.waitForURL('**/admin-lead?id=*')
  const chat = await site.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
  await load(`/admin-chat?session=${chat}`)
  const input = page.getByPlaceholder('Type your response...')
  await input.fill('Yes, we do')
  await cut()
  expect(await input.inputValue()).toBe('Yes, we do')
  await mend()
  await page.reload()
  await expect.poll(() => input.inputValue()).toBe('Yes, we do')
  await input.fill('')
  await page.context().close()
})

test('no address within the own network is accepted, and none without keys', async () => {
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
