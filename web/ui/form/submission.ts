import { repeatedly, send } from '../../client/http.ts'
import { randomId } from '../../client/random-id.ts'

/** The number of attempts if a node is busy or closing: another node usually responds to the second. */
const TRIES = 2

/**
 * Sends one form to the API and retries as needed. The same contents use the same Idempotency-Key and submissionContext
 * (`submissionContextOf` the form), so that a retry after a lost response stores one lead; changed contents and a
 * refilled form get a new key. A closing node is replaced by another. Resolves to the response.
 */
export const submission = (path: string, newKey: (body: string) => string = randomId) => {
  let sent: { body: string; key: string; submissionContext: object } | undefined
  return async <Answer>(form: object, submissionContext: object): Promise<Answer> => {
    const body = JSON.stringify(form)
    if (sent?.body !== body) sent = { body, key: newKey(body), submissionContext }
    const filled = { ...form, ...sent.submissionContext }
    const headers = { 'idempotency-key': sent.key }
    const response = await repeatedly(() => send('POST', path, filled, headers), { tries: TRIES })
    sent = undefined
    return await response.json()
  }
}
