import { revealOnScroll } from '../ui/reveal.ts'
import type * as Islands from './islands.ts'
import { SPECULATION_RULES } from './speculation.ts'

// What a page does once somebody moves, scrolls or types: fetched then (afterwards.ts).

revealOnScroll()

const ahead = document.createElement('script')
ahead.type = 'speculationrules'
ahead.text = SPECULATION_RULES
document.head.append(ahead)

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
