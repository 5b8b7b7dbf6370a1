import { valibotResolver } from '@hookform/resolvers/valibot'
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type * as v from 'valibot'
import { HttpError } from '../client/http.ts'
import { reasonOf } from './refusal.ts'
import { LOST, useUnsaved } from './unsaved.ts'

/** What the server found wrong at single fields. */
const fieldErrors = (error: unknown) =>
  (error instanceof HttpError && error.status === 422 && error.problem?.errors) || []

/**
 * A form of staff: checked by its schema on submit, then on change; sent once however often it is clicked. What the server
 * refuses is told at the field that it names, else in `problem`. What was typed is unsaved until it is sent.
 */
export const useStaffForm = <Input extends FieldValues, Output>(
  schema: v.GenericSchema<Input, Output>,
  {
    defaultValues,
    send,
    explain = reasonOf,
    faulty,
    isKept = false,
  }: {
    defaultValues?: DefaultValues<Input>
    send: (form: Output) => Promise<unknown>
    /** Says what no field tells; nothing where it has been told otherwise. */
    explain?: (error: unknown) => string | undefined
    /** The field to look at after a refusal that no field tells. */
    faulty?: Path<Input>
    /** This device keeps what is typed, and the screen sees to it that nobody loses it by leaving. */
    isKept?: boolean
  },
) => {
  const form = useForm<Input, unknown, Output>({
    resolver: valibotResolver<Input, unknown, Output>(schema),
    criteriaMode: 'all',
    ...(defaultValues && { defaultValues }),
  })
  const { register, handleSubmit, setError, getFieldState, formState } = form
  useUnsaved(formState.isDirty && !isKept, { words: LOST, isGuarded: false })
  const isUnderWay = useRef(false)
  const sender = useRef<Element>(null)
  const problem = formState.errors.root?.message

  // the button that sent it could not be pressed meanwhile, and has lost the focus
  const giveFocusBack = useEffectEvent(() => {
    if (document.activeElement !== document.body) return
    if (faulty) form.setFocus(faulty)
    else if (sender.current instanceof HTMLElement) sender.current.focus()
  })
  useEffect(() => {
    if (problem && !formState.isSubmitting) giveFocusBack()
  }, [problem, formState.isSubmitting])

  const tell = (error: unknown) => {
    const told = fieldErrors(error)
    told.forEach(({ path, message }, index) => {
      setError(path as Path<Input>, { type: 'server', message }, { shouldFocus: index === 0 })
    })
    const message = told.length > 0 ? undefined : explain(error)
    if (message) setError('root', { message })
  }

  const submit = handleSubmit(async (values) => {
    try {
      await send(values)
    } catch (error) {
      tell(error)
    }
  })

  return {
    ...form,
    /** The properties of a labelled field: its registration, and what is wrong with it. */
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
