import { useEffect } from 'react'
import type { ChatMessage, ChatSession } from '../../../events/chat.ts'
import { type LeadForm, leadForm } from '../../../events/lead.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { makeLead } from './chat-record.ts'
import { chatAsText } from './chat-text.ts'

/** Where a lead came from that staff made of a chat. */
const LEAD_SOURCE = 'live_chat'

type Props = {
  session: ChatSession
  messages: readonly ChatMessage[]
  onMade: (leadId: string) => void
  onClose: () => void
}

/** Makes a lead of a chat: what the visitor told is filled in, what is missing is asked for. */
export const LeadDialog = ({ session, messages, onMade, onClose }: Props) => {
  const form = useStaffForm(leadForm, {
    defaultValues: {
      name: session.visitorName,
      email: session.visitorEmail ?? '',
      phone: '',
      company: '',
      message: chatAsText(messages),
      pageUrl: session.pageUrl,
      leadSource: LEAD_SOURCE,
    },
    send: async (lead) => onMade(await makeLead(session.sessionId, lead)),
  })
  const { setFocus } = form
  const asked = session.visitorEmail ? 'phone' : 'email'
  useEffect(() => setFocus(asked), [setFocus, asked])
  const field = (name: keyof LeadForm) => ({ ...form.field(name), id: `lead-${name}` })
  return (
    <Dialog title="Make a lead" width="38rem" onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} css={{ display: 'grid', gap: space.base }}>
        <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
          <TextField label="Name" required {...field('name')} />
          <TextField label="E-mail" required inputMode="email" {...field('email')} />
          <TextField label="Phone" required type="tel" {...field('phone')} />
          <TextField label="Company" {...field('company')} />
        </div>
        <TextAreaField label="Message" rows={7} dir="auto" {...field('message')} />
        <FormProblem problem={form.problem} />
        <DialogActions>
          <Button type="submit" disabled={form.isSending}>
            {form.isSending ? 'Making the lead...' : 'Make the lead'}
          </Button>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
