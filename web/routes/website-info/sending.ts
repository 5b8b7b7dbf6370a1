import { valibotResolver } from '@hookform/resolvers/valibot'
import { type WebsiteInfo, websiteInfoForm } from '../../../events/lead/website-info.ts'
import { storeSentReference } from '../../ui/form/sent-reference.ts'
import { submission } from '../../ui/form/submission.ts'
import { submissionContextOf } from '../../visit/submission-context.ts'

// The code that the questionnaire needs once a visitor answers: fetched then, so that the first touch costs less.

export { storeSentReference as keepSentReference }

/** The answers so far, by field. */
export type Answers = Partial<Record<keyof WebsiteInfo, string | null>>

export const checkAnswers = valibotResolver<Answers, unknown, WebsiteInfo>(websiteInfoForm)

/** Sends the answers to a call of the API, as `submission` does; resolves to the lead's id. */
export const answersSender = (call: string) => {
  const submit = submission(call)
  return async (form: WebsiteInfo, element: HTMLFormElement, { isResumed }: { isResumed: boolean }) =>
    (await submit<{ leadId: string }>(form, submissionContextOf(element, { isResumed }))).leadId
}
