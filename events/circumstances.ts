import type { Suspicion } from './suspicion.ts'
import type { SentTouches } from './touch.ts'

/** What comes with a visitor's form: how they came, and what makes the submission a suspect. */
export type Circumstances = { touches: SentTouches; suspicions: Suspicion[] }

/** Those of a caller who says nothing about itself. */
export const NO_CIRCUMSTANCES: Circumstances = { touches: { firstTouch: null, lastTouch: null }, suspicions: [] }
