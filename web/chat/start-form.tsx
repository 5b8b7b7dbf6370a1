import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { FormNotice } from '../ui/form/form-notice.tsx'
import { colour, space, type } from '../ui/theme.ts'
import { startChat } from './visitor.ts'

const MAX_NAME_CHARACTERS = 200
const MAX_EMAIL_CHARACTERS = 254
const ALERT_ID = 'chat-name-alert'

/** The first stage of the widget: who is asking (specification, 5: the name is required, the e-mail is not checked). */
export const StartForm = ({ hasLostLink }: { hasLostLink: boolean }) => {
  const [error, setError] = useState<string>()
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => name.current?.focus(), [])

  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [visitorName = '', visitorEmail = ''] = ['visitorName', 'visitorEmail'].map((field) =>
      String(form.get(field)).trim().toWellFormed(),
    )
    if (visitorName) return startChat(visitorName, visitorEmail)
    setError('Please enter your name to start chatting.')
    name.current?.focus()
  }
  return (
    <form
      noValidate
      onSubmit={start}
      css={{
        display: 'grid',
        alignContent: 'start',
        gap: space.snug,
        flex: 1,
        padding: `${space.base} ${space.roomy} ${space.roomy}`,
        overflowY: 'auto',
      }}
    >
      {hasLostLink && <p role="status">That conversation is no longer here. You can start a new one.</p>}
      <p css={{ color: colour.soft }}>Ask us anything. A person answers.</p>
      <div>
        <TextField
          ref={name}
          id="chat-name"
          name="visitorName"
          label="Your name"
          required
          dir="auto"
          maxLength={MAX_NAME_CHARACTERS}
          autoComplete="name"
          onChange={() => setError(undefined)}
          {...(error && { 'aria-invalid': true, 'aria-describedby': ALERT_ID })}
        />
        <p id={ALERT_ID} role="alert" css={{ color: colour.bad, fontSize: type.small, fontWeight: 500 }}>
          {error && <span css={{ display: 'block', marginTop: space.hair }}>{error}</span>}
        </p>
      </div>
      <TextField
        id="chat-email"
        name="visitorEmail"
        label="E-mail (optional)"
        hint="So that our answer reaches you once you have left."
        inputMode="email"
        maxLength={MAX_EMAIL_CHARACTERS}
        autoComplete="email"
        enterKeyHint="go"
      />
      <Button type="submit">Start Chat</Button>
      <FormNotice>We keep your name and what you write, to answer you.</FormNotice>
    </form>
  )
}
