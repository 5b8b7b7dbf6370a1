import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ChatMessage, ChatSession } from '../../../events/chat.ts'
import { type LeadForm, leadForm, type SubmittedLeadForm } from '../../../events/lead.ts'
import { HttpError } from '../../http.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
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
  const [failure, setFailure] = useState<string>()
  const { register, handleSubmit, setError, setFocus, formState } = useForm<LeadForm, unknown, SubmittedLeadForm>({
    resolver: valibotResolver<LeadForm, unknown, SubmittedLeadForm>(leadForm),
    defaultValues: {
      name: session.visitorName,
      email: session.visitorEmail ?? '',
      phone: '',
      company: '',
      message: chatAsText(messages),
      pageUrl: session.pageUrl,
      leadSource: LEAD_SOURCE,
    },
  })
  const asked = session.visitorEmail ? 'phone' : 'email'
  useEffect(() => setFocus(asked), [setFocus, asked])
  const send = handleSubmit(async (form) => {
    setFailure(undefined)
    try {
      onMade(await makeLead(session.sessionId, form))
    } catch (error) {
      console.warn('The lead was not made:', error)
      const problem = error instanceof HttpError ? error.problem : undefined
      problem?.errors?.forEach(({ path, message }, index) => {
        setError(path as keyof LeadForm, { type: 'server', message }, { shouldFocus: index === 0 })
      })
      setFailure(problem?.detail ?? 'The lead was not made. Try again.')
    }
  })
  const field = (name: keyof LeadForm) => ({
    ...register(name),
    id: `lead-${name}`,
    error: formState.errors[name]?.message,
  })
  return (
    <Dialog title="Make a lead" width="38rem" onClose={onClose}>
      <form noValidate onSubmit={send} css={{ display: 'grid', gap: space.base }}>
        <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
          <TextField label="Name" required {...field('name')} />
          <TextField label="E-mail" required inputMode="email" {...field('email')} />
          <TextField label="Phone" required type="tel" {...field('phone')} />
          <TextField label="Company" {...field('company')} />
        </div>
        <TextAreaField label="Message" rows={7} dir="auto" {...field('message')} />
        <p
          role="alert"
          css={{ color: colour.bad, fontSize: type.small, fontWeight: 500, ':empty': { display: 'none' } }}
        >
          {failure}
        </p>
        <DialogActions>
          <Button type="submit" disabled={formState.isSubmitting}>
            {formState.isSubmitting ? 'Making the lead...' : 'Make the lead'}
          </Button>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
