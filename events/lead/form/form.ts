import * as v from 'valibot'
import { optionalText, requiredEmail, requiredText } from '../../base/text.ts'
import { isContract } from './kind.ts'

/** The longest line of a form, such as a name, in UTF-16 code units. */
export const MAX_LINE_CHARACTERS = 200
const MAX_PHONE_CHARACTERS = 40
const MAX_ADDRESS_CHARACTERS = 2_000

/** The longest message of a lead, in UTF-16 code units. */
export const MAX_LEAD_MESSAGE_CHARACTERS = 5_000

/** The visitor's details and message. */
export const leadPerson = v.object({
  name: requiredText('Name must be at least 2 characters', { min: 2, max: MAX_LINE_CHARACTERS }),
  email: requiredEmail('Please enter a valid email address'),
  phone: requiredText('Please enter a valid phone number', { min: 10, max: MAX_PHONE_CHARACTERS }),
  company: optionalText(MAX_LINE_CHARACTERS),
  businessName: optionalText(MAX_LINE_CHARACTERS),
  message: optionalText(MAX_LEAD_MESSAGE_CHARACTERS, { lines: true }),
  pageUrl: optionalText(MAX_ADDRESS_CHARACTERS),
})

/** The visitor's request. */
export const leadRequest = v.object({
  industry: optionalText(MAX_LINE_CHARACTERS),
  package: optionalText(MAX_LINE_CHARACTERS),
  timeline: optionalText(MAX_LINE_CHARACTERS),
  leadSource: requiredText('Lead source is required', { max: 100 }),
  agreedToTerms: v.nullish(v.boolean(), null),
})

/**
 * The form by which a visitor asks for a quote or signs a contract; the body of `POST /api/leads`. With a `leadSource`
 * of `contract_*`, `businessName` and `agreedToTerms` are required.
 */
export const leadForm = v.pipe(
  v.object({ ...leadPerson.entries, ...leadRequest.entries }),
  v.forward(
    v.partialCheck(
      [['leadSource'], ['businessName']],
      (lead) => !isContract(lead.leadSource) || (lead.businessName?.length ?? 0) >= 2,
      'Business name is required',
    ),
    ['businessName'],
  ),
  v.forward(
    v.partialCheck(
      [['leadSource'], ['agreedToTerms']],
      (lead) => !isContract(lead.leadSource) || lead.agreedToTerms === true,
      'You must agree to the terms and conditions',
    ),
    ['agreedToTerms'],
  ),
)

/** A lead form while it is filled in: every field may still be missing. */
export type LeadForm = v.InferInput<typeof leadForm>

/** A lead form that has passed validation. */
export type SubmittedLeadForm = v.InferOutput<typeof leadForm>
