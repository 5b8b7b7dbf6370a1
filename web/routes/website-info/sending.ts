import { valibotResolver } from '@hookform/resolvers/valibot'
import { referenceOf } from '../../../events/base/reference.ts'
import { CONTRACT_SOURCES } from '../../../events/lead/form/kind.ts'
import { type WebsiteInfo, websiteInfoForm } from '../../../events/lead/form/website-info.ts'
import { sentOf } from '../../ui/form/last-sent.ts'
import { storeSentReference } from '../../ui/form/sent-reference.ts'
import { submission } from '../../ui/form/submission.ts'
import { submissionContextOf } from '../../visit/submission-context.ts'

// The code that the questionnaire needs once a visitor answers: fetched then, so that the first touch costs less.

export { storeSentReference as keepSentReference }

/** The answers so far, by field. */
export type Answers = Partial<Record<keyof WebsiteInfo, string | null>>

export const checkAnswers = valibotResolver<Answers, unknown, WebsiteInfo>(websiteInfoForm)

/** The contract with a reference that this tab has signed; without a reference, the last one. */
const signedContract = (reference: string | undefined) =>
  CONTRACT_SOURCES.flatMap((source) => sentOf(source).read() ?? [])
    .filter(({ leadId, copy }) => copy && (!reference || referenceOf(leadId) === reference))
    .toSorted((one, other) => one.sentAt.localeCompare(other.sentAt))
    .at(-1)

/**
 * Sends the answers to a call of the API, as `submission` does, with the reference and the private link of the contract
 * that they belong to. Resolves to the lead with the visitor's reference: the contract's.
 */
export const answersSender = (call: string) => {
  const submit = submission(call)
  return async (
    form: WebsiteInfo,
    element: HTMLFormElement,
    { isResumed, reference }: { isResumed: boolean; reference: string | undefined },
  ) => {
    const contract = signedContract(reference)
    const context = {
      ...submissionContextOf(element, { isResumed }),
      ...(contract && { contractCopy: contract.copy }),
      ...(reference && { contractReference: reference }),
    }
    const { leadId } = await submit<{ leadId: string }>(form, context)
    return contract?.leadId ?? leadId
  }
}
