import { type FormEvent, useEffect, useRef, useState } from 'react'
import { MAX_MESSAGE_CHARACTERS } from '../../events/chat.ts'
import { Button } from '../ui/button.tsx'
import { control } from '../ui/form/control.ts'
import { SendIcon } from '../ui/icons.tsx'
import { colour, space } from '../ui/theme.ts'

/** Where a chat message is written. What is written stays while there is no connection. */
export const MessageForm = (props: {
  placeholder: string
  disabled: boolean
  onTyping: () => void
  onSend: (message: string) => void
}) => {
  const [draft, setDraft] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const hadFocus = useRef(false)
  // Disabling an input takes its focus away: the one who was typing gets it back with the connection.
  useEffect(() => {
    if (!props.disabled && hadFocus.current && !document.activeElement?.matches('a, button, input'))
      input.current?.focus()
  }, [props.disabled])

  const send = (event: FormEvent) => {
    event.preventDefault()
    const message = draft.trim()
    if (!message || props.disabled) return
    props.onSend(message)
    setDraft('')
  }
  return (
    <form
      onSubmit={send}
      css={{ display: 'flex', gap: space.tight, padding: space.snug, borderTop: `1px solid ${colour.line}` }}
    >
      <input
        ref={input}
        aria-label={props.placeholder}
        placeholder={props.placeholder}
        autoComplete="off"
        maxLength={MAX_MESSAGE_CHARACTERS}
        value={draft}
        disabled={props.disabled}
        onFocus={() => {
          hadFocus.current = true
        }}
        onBlur={(event) => {
          if (!event.target.disabled) hadFocus.current = false
        }}
        onChange={(event) => {
          setDraft(event.target.value)
          props.onTyping()
        }}
        css={[control, { flex: 1, minWidth: 0, ':disabled': { background: colour.sunk, cursor: 'not-allowed' } }]}
      />
      <Button type="submit" aria-label="Send" disabled={props.disabled} css={{ paddingInline: space.base }}>
        <SendIcon />
      </Button>
    </form>
  )
}
