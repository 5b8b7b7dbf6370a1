import { hasKeptChat } from '../chat/storage.ts'
import { hasKeptIdea } from '../content/idea-kept.ts'
import { proveSpeed } from '../routes/home/proof.ts'
import { hasKept } from '../ui/form/draft-kept.ts'
import { overlayEntry } from '../ui/overlay-entry.ts'
import { revealOnScroll } from '../ui/reveal.ts'
import type * as Islands from './islands.ts'
import { SPECULATION_RULES } from './speculation.ts'
import { answerUnreached } from './unreached.ts'

// What a page does once it has loaded and shows: fetched then, so that the page itself is smaller and shows sooner.

/** Safari has no `requestIdleCallback`. */
const whenIdle: (work: () => void) => void = window.requestIdleCallback ?? setTimeout

// By when somebody replies, on the thank-you page.
const replyBy = document.querySelector('[data-reply-by]')
if (replyBy) import('../ui/form/reply-by.ts').then((code) => code.showReplyBy(replyBy)).catch(() => {})

/** Makes the island of an element live, as a touch does. */
const wake = (element: Element | null) => element?.dispatchEvent(new Event('focusin', { bubbles: true }))

// What was open over the page before a reload, or is on the way forward, is opened; another chat that is kept goes on.
const reopen = () => document.querySelector<HTMLElement>(`[aria-label^="Open ${overlayEntry()}"]`)?.click()
reopen()
addEventListener('popstate', reopen)
if (hasKeptChat()) wake(document.querySelector('[data-island=chat]'))

// A draft of an earlier visit, or what was sent, shows at once, not at the first touch.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form'))
  if (hasKept(form.dataset.draft)) wake(form)

answerUnreached()
revealOnScroll()
proveSpeed()

const ahead = document.createElement('script')
ahead.type = 'speculationrules'
ahead.text = SPECULATION_RULES
document.head.append(ahead)

// The preview of the visitor's own site: its choices show without script; this is for what is typed.
const preview = document.querySelector<HTMLElement>('[data-preview=all]')
if (preview) {
  const start = (isTouched: boolean) =>
    import('../routes/home/preview-alive.ts').then((alive) => alive.start(isTouched)).catch(() => {})
  const touched = () => start(true)
  preview.addEventListener('input', touched, { once: true })
  // on the way back the browser fills in what this page held when it was left
  const [{ type } = {}] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[]
  const isBrought = type === 'back_forward' && hasKeptIdea()
  if (!isBrought && preview.querySelector<HTMLInputElement>('[name=previewName]')?.value) touched()
  else if (hasKeptIdea()) start(false)
  addEventListener('pageshow', ({ persisted }) => persisted && hasKeptIdea() && start(false))
}

// A contract's form takes the name of the preview over as it comes alive.
if (hasKeptIdea()) wake(document.querySelector('[data-island=contract-form] form'))

const { analyticsId } = document.body.dataset
if (analyticsId) whenIdle(() => import('../analytics/start.ts').then((code) => code.start(analyticsId)).catch(() => {}))

// The code of the forms is fetched ahead at the first sign of a person, so that looking at a page costs none of it.
const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown']
const prefetchOnce = (event: Event) => {
  // A page that comes up under a resting pointer gets a move too, of no distance.
  const { movementX, movementY } = event as Partial<PointerEvent>
  if (event.type === 'pointermove' && !movementX && !movementY) return
  for (const sign of SIGNS) removeEventListener(sign, prefetchOnce)
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  const islands = [...document.querySelectorAll<HTMLElement>('[data-island]:not([data-island=chat])')]
  whenIdle(() =>
    (import(/* @vite-ignore */ document.body.dataset.islands as string) as Promise<typeof Islands>)
      .then(({ prefetch }) => prefetch(islands.map((island) => island.dataset.island as string)))
      .catch(() => {}),
  )
}
for (const sign of SIGNS) addEventListener(sign, prefetchOnce, { passive: true })
