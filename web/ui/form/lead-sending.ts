import { valibotResolver } from '@hookform/resolvers/valibot'
import { type LeadForm, leadForm, type SubmittedLeadForm } from '../../../events/lead-form.ts'
import { agency } from '../../content/agency.ts'
import { submissionContextOf } from '../../visit/submission-context.ts'
import { mountToaster } from '../toast/mount.ts'
import { toast } from '../toast/toasts.ts'
import { keepSentDetails } from './sent-details.ts'
import { submission } from './submission.ts'

// What a form that makes a lead needs once somebody fills it in: fetched then, so that a touch of the form costs less.

export { mountToaster }

/** Checks what was filled in. */
export const checkLead = valibotResolver<LeadForm, unknown, SubmittedLeadForm>(leadForm)

/** Sends a lead form, as `submission` does; resolves to the lead's id. */
export const leadSender = () => {
  const submit = submission('/api/leads')
  return async (form: SubmittedLeadForm, element: HTMLFormElement, { isResumed }: { isResumed: boolean }) => {
    const { id } = await submit<{ id: string }>(form, submissionContextOf(element, { isResumed }))
    keepSentDetails(form)
    return id
  }
}

/** Tells of success by a toast. */
export const tellOfSuccess = (success: { title: string; description: string }) =>
  toast({ ...success, variant: 'default' })

/** Tells of failure by a toast (specification, 8). */
export const tellOfFailure = () =>
  toast({
    title: 'Submission Failed',
    description: `Please try again or contact us directly at ${agency().email}`,
    variant: 'destructive',
  })
