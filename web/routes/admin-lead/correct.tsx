import { useState } from 'react'
import { CORRECTED_FIELDS, type Correction, correctionForm, pickCorrected } from '../../../events/lead-correction.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { FormDialog } from '../../staff/form-dialog.tsx'
import { SHOWN_NAMES } from '../../staff/leads/labels.ts'
import { conflictOf, correctLead, undoChange } from '../../staff/leads/lead.ts'
import { takeBack } from '../../staff/leads/take-back.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/toast/toasts.ts'

type Corrected = { lead: Lead; onSaved: (lead?: Lead) => void }

/** What a colleague corrected meanwhile, and how it can be saved all the same. */
const whyRefused = (error: unknown) => {
  const { lead, changes = [] } = conflictOf(error) ?? {}
  if (!lead) return reasonOf(error)
  const names = [...new Set(changes.map(({ by }) => by ?? 'Somebody'))]
  const fields = CORRECTED_FIELDS.filter((field) => changes.some(({ data }) => field in data))
  const now = fields.map((field) => `${SHOWN_NAMES[field]}: ${lead[field] || 'none'}`)
  return `${names.join(' and ')} corrected this while you were editing. ${now.join(', ')}. Save again to use yours.`
}

const CorrectDialog = ({ lead, onSaved, onClose }: Corrected & { onClose: () => void }) => {
  const [opened] = useState(lead)
  const [version, setVersion] = useState(lead.version)

  const save = async (typed: Correction) => {
    const corrected = CORRECTED_FIELDS.filter((field) => typed[field] !== opened[field])
    if (corrected.length === 0) return onClose()
    const { lead: saved, eventId } = await correctLead(lead.id, pickCorrected(typed, corrected), version)
    onClose()
    onSaved(saved)
    const undo = () => takeBack(() => undoChange(lead.id, eventId ?? '')).then(() => onSaved())
    toast({ title: 'Corrected', variant: 'default', ...(eventId && { action: { label: 'Undo', run: undo } }) })
  }

  const { name, email, phone, company } = opened
  const form = useStaffForm(correctionForm, {
    defaultValues: { name, email, phone, company: company ?? '' },
    send: (typed) =>
      save(typed).catch((error) => {
        setVersion((before) => conflictOf(error)?.lead.version ?? before)
        throw error
      }),
    explain: whyRefused,
  })
  const field = (of: keyof Correction) => ({
    ...form.field(of),
    id: `correct-${of}`,
    label: SHOWN_NAMES[of],
    autoComplete: 'off',
  })
  return (
    <FormDialog title="Correct contact details" action="Save" busyAction="Saving..." form={form} onClose={onClose}>
      <TextField {...field('name')} />
      <TextField inputMode="email" {...field('email')} />
      <TextField type="tel" {...field('phone')} />
      <TextField {...field('company')} />
    </FormDialog>
  )
}

/** Opens the form in which staff correct how a lead is named and reached. */
export const Correct = (props: Corrected) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Correct
      </Button>
      {isOpen && <CorrectDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
