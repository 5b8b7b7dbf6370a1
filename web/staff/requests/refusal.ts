import * as v from 'valibot'
import { MINUTE_S } from '../../../events/base/time.ts'
import { HttpError } from '../../client/http.ts'
import { type Toast, toast } from '../../ui/toast/toasts.ts'

/** A waiting time as text: `40 seconds`, `1 minute`, `15 minutes`. */
export const waitInWords = (seconds: number): string => {
  const [count, unit] = seconds < MINUTE_S ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE_S), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The conflict in a refusal with 409; undefined for any other error. */
export const conflictIn = <Conflict>(
  error: unknown,
  schema: v.GenericSchema<unknown, Conflict>,
): Conflict | undefined => {
  if (!(error instanceof HttpError) || error.status !== 409) return undefined
  const found = v.safeParse(schema, error.problem)
  return found.success ? found.output : undefined
}

/** Why an action failed, and how to proceed, for staff to read. */
export const reasonOf = (error: unknown): string => {
  if (v.isValiError(error)) return 'The server’s answer could not be read. Reload the page.'
  if (!(error instanceof HttpError))
    return navigator.onLine === false
      ? 'You are offline. Try again once you are connected.'
      : 'The server did not answer. Try again.'
  const { status, problem, retryAfterS } = error
  if (status === 401) return 'You have been signed out. Sign in, then try again.'
  if (status === 429) return `Too many tries. Try again in ${waitInWords(retryAfterS ?? MINUTE_S)}.`
  if (status >= 500) return 'Temporarily unavailable. Try again in a moment.'
  return problem?.detail ? `${problem.detail}.` : 'The server did not answer as expected. Try again.'
}

/** Shows in a toast that an action failed, and why. `about` is the person that it was about. */
export const toastFailure = (title: string, error: unknown, about?: Toast['about']) => {
  console.warn(`${title}:`, error)
  toast({ title, ...(about && { about }), description: reasonOf(error), variant: 'destructive' })
}
