import { HONEYPOT_FIELD, OPEN_FIELD } from '../../events/spam-fields.ts'
import { knownTouches } from './touches.ts'

/**
 * What goes with a form beside what was filled in: the signs by which machines are told from people, and the touches.
 * `isResumed`: it holds what was typed at an earlier look at the page, so that this look may well be short.
 */
export const submissionContextOf = (form: HTMLFormElement, { isResumed }: { isResumed: boolean }) => ({
  [HONEYPOT_FIELD]: String(new FormData(form).get(HONEYPOT_FIELD) ?? ''),
  ...(isResumed ? {} : { [OPEN_FIELD]: Math.round(performance.now()) }),
  ...knownTouches(),
})
