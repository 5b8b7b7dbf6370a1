import { hasStoredIdea } from '../content/stored-idea.ts'
import { revealOnScroll } from '../ui/reveal.ts'
import type * as Islands from './islands.ts'
import { SPECULATION_RULES } from './speculation.ts'

// Runs once the visitor moves, scrolls or types (afterwards.ts).

revealOnScroll()

const ahead = document.createElement('script')
ahead.type = 'speculationrules'
ahead.text = SPECULATION_RULES
document.head.append(ahead)

// The preview of the visitor's own site works without script; this adds the typed name.
const preview = document.querySelector<HTMLElement>('[data-preview=all]')
if (preview) {
  const start = (isTouched: boolean) =>
    import('../routes/home/preview-alive.ts').then((alive) => alive.start(isTouched)).catch(() => {})
  const touched = () => start(true)
  preview.addEventListener('input', touched, { once: true })
  // on the way back the browser restores the fields of this page
  const [{ type } = {}] = performance.getEntriesByType('navigation') as Partial<PerformanceNavigationTiming>[]
  const isBackWithIdea = type === 'back_forward' && hasStoredIdea()
  const isChanged = [...preview.querySelectorAll('input')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  )
  if (!isBackWithIdea && isChanged) touched()
  else if (hasStoredIdea()) start(false)
  addEventListener('pageshow', ({ persisted }) => persisted && hasStoredIdea() && start(false))
}

/** Safari has no `requestIdleCallback`. */
const whenIdle: (work: () => void) => void = window.requestIdleCallback ?? setTimeout

// The code of the forms is fetched ahead, unless the visitor pays for each byte.
const islands = [...document.querySelectorAll<HTMLElement>('[data-island]:not([data-island=chat])')]
if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData)
  whenIdle(() =>
    (import(/* @vite-ignore */ document.body.dataset.islands as string) as Promise<typeof Islands>)
      .then(({ prefetch }) => prefetch(islands.map((island) => island.dataset.island as string)))
      .catch(() => {}),
  )
