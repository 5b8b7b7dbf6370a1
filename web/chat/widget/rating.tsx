import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CHAT_SCORES, type ChatScore, MAX_RATING_CHARACTERS } from '../../../events/chat/rating.ts'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { space, type } from '../../ui/theme.ts'
import { hasAnswer } from '../messaging/conversation.ts'
import { rateChat } from '../visitor/visitor-actions.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'

const PROBLEM_ID = 'chat-rating-problem'

const WORDS: Record<ChatScore, string> = { good: 'Good', bad: 'Bad' }

const Problem = ({ error }: { error: string | undefined }) => (
  <div role="alert" css={{ ':empty': { display: 'none' } }}>
    {error && <FieldError id={PROBLEM_ID} error={error} />}
  </div>
)

/** Two buttons: the first one that is pressed counts. */
const Scores = ({ chat }: { chat: VisitorChat }) => (
  <fieldset
    css={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: space.tight, margin: 0, border: 0 }}
  >
    <legend css={{ marginInline: 'auto', paddingBottom: space.tight, fontSize: type.small, fontWeight: 600 }}>
      How was this chat?
    </legend>
    {CHAT_SCORES.map((score) => (
      <Button
        key={score}
        look="outline"
        aria-pressed={chat.rating?.score === score}
        disabled={chat.rating !== undefined}
        onClick={() => rateChat({ score, comment: null })}
      >
        {WORDS[score]}
      </Button>
    ))}
    <Problem error={chat.ratingProblem} />
  </fieldset>
)

/** A comment on a rating that is stored already. */
const Comment = ({ chat, score }: { chat: VisitorChat; score: ChatScore }) => {
  const [typed, setTyped] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim()) rateChat({ score, comment: typed.trim().toWellFormed() })
  }
  return (
    <form noValidate onSubmit={send} css={{ display: 'grid', gap: space.tight, width: '100%' }}>
      <label css={{ display: 'grid', gap: space.hair, fontSize: type.small }}>
        Anything to add? (optional)
        <textarea
          rows={2}
          dir="auto"
          maxLength={MAX_RATING_CHARACTERS}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          aria-describedby={chat.ratingProblem && `${PROBLEM_ID}-error`}
          css={[control, { minHeight: '3.5rem', resize: 'none' }]}
        />
      </label>
      <Problem error={chat.ratingProblem} />
      {typed.trim() && (
        <Button type="submit" look="outline" disabled={!chat.isConnected || chat.rating !== undefined}>
          {chat.rating ? 'Sending...' : 'Send'}
        </Button>
      )}
    </form>
  )
}

/**
 * Asks a visitor once to rate an ended chat, then for a comment. Renders nothing if there was no reply, or the chat began
 * on another device.
 */
export const Rating = ({ chat }: { chat: VisitorChat }) => {
  const thanks = useRef<HTMLParagraphElement>(null)
  const { hasRated, rated } = chat
  useEffect(() => {
    if (hasRated && document.activeElement === document.body) thanks.current?.focus()
  }, [hasRated])
  if (hasRated) {
    return (
      <>
        <p ref={thanks} role="status" tabIndex={-1} css={{ fontSize: type.small, fontWeight: 600 }}>
          Thank you for your rating.
        </p>
        {rated && rated.comment === null && <Comment chat={chat} score={rated.score} />}
      </>
    )
  }
  return chat.isOwn && hasAnswer(chat.conversation.messages) ? <Scores chat={chat} /> : null
}
