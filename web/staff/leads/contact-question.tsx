import { Global } from '@emotion/react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { NotedChannel } from '../../../events/lead-answer.ts'
import { shownPhone } from '../../../events/phone.ts'
import { isErased, type Lead } from '../../../events/wire/lead.ts'
import { HttpError } from '../../http.ts'
import { Button } from '../../ui/button.tsx'
import { colour, onPhone, radius, shadow, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { moveDrafts } from '../drafts.ts'
import { reasonOf } from '../refusal.ts'
import { noteAddress } from './address.ts'
import { type Contact, noteContact } from './answer.ts'
import { shortMomentOf } from './day.ts'
import { currentLead, useLeadAlone } from './lead.ts'
import {
  closeContact,
  type OpenContact,
  reopenContact,
  takePressed,
  tellNoted,
  useOpenContacts,
} from './open-contacts.ts'
import { tellAnswered } from './owned.ts'
import { PlainLink } from './plain-link.tsx'

type Person = Pick<Lead, 'name' | 'email' | 'phone'>

/**
 * What is asked after each way to reach somebody: `words` stand before and after their name, `opened` tells what was
 * opened.
 */
const QUESTIONS = {
  call: {
    words: ['Did you reach ', '?'],
    opened: ({ phone }: Person) => `You called ${shownPhone(phone)}`,
    answers: [
      { label: 'Yes, we spoke', isReached: true },
      { label: 'No answer', isReached: false },
    ],
    cancel: 'Not called',
  },
  whatsapp: {
    words: ['Did you send ', ' the message?'],
    opened: ({ phone }: Person) => `WhatsApp opened for ${shownPhone(phone)}`,
    answers: [{ label: 'Yes, I sent it', isReached: true }],
    cancel: 'Not sent',
  },
  email: {
    words: ['Did you send ', ' the email?'],
    opened: ({ email }: Person) => `Your own program opened an email to ${email}`,
    answers: [{ label: 'Yes, I sent it', isReached: true }],
    cancel: 'Not sent',
  },
} as const satisfies Record<NotedChannel, unknown>

const notedInWords = ({ channel, isReached }: Contact, lead: Lead) => {
  if (!isReached) {
    const description = lead.answeredAt ? undefined : 'The lead still waits for its answer.'
    return { title: 'No answer noted', description }
  }
  if (channel === 'whatsapp') return { title: 'WhatsApp message noted', description: undefined }
  if (channel === 'email') return { title: 'Email noted', description: undefined }
  return { title: 'Call noted', description: 'Add a note about what was said.', address: noteAddress(lead.id) }
}

/** Notes what came of a contact on the lead as it is now, or on the one into which that was merged. */
const note = async (leadId: string, contact: Contact) => {
  const before = await currentLead(leadId)
  return { before, ...(await noteContact(before.id, contact)) }
}

/** Scrolls so that an element stands where it stood: what has come or gone above it moves nothing under the pointer. */
const keepInPlace = (element: Element, top: number) =>
  scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' })

/** Takes the focus to what has just been opened, and on once that is closed, unless it has gone elsewhere. */
const useFocusWhileAsked = (key: string, area: RefObject<HTMLElement | null>) => {
  const box = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const pressed = takePressed(key)
    if (!pressed) return
    opener.current = pressed.link
    box.current?.focus({ preventScroll: true })
    keepInPlace(pressed.link, pressed.top)
  }, [key])
  const giveBack = (close: () => void) => {
    const isInside = box.current?.contains(document.activeElement)
    const screen = document.getElementById('content')?.lastElementChild
    const top = screen?.getBoundingClientRect().top
    flushSync(close)
    if (screen && top !== undefined) keepInPlace(screen, top)
    const next = area.current?.firstElementChild ?? (opener.current?.isConnected ? opener.current : null)
    const target = next ?? document.getElementById('content')
    if (isInside && target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
  return { box, giveBack }
}

/** Even a short screen can be scrolled, so that it stays in place. */
const roomBelow = { '#content': { minHeight: 'calc(100dvh + 16rem)' } } as const

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

/** In one row on most phones. */
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

type Asked = { accountId: string; contact: OpenContact; others: number; area: RefObject<HTMLElement | null> }

const Question = (props: Asked & { person: Person; refresh: () => void }) => {
  const { accountId, contact, others, area, person, refresh } = props
  const { words, opened, answers, cancel } = QUESTIONS[contact.channel]
  const { box, giveBack } = useFocusWhileAsked(contact.key, area)
  const [isBusy, setBusy] = useState(false)
  const close = () => giveBack(() => closeContact(accountId, contact))
  const answer = async (isReached: boolean) => {
    if (isBusy) return
    setBusy(true)
    const { leadId, ...told } = contact
    const noted = { ...told, isReached }
    try {
      const { before, lead, eventId } = await note(leadId, noted)
      close()
      tellNoted({ leadId: before.id, lead, contact: noted })
      const onUndone = () => {
        tellNoted({ leadId: before.id })
        reopenContact(accountId, { ...contact, leadId: before.id })
      }
      tellAnswered({ before, answered: lead, eventId, myId: accountId }, { ...notedInWords(noted, lead), onUndone })
    } catch (error) {
      console.warn('The contact was not noted:', error)
      toast({ title: 'This was not noted', description: reasonOf(error), variant: 'destructive' })
      setBusy(false)
      refresh()
    }
  }
  return (
    <section ref={box} tabIndex={-1} aria-label={words.join(person.name)} css={card}>
      <div css={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ fontWeight: 600 }}>
          {words[0]}
          <PlainLink leadId={contact.leadId} css={{ color: colour.ink }}>
            {person.name}
          </PlainLink>
          {words[1]}
        </p>
        <p css={{ color: colour.soft, fontSize: type.small }}>
          {opened(person)}, {shortMomentOf(contact.at)}. Only an answer that reached them stops the clock.
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

const UNKNOWN: Person = { name: 'this person', email: 'them', phone: 'them' }

/**
 * Asks about the person whom the lead names. Of one who was erased nothing is asked, and what was opened for a lead that was
 * merged goes over to the one that stays.
 */
const QuestionAboutLead = (asked: Asked) => {
  const { accountId, contact } = asked
  const { data: lead, error, mutate } = useLeadAlone(contact.leadId)
  const isGone = lead ? isErased(lead) : error instanceof HttpError && error.status === 404
  const mergedInto = lead?.mergedInto
  useEffect(() => {
    if (isGone) closeContact(accountId, contact)
    else if (mergedInto) moveDrafts(contact.leadId, mergedInto)
  }, [accountId, contact, isGone, mergedInto])
  useEffect(() => {
    if (!error) return
    const retry = () => void mutate()
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [error, mutate])
  if (isGone || (!lead && !error)) return null
  return <Question {...asked} person={lead ?? UNKNOWN} refresh={() => mutate()} />
}

/**
 * Asks above every screen what came of the call or message that an account opened last, until somebody says so: nothing
 * has to wait for it, and it is there after the call, wherever one has gone meanwhile.
 */
export const ContactQuestion = ({ accountId }: { accountId: string }) => {
  const area = useRef<HTMLDivElement>(null)
  const open = useOpenContacts(accountId)
  const contact = open.at(-1)
  return (
    <>
      {contact && <Global styles={roomBelow} />}
      <div ref={area}>
        {contact && (
          <QuestionAboutLead
            key={contact.key}
            accountId={accountId}
            contact={contact}
            others={open.length - 1}
            area={area}
          />
        )}
      </div>
    </>
  )
}
