import { valibotResolver } from '@hookform/resolvers/valibot'
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type * as v from 'valibot'
import { HttpError } from '../../client/http.ts'
import { LOST, useUnsaved } from '../drafts/unsaved.ts'
import { reasonOf } from '../requests/refusal.ts'

/** The server's errors for single fields. */
export const fieldErrors = (error: unknown) =>
  (error instanceof HttpError && error.status === 422 && error.problem?.errors) || []

/**
 * A staff form: checked by its schema on submit, then on change; sent once however often it is clicked. An error from
 * the server is shown at the field that it names, else in `problem`. The typed values are unsaved until they are sent.
 */
export const useStaffForm = <Input extends FieldValues, Output>(
  schema: v.GenericSchema<Input, Output>,
  {
    defaultValues,
    send,
    explain = reasonOf,
    faulty,
    isStored = false,
  }: {
    defaultValues?: DefaultValues<Input>
    send: (form: Output) => Promise<unknown>
    /** The text for an error that no field shows; undefined if it has been shown elsewhere. */
    explain?: (error: unknown) => string | undefined
    /** The field to focus after an error that no field shows. */
    faulty?: Path<Input>
    /** This device stores the typed values, and the screen makes sure that leaving does not lose them. */
    isStored?: boolean
  },
) => {
  const form = useForm<Input, unknown, Output>({
    resolver: valibotResolver<Input, unknown, Output>(schema),
    criteriaMode: 'all',
    ...(defaultValues && { defaultValues }),
  })
  const { register, handleSubmit, setError, getFieldState, formState } = form
  useUnsaved(formState.isDirty && !isStored, { words: LOST, isGuarded: false })
  const isUnderWay = useRef(false)
  const sender = useRef<Element>(null)
  const problem = formState.errors.root?.message

  // the submit button was disabled during that time, and has lost the focus
  const restoreFocus = useEffectEvent(() => {
    if (document.activeElement !== document.body) return
    if (faulty) form.setFocus(faulty)
    else if (sender.current instanceof HTMLElement) sender.current.focus()
  })
  useEffect(() => {
    if (problem && !formState.isSubmitting) restoreFocus()
  }, [problem, formState.isSubmitting])

  const showError = (error: unknown) => {
    const problems = fieldErrors(error)
    problems.forEach(({ path, message }, index) => {
      setError(path as Path<Input>, { type: 'server', message }, { shouldFocus: index === 0 })
    })
    const message = problems.length > 0 ? undefined : explain(error)
    if (message) setError('root', { message })
  }

  const submit = handleSubmit(async (values) => {
    try {
      await send(values)
    } catch (error) {
      showError(error)
    }
  })

  return {
    ...form,
    /** The props of a labelled field: its registration, and its error. */
    field: (name: Path<Input>) => ({ ...register(name), error: getFieldState(name, formState).error?.message }),
    onSubmit: async (event: FormEvent) => {
      event.preventDefault()
      if (isUnderWay.current) return
      isUnderWay.current = true
      sender.current = document.activeElement
      await submit(event).finally(() => {
        isUnderWay.current = false
      })
    },
    isSending: formState.isSubmitting,
    problem,
  }
}
