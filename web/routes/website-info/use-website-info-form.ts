import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type UseFormSetValue, useForm } from 'react-hook-form'
import type { WebsiteInfo } from '../../../events/lead/form/website-info.ts'
import { notifyFormSent } from '../../analytics/form-sent.ts'
import { serverNow } from '../../client/server-time.ts'
import { agency } from '../../content/agency.ts'
import { type Idea, storedIdea } from '../../content/idea.ts'
import { TRADES } from '../../content/preview.ts'
import { CUSTOM, PALETTES, paletteAnswer, QUESTIONNAIRE } from '../../content/questionnaire.ts'
import { type Draft, draftOf } from '../../ui/form/draft.ts'
import { fieldProblemsOf } from '../../ui/form/field-problems.ts'
import { QUESTIONNAIRE_FORM, sentDetails } from '../../ui/form/sent-details.ts'
import { useFormCode } from '../../ui/form/use-form-code.ts'
import type * as Sending from './sending.ts'
import { sentAnswers, useSentAnswers } from './use-sent-answers.ts'

/** The answers that follow from the visitor's choices in the preview of the home page. */
const answersOfIdea = (idea: Idea | undefined): Partial<Record<keyof WebsiteInfo, string>> => {
  if (!idea) return {}
  const schemaType = TRADES.find(({ name }) => name === idea.trade)?.schemaType
  const palette = PALETTES.find(({ name }) => name === idea.palette)
  return {
    ...(idea.name && { businessName: idea.name }),
    ...(palette && { brandColorsSelect: paletteAnswer(palette) }),
    ...(schemaType && { schemaType }),
  }
}

/** The API call that accepts a questionnaire. */
export const CALL = '/api/submit-website-info'

const draft = draftOf(QUESTIONNAIRE_FORM, { staysOnDevice: true })

type Field = keyof WebsiteInfo
type Answers = Sending.Answers

/** Does not load the code again once it is there. */
const loadSending = () => import('./sending.ts')

const questions = QUESTIONNAIRE.flatMap((section) => section.questions)
const fields = questions.flatMap(({ name, custom }) => [name, ...(custom ? [custom.name] : [])])

/** The answers without the custom texts of choices that no longer apply. */
const withoutStale = (answers: Answers): Answers => {
  const stale = questions.flatMap(({ name, custom }) => (custom && answers[name] !== CUSTOM ? [custom.name] : []))
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !stale.includes(name as Field)))
}

/** The messages in the order of the form, however the schema orders its fields. */
const messagesOf = (errors: FieldErrors<Answers>) =>
  fields.flatMap((name) => (errors[name]?.message ? [errors[name].message] : []))

/** The current values of these fields of a form that are not blank. */
const answersOf = (form: HTMLFormElement, names: readonly string[]): Draft => {
  const data = new FormData(form)
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]).filter(([, value]) => value))
}

/** The values entered before the first render, at which registering a radio button clears them. */
const typedBefore = (): Draft => {
  if (typeof document === 'undefined') return {}
  const form = document.querySelector<HTMLFormElement>(`form[action="${CALL}"]`)
  return form ? answersOf(form, fields) : {}
}

/**
 * The questions that have an answer. Answers from an earlier visit to the page, or from other forms, are filled in when
 * the page comes alive; `onAnswers` is called if there are any.
 */
const useAnswered = (setValue: UseFormSetValue<Answers>, onAnswers: () => void) => {
  const element = useRef<HTMLFormElement>(null)
  const [typed] = useState(typedBefore)
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set())
  const isResumed = useRef(false)

  useEffect(() => {
    const found = draft.read()
    isResumed.current ||= Object.keys(found).length > 0
    for (const [name, value] of Object.entries({
      ...answersOfIdea(storedIdea.read()),
      ...sentDetails.read(),
      ...found,
      ...typed,
    }))
      if (fields.includes(name as Field)) setValue(name as Field, value)
    if (!element.current) return
    const answers = answersOf(element.current, fields)
    setAnswered(new Set(Object.keys(answers)))
    if (Object.keys(answers).length > 0) onAnswers()
  }, [setValue, typed, onAnswers])

  return { element, answered, setAnswered, isResumed }
}

const REFERENCE = /^([0-9a-f]{4})-?([0-9a-f]{4})$/i

/** The reference of the contract from whose panel the visitor came; undefined before the page came alive. */
const useContractReference = () => {
  const [reference, setReference] = useState<string>()
  useEffect(() => {
    const [, first, second] = REFERENCE.exec(new URL(location.href).searchParams.get('reference') ?? '') ?? []
    if (first && second) setReference(`${first}-${second}`.toUpperCase())
  }, [])
  return reference
}

/**
 * The questionnaire's form: validation, sending, success and failure, and a draft of the answers on the visitor's
 * device. No default values: text that was typed before the page came alive counts.
 */
export const useWebsiteInfoForm = () => {
  const { register, handleSubmit, reset, setError, setValue, formState } = useForm<Answers, unknown, WebsiteInfo>({
    resolver: async (values, context, options) =>
      (await loadSending()).checkAnswers(withoutStale(values), context, options),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const submit = useRef<ReturnType<typeof Sending.answersSender>>(undefined)
  const [failure, setFailure] = useState<{ error: unknown }>()
  const { lazyParts, loadLazyParts, prepare, submitBy } = useFormCode(loadSending)
  const { element, answered, setAnswered, isResumed } = useAnswered(setValue, prepare)
  const reference = useContractReference()
  const { sent, answerAgain } = useSentAnswers(loadLazyParts)

  const storeDraft = (event: FormEvent<HTMLFormElement>) => {
    const answers = answersOf(event.currentTarget, fields)
    prepare()
    setAnswered(new Set(Object.keys(answers)))
    draft.keep(answers)
  }

  const clear = () => {
    draft.discard()
    sentDetails.discard()
    reset()
    setAnswered(new Set())
  }

  const fail = (error: unknown) => {
    console.warn('The questionnaire was not sent:', error)
    const problems = fieldProblemsOf(error)
    for (const { path, message } of problems) setError(path as Field, { type: 'server', message })
    setFailure(problems.length > 0 ? undefined : { error })
    alert(`Something went wrong. Please try again or call us at ${agency().phone}.`)
  }

  const send = handleSubmit(
    async (form, event) => {
      try {
        const { answersSender, keepSentReference } = await loadSending()
        submit.current ??= answersSender(CALL)
        const leadId = await submit.current(form, event?.target as HTMLFormElement, {
          isResumed: isResumed.current,
          reference,
        })
        console.info('The questionnaire was stored:', { leadId })
        notifyFormSent('website_info')
        keepSentReference(leadId)
        sentAnswers.keep({ leadId, sentAt: serverNow().toISOString() })
        clear()
        location.assign('/thanks')
      } catch (error) {
        fail(error)
      }
    },
    (errors) => alert(`Please fill in all required fields: ${messagesOf(errors).join(', ')}`),
  )

  const field = (name: Field) => ({
    ...register(name),
    id: `info-${name}`,
    error: formState.errors[name]?.message,
  })

  const onSubmit = submitBy(send, fail)
  const isSending = formState.isSubmitting
  return {
    element,
    field,
    answered,
    reference,
    storeDraft,
    clear,
    onSubmit,
    isSending,
    failure,
    lazyParts,
    sent,
    answerAgain,
  }
}
