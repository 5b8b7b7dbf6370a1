import type { SubmittedLeadForm } from '../../../events/lead/form/form.ts'
import { draftOf } from './draft.ts'

/** The name of the questionnaire, and of its draft. */
export const QUESTIONNAIRE_FORM = 'website-info'

/** Answers for the questionnaire that this tab knows from another form. */
export const sentDetails = draftOf(QUESTIONNAIRE_FORM)

/** Stores details from a sent form for the questionnaire, as long as the tab is open. */
export const storeSentDetails = ({ businessName, company, phone, email }: SubmittedLeadForm) => {
  const name = businessName ?? company
  sentDetails.keep({ ...(name && { businessName: name }), phoneNumber: phone, email })
}
