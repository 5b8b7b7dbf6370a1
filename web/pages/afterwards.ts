import { hasKeptChat } from '../chat/storage.ts'
import { hasKeptIdea } from '../content/idea-kept.ts'
import { proveSpeed } from '../routes/home/proof.ts'
import { hasKept } from '../ui/form/draft-kept.ts'
import { overlayEntry } from '../ui/overlay-entry.ts'
import { answerUnreached } from './unreached.ts'

// What a page does once it has loaded and shows: fetched then, so that the page itself is smaller and shows sooner.

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
proveSpeed()

// A contract's form takes the name of the preview over as it comes alive.
if (hasKeptIdea()) wake(document.querySelector('[data-island=contract-form] form'))

const { analyticsId } = document.body.dataset
if (analyticsId) import('../analytics/start.ts').then((code) => code.start(analyticsId)).catch(() => {})

// What only somebody who is there needs is fetched at the first sign of a person: looking at a page costs none of it.
const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown', 'input', 'pageshow']
const goAhead = () => import('./first-sign.ts').catch(() => {})
const goAheadOnce = (event: Event) => {
  // A page that comes up under a resting pointer gets a move too, of no distance.
  const { movementX, movementY } = event as Partial<PointerEvent>
  if (event.type === 'pointermove' && !movementX && !movementY) return
  for (const sign of SIGNS) removeEventListener(sign, goAheadOnce)
  goAhead()
}
// somebody scrolled or typed before this was there, came by a link to a section, or was here before
if (scrollY > 0 || hasKeptIdea() || document.querySelector<HTMLInputElement>('[name=previewName]')?.value) goAhead()
else for (const sign of SIGNS) addEventListener(sign, goAheadOnce, { passive: true })
