import { postJson } from '../../http.ts'
import { randomId } from '../../random-id.ts'

/**
 * Sends one filled form to a call of the API, as often as it takes. The same contents go with the same Idempotency-Key
 * and in the same circumstances (`circumstancesOf` the form), so that a retry after an answer that got lost stores one
 * lead; changed contents, and a form filled anew, get a new key. Resolves to the answer.
 */
export const submission = (path: string, newKey: () => string = randomId) => {
  let sent: { body: string; key: string; circumstances: object } | undefined
  return async <Answer>(form: object, circumstances: object): Promise<Answer> => {
    const body = JSON.stringify(form)
    if (sent?.body !== body) sent = { body, key: newKey(), circumstances }
    const response = await postJson(path, { ...form, ...sent.circumstances }, { 'idempotency-key': sent.key })
    sent = undefined
    return await response.json()
  }
}
