import { inNumbers } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import type { CHAT_SCORES } from '../../../events/chat/rating.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { colour } from '../../ui/theme.ts'
import { Card } from './card.tsx'
import { DARKEST } from './chart-style.tsx'
import { LabelledBars } from './labelled-bars.tsx'
import { inPercent, ratingFinding } from './labels.ts'

const NAMES: Record<(typeof CHAT_SCORES)[number], string> = { good: 'Good', bad: 'Bad' }

/** The visitors' ratings of ended chats; nothing if there are none. */
export const RatingChart = ({ overview: { chatRatings } }: { overview: Overview }) => {
  const all = chatRatings.reduce((sum, { ratings }) => sum + ratings, 0)
  if (all === 0) return null
  const good = chatRatings.find(({ score }) => score === 'good')?.ratings ?? 0
  const rows = chatRatings.map(({ score, ratings }) => ({
    name: nameOf(NAMES, score),
    ratings,
    fill: score === 'good' ? DARKEST : colour.bad,
  }))
  return (
    <Card
      topic="Chat ratings by visitors"
      finding={ratingFinding({ good, all })}
      numbers={{
        columns: ['Rating', 'Chats', 'Share'],
        rows: rows.map(({ name, ratings }) => [name, inNumbers(ratings), inPercent(ratings, all)]),
      }}
    >
      <LabelledBars
        max={Math.max(...rows.map(({ ratings }) => ratings))}
        bars={rows.map(({ name, ratings, fill }) => ({ name, fill, value: ratings, label: inNumbers(ratings) }))}
      />
    </Card>
  )
}
