import * as v from 'valibot'
import { MAX_HANDOVER_CHARACTERS } from '../../../events/chat-assignment.ts'
import { optionalText } from '../../../events/text.ts'
import type { ChatAssignment } from '../../../events/wire/chat.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { FormDialog } from '../../staff/form-dialog.tsx'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { SelectField, TextAreaField } from '../../ui/form/field.tsx'
import { assignChat } from './chat-record.ts'

const handover = v.object({
  to: v.pipe(v.nullish(v.string(), ''), v.uuid('Choose a colleague')),
  note: optionalText(MAX_HANDOVER_CHARACTERS),
})

/** Hands a chat over to a colleague, with a note for them; from what the one who does it saw as they began. */
export const HandoverDialog = (props: {
  sessionId: string
  assignment: ChatAssignment
  myId: string | undefined
  onClose: () => void
}) => {
  const { sessionId, assignment, myId, onClose } = props
  const { data: colleagues = [] } = useColleagues()
  const form = useStaffForm(handover, {
    send: async (asked) => {
      await assignChat(sessionId, { ...asked, version: assignment.version })
      onClose()
    },
  })
  const choices = colleagues
    .filter(({ id }) => id !== assignment.to?.staffId)
    .map(({ id, displayName }) => ({ value: id, label: id === myId ? `${displayName} (you)` : displayName }))
  return (
    <FormDialog
      title="Hand over this chat"
      action="Hand over"
      busyAction="Handing over..."
      form={form}
      onClose={onClose}
    >
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
