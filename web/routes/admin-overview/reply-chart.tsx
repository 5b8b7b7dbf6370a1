import { inNumbers } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { colour } from '../../ui/theme.ts'
import { Card } from './card.tsx'
import { DARKEST, SHADES } from './chart-style.tsx'
import { LabelledBars } from './labelled-bars.tsx'
import { countReplies, inPercent, REPLY_NAMES, replyDetail, replyFinding } from './labels.ts'

const IN_TIME = ['within_1h', 'within_2h']

/** The times until leads got their first reply, next to the promised two hours; without those erased before it. */
export const ReplyChart = ({ overview }: { overview: Overview }) => {
  const { all, waiting, overdue } = countReplies(overview)
  const rows = [
    ...overview.replies
      .filter(({ time }) => time !== 'waiting')
      .map(({ time, leads }) => ({
        name: nameOf(REPLY_NAMES, time),
        leads,
        fill: IN_TIME.includes(time) ? DARKEST : SHADES[2],
      })),
    { name: 'Waiting, in time', leads: waiting - overdue, fill: SHADES[3] },
    { name: 'Waiting too long', leads: overdue, fill: colour.bad },
  ]
  return (
    <Card
      topic="First reply, against the two-hour promise"
      finding={replyFinding(overview)}
      detail={replyDetail(overview)}
      numbers={{
        columns: ['First reply', 'Leads', 'Share'],
        rows: rows.map(({ name, leads }) => [name, inNumbers(leads), inPercent(leads, all)]),
      }}
    >
      <LabelledBars
        max={Math.max(...rows.map(({ leads }) => leads))}
        bars={rows.map(({ name, leads, fill }) => ({ name, fill, value: leads, label: inNumbers(leads) }))}
      />
    </Card>
  )
}
