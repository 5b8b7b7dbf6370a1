import { useState } from 'react'
import * as v from 'valibot'
import {
  CORRECTED_FIELDS,
  type Correction,
  correctedFields,
  correctionForm,
} from '../../../../events/lead/correction.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/toast/toasts.ts'
import { useUnsaved } from '../../drafts/unsaved.ts'
import { DialogButton } from '../../forms/dialog-button.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useStaffForm } from '../../forms/use-staff-form.ts'
import { reasonOf } from '../../requests/refusal.ts'
import { undoAction } from '../change/undo-with-toast.ts'
import { conflictOf, correctLead } from '../lead.ts'
import { SHOWN_NAMES } from '../shown/labels.ts'

type Corrected = { lead: Lead; onSaved: (lead?: Lead) => void }

const text = v.string()
const typedForm = v.object({ name: text, email: text, phone: text, company: text })
type Typed = v.InferOutput<typeof typedForm>

const typedOf = ({ name, email, phone, company }: Lead): Typed => ({ name, email, phone, company: company ?? '' })

/** Validates only the fields of a form that differ from the lead; the submitted values may stay. */
const changedForm = (lead: Lead) => {
  const before = typedOf(lead)
  return v.pipe(
    typedForm,
    v.transform((typed): v.InferInput<typeof correctionForm> => {
      const changed = CORRECTED_FIELDS.filter((field) => typed[field] !== before[field])
      return Object.fromEntries(changed.map((field) => [field, typed[field]]))
    }),
    correctionForm,
  )
}

/** Describes the corrections that a colleague made since then, and how to save all the same. */
const refusalText = (error: unknown) => {
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

  const save = async (correction: Correction) => {
    if (correctedFields(correction).length === 0) return onClose()
    const { lead: saved, eventId } = await correctLead(lead.id, correction, version)
    onClose()
    onSaved(saved)
    toast({ title: 'Corrected', ...undoAction({ leadId: lead.id, eventId, onUndone: onSaved }) })
  }

  const [schema] = useState(() => changedForm(opened))
  const form = useStaffForm(schema, {
    defaultValues: typedOf(opened),
    send: (correction) =>
      save(correction).catch((error) => {
        setVersion((before) => conflictOf(error)?.lead.version ?? before)
        throw error
      }),
    explain: refusalText,
  })
  useUnsaved(form.formState.isDirty)
  const field = (of: keyof Typed) => ({
    ...form.field(of),
    id: `correct-${of}`,
    label: SHOWN_NAMES[of],
    autoComplete: 'off',
  })
  return (
    <FormDialog title="Edit contact details" action="Save" busyAction="Saving..." form={form} onClose={onClose}>
      <TextField {...field('name')} />
      <TextField inputMode="email" {...field('email')} />
      <TextField type="tel" {...field('phone')} />
      <TextField {...field('company')} />
    </FormDialog>
  )
}

/** Opens the form in which staff correct a lead's name and contact details. */
export const Correct = (props: Corrected) => (
  <DialogButton look="quiet" dialog={(close) => <CorrectDialog {...props} onClose={close} />}>
    Edit
  </DialogButton>
)
