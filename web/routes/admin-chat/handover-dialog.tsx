import { Link } from 'react-router'
import * as v from 'valibot'
import { MAX_HANDOVER_CHARACTERS } from '../../../events/chat-assignment.ts'
import { optionalText } from '../../../events/text.ts'
import type { ChatAssignment } from '../../../events/wire/chat.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { FormDialog } from '../../staff/form-dialog.tsx'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SelectField, TextAreaField } from '../../ui/form/field.tsx'
import { assignChat } from './chat-record.ts'

const handover = v.object({
  to: v.pipe(v.nullish(v.string(), ''), v.uuid('Choose a colleague')),
  note: optionalText(MAX_HANDOVER_CHARACTERS),
})

const TITLE = 'Hand over this chat'

/** What an owner without colleagues sees instead of the form. */
const Alone = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={TITLE} onClose={onClose}>
    <p>
      You have no colleagues yet. Add an account for each in <Link to="/admin-settings#accounts">Settings</Link>.
    </p>
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
)

/** Hands a chat over to a colleague, with a note for them; from what the one who does it saw as they began. */
export const HandoverDialog = (props: {
  sessionId: string
  assignment: ChatAssignment
  myId: string | undefined
  onClose: () => void
}) => {
  const { sessionId, assignment, myId, onClose } = props
  const { data: colleagues } = useColleagues()
  const form = useStaffForm(handover, {
    send: async (asked) => {
      await assignChat(sessionId, { ...asked, version: assignment.version })
      onClose()
    },
  })
  if (myId && colleagues?.every(({ id }) => id === myId)) return <Alone onClose={onClose} />
  const choices = (colleagues ?? [])
    .filter(({ id }) => id !== assignment.to?.staffId)
    .map(({ id, displayName }) => ({ value: id, label: id === myId ? `${displayName} (you)` : displayName }))
  return (
    <FormDialog title={TITLE} action="Hand over" busyAction="Handing over..." form={form} onClose={onClose}>
      <SelectField id="handover-to" label="To" choices={choices} {...form.field('to')} />
      <TextAreaField
        id="handover-note"
        label="Note"
        rows={4}
        dir="auto"
        hint="What they should know. Only staff see it."
        {...form.field('note')}
      />
    </FormDialog>
  )
}
