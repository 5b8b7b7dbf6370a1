import { Global } from '@emotion/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import type { NotedChannel } from '../../../events/lead-answer.ts'
import { HttpError } from '../../http.ts'
import { Button } from '../../ui/button.tsx'
import { colour, onPhone, radius, shadow, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'
import { leadAddress } from './address.ts'
import { type Contact, noteContact } from './answer.ts'
import { shortMomentOf } from './day.ts'
import { closeContact, type OpenContact, takeOpened, tellNoted, useOpenContacts } from './open-contacts.ts'
import { tellAnswered } from './owned.ts'

/** What is asked of each way, with the words before and after the name of whom it went to. */
const QUESTIONS = {
  call: {
    asked: ['Did you reach ', '?'],
    opened: ({ phone }: OpenContact['lead']) => `You called ${phone}`,
    answers: [
      { label: 'Yes, we spoke', isReached: true },
      { label: 'No answer', isReached: false },
    ],
    cancel: 'Not called',
  },
  whatsapp: {
    asked: ['Did you send ', ' the message?'],
    opened: ({ phone }: OpenContact['lead']) => `WhatsApp opened for ${phone}`,
    answers: [{ label: 'Yes, I sent it', isReached: true }],
    cancel: 'Not sent',
  },
  email: {
    asked: ['Did you send ', ' the email?'],
    opened: ({ email }: OpenContact['lead']) => `Your own program opened an email to ${email}`,
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

/** Takes the focus to what has just been opened, and back once that is closed, unless it has gone elsewhere. */
const useFocusWhileAsked = (key: string) => {
  const box = useRef<HTMLElement>(null)
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (!takeOpened(key)) return
    opener.current = document.activeElement
    box.current?.focus({ preventScroll: true })
  }, [key])
  const giveBack = (close: () => void) => {
    const isInside = box.current?.contains(document.activeElement)
    // before anything else takes the focus where it wants it
    flushSync(close)
    if (isInside && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  return { box, giveBack }
}

/** Notes what came of a contact, or closes it without a word. `isBusy` until that is done. */
const useAnswer = (accountId: string, asked: OpenContact, giveBack: (close: () => void) => void) => {
  const { leadId, key, channel, text } = asked
  const [isBusy, setBusy] = useState(false)
  const close = () => giveBack(() => closeContact(accountId, leadId))
  const answer = async (isReached: boolean) => {
    if (isBusy) return
    setBusy(true)
    const contact = { key, channel, text, isReached }
    try {
      const { lead, eventId } = await noteContact(leadId, contact)
      close()
      tellNoted({ leadId, lead, contact })
      const told = { before: { id: leadId, ownerId: asked.lead.ownerId }, answered: lead, eventId, myId: accountId }
      tellAnswered(told, { ...notedInWords(contact), onUndone: () => tellNoted({ leadId }) })
    } catch (error) {
      console.warn('The contact was not noted:', error)
      toast({ title: 'This was not noted', description: reasonOf(error), variant: 'destructive' })
      // nobody can say any more what came of it
      if (error instanceof HttpError && [404, 410].includes(error.status)) close()
      else setBusy(false)
    }
  }
  return { answer, close, isBusy }
}

/** How much of the top of a window it takes, for what sticks there too. */
export const ASKED_HEIGHT = {
  '&:has(> [data-asks="true"])': { '--asked': '5rem', [onPhone]: { '--asked': '9.75rem' } },
} as const

/** What takes the focus is scrolled to below it. */
const seenBelow = { html: { scrollPaddingTop: '6rem', [onPhone]: { scrollPaddingTop: '11rem' } } } as const

const card = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: `${space.tight} ${space.roomy}`,
  marginBottom: space.base,
  padding: `${space.snug} ${space.base}`,
  border: `1px solid ${colour.ink}`,
  borderRadius: radius.card,
  background: colour.sheet,
  boxShadow: shadow.floating,
} as const

/** All in one row on a phone. */
const choices = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: space.tight,
  '> button': {
    minHeight: '2.75rem',
    padding: `${space.hair} ${space.snug}`,
    fontSize: type.small,
    [onPhone]: { padding: `${space.hair} ${space.tight}` },
  },
} as const

const Question = ({ accountId, asked, others }: { accountId: string; asked: OpenContact; others: number }) => {
  const { box, giveBack } = useFocusWhileAsked(asked.key)
  const { answer, close, isBusy } = useAnswer(accountId, asked, giveBack)
  const { lead, channel } = asked
  const { asked: words, opened, answers, cancel } = QUESTIONS[channel]
  return (
    <section ref={box} tabIndex={-1} aria-label={words.join(lead.name)} css={card}>
      <div css={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ fontWeight: 600 }}>
          {words[0]}
          <Link to={leadAddress(asked.leadId)} css={{ color: colour.ink }}>
            {lead.name}
          </Link>
          {words[1]}
        </p>
        <p css={{ color: colour.soft, fontSize: type.small }}>
          {opened(lead)}, {shortMomentOf(asked.at)}. Only an answer that reached them stops the clock.
          {others > 0 && ` ${others} more to say after this.`}
        </p>
      </div>
      <div css={choices}>
        {answers.map(({ label, isReached }) => (
          <Button
            key={label}
            look={isReached ? 'solid' : 'outline'}
            aria-disabled={isBusy}
            onClick={() => answer(isReached)}
          >
            {label}
          </Button>
        ))}
        <Button look="quiet" aria-disabled={isBusy} onClick={() => isBusy || close()}>
          {cancel}
        </Button>
      </div>
    </section>
  )
}

/**
 * Asks above every screen what came of the call or message that an account opened last, until somebody says so: nothing
 * has to wait for it, and it is there after the call, wherever one has gone meanwhile.
 */
export const ContactQuestion = ({ accountId }: { accountId: string }) => {
  const open = useOpenContacts(accountId)
  const asked = open.at(-1)
  return (
    <div data-asks={asked !== undefined} css={{ position: 'sticky', top: space.tight, zIndex: 6 }}>
      {asked && <Global styles={seenBelow} />}
      {asked && <Question key={asked.key} accountId={accountId} asked={asked} others={open.length - 1} />}
    </div>
  )
}
