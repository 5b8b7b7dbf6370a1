import { inRand } from '../../../events/base/amount.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { monthInWords } from '../../staff/day.ts'
import { Card } from './card.tsx'
import { RandBars } from './rand-bars.tsx'

/** The monthly fees that ran at the end of each month of the range, if there were any. */
export const RecurringChart = ({ overview: { recurring } }: { overview: Overview }) => {
  const rows = recurring.map(({ day, monthly }) => ({ title: monthInWords(day), monthly }))
  const latest = rows.at(-1)?.monthly ?? 0
  return (
    <Card
      topic="Recurring revenue by month"
      finding={`${inRand(latest)} a month from contracts that are live`}
      numbers={{ columns: ['Month', 'Monthly fees'], rows: rows.map(({ title, monthly }) => [title, inRand(monthly)]) }}
    >
      <RandBars
        bars={rows.map(({ title, monthly }) => ({ label: title, title, value: monthly, tip: inRand(monthly) }))}
      />
    </Card>
  )
}
