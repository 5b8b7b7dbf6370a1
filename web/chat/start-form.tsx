import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { colour, space } from '../ui/theme.ts'
import { startChat } from './visitor.ts'

/** The first stage of the widget: who is asking (specification, 5: the name is required, the e-mail is not checked). */
export const StartForm = () => {
  const [error, setError] = useState<string>()
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => name.current?.focus(), [])

  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const visitorName = String(form.get('visitorName')).trim()
    if (visitorName) return startChat(visitorName, String(form.get('visitorEmail')).trim())
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
        gap: space.base,
        flex: 1,
        padding: space.roomy,
        overflowY: 'auto',
      }}
    >
      <p css={{ color: colour.soft }}>Ask us anything about a website for your business. A person answers.</p>
      <TextField
        ref={name}
        id="chat-name"
        name="visitorName"
        label="Your name"
        required
        maxLength={200}
        autoComplete="name"
        error={error}
        onChange={() => setError(undefined)}
      />
      <TextField id="chat-email" name="visitorEmail" label="E-mail (optional)" maxLength={254} autoComplete="email" />
      <Button type="submit">Start Chat</Button>
    </form>
  )
}
