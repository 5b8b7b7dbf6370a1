import type { SubmittedLeadForm } from '../../../events/lead.ts'
import { postJson } from '../../http.ts'

/**
 * Sends one filled form, as often as it takes. The same contents go with the same Idempotency-Key, so that a retry after
 * an answer that got lost stores one lead; changed contents, and a form filled anew, get a new key.
 */
export const leadSubmission = (newKey: () => string = () => crypto.randomUUID()) => {
  let sent: { body: string; key: string } | undefined
  return async (form: SubmittedLeadForm) => {
    const body = JSON.stringify(form)
    if (sent?.body !== body) sent = { body, key: newKey() }
    await postJson('/api/leads', form, { 'idempotency-key': sent.key })
    sent = undefined
  }
}
