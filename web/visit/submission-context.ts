import { HONEYPOT_FIELD, OPEN_FIELD } from '../../events/lead/form/spam-fields.ts'
import { knownTouches } from './touches.ts'

/**
 * Data that a form sends besides its fields: the signs that distinguish machines from people, and the touches.
 * `isResumed`: the form holds text from an earlier visit, so this one may be short.
 */
export const submissionContextOf = (form: HTMLFormElement, { isResumed }: { isResumed: boolean }) => ({
  [HONEYPOT_FIELD]: String(new FormData(form).get(HONEYPOT_FIELD) ?? ''),
  ...(isResumed ? {} : { [OPEN_FIELD]: Math.round(performance.now()) }),
  ...knownTouches(),
})
