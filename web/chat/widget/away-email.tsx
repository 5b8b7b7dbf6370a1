import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as v from 'valibot'
import { givenEmail } from '../../../events/chat/given-email.ts'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'
import type { Session } from '../visitor/stored-chat.ts'
import { giveEmail, keepEarlierEmail } from '../visitor/visitor-actions.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import { withKeyboard } from './sheet.tsx'

const FIELD_ID = 'chat-later-email'
const MAX_EMAIL_CHARACTERS = 254

type Address = v.InferOutput<typeof givenEmail>

const resolver = valibotResolver<v.InferInput<typeof givenEmail>, unknown, Address>(givenEmail)

const goToMessage = () => document.getElementById('chat-message')?.focus()

const TextButton = (props: { onClick: () => void; children: string }) => (
  <button
    type="button"
    {...props}
    css={{
      minHeight: '1.75rem',
      padding: 0,
      border: 0,
      background: 'transparent',
      color: colour.accent,
      fontWeight: 600,
      textAlign: 'left',
      textDecoration: 'underline',
    }}
  />
)

/**
 * Asks a visitor for the address for replies while the team is away, and shows the stored one; a wrong one can be
 * changed. `onBusy` reports whether the visitor is editing it: then it stays even if the team is back.
 */
export const AwayEmail = (props: { chat: VisitorChat; session: Session; onBusy: (isBusy: boolean) => void }) => {
  const { chat, session, onBusy } = props
  const { visitorEmail, pendingEmail } = session
  const [isChanging, setChanging] = useState(false)
  const { register, handleSubmit, reset, setFocus, formState } = useForm<
    v.InferInput<typeof givenEmail>,
    unknown,
    Address
  >({ resolver, defaultValues: { visitorEmail } })
  // the start form accepts anything as an address
  const isValid = v.is(givenEmail, { visitorEmail })
  const showsForm = !pendingEmail && (!isValid || isChanging || chat.emailProblem !== undefined)
  const isBusy = showsForm && (isChanging || formState.isDirty)
  const problem = formState.errors.visitorEmail?.message ?? chat.emailProblem

  useEffect(() => {
    onBusy(isBusy)
    return () => onBusy(false)
  }, [onBusy, isBusy])
  useEffect(() => {
    if (isChanging) setFocus('visitorEmail', { shouldSelect: true })
  }, [isChanging, setFocus])

  const submitEmail = handleSubmit(({ visitorEmail: given }) => {
    setChanging(false)
    reset({ visitorEmail: given })
    giveEmail(given)
    goToMessage()
  })
  const cancelChange = () => {
    setChanging(false)
    reset({ visitorEmail })
    keepEarlierEmail()
    goToMessage()
  }
  return (
    <div css={{ marginTop: space.tight, [withKeyboard]: { '&:not(:focus-within)': { display: 'none' } } }}>
      <p role="status" css={{ overflowWrap: 'anywhere', ':empty': { display: 'none' } }}>
        {pendingEmail &&
          (chat.isConnected
            ? 'Saving your email address...'
            : 'We save your email address once you are connected again.')}
        {!pendingEmail && !showsForm && `We will answer at ${visitorEmail}.`}
      </p>
      {!pendingEmail && !showsForm && <TextButton onClick={() => setChanging(true)}>Change email address</TextButton>}
      {showsForm && (
        <form noValidate onSubmit={submitEmail} aria-label="Email address">
          <label htmlFor={FIELD_ID} css={{ display: 'block', marginBottom: space.hair, fontWeight: 600 }}>
            Your email, so our answer reaches you
          </label>
          <div css={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: space.tight }}>
            <input
              id={FIELD_ID}
              type="email"
              autoComplete="email"
              enterKeyHint="done"
              maxLength={MAX_EMAIL_CHARACTERS}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem && `${FIELD_ID}-error`}
              css={[control, { minWidth: 0 }]}
              {...register('visitorEmail')}
            />
            <Button type="submit" look="outline">
              Save
            </Button>
          </div>
          <div role="alert">{problem && <FieldError id={FIELD_ID} error={problem} />}</div>
          {isValid && <TextButton onClick={cancelChange}>Keep it as it is</TextButton>}
        </form>
      )}
    </div>
  )
}
