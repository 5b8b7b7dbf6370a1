import { type MouseEvent, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { NotedChannel } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { randomId } from '../../random-id.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { useMe } from '../account.ts'
import { reasonOf } from '../refusal.ts'
import { type Contact, noteContact } from './answer.ts'
import { tellAnswered } from './owned.ts'

/** What is asked once the telephone, WhatsApp or a mail program has opened, and what may have come of it. */
const QUESTIONS = {
  call: {
    title: (name: string) => `Did you reach ${name}?`,
    opened: ({ phone }: Lead) => `You called ${phone}.`,
    answers: [
      { label: 'Yes, we spoke', isReached: true },
      { label: 'No answer', isReached: false },
    ],
    cancel: 'Cancel',
  },
  whatsapp: {
    title: (name: string) => `Did you send ${name} the message?`,
    opened: ({ phone }: Lead) => `WhatsApp opened for ${phone}, with the text filled in.`,
    answers: [{ label: 'Yes, I sent it', isReached: true }],
    cancel: 'Not sent',
  },
  email: {
    title: (name: string) => `Did you send ${name} the email?`,
    opened: ({ email }: Lead) => `Your own program opened an email to ${email}.`,
    answers: [{ label: 'Yes, I sent it', isReached: true }],
    cancel: 'Not sent',
  },
} as const satisfies Record<NotedChannel, unknown>

const notedInWords = ({ channel, isReached }: Contact) => {
  if (!isReached) return { title: 'No answer noted', description: 'The lead still waits for its answer.' }
  if (channel === 'whatsapp') return { title: 'WhatsApp message noted', description: undefined }
  if (channel === 'email') return { title: 'Email noted', description: undefined }
  return { title: 'Call noted', description: 'Add a note about what was said.' }
}

type Asked = Omit<Contact, 'isReached'> & { lead: Lead }

const Question = (props: {
  asked: Asked
  isBusy: boolean
  onAnswer: (lead: Lead, contact: Contact) => void
  onCancel: () => void
}) => {
  const { asked, isBusy, onAnswer, onCancel } = props
  const { lead, ...contact } = asked
  const { title, opened, answers, cancel } = QUESTIONS[asked.channel]
  return (
    <Dialog title={title(lead.name)} onClose={onCancel}>
      <p>{opened(lead)} Only an answer that reached them stops the clock.</p>
      <DialogActions>
        {answers.map(({ label, isReached }) => (
          <Button
            key={label}
            look={isReached ? 'solid' : 'outline'}
            aria-disabled={isBusy}
            onClick={() => isBusy || onAnswer(lead, { ...contact, isReached })}
          >
            {label}
          </Button>
        ))}
        <Button look="outline" onClick={onCancel}>
          {cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What asks, after the telephone, WhatsApp or a mail program has opened for a lead, what came of it. */
export type PressContact = (
  lead: Lead,
  channel: NotedChannel,
  text: string | null,
) => (event: MouseEvent<HTMLAnchorElement>) => void

/**
 * The site opens the telephone, WhatsApp or a mail program, and cannot know what comes of it: it asks. `press` goes to the
 * link of a lead, for a double click once. `question` is to be rendered by what stays while somebody calls: a row may leave
 * its list meanwhile. `onNoted` hears of the lead after it was noted, and of no lead after it was taken back.
 */
export const useContact = (onNoted: (lead?: Lead, contact?: Contact) => void) => {
  const { data: me } = useMe()
  const [asked, setAsked] = useState<Asked>()
  const [isBusy, setBusy] = useState(false)

  const answer = async (lead: Lead, contact: Contact) => {
    if (!me) return
    setBusy(true)
    try {
      const { lead: noted, eventId } = await noteContact(lead.id, contact)
      // the focus goes where the page wants it, after the question has given it back
      flushSync(() => setAsked(undefined))
      onNoted(noted, contact)
      const told = { before: lead, answered: noted, eventId, myId: me.id }
      tellAnswered(told, { ...notedInWords(contact), onUndone: () => onNoted() })
    } catch (error) {
      console.warn('The contact was not noted:', error)
      toast({ title: 'This was not noted', description: reasonOf(error), variant: 'destructive' })
    } finally {
      setBusy(false)
    }
  }

  const press: PressContact = (lead, channel, text) => (event) => {
    if (event.detail > 1) event.preventDefault()
    else setAsked({ lead, key: randomId(), channel, text })
  }

  return {
    press,
    question:
      asked &&
      // a panel of a page may hold no dialog
      createPortal(
        <Question asked={asked} isBusy={isBusy} onAnswer={answer} onCancel={() => setAsked(undefined)} />,
        document.body,
      ),
  }
}
