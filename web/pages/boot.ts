import { holdChatLink } from '../chat/visitor/chat-link.ts'
import { noteArrival } from '../visit/note-arrival.ts'
import type * as Islands from './islands.ts'

const chat = '[data-island=chat]'
const alive = new WeakMap<Element, Promise<unknown>>()
const live = new WeakSet<Element>()

/** A browser caches a failed import for good, with all its imports: a retry uses other addresses (api/pages.ts). */
let failures = 0
const hydrate = async (island: HTMLElement) => {
  const address = (document.body.dataset.islands as string).replace('assets/', `assets/${failures || '.'}/`)
  const code: typeof Islands = await import(/* @vite-ignore */ address)
  await code.hydrate(island)
  return live.add(island)
}

/** Hydrates an island. Resolves to nothing if its code cannot be loaded. */
const wake = (island: HTMLElement) => {
  const waking =
    alive.get(island) ??
    hydrate(island)
      .catch(() => {
        failures += 1
        return hydrate(island)
      })
      .catch(() => {
        failures += 1
        alive.delete(island)
      })
  alive.set(island, waking)
  return waking
}

/** Notifies the code that loads later (unreached.ts) that an island or form could not load. */
const notifyUnreached = (element: Element) => element.dispatchEvent(new Event('unreached', { cancelable: true }))

const islandOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-island]')

// From here on the forms' own messages count, not the browser's.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) form.noValidate = true

for (const kind of ['pointerdown', 'focusin'])
  addEventListener(kind, (event) => {
    const island = islandOf(event)
    if (island) wake(island)
  })

addEventListener(
  'click',
  async (event) => {
    const opener = (event.target as Element).closest('[data-opens-chat]')
    const island = opener ? document.querySelector<HTMLElement>(chat) : islandOf(event)
    const button = (event.target as Element).closest<HTMLElement>('button:not([type=submit])')
    if (!island || !button || (live.has(island) && !opener)) return
    event.preventDefault()
    if (!(await wake(island))) notifyUnreached(island)
    else if (opener) dispatchEvent(new Event('open-chat'))
    else button.click()
  },
  true,
)

addEventListener(
  'submit',
  async (event) => {
    const island = islandOf(event)
    const form = event.target as HTMLFormElement
    if (!island || live.has(island)) return
    event.preventDefault()
    if (await wake(island)) form.requestSubmit()
    else if (notifyUnreached(form) && navigator.onLine) form.submit()
  },
  true,
)

// A link in an email resumes a chat, also if it is followed while the page is open.
const followLink = async () => {
  const island = document.querySelector<HTMLElement>(chat)
  if (island && holdChatLink(island) && (await wake(island))) dispatchEvent(new Event('resume-chat'))
}
followLink()
addEventListener('hashchange', followLink)

noteArrival()

addEventListener('load', () => {
  // not before the page shows, to leave the main thread to painting
  new PerformanceObserver(() =>
    import(/* @vite-ignore */ document.body.dataset.afterwards as string).catch(() => {}),
  ).observe({ type: 'paint', buffered: true })
})
