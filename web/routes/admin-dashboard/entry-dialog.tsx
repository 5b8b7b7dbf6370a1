import { useState } from 'react'
import { useNavigate } from 'react-router'
import { leadEntryForm } from '../../../events/lead-entry.ts'
import { PACKAGE_NAMES } from '../../../events/lead-labels.ts'
import { DialogForm } from '../../staff/form-dialog.tsx'
import { leadAddress } from '../../staff/leads/address.ts'
import { leadEnterer } from '../../staff/leads/entry.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { KnownLeads } from './known-leads.tsx'

const PACKAGES = (['essential', 'professional', 'premium', 'custom'] as const).map((value) => ({
  value,
  label: PACKAGE_NAMES[value],
}))

/** Where staff write down a lead who called, or came by. It leads to the lead. */
const EntryDialog = ({ onClose }: { onClose: () => void }) => {
  const [enter] = useState(leadEnterer)
  const navigate = useNavigate()
  const form = useStaffForm(leadEntryForm, {
    defaultValues: { name: '', email: '', phone: '', company: '', package: '', note: '', isWaiting: false },
    send: async (entry) => navigate(leadAddress((await enter(entry)).id)),
  })
  const field = (name: keyof typeof leadEntryForm.entries) => ({ ...form.field(name), id: `entry-${name}` })
  return (
    <Dialog title="Add lead" width="38rem" onClose={onClose}>
      <DialogForm action="Add lead" busyAction="Adding..." form={form} onClose={onClose}>
        <p css={{ color: colour.soft, fontSize: type.small }}>An email address or a phone number is enough.</p>
        <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
          <TextField label="Name" autoComplete="off" {...field('name')} />
          <TextField label="Company" autoComplete="off" {...field('company')} />
          <TextField label="Email" inputMode="email" autoComplete="off" {...field('email')} />
          <TextField label="Phone" type="tel" autoComplete="off" {...field('phone')} />
          <SelectField label="Package" choices={PACKAGES} {...field('package')} />
        </div>
        <KnownLeads email={form.watch('email') ?? ''} phone={form.watch('phone') ?? ''} />
        <TextAreaField label="Note" rows={4} dir="auto" {...field('note')} />
        <CheckField
          label="They still wait for an answer"
          hint={
            form.watch('isWaiting')
              ? 'The lead is new and has no owner, and the clock for its reply runs.'
              : 'The lead counts as contacted and is yours. Tick this if nobody has answered them yet.'
          }
          {...field('isWaiting')}
        />
      </DialogForm>
    </Dialog>
  )
}

/** Opens the form for a lead by hand. */
export const AddLead = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="outline" onClick={() => setOpen(true)}>
        Add lead
      </Button>
      {isOpen && <EntryDialog onClose={() => setOpen(false)} />}
    </>
  )
}
