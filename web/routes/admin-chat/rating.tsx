import { nameOf } from '../../../events/base/name-of.ts'
import type { CHAT_SCORES } from '../../../events/chat/rating.ts'
import type { ChatRecord } from '../../../events/chat/wire.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { colour, space, type } from '../../ui/theme.ts'

type Rating = NonNullable<ChatRecord['rating']>

const WORDS: Record<(typeof CHAT_SCORES)[number], string> = { good: 'Rated good', bad: 'Rated bad' }

export const scoreInWords = (score: Rating['score']) => nameOf(WORDS, score)

export const RatingOfChat = ({ rating }: { rating: Rating }) => (
  <figure css={{ color: colour.ink }}>
    <figcaption>
      <strong>{scoreInWords(rating.score)}</strong> by the visitor, {shortMomentOf(rating.timestamp)}
    </figcaption>
    {rating.comment && (
      <blockquote
        dir="auto"
        aria-label="What they added"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within the keyboard's reach
        tabIndex={0}
        css={{
          maxHeight: '8.25em', // five lines, and half of the next, to show that it scrolls
          margin: `${space.tight} 0 0`,
          paddingInlineStart: space.snug,
          borderInlineStart: `2px solid ${colour.line}`,
          overflowY: 'auto',
          overflowWrap: 'anywhere',
          fontSize: type.small,
          lineHeight: 1.5,
        }}
      >
        {rating.comment}
      </blockquote>
    )}
  </figure>
)
