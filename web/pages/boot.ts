import { holdChatLink } from '../chat/chat-link.ts'
import { hasKeptChat } from '../chat/storage.ts'
import { hasKept } from '../ui/form/draft-kept.ts'
import { noteArrival } from '../visit/note-arrival.ts'
import type * as Islands from './islands.ts'

const chat = '[data-island=chat]'
const alive = new WeakMap<Element, Promise<void>>()
const live = new WeakSet<Element>()
const islands = (): Promise<typeof Islands> => import(/* @vite-ignore */ document.body.dataset.islands as string)

const wake = (island: HTMLElement) => {
  let waking = alive.get(island)
  if (!waking) {
    waking = islands()
      .then(({ hydrate }) => hydrate(island))
      .then(() => {
        live.add(island)
      })
    waking.catch(() => alive.delete(island))
    alive.set(island, waking)
  }
  return waking
}

const islandOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-island]')

for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) {
  // From here on the forms' own messages count, not the browser's.
  form.noValidate = true
  // A draft of an earlier visit, or what was sent, shows at once, not at the first touch.
  if (hasKept(form.dataset.draft)) wake(form.closest('[data-island]') as HTMLElement).catch(() => {})
}

for (const kind of ['pointerdown', 'focusin'])
  addEventListener(kind, (event) => {
    const island = islandOf(event)
    if (island) wake(island).catch(() => {})
  })

addEventListener(
  'click',
  (event) => {
    const opener = (event.target as Element).closest('[data-opens-chat]')
    const island = opener ? document.querySelector<HTMLElement>(chat) : islandOf(event)
    const button = (event.target as Element).closest<HTMLElement>('button:not([type=submit])')
    if (!island || !button || (live.has(island) && !opener)) return
    event.preventDefault()
    wake(island).then(
      () => (opener ? dispatchEvent(new Event('open-chat')) : button.click()),
      () => {},
    )
  },
  true,
)

addEventListener(
  'submit',
  (event) => {
    const island = islandOf(event)
    const form = event.target as HTMLFormElement
    if (!island || live.has(island)) return
    event.preventDefault()
    wake(island).then(
      () => form.requestSubmit(),
      () => form.submit(),
    )
  },
  true,
)

// A link of an e-mail resumes a chat, also where one follows it while the page is open.
const followLink = () => {
  const island = document.querySelector<HTMLElement>(chat)
  if (!island || !holdChatLink(island)) return
  wake(island).then(
    () => dispatchEvent(new Event('resume-chat')),
    () => {},
  )
}
followLink()
addEventListener('hashchange', followLink)

noteArrival()

addEventListener('load', () => {
  const chatIsland = document.querySelector<HTMLElement>(chat)
  if (chatIsland && hasKeptChat()) wake(chatIsland).catch(() => {})
  // not before the page shows: what comes afterwards would take its turn from the painting
  new PerformanceObserver(() =>
    import(/* @vite-ignore */ document.body.dataset.afterwards as string).catch(() => {}),
  ).observe({ type: 'paint', buffered: true })
})
