import { hasStoredChat } from '../chat/visitor/storage-key.ts'
import { hasStoredIdea } from '../content/stored-idea.ts'
import { hasStored } from '../ui/form/form-storage.ts'
import { overlayEntry } from '../ui/overlay-entry.ts'
import { answerUnreached } from './unreached.ts'

// Runs after the page has loaded and shows, to keep the page itself small and fast.

// The time of the reply, on the thank-you page.
const replyBy = document.querySelector('[data-reply-by]')
if (replyBy) import('../ui/form/reply-by.ts').then((code) => code.showReplyBy(replyBy)).catch(() => {})

/** Makes the island of an element live, as a touch does. */
const wake = (element: Element | null) => element?.dispatchEvent(new Event('focusin', { bubbles: true }))

// Opens the overlay that was open before a reload or that the forward button returns to; a stored chat continues.
const reopen = () => document.querySelector<HTMLElement>(`[aria-label^="Open ${overlayEntry()}"]`)?.click()
reopen()
addEventListener('popstate', reopen)
if (hasStoredChat()) wake(document.querySelector('[data-island=chat]'))

// Shows a draft of an earlier visit, or the sent form, at once instead of at the first touch.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form'))
  if (hasStored(form.dataset.draft)) wake(form)

answerUnreached()

// A contract's form takes over the name from the preview when it hydrates.
if (hasStoredIdea()) wake(document.querySelector('[data-island=contract-form] form'))

const { analyticsId } = document.body.dataset
if (analyticsId) import('../analytics/start.ts').then((code) => code.start(analyticsId)).catch(() => {})

// The first sign of a person loads code that only people need; a page view alone loads none of it.
const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown', 'input', 'pageshow']
const goAhead = () => import('./first-sign.ts').catch(() => {})
const goAheadOnce = (event: Event) => {
  // A page that comes up under a resting pointer gets a move too, of no distance.
  const { movementX, movementY } = event as Partial<PointerEvent>
  if (event.type === 'pointermove' && !movementX && !movementY) return
  for (const sign of SIGNS) removeEventListener(sign, goAheadOnce)
  goAhead()
}
// the visitor scrolled or typed before this ran, followed a link to a section, or was here before
if (scrollY > 0 || hasStoredIdea() || document.querySelector<HTMLInputElement>('[name=previewName]')?.value) goAhead()
else for (const sign of SIGNS) addEventListener(sign, goAheadOnce, { passive: true })
