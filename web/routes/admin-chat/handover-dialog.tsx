import { useState } from 'react'
import { Link } from 'react-router'
import * as v from 'valibot'
import { optionalText } from '../../../events/base/text.ts'
import { MAX_HANDOVER_CHARACTERS } from '../../../events/chat/assignment.ts'
import type { ChatAssignment } from '../../../events/chat/wire.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import type { ConsoleState } from '../../chat/console/console-state.ts'
import { useColleagues, useOwnerName } from '../../staff/account/colleagues.ts'
import { assignChat } from '../../staff/chat/chat-record.ts'
import { FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { changeLead, useLeadAlone } from '../../staff/leads/lead.ts'
import { aboutLead, leadTitle } from '../../staff/leads/list/groups.ts'
import { toastFailure } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CheckField, SelectField, TextAreaField } from '../../ui/form/field.tsx'
import { atAnyChat } from './viewers.ts'

const handover = v.object({
  to: v.pipe(v.nullish(v.string(), ''), v.uuid('Choose a colleague')),
  note: optionalText(MAX_HANDOVER_CHARACTERS),
})

const TITLE = 'Hand over this chat'

/** The note that an owner without colleagues sees instead of the form. */
const Alone = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={TITLE} onClose={onClose}>
    <p>
      You have no colleagues yet. Add an account for each in <Link to="/admin-settings/accounts">Settings</Link>.
    </p>
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
)

const ownerInWords = (lead: Lead, { myId, owner }: { myId: string | undefined; owner: string | undefined }) => {
  if (lead.ownerId === myId) return 'You own it.'
  return owner ? `${owner} owns it.` : 'It is unassigned.'
}

/** Makes the colleague who gets a chat the owner of its lead. They have the chat even if this fails. */
const assignLead = async (lead: Lead, ownerId: string) => {
  try {
    await changeLead(lead.id, { ownerId }, lead.version)
  } catch (error) {
    toastFailure('The lead was not handed over', error, aboutLead(lead))
  }
}

/** The staff to whom a chat can be handed over: first the colleagues who have a chat open, all by name. */
const choicesOf = (
  colleagues: readonly Colleague[],
  { present, myId }: { present: ReadonlySet<string>; myId: string | undefined },
) => {
  const isPresent = ({ id }: Colleague) => id !== myId && present.has(id)
  const labelOf = (colleague: Colleague) => {
    if (colleague.id === myId) return `${colleague.displayName} (you)`
    return isPresent(colleague) ? `${colleague.displayName} (at a chat now)` : colleague.displayName
  }
  return colleagues
    .toSorted((one, other) => Number(isPresent(other)) - Number(isPresent(one)))
    .map((colleague) => ({ value: colleague.id, label: labelOf(colleague) }))
}

/**
 * Hands a chat over to a colleague, with a note for them, based on the assignment as it was when the dialog opened. If
 * it is closed without that, `onNote` stores the `note` for the next time.
 */
export const HandoverDialog = (props: {
  sessionId: string
  leadId: string | undefined
  assignment: ChatAssignment
  chats: ConsoleState['chats']
  myId: string | undefined
  note: string
  onNote: (note: string) => void
  onClose: () => void
}) => {
  const { sessionId, assignment, myId, onNote, onClose } = props
  const { data: colleagues } = useColleagues()
  // as the dialog opens: the order does not change while the staff member chooses
  const [present] = useState(() => atAnyChat(props.chats))
  const { data: found, error } = useLeadAlone(props.leadId)
  const lead = found && !isErased(found) && !found.mergedInto ? found : undefined
  const showsLead = lead !== undefined || (props.leadId !== undefined && !found && !error)
  const owner = useOwnerName(lead?.ownerId ?? null)
  const [isChosen, setChosen] = useState<boolean>()
  const isLeadIncluded = isChosen ?? lead?.ownerId === myId
  const form = useStaffForm(handover, {
    defaultValues: { note: props.note },
    send: async (form) => {
      await assignChat(sessionId, { ...form, version: assignment.version })
      onNote('')
      onClose()
      if (lead && isLeadIncluded) await assignLead(lead, form.to)
    },
  })
  if (myId && colleagues?.every(({ id }) => id === myId)) return <Alone onClose={onClose} />
  const note = form.field('note')
  const others = (colleagues ?? []).filter(({ id }) => id !== assignment.to?.staffId)
  return (
    <FormDialog title={TITLE} action="Hand over" busyAction="Handing over..." form={form} onClose={onClose}>
      <SelectField id="handover-to" label="To" choices={choicesOf(others, { present, myId })} {...form.field('to')} />
      <TextAreaField
        id="handover-note"
        label="Note"
        rows={4}
        dir="auto"
        hint="What they should know. Only staff see it."
        {...note}
        onChange={(event) => {
          onNote(event.target.value)
          return note.onChange(event)
        }}
      />
      {showsLead && (
        <CheckField
          id="handover-lead"
          label={`Give them the lead as well${lead ? `: ${leadTitle(lead)}` : ''}`}
          hint={lead ? ownerInWords(lead, { myId, owner }) : 'Loading the lead...'}
          disabled={!lead}
          checked={lead !== undefined && isLeadIncluded}
          onChange={({ target }) => setChosen(target.checked)}
        />
      )}
    </FormDialog>
  )
}
