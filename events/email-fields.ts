import type { AnyRecordedEvent } from './catalogue.ts'
import { isForwarded } from './lead.ts'

/** An e-mail as the form-to-e-mail service takes it: a subject and fields, which it shows as a table. */
export type Email = { subject: string; fields: [name: string, value: string][] }

/** Subjects by the package of the contract (specification, 7). */
const CONTRACT_SUBJECTS: Record<string, string> = {
  contract_essential: 'New contract: essential',
  contract_professional: 'New contract: professional 50% off',
  contract_premium: 'New contract: premium 50% off',
}

/** Whether an event has to go out by e-mail: contracts do, and requests for a test submission. */
export const asksForEmail = (event: AnyRecordedEvent): boolean =>
  event.type === 'EmailActivationRequested' || (event.type === 'LeadSubmitted' && isForwarded(event))

/** Fields that start with _ are instructions to the service: a visitor may give none. */
const isVisitorsField = ([name, value]: [string, unknown]) => !name.startsWith('_') && Boolean(value)

/** The e-mail that an event asks for: all that the visitor filled in. Undefined where there is none, or it was erased. */
export const emailOf = (event: AnyRecordedEvent): Email | undefined => {
  if (event.type === 'EmailActivationRequested') {
    return {
      subject: 'Test submission: please confirm this address',
      fields: [
        ['message', 'This is a test submission. It makes the e-mail service verify this address.'],
        ['test_date', event.recordedAt.toISOString()],
      ],
    }
  }
  if (event.type !== 'LeadSubmitted' || !event.personal) return undefined
  const fields = Object.entries({ ...event.personal, ...event.data }).filter(isVisitorsField)
  return {
    subject: CONTRACT_SUBJECTS[event.data.leadSource] ?? `New contract: ${event.data.leadSource}`,
    fields: fields.map(([name, value]) => [name, String(value)]),
  }
}
