import { holdChatLink } from '../chat/chat-link.ts'
import { hasKeptChat } from '../chat/storage.ts'
import { IDEA_STORAGE_KEY } from '../content/idea.ts'
import { proveSpeed } from '../routes/home/proof.ts'
import { hasDraft } from '../ui/form/draft-kept.ts'
import { revealOnScroll } from '../ui/reveal.ts'
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
  // A draft of an earlier visit shows at once, not at the first touch.
  if (hasDraft(form.dataset.draft)) wake(form.closest('[data-island]') as HTMLElement).catch(() => {})
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
revealOnScroll()
proveSpeed()

// The preview of the visitor's own site: its choices show without script; this is for what is typed.
const preview = document.querySelector<HTMLElement>('[data-preview=all]')
const startPreview = (isTouched: boolean) =>
  import(/* @vite-ignore */ document.body.dataset.previewScript as string).then(({ start }) => start(isTouched))
if (preview) {
  preview.addEventListener('input', () => startPreview(true).catch(() => {}), { once: true })
  try {
    if (sessionStorage[IDEA_STORAGE_KEY]) startPreview(false).catch(() => {})
  } catch {
    // a device that keeps nothing
  }
}

const IDLE_TIMEOUT_MS = 2_000
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window
    ? requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS })
    : setTimeout(work, IDLE_TIMEOUT_MS)

addEventListener('load', () => {
  const chatIsland = document.querySelector<HTMLElement>(chat)
  if (chatIsland && hasKeptChat()) wake(chatIsland).catch(() => {})
  const { analytics, analyticsId } = document.body.dataset
  if (analytics && analyticsId)
    whenIdle(() => import(/* @vite-ignore */ analytics).then(({ start }) => start(analyticsId)).catch(() => {}))
})

// The code of the forms is fetched ahead at the first sign of a person, so that looking at a page costs none of it.
const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown']
const prefetchOnce = (event: Event) => {
  // A page that comes up under a resting pointer gets a move too, of no distance.
  const { movementX, movementY } = event as Partial<PointerEvent>
  if (event.type === 'pointermove' && !movementX && !movementY) return
  for (const sign of SIGNS) removeEventListener(sign, prefetchOnce)
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  const ahead = [...document.querySelectorAll<HTMLElement>(`[data-island]:not(${chat})`)]
  whenIdle(() =>
    islands()
      .then(({ prefetch }) => prefetch(ahead.map((island) => island.dataset.island as string)))
      .catch(() => {}),
  )
}
for (const sign of SIGNS) addEventListener(sign, prefetchOnce, { passive: true })
