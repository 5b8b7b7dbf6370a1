import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { leadEntryForm } from '../../../events/lead/entry.ts'
import { PACKAGE_NAMES } from '../../../events/lead/labels.ts'
import { useMe } from '../../staff/account/account.ts'
import { DraftNote } from '../../staff/drafts/drafts.tsx'
import { LeaveQuestion } from '../../staff/drafts/leave-guard.tsx'
import { LOST } from '../../staff/drafts/unsaved.ts'
import { DialogForm } from '../../staff/forms/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, from, radius, space, type, unseen } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { EntryDuplicates } from './entry-duplicates.tsx'
import { type EntryFormProps, useEntryForm, useHasStoredEntry } from './use-entry-form.ts'

const PACKAGES = (['essential', 'professional', 'premium', 'custom'] as const).map((value) => ({
  value,
  label: PACKAGE_NAMES[value],
}))

type EntryFields = ReturnType<typeof useEntryForm>['form']

const Fields = ({ form }: { form: EntryFields }) => {
  const field = (name: keyof typeof leadEntryForm.entries) => ({ ...form.field(name), id: `entry-${name}` })
  return (
    <>
      <p css={{ color: colour.soft, fontSize: type.small }}>An email address or a phone number is enough.</p>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        <TextField label="Name" autoComplete="off" {...field('name')} />
        <TextField label="Company" autoComplete="off" {...field('company')} />
        <TextField label="Email" inputMode="email" autoComplete="off" {...field('email')} />
        <TextField label="Phone" type="tel" autoComplete="off" {...field('phone')} />
        <SelectField label="Package" choices={PACKAGES} {...field('package')} />
      </div>
      <EntryDuplicates email={form.watch('email') ?? ''} phone={form.watch('phone') ?? ''} />
      <TextAreaField label="Note" rows={4} dir="auto" {...field('note')} />
      <CheckField
        label="Not answered yet"
        hint={
          form.watch('isWaiting')
            ? 'This starts the 2-hour clock.'
            : 'The lead counts as contacted, and is assigned to you.'
        }
        {...field('isWaiting')}
      />
    </>
  )
}

/**
 * The form in which staff enter a lead who called or came by. It links to the lead. The typed text stays until the lead
 * is added or the text is discarded, on the device too.
 */
const EntryDialog = (props: EntryFormProps) => {
  const { form, isRestored, isKept, isAsked, stay, close, discard } = useEntryForm(props)
  const waysOut = (
    <>
      <Button look="outline" disabled={form.isSending} onClick={close}>
        {isKept ? 'Keep for later' : 'Cancel'}
      </Button>
      {isKept && (
        <Button look="quiet" disabled={form.isSending} onClick={discard}>
          Discard
        </Button>
      )}
    </>
  )
  return (
    <>
      <Dialog title="Add lead" width="38rem" isHeld={form.isSending || isAsked} onClose={close}>
        <DialogForm action="Add lead" busyAction="Adding..." form={form} waysOut={waysOut} onClose={close}>
          <DraftNote isShown={isRestored} done="added" />
          <Fields form={form} />
        </DialogForm>
      </Dialog>
      {isAsked && <LeaveQuestion words={LOST} onStay={stay} onLeave={props.onClose} />}
    </>
  )
}

/** The mark next to a button's text: its form has a draft. */
const dot = { width: '0.5rem', height: '0.5rem', borderRadius: radius.round, background: colour.accent } as const

/** Opens the form for entering a lead by hand, and shows whether this device has a draft of one. */
export const AddLead = () => {
  const { data: me } = useMe()
  const [isOpen, setOpen] = useState(false)
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const isAsked = Boolean(state?.isAdding)
  useEffect(() => {
    if (!isAsked) return
    setOpen(true)
    // a reload would open it again
    navigate({ search }, { replace: true, preventScrollReset: true })
  }, [isAsked, search, navigate])
  const button = useRef<HTMLButtonElement>(null)
  const hasDraft = useHasStoredEntry() && !isOpen
  const openAgain = () => {
    // the focus returns to the button
    button.current?.focus()
    setOpen(true)
  }
  return (
    <>
      <Button
        ref={button}
        look="outline"
        {...(hasDraft && tipped('You began a lead: this device keeps it'))}
        onClick={() => setOpen(true)}
        css={tipAbove}
      >
        Add lead
        {hasDraft && (
          <span css={dot}>
            <span css={unseen}> (not added yet)</span>
          </span>
        )}
      </Button>
      {isOpen && me && <EntryDialog accountId={me.id} onClose={() => setOpen(false)} onOpen={openAgain} />}
    </>
  )
}
