import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { plainLine, seenLength } from '../../../events/base/plain-text.ts'
import { MAX_MESSAGE_CHARACTERS } from '../../../events/chat/chat.ts'
import { isVisitorPhone } from '../../../events/chat/visitor-contact.ts'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/composing.ts'
import { type Draft, draftOf } from '../../ui/form/draft.ts'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { DataNote } from '../../ui/form/form-notice.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { startChat, writeDraft } from '../visitor/visitor-actions.ts'
import { type LostChat, type VisitorChat, visitorChat } from '../visitor/visitor-state.ts'
import type { CanEmail } from './away-notice.tsx'
import { Connecting } from './connecting.tsx'
import { QuestionChips } from './question-chips.tsx'
import { TeamLine, type Teammate } from './team.tsx'

const MAX_NAME_CHARACTERS = 200
const MAX_EMAIL_CHARACTERS = 254
const ALERT_ID = 'chat-name-alert'

/** The typed text survives a reload, as in every form. */
const typed = draftOf('chat')

const LOST: Record<LostChat, string> = {
  link: 'That conversation is no longer here. You can start a new one.',
  erased: 'Our team has deleted this conversation, with everything that was written in it. You can start a new one.',
}

/** The chat in its window on a computer: only there would the questions push the email address out of sight. */
const inWindow = '@container (max-height: 32rem)'

type FieldProps = { ref: RefObject<HTMLInputElement | null>; error: string | undefined; onChange: () => void }

const NameField = ({ ref, error, onChange }: FieldProps) => (
  <div>
    <TextField
      ref={ref}
      id="chat-name"
      name="visitorName"
      label="Your name"
      required
      dir="auto"
      maxLength={MAX_NAME_CHARACTERS}
      autoComplete="name"
      onChange={onChange}
      {...(error && { 'aria-invalid': true, 'aria-describedby': ALERT_ID })}
    />
    <p id={ALERT_ID} role="alert" css={{ color: colour.bad, fontSize: type.small, fontWeight: 500 }}>
      {error && <span css={{ display: 'block', marginTop: space.hair }}>{error}</span>}
    </p>
  </div>
)

type QuestionFieldProps = {
  ref: RefObject<HTMLTextAreaElement | null>
  name: RefObject<HTMLInputElement | null>
  value: string
}

/** The first question. Enter moves on to the name, or starts the chat once there is one. */
const QuestionField = ({ ref, name, value }: QuestionFieldProps) => {
  const goOnOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (seenLength(name.current?.value ?? '')) event.currentTarget.form?.requestSubmit()
    else name.current?.focus()
  }
  return (
    <TextAreaField
      ref={ref}
      id="chat-question"
      name="message"
      label="How can we help?"
      placeholder="Ask us anything. Real people reply."
      dir="auto"
      rows={2}
      maxLength={MAX_MESSAGE_CHARACTERS}
      value={value}
      onChange={(event) => writeDraft(event.target.value)}
      onKeyDown={goOnOnEnter}
    />
  )
}

/** The fields, with the text typed in them before a reload. */
const useTyped = () => {
  const message = useRef<HTMLTextAreaElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const contact = useRef<HTMLInputElement>(null)
  useEffect(() => {
    message.current?.focus()
    const found = typed.read()
    if (message.current?.value === '' && found.message) writeDraft(found.message)
    if (name.current) name.current.value = found.visitorName ?? ''
    if (contact.current) contact.current.value = found.visitorEmail ?? ''
  }, [])
  return { message, name, contact }
}

/** Without the code that checks, for example without a network, the text is accepted unchecked. */
const checkContact = async (contact: string): Promise<string | undefined> => {
  if (!contact || isVisitorPhone(contact)) return undefined
  const code = await import('../visitor/email-check.ts').catch(() => undefined)
  return code?.contactProblem(contact)
}

const contactHint = ({ isAway, canEmail }: { isAway: boolean; canEmail: CanEmail }) => {
  if (!canEmail) return 'So our team can find your requests.'
  return isAway ? 'We are away now: we will reply to this address or number.' : 'So we can reply if you leave.'
}

const ContactField = ({ hint, ...field }: FieldProps & { hint: string }) => (
  <TextField
    {...field}
    id="chat-email"
    name="visitorEmail"
    label="Email or phone (optional)"
    hint={hint}
    maxLength={MAX_EMAIL_CHARACTERS}
    autoComplete="email"
    enterKeyHint="go"
  />
)

/** The greeting by which the visitor entered, as the page stores it (greeting-bubble.ts). */
const Greeting = ({ text }: { text: string }) => (
  <p
    dir="auto"
    css={{
      padding: `${space.tight} ${space.snug}`,
      borderRadius: radius.card,
      background: colour.sunk,
      overflowWrap: 'anywhere',
    }}
  >
    {text}
  </p>
)

type StartFormProps = { chat: VisitorChat; team: readonly Teammate[]; isAway: boolean; canEmail: CanEmail }

/**
 * The first stage of the widget: the visitor's question, then who is asking (the name is required; the email or phone
 * number is not validated: one that cannot be right is pointed out once). The message may wait until the chat has started. While the
 * team is away the reply comes by email, so the address has to be in sight; if the site can send no email (`canEmail`),
 * or has not responded yet, the form promises none.
 */
export const StartForm = (props: StartFormProps) => {
  const { chat, team, isAway, canEmail } = props
  const [error, setError] = useState<string>()
  const [contactError, setContactError] = useState<string>()
  const isStarting = useRef(false)
  const isWarned = useRef(false)
  const { message, name, contact: contactField } = useTyped()
  const { greeting } = document.body.dataset

  const start = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [visitorName = '', contact = ''] = ['visitorName', 'visitorEmail'].map((field) =>
      plainLine(String(form.get(field)).toWellFormed()),
    )
    if (seenLength(visitorName) === 0) {
      setError('Please enter your name to start chatting.')
      return name.current?.focus()
    }
    if (isStarting.current) return
    isStarting.current = true
    const problem = isWarned.current ? undefined : await checkContact(contact)
    isStarting.current = false
    if (problem) {
      isWarned.current = true
      setContactError(`${problem}, or press Start Chat again to continue with this one.`)
      return contactField.current?.focus()
    }
    typed.discard()
    const given = isVisitorPhone(contact) ? { visitorEmail: '', visitorPhone: contact } : { visitorEmail: contact }
    startChat({ visitorName, ...given }, visitorChat.get().draft, greeting)
  }
  const choose = (question: string) => {
    writeDraft(question)
    name.current?.focus()
  }
  return (
    <form
      noValidate
      onSubmit={start}
      onInput={({ currentTarget }) => typed.keep(Object.fromEntries(new FormData(currentTarget)) as Draft)}
      css={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, '& > *': { paddingInline: space.base } }}
    >
      <div
        css={{
          display: 'grid',
          alignContent: 'start',
          gap: space.snug,
          flex: 1,
          paddingBlock: space.base,
          overflowY: 'auto',
          overscrollBehavior: 'contain',
          [inWindow]: { gap: space.tight, paddingBlock: `${space.hair} ${space.tight}` },
        }}
      >
        {chat.lost && <p role="status">{LOST[chat.lost]}</p>}
        {team.length > 0 && <TeamLine team={team} />}
        {greeting && <Greeting text={greeting} />}
        <QuestionField ref={message} name={name} value={chat.draft} />
        {chat.draft === '' && (
          <div css={{ [inWindow]: isAway || greeting ? { display: 'none' } : { '& > ul': { rowGap: space.hair } } }}>
            <QuestionChips onChoose={choose} />
          </div>
        )}
        <NameField ref={name} error={error} onChange={() => setError(undefined)} />
        <ContactField
          ref={contactField}
          error={contactError}
          onChange={() => setContactError(undefined)}
          hint={contactHint({ isAway, canEmail })}
        />
        <DataNote>We keep your name and what you write, to answer you.</DataNote>
      </div>
      <Connecting waiting={chat.isConnected ? undefined : 'Connecting to chat...'} draft={chat.draft} />
      <div
        css={{
          display: 'grid',
          flex: 'none',
          paddingBlock: space.snug,
          borderTop: `1px solid ${colour.line}`,
          [inWindow]: { paddingBlock: space.tight },
        }}
      >
        <Button type="submit">Start Chat</Button>
      </div>
    </form>
  )
}
