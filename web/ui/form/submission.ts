import { postJson, repeatedly } from '../../http.ts'
import { randomId } from '../../random-id.ts'

/** How often a form is sent where the node has no time, or closes: by the second time another one answers. */
const TRIES = 2

/**
 * Sends one filled form to a call of the API, as often as it takes. The same contents go with the same Idempotency-Key
 * and in the same submissionContext (`submissionContextOf` the form), so that a retry after an answer that got lost
 * stores one lead; changed contents, and a form that is filled in again, get a new key. A node that is about to close
 * is left for another one. Resolves to the answer.
 */
export const submission = (path: string, newKey: (body: string) => string = randomId) => {
  let sent: { body: string; key: string; submissionContext: object } | undefined
  return async <Answer>(form: object, submissionContext: object): Promise<Answer> => {
    const body = JSON.stringify(form)
    if (sent?.body !== body) sent = { body, key: newKey(body), submissionContext }
    const filled = { ...form, ...sent.submissionContext }
    const headers = { 'idempotency-key': sent.key }
    const response = await repeatedly(() => postJson(path, filled, headers), { tries: TRIES })
    sent = undefined
    return await response.json()
  }
}
