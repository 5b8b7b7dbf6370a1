import * as v from 'valibot'
import type { StepRequest } from '../../../events/contract/life.ts'
import type { SignedContract } from '../../../events/contract/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { CheckField, TextAreaField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { dayOf } from '../day.ts'
import { storedForLater, useSendsTo } from '../email/emails.ts'
import { DayField } from '../forms/day-field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useStaffForm } from '../forms/use-staff-form.ts'
import { takeStep } from './contracts.ts'

/** The steps that staff take; `undo` needs no dialog. */
export type StepName = Exclude<StepRequest['step'], 'undo'>

const STEPS: Record<StepName, { title: string; action: string; done: string; explains: string; day?: string }> = {
  accept: {
    title: 'Accept the contract',
    action: 'Accept',
    done: 'Contract accepted',
    explains: 'You countersign it with your name.',
  },
  decline: {
    title: 'Decline the contract',
    action: 'Decline',
    done: 'Contract declined',
    explains: 'The client gets no email about it: write to them yourself.',
  },
  content: {
    title: 'The content has arrived',
    action: 'Record the day',
    done: 'Day recorded',
    explains: 'The promised time until the site is live counts from this day.',
    day: 'Arrived on',
  },
  live: {
    title: 'The site is live',
    action: 'Set live',
    done: 'Contract is live',
    explains: 'From this day the monthly fee and the minimum term run.',
    day: 'Live since',
  },
  notice: {
    title: 'The client gave notice',
    action: 'Record the notice',
    done: 'Notice recorded',
    explains: 'The contract ends after its notice period, but not before its minimum term is over.',
    day: 'Notice given on',
  },
}

const stepForm = v.object({ on: v.string(), reason: v.string(), isEmailed: v.boolean() })

/** Asks for the details of a step in the life of a contract, and takes it. */
export const StepDialog = ({
  leadId,
  contract,
  step,
  onClose,
}: {
  leadId: string
  contract: SignedContract
  step: StepName
  onClose: () => void
}) => {
  const today = dayOf(serverNow())
  const canEmail = useSendsTo('visitor') !== false
  const { title, action, done, explains, day } = STEPS[step]
  const hasMonths = contract.months !== null
  const form = useStaffForm(stepForm, {
    defaultValues: { on: today, reason: '', isEmailed: true },
    send: async ({ on, reason, isEmailed }) => {
      const requests: Record<StepName, StepRequest> = {
        accept: { step: 'accept', isEmailed },
        decline: { step: 'decline', reason },
        content: { step: 'content', on },
        live: { step: 'live', on, isEmailed },
        notice: { step: 'notice', on, isEmailed },
      }
      await takeStep(leadId, contract, requests[step])
      toast({ title: done })
      onClose()
    },
  })
  const text = step === 'live' && !hasMonths ? 'Minor bugs are fixed for free for 30 days from this day.' : explains
  return (
    <FormDialog title={title} form={form} action={action} onClose={onClose}>
      <p>{text}</p>
      {day && (
        <DayField
          id="step-day"
          label={day}
          error={form.field('on').error}
          day={form.watch('on')}
          today={today}
          latest={today}
          onPick={(on) => form.setValue('on', on, { shouldDirty: true })}
        />
      )}
      {step === 'decline' && (
        <TextAreaField id="step-reason" label="Reason" rows={3} required {...form.field('reason')} />
      )}
      {step !== 'decline' && step !== 'content' && (
        <>
          <CheckField id="step-emailed" label="Email the client about it" {...form.field('isEmailed')} />
          {!canEmail && <p>{storedForLater('the email')}.</p>}
        </>
      )}
    </FormDialog>
  )
}
