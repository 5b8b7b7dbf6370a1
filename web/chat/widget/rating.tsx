import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import type * as v from 'valibot'
import {
  CHAT_SCORES,
  type ChatRatingForm,
  type ChatScore,
  chatRatingForm,
  MAX_RATING_CHARACTERS,
} from '../../../events/chat/rating.ts'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { hasAnswer } from '../messaging/conversation.ts'
import { rateChat } from '../visitor/visitor.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'

const PROBLEM_ID = 'chat-rating-problem'

const WORDS: Record<ChatScore, string> = { good: 'Good', bad: 'Bad' }

const resolver = valibotResolver<v.InferInput<typeof chatRatingForm>, unknown, ChatRatingForm>(chatRatingForm)

const choice = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: space.tight,
  minHeight: '2.75rem',
  padding: `0 ${space.base}`,
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.control,
  cursor: 'pointer',
  fontSize: type.small,
  fontWeight: 600,
  '> input': { margin: 0, accentColor: colour.accent },
  ':has(:checked)': { borderColor: colour.accent, background: colour.accentWash },
  ':has(:focus-visible)': { outline: `2px solid ${colour.accent}`, outlineOffset: 2 },
} as const

const RatingForm = ({ chat }: { chat: VisitorChat }) => {
  const { register, handleSubmit, watch, formState } = useForm<
    v.InferInput<typeof chatRatingForm>,
    unknown,
    ChatRatingForm
  >({ resolver })
  const problem = formState.errors.score?.message ?? formState.errors.comment?.message ?? chat.ratingProblem
  const isChosen = Boolean(watch('score'))
  return (
    <form
      noValidate
      onSubmit={handleSubmit(rateChat)}
      css={{ display: 'grid', justifyItems: 'center', gap: space.tight, width: '100%', marginBottom: space.tight }}
    >
      <fieldset css={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: space.tight, border: 0 }}>
        <legend css={{ marginInline: 'auto', paddingBottom: space.tight, fontSize: type.small, fontWeight: 600 }}>
          How was this chat?
        </legend>
        {CHAT_SCORES.map((score) => (
          <label key={score} css={choice}>
            <input
              type="radio"
              value={score}
              {...register('score')}
              aria-describedby={problem && `${PROBLEM_ID}-error`}
            />
            {WORDS[score]}
          </label>
        ))}
      </fieldset>
      {isChosen && (
        <label css={{ display: 'grid', gap: space.hair, width: '100%', fontSize: type.small }}>
          Anything to add? (optional)
          <textarea
            rows={2}
            dir="auto"
            maxLength={MAX_RATING_CHARACTERS}
            {...register('comment')}
            css={[control, { minHeight: '3.5rem', resize: 'none' }]}
          />
        </label>
      )}
      <div role="alert" css={{ ':empty': { display: 'none' } }}>
        {problem && <FieldError id={PROBLEM_ID} error={problem} />}
      </div>
      {isChosen && (
        <Button type="submit" look="outline" disabled={!chat.isConnected || chat.rating !== undefined}>
          {chat.rating ? 'Sending...' : 'Send rating'}
        </Button>
      )}
    </form>
  )
}

/**
 * Asks a visitor once to rate an ended chat. Renders nothing if there was no reply, or the chat began on another
 * device.
 */
export const Rating = ({ chat }: { chat: VisitorChat }) => {
  const thanks = useRef<HTMLParagraphElement>(null)
  const { hasRated } = chat
  useEffect(() => {
    if (hasRated && document.activeElement === document.body) thanks.current?.focus()
  }, [hasRated])
  if (hasRated) {
    return (
      <p ref={thanks} role="status" tabIndex={-1} css={{ fontSize: type.small, fontWeight: 600 }}>
        Thank you for your rating.
      </p>
    )
  }
  return chat.isOwn && hasAnswer(chat.conversation.messages) ? <RatingForm chat={chat} /> : null
}
