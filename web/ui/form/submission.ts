import { postJson, waitBeforeRepeat } from '../../http.ts'
import { randomId } from '../../random-id.ts'

/** Posts once more where the node has no time now, or closes: by then another one answers. */
const postTwice = async (...call: Parameters<typeof postJson>) => {
  try {
    return await postJson(...call)
  } catch (error) {
    const waitMs = waitBeforeRepeat(error)
    if (waitMs === undefined) throw error
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return await postJson(...call)
  }
}

/**
 * Sends one filled form to a call of the API, as often as it takes. The same contents go with the same Idempotency-Key
 * and in the same circumstances (`circumstancesOf` the form), so that a retry after an answer that got lost stores one
 * lead; changed contents, and a form filled anew, get a new key. A node that is about to close is left for another one.
 * Resolves to the answer.
 */
export const submission = (path: string, newKey: () => string = randomId) => {
  let sent: { body: string; key: string; circumstances: object } | undefined
  return async <Answer>(form: object, circumstances: object): Promise<Answer> => {
    const body = JSON.stringify(form)
    if (sent?.body !== body) sent = { body, key: newKey(), circumstances }
    const response = await postTwice(path, { ...form, ...sent.circumstances }, { 'idempotency-key': sent.key })
    sent = undefined
    return await response.json()
  }
}
