import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { control } from '../ui/form/control.ts'
import { colour, space, type } from '../ui/theme.ts'
import { besideKeyboard } from './sheet.tsx'
import { giveEmail } from './visitor.ts'

const MAX_EMAIL_CHARACTERS = 254
const FIELD_ID = 'chat-later-email'
const PROBLEM_ID = 'chat-later-email-problem'
const NOT_AN_ADDRESS = 'Please enter a valid email address'

/** A keyboard leaves room for one field: the one that somebody types into. */
const row = {
  flex: 'none',
  padding: `${space.tight} ${space.base}`,
  borderTop: `1px solid ${colour.line}`,
  [besideKeyboard]: { '&:not(:focus-within)': { display: 'none' } },
} as const

const Field = (props: { problem: string | undefined; disabled: boolean; takesFocus: boolean }) => {
  const field = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const problem = wrong ?? props.problem
  useEffect(() => {
    if (props.takesFocus) field.current?.focus()
  }, [props.takesFocus])
  const give = (event: FormEvent) => {
    event.preventDefault()
    const { value, validity } = field.current as HTMLInputElement
    const visitorEmail = value.trim()
    const isAddress = visitorEmail !== '' && validity.valid
    setWrong(isAddress ? undefined : NOT_AN_ADDRESS)
    if (isAddress) giveEmail(visitorEmail)
    else field.current?.focus()
  }
  return (
    <form noValidate onSubmit={give} aria-label="Email address" css={row}>
      <label
        htmlFor={FIELD_ID}
        css={{ display: 'block', marginBottom: space.hair, fontSize: '0.8125rem', fontWeight: 600 }}
      >
        Your email, so our answer reaches you
      </label>
      <div css={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: space.tight }}>
        <input
          ref={field}
          id={FIELD_ID}
          type="email"
          autoComplete="email"
          maxLength={MAX_EMAIL_CHARACTERS}
          enterKeyHint="done"
          disabled={props.disabled}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? PROBLEM_ID : undefined}
          onChange={() => setWrong(undefined)}
          css={[control, { minWidth: 0 }]}
        />
        <Button type="submit" look="outline" disabled={props.disabled}>
          Save
        </Button>
      </div>
      <p id={PROBLEM_ID} role="alert" css={{ color: colour.bad, fontSize: type.small }}>
        {problem}
      </p>
    </form>
  )
}

/**
 * Where a visitor who has given no address as the chat began can give one: a line that unfolds, and the field at once while
 * nobody is there to answer.
 */
export const EmailOffer = (props: { isAway: boolean; problem: string | undefined; disabled: boolean }) => {
  const [isOpen, setOpen] = useState(false)
  if (props.isAway || isOpen) return <Field problem={props.problem} disabled={props.disabled} takesFocus={isOpen} />
  return (
    <p
      css={{
        ...row,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: `0 ${space.tight}`,
        color: colour.soft,
        fontSize: '0.8125rem',
      }}
    >
      Leaving soon?
      <button
        type="button"
        onClick={() => setOpen(true)}
        css={{
          minHeight: '1.75rem',
          padding: 0,
          border: 0,
          background: 'transparent',
          color: colour.accent,
          fontWeight: 600,
          textDecoration: 'underline',
        }}
      >
        Get our answer by email
      </button>
    </p>
  )
}

/** Says once where answers go: an address that was typed may be looked over. */
export const EmailKept = ({ visitorEmail }: { visitorEmail: string }) => (
  <p role="status" css={{ ...row, color: colour.soft, fontSize: '0.8125rem', overflowWrap: 'anywhere' }}>
    If you leave, our answer goes to {visitorEmail}.
  </p>
)
