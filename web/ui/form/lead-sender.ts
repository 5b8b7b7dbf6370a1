import { valibotResolver } from '@hookform/resolvers/valibot'
import { type LeadForm, leadForm, type SubmittedLeadForm } from '../../../events/lead/form/form.ts'
import { agency } from '../../content/agency.ts'
import { submissionContextOf } from '../../visit/submission-context.ts'
import { mountToaster } from '../toast/mount.ts'
import { toast } from '../toast/toasts.ts'
import { storeSentDetails } from './sent-details.ts'
import { submission } from './submission.ts'

// The code that a lead form needs once a visitor fills it in; loaded then, so that the first touch costs less.

export { mountToaster }

export const checkLead = valibotResolver<LeadForm, unknown, SubmittedLeadForm>(leadForm)

/** The visit of a form, and for a contract the version of its terms and the time at which its box was ticked. */
type SendingContext = { isResumed: boolean; termsVersion?: string; tickedAt?: number | undefined }

/** When the page was opened and the box was ticked, before now: the clock of the visitor's device may be wrong. */
const signedAfter = (tickedAt: number | undefined) => ({
  openedBeforeMs: Math.round(performance.now()),
  ...(tickedAt && { tickedBeforeMs: Math.round(performance.now() - tickedAt) }),
})

/** Sends a lead form, as `submission` does; resolves to the lead's id, and a contract's private link. */
export const leadSender = () => {
  const submit = submission('/api/leads')
  return async (form: SubmittedLeadForm, element: HTMLFormElement, context: SendingContext) => {
    const { isResumed, termsVersion, tickedAt } = context
    const { id, contractCopy } = await submit<{ id: string; contractCopy?: string }>(
      termsVersion ? { ...form, termsVersion } : form,
      {
        ...submissionContextOf(element, { isResumed }),
        ...(termsVersion && signedAfter(tickedAt)),
      },
    )
    storeSentDetails(form)
    return { leadId: id, copy: contractCopy }
  }
}

export const showSuccess = (success: { title: string; description: string }) => toast({ ...success })

/** Shows a toast of failure (specification, 8). */
export const showFailure = () =>
  toast({
    title: 'Submission Failed',
    description: `Please try again or contact us directly at ${agency().email}`,
    variant: 'destructive',
  })
