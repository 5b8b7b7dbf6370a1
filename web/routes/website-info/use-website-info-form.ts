import { valibotResolver } from '@hookform/resolvers/valibot'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { type WebsiteInfo, websiteInfoForm } from '../../../events/website-info.ts'
import { tellFormSent } from '../../analytics/form-sent.ts'
import { agency } from '../../content/agency.ts'
import { keptIdea } from '../../content/idea.ts'
import { CUSTOM, QUESTIONNAIRE } from '../../content/questionnaire.ts'
import { type Draft, draftOf } from '../../ui/form/draft.ts'
import { fieldProblemsOf } from '../../ui/form/field-problems.ts'
import { keepSentReference } from '../../ui/form/sent-reference.ts'
import { submission } from '../../ui/form/submission.ts'
import { useEndings } from '../../ui/form/use-endings.ts'
import { circumstancesOf } from '../../visit/circumstances.ts'
import { answersOfIdea } from './idea-answers.ts'

/** The call that takes a questionnaire. */
export const CALL = '/api/submit-website-info'

/** The name of the form, and of its draft. */
export const FORM_NAME = 'website-info'

const draft = draftOf(FORM_NAME, { staysOnDevice: true })

type Field = keyof WebsiteInfo
type Answers = Partial<Record<Field, string | null>>

const resolve = valibotResolver<Answers, unknown, WebsiteInfo>(websiteInfoForm)

const questions = QUESTIONNAIRE.flatMap((section) => section.questions)
const fields = questions.flatMap(({ name, custom }) => [name, ...(custom ? [custom.name] : [])])

/** The answers without words of the visitor's own that belong to a choice made no longer. */
const withoutStale = (answers: Answers): Answers => {
  const stale = questions.flatMap(({ name, custom }) => (custom && answers[name] !== CUSTOM ? [custom.name] : []))
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !stale.includes(name as Field)))
}

/** In the order of the form, however the schema orders its fields. */
const messagesOf = (errors: FieldErrors<Answers>) =>
  fields.flatMap((name) => (errors[name]?.message ? [errors[name].message] : []))

/** What these fields of a form hold now, where that is not blank. */
const answersOf = (form: HTMLFormElement, names: readonly string[]): Draft => {
  const data = new FormData(form)
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]).filter(([, value]) => value))
}

/** What was answered before the page came alive. Read ahead of the first render: registering a radio button clears it. */
const typedBefore = (): Draft => {
  if (typeof document === 'undefined') return {}
  const form = document.querySelector<HTMLFormElement>(`form[action="${CALL}"]`)
  return form ? answersOf(form, fields) : {}
}

/**
 * The questionnaire's form: validation, sending, success and failure as in the specification's sections 4, 5 and 8; and a
 * draft of the answers on the visitor's device. No default values: what was typed before the page came alive counts.
 */
export const useWebsiteInfoForm = () => {
  const element = useRef<HTMLFormElement>(null)
  const { register, handleSubmit, reset, setError, setValue, formState } = useForm<Answers, unknown, WebsiteInfo>({
    resolver: (values, context, options) => resolve(withoutStale(values), context, options),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const submit = useRef<ReturnType<typeof submission>>(undefined)
  const [typed] = useState(typedBefore)
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set())
  const sending = useRef(false)
  const isResumed = useRef(false)
  const [failure, setFailure] = useState<{ error: unknown }>()
  const { endings, loadEndings } = useEndings()

  useEffect(() => {
    const kept = draft.read()
    isResumed.current ||= Object.keys(kept).length > 0
    for (const [name, value] of Object.entries({ ...answersOfIdea(keptIdea()), ...kept, ...typed }))
      if (fields.includes(name as Field)) setValue(name as Field, value)
    if (element.current) setAnswered(new Set(Object.keys(answersOf(element.current, fields))))
  }, [setValue, typed])

  const keep = (event: FormEvent<HTMLFormElement>) => {
    const answers = answersOf(event.currentTarget, fields)
    loadEndings()
    setAnswered(new Set(Object.keys(answers)))
    draft.keep(answers)
  }

  const clear = () => {
    draft.discard()
    reset()
    setAnswered(new Set())
  }

  const send = handleSubmit(
    async (form) => {
      try {
        submit.current ??= submission(CALL)
        const { leadId } = await submit.current<{ leadId: string }>(
          form,
          element.current ? circumstancesOf(element.current, { isResumed: isResumed.current }) : {},
        )
        console.info('The questionnaire was stored:', { leadId })
        tellFormSent('website_info')
        keepSentReference(leadId)
        clear()
        location.assign('/thanks')
      } catch (error) {
        console.warn('The questionnaire was not sent:', error)
        const problems = fieldProblemsOf(error)
        for (const { path, message } of problems) setError(path as Field, { type: 'server', message })
        setFailure(problems.length > 0 ? undefined : { error })
        alert(`Something went wrong. Please try again or call us at ${agency().phone}.`)
      }
    },
    (errors) => alert(`Please fill in all required fields: ${messagesOf(errors).join(', ')}`),
  )

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    await send(event).finally(() => {
      sending.current = false
    })
  }

  const field = (name: Field) => ({
    ...register(name),
    id: `info-${name}`,
    error: formState.errors[name]?.message,
  })

  const isSending = formState.isSubmitting
  return { element, field, answered, keep, clear, onSubmit, isSending, failure, endings }
}
