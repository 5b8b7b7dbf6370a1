import { useCallback, useEffect, useRef, useState } from 'react'
import { type UseFormReturn, type UseFormSetError, useForm } from 'react-hook-form'
import type { LeadForm, SubmittedLeadForm } from '../../../events/lead/form/form.ts'
import { notifyFormSent } from '../../analytics/form-sent.ts'
import type { HttpError, NewTerms } from '../../client/http.ts'
import { serverNow } from '../../client/server-time.ts'
import { storedIdea } from '../../content/idea.ts'
import { draftOf } from './draft.ts'
import { fieldProblemsOf } from './field-problems.ts'
import { type Sent, sentOf } from './last-sent.ts'
import type * as Sending from './lead-sender.ts'
import { useEmailSuggestion } from './use-email-suggestion.ts'
import { useFormCode } from './use-form-code.ts'

type LeadFormOptions = {
  leadSource: string
  /** The toast after the form was sent. */
  success: { title: string; description: string }
  /** Fields that are sent besides the typed ones. */
  fixed?: Partial<LeadForm>
  /** For a contract: the version of its terms, when its box was ticked, and what to do if the terms have changed. */
  signing?: Signing
}

/** `tickedAt` returns the time in milliseconds, undefined if it is not known. */
type Signing = {
  termsVersion: string
  tickedAt: () => number | undefined
  onChanged: (terms: NewTerms) => void
}

/** The result of the last attempt; `isEarlier` if an earlier visit sent the form. */
type Attempt = (Sent & { isEarlier: boolean }) | { error: unknown }

/** Nothing is loaded twice. */
const loadSending = async () => {
  const sending = await import('./lead-sender.ts')
  sending.mountToaster()
  return sending
}

/**
 * The draft of a form, as long as the tab is open. It fills fields that are still empty at hydration; `keep` stores
 * typed text. `onTyped` is called for text typed before hydration, which raised no event.
 */
const useDraft = (
  { getValues, setValue }: Pick<UseFormReturn<LeadForm, unknown, SubmittedLeadForm>, 'getValues' | 'setValue'>,
  { leadSource, onTyped }: { leadSource: string; onTyped: () => void },
) => {
  const [draft] = useState(() => draftOf(leadSource))
  const isResumed = useRef(false)

  const storeDraft = useCallback(() => {
    draft.keep(
      Object.fromEntries(
        Object.entries(getValues()).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string' && !!entry[1],
        ),
      ),
    )
  }, [draft, getValues])

  useEffect(() => {
    const typed: Record<string, unknown> = getValues()
    const found = Object.entries(draft.read())
    isResumed.current ||= found.length > 0
    for (const [name, value] of found) if (name in typed && !typed[name]) setValue(name as keyof LeadForm, value)
    // nothing that a visitor has typed is taken away by the name that they gave in the preview
    if ('businessName' in typed && !getValues('businessName')) setValue('businessName', storedIdea.read()?.name)
    if (!Object.values({ ...typed, ...draft.read() }).some((value) => typeof value === 'string' && value)) return
    storeDraft()
    onTyped()
  }, [draft, getValues, setValue, storeDraft, onTyped])

  return { storeDraft, discard: draft.discard, isResumed }
}

/**
 * The result of the last attempt. A sent form is remembered as long as the tab is open, also after a reload; then
 * `onEarlier` is called.
 */
const useLastAttempt = (leadSource: string, onEarlier: () => void) => {
  const [sent] = useState(() => sentOf(leadSource))
  const [attempt, setAttempt] = useState<Attempt>()

  useEffect(() => {
    const earlier = sent.read()
    if (!earlier) return
    onEarlier()
    setAttempt({ ...earlier, isEarlier: true })
  }, [sent, onEarlier])

  return {
    attempt,
    setAttempt,
    succeeded: (lead: Omit<Sent, 'sentAt'>) => {
      const now = { ...lead, sentAt: serverNow().toISOString() }
      sent.keep(now)
      setAttempt({ ...now, isEarlier: false })
    },
    again: () => {
      sent.discard()
      setAttempt(undefined)
    },
  }
}

/** Shows the server's errors at their fields; returns whether all errors could be shown. */
const showProblem = (error: unknown, setError: UseFormSetError<LeadForm>) => {
  const errors = fieldProblemsOf(error)
  errors.forEach(({ path, message }, index) => {
    setError(path as keyof LeadForm, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return errors.length > 0
}

/**
 * A lead form: validation on submit, then on change (specification, 5); sending, success and failure as in its sections
 * 4 and 8; a draft and the sent form, as long as the tab is open. It has no default values: text typed before hydration
 * counts.
 */
export const useLeadForm = ({ leadSource, success, fixed = {}, signing }: LeadFormOptions) => {
  const { register, handleSubmit, reset, setError, setFocus, setValue, getValues, formState } = useForm<
    LeadForm,
    unknown,
    SubmittedLeadForm
  >({
    resolver: async (values, context, options) =>
      (await loadSending()).checkLead({ ...values, ...fixed, leadSource, pageUrl: location.href }, context, options),
    // Else the resolver stops at the first rule that fails, and a contract's own rules would not be heard of.
    criteriaMode: 'all',
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const submit = useRef<ReturnType<typeof Sending.leadSender>>(undefined)
  const { lazyParts, loadLazyParts, prepare, submitBy } = useFormCode(loadSending)
  const draft = useDraft({ getValues, setValue }, { leadSource, onTyped: prepare })
  const { attempt, setAttempt, succeeded, again } = useLastAttempt(leadSource, loadLazyParts)

  /** Stores typed text, without the agreement, which is given anew each time. */
  const storeTyped = () => {
    prepare()
    draft.storeDraft()
  }

  const { leave, clear, question } = useEmailSuggestion(lazyParts, {
    read: () => getValues('email') ?? '',
    take: (address) => {
      setValue('email', address, { shouldValidate: formState.isSubmitted })
      draft.storeDraft()
      setFocus('email')
    },
  })

  const send = handleSubmit(async (form, event) => {
    const { leadSender, showSuccess, showFailure } = await loadSending()
    try {
      submit.current ??= leadSender()
      const context = { isResumed: draft.isResumed.current, ...signing, tickedAt: signing?.tickedAt() }
      const lead = await submit.current(form, event?.target as HTMLFormElement, context)
      notifyFormSent(leadSource)
      draft.discard()
      reset()
      clear()
      succeeded(lead)
      showSuccess(success)
    } catch (error) {
      console.warn('The form was not sent:', error)
      const { terms } = (error as Partial<HttpError>).problem ?? {}
      if (terms) {
        setValue('agreedToTerms', false)
        signing?.onChanged(terms)
      }
      const isMended = terms !== undefined || showProblem(error, setError)
      setAttempt(isMended ? undefined : { error })
      showFailure()
    }
  })

  const field = (name: keyof LeadForm) => ({
    ...register(name),
    id: `${leadSource}-${name}`,
    error: formState.errors[name]?.message,
    ...(name === 'email' && question && { hint: question }),
  })

  return {
    name: leadSource,
    field,
    storeTyped,
    leave,
    onSubmit: submitBy(send, (error) => setAttempt({ error })),
    fixed: { ...fixed, leadSource, ...(signing && { termsVersion: signing.termsVersion }) },
    isSending: formState.isSubmitting,
    attempt,
    lazyParts,
    typed: () => ({ name: getValues('name'), message: getValues('message') ?? undefined }),
    again,
  }
}
