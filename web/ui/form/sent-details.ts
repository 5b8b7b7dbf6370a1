import type { SubmittedLeadForm } from '../../../events/lead-form.ts'
import { draftOf } from './draft.ts'

/** The name of the questionnaire, and of its draft. */
export const QUESTIONNAIRE_FORM = 'website-info'

/** What the tab knows of the answers to the questionnaire from a form that was sent before it. */
export const sentDetails = draftOf(QUESTIONNAIRE_FORM)

/** Keeps for the questionnaire, as long as the tab, what somebody has told of the business already. */
export const keepSentDetails = ({ businessName, company, phone, email }: SubmittedLeadForm) => {
  const name = businessName ?? company
  sentDetails.keep({ ...(name && { businessName: name }), phoneNumber: phone, email })
}
