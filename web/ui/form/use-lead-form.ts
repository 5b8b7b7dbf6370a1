import { valibotResolver } from '@hookform/resolvers/valibot'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type LeadForm, leadForm, type SubmittedLeadForm } from '../../../events/lead.ts'
import { tellFormSent } from '../../analytics/form-sent.ts'
import { agency } from '../../content/agency.ts'
import { HttpError } from '../../http.ts'
import { circumstancesOf } from '../../visit/circumstances.ts'
import { mountToaster } from '../toast/mount.ts'
import { toast } from '../toast/toasts.ts'
import { submission } from './submission.ts'

type LeadFormOptions = {
  leadSource: string
  /** The toast after the form was sent. */
  success: { title: string; description: string }
  /** What the form sends beside what is typed. */
  fixed?: Partial<LeadForm>
}

const resolve = valibotResolver<LeadForm, unknown, SubmittedLeadForm>(leadForm)

/**
 * A form that makes a lead: validation on submit, then on change (specification, 5); sending, success and failure as in
 * its sections 4 and 8. No default values: what was typed before the page came alive counts.
 */
export const useLeadForm = ({ leadSource, success, fixed = {} }: LeadFormOptions) => {
  const { register, handleSubmit, reset, setError, formState } = useForm<LeadForm, unknown, SubmittedLeadForm>({
    resolver: (values, context, options) =>
      resolve({ ...values, ...fixed, leadSource, pageUrl: location.href }, context, options),
    // Else the resolver stops at the first rule that fails, and a contract's own rules would not be heard of.
    criteriaMode: 'all',
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const [submit] = useState(() => submission('/api/leads'))
  const sending = useRef(false)
  const [wasSent, setWasSent] = useState(false)
  useEffect(mountToaster, [])

  const showProblem = (error: unknown) => {
    const errors = (error instanceof HttpError && error.status === 422 && error.problem?.errors) || []
    errors.forEach(({ path, message }, index) => {
      setError(path as keyof LeadForm, { type: 'server', message }, { shouldFocus: index === 0 })
    })
  }

  const send = handleSubmit(async (form, event) => {
    setWasSent(false)
    try {
      await submit(form, circumstancesOf(event?.target as HTMLFormElement))
      tellFormSent(leadSource)
      reset()
      setWasSent(true)
      toast({ ...success, variant: 'default' })
    } catch (error) {
      console.warn('The form was not sent:', error)
      showProblem(error)
      toast({
        title: 'Submission Failed',
        description: `Please try again or contact us directly at ${agency().email}`,
        variant: 'destructive',
      })
    }
  })

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    await send(event).finally(() => {
      sending.current = false
    })
  }

  const field = (name: keyof LeadForm) => ({
    ...register(name),
    id: `${leadSource}-${name}`,
    error: formState.errors[name]?.message,
  })

  return {
    field,
    onSubmit,
    fixed: { ...fixed, leadSource },
    isSending: formState.isSubmitting,
    wasSent,
  }
}
