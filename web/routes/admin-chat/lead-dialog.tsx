import { useEffect, useState } from 'react'
import type { ChatMessage, ChatSession } from '../../../events/chat/wire.ts'
import { chatLeadForm } from '../../../events/lead/entry.ts'
import type { LeadForm } from '../../../events/lead/form/form.ts'
import { makeLead, useBeginning } from '../../staff/chat/chat-record.ts'
import { DialogForm } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { chatAsText } from './chat-text.ts'
import { isEmailAddress, writtenContact } from './written-contact.ts'

const LEAD_SOURCE = 'live_chat'

type Props = {
  session: ChatSession
  messages: readonly ChatMessage[]
  onMade: (leadId: string) => void
  onClose: () => void
}

/** The visitor's contact details. The chat's own address and number come first, then those in the visitor's messages. */
const useContact = ({ session, messages }: Pick<Props, 'session' | 'messages'>) => {
  const [written] = useState(() => writtenContact(messages))
  const own = session.visitorEmail ?? ''
  const isEmailFromChat = written.email !== '' && !isEmailAddress(own)
  return {
    email: isEmailFromChat ? written.email : own,
    phone: session.visitorPhone ?? written.phone,
    isEmailFromChat,
    isPhoneFromChat: !session.visitorPhone && written.phone !== '',
  }
}

const REACHABLE = 'An email address or a phone number is enough.'
const FROM_CHAT = 'From what they wrote in the chat.'

const LeadOfChat = ({ session, messages, message, onMade, onClose }: Props & { message: string }) => {
  const { email, phone, isEmailFromChat, isPhoneFromChat } = useContact({ session, messages })
  const form = useStaffForm(chatLeadForm, {
    defaultValues: {
      name: session.visitorName,
      email,
      phone,
      company: '',
      message,
      pageUrl: session.pageUrl,
      leadSource: LEAD_SOURCE,
    },
    send: async (lead) => onMade(await makeLead(session.sessionId, lead)),
  })
  const { setFocus } = form
  const missing = !email ? 'email' : !phone ? 'phone' : 'company'
  useEffect(() => setFocus(missing), [setFocus, missing])
  const field = (name: keyof LeadForm) => ({ ...form.field(name), id: `lead-${name}` })
  return (
    <DialogForm action="Create lead" busyAction="Creating..." form={form} onClose={onClose}>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        <TextField label="Name" {...field('name')} />
        <TextField label="Email" inputMode="email" hint={isEmailFromChat ? FROM_CHAT : REACHABLE} {...field('email')} />
        <TextField label="Phone" type="tel" hint={isPhoneFromChat && FROM_CHAT} {...field('phone')} />
        <TextField label="Company" {...field('company')} />
      </div>
      <TextAreaField label="Message" rows={7} dir="auto" {...field('message')} />
    </DialogForm>
  )
}

/**
 * Creates a lead from a chat. It is filled in with the details that the visitor gave, also in the loaded messages; the
 * form asks for the rest. Of a long chat the page has only the end: its beginning is fetched.
 */
export const LeadDialog = ({ messages, ...props }: Props) => {
  const isWhole = (messages[0]?.sequence ?? 1) === 1
  const { data, error, mutate } = useBeginning(isWhole ? undefined : props.session.sessionId)
  const beginning = isWhole ? messages : data?.messages
  return (
    <Dialog title="Create lead" width="38rem" onClose={props.onClose}>
      <Pending what="the beginning of the chat" isLoading={!beginning} error={error} retry={() => mutate()} />
      {!beginning && (
        <DialogActions>
          <Button look="outline" onClick={props.onClose}>
            Cancel
          </Button>
        </DialogActions>
      )}
      {beginning && (
        <LeadOfChat
          {...props}
          messages={[...beginning, ...messages]}
          message={chatAsText(beginning, messages.at(-1)?.sequence ?? 0)}
        />
      )}
    </Dialog>
  )
}
