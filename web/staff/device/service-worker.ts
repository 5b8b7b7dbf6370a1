// The service worker of the staff pages, which runs between them and the network. It caches no responses: pages,
// scripts and data always come from a node, so an earlier release never hides a later one. It shows a page of its own
// while there is no network, and it shows notifications.

// The types of those parts of a service worker's global scope that this file uses. The compiler's own types for it
// conflict with those for pages.

type ExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = ExtendableEvent & { request: Request; respondWith: (response: Promise<Response>) => void }
type PushEvent = ExtendableEvent & { data: { json: () => unknown } | null }
type ClickEvent = ExtendableEvent & { notification: Notification }
type Client = {
  url: string
  visibilityState: string
  focus: () => Promise<unknown>
  postMessage: (message: unknown, transfer?: Transferable[]) => void
}
type Events = {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  push: PushEvent
  notificationclick: ClickEvent
}
type Scope = {
  registration: ServiceWorkerRegistration
  clients: {
    claim: () => Promise<void>
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<Client[]>
    openWindow: (address: string) => Promise<unknown>
  }
  skipWaiting: () => Promise<void>
  addEventListener: <Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void) => void
}

const scope = self as unknown as Scope

/** How long a page has to report whether it shows a chat. */
const ANSWER_WITHIN_MS = 500

/** The page that a staff screen shows without a network. It reloads by itself. */
const OFFLINE = `<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You are offline</title>
<style>
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: #fbf8f2; color: #16181f; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; padding: 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.2 }
p { margin: 0 0 1.5rem; color: #50525c }
a { display: inline-block; padding: .75rem 1.25rem; border-radius: .375rem; background: #2136c4; color: #fff; font-weight: 600; text-decoration: none }
</style>
</head>
<body>
<main>
<h1>You are offline</h1>
<p role="status">This screen needs the internet. It opens by itself once you are connected again.</p>
<a href="">Try again</a>
</main>
<script>
const look = () => fetch('/healthz', { cache: 'no-store' }).then(({ ok }) => ok && location.reload(), () => {})
addEventListener('online', look)
setInterval(look, 3000)
</script>
</body>
</html>`

const offline = () => new Response(OFFLINE, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })

/** A field of a push message; empty if it is not a string. */
const textOf = (message: unknown, name: string): string => {
  const value = typeof message === 'object' && message !== null ? (message as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}

const messageOf = (event: PushEvent): unknown => {
  try {
    return event.data?.json()
  } catch {
    return undefined
  }
}

const staffPages = async () => {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.filter(({ url }) => new URL(url).pathname.startsWith('/admin-'))
}

const CHATS = '/admin-chat'

/**
 * The tag and the address of a notification. A page's own notification of the same subject has the same tag, so a
 * device shows only one of the two.
 */
const aboutOf = (message: unknown) => {
  const [leadId, sessionId] = [textOf(message, 'leadId'), textOf(message, 'sessionId')]
  if (sessionId) return { tag: sessionId, data: `${CHATS}?session=${encodeURIComponent(sessionId)}` }
  if (textOf(message, 'kind') === 'chats') return { tag: 'chats', data: CHATS }
  return { tag: `lead-${leadId}`, data: leadId ? `/admin-lead?id=${encodeURIComponent(leadId)}` : '/admin-today' }
}

/**
 * Asks a page whether it shows a chat or, with an empty id, the list of all chats. A page that does not respond in time
 * counts as showing neither.
 */
const shows = (page: Client, sessionId: string) =>
  new Promise<boolean>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(() => resolve(false), ANSWER_WITHIN_MS)
    page.postMessage({ type: 'shows', sessionId }, [port2])
  })

/** Whether a visible page shows the chat or, with an empty id, the list of all chats: then no sound is needed. */
const isVisible = async (sessionId: string) => {
  const visible = (await staffPages()).filter(({ visibilityState }) => visibilityState === 'visible')
  return (await Promise.all(visible.map((page) => shows(page, sessionId)))).includes(true)
}

/** Closes the earlier notifications of waiting chats: the next one covers all of them. */
const closeChatAlerts = async () => {
  const shown = await scope.registration.getNotifications()
  for (const notification of shown) if (String(notification.data).startsWith(CHATS)) notification.close()
}

/**
 * Shows a notification for every push message: iOS ends the subscription of a device that shows none. If a page already
 * shows the chat, the notification is silent and closes at once.
 */
const show = async (message: unknown) => {
  const about = aboutOf(message)
  const isOfChats = about.data.startsWith(CHATS)
  const silent = isOfChats && (await isVisible(textOf(message, 'sessionId')))
  if (isOfChats && !silent) await closeChatAlerts()
  await scope.registration.showNotification(textOf(message, 'title') || 'New lead', {
    body: textOf(message, 'body'),
    icon: '/icon-192.png',
    silent,
    ...about,
  })
  if (!silent) return
  for (const shown of await scope.registration.getNotifications({ tag: about.tag })) shown.close()
}

/**
 * Opens an address in an open staff page, which asks first if text was typed. If no staff page is open, opens a new
 * one.
 */
const open = async (address: string) => {
  const [page] = await staffPages()
  if (!page) return await scope.clients.openWindow(address)
  page.postMessage({ type: 'open', address })
  return await page.focus()
}

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  // all other requests pass as if there were no worker
  if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(offline))
})
scope.addEventListener('push', (event) => event.waitUntil(show(messageOf(event))))
scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})
