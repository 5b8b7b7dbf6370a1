import { OPEN_FIELD, TRAP_FIELD } from '../../events/suspicion.ts'
import { knownTouches } from './touches.ts'

/** What goes with a form beside what was filled in: the signs by which machines are told from people, and the touches. */
export const circumstancesOf = (form: HTMLFormElement) => ({
  [TRAP_FIELD]: String(new FormData(form).get(TRAP_FIELD) ?? ''),
  [OPEN_FIELD]: Math.round(performance.now()),
  ...knownTouches(),
})
