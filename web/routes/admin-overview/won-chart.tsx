import { inNumbers, inRand } from '../../../events/base/amount.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { colour } from '../../ui/theme.ts'
import { type Bin, binsOf, daysOf } from './bins.ts'
import { Card } from './card.tsx'
import { wonFinding } from './labels.ts'
import { RandBars } from './rand-bars.tsx'

/** From more days on, months are easier to distinguish than weeks. */
const MAX_WEEKLY_DAYS = 92

type Row = Bin & { leads: number; value: number }

/** The value of the won leads, by the week or month of conversion. */
export const WonChart = ({ overview }: { overview: Overview }) => {
  const unit = daysOf(overview) > MAX_WEEKLY_DAYS ? 'month' : 'week'
  const { bins, binOf } = binsOf(overview, unit)
  const rows = bins.map((bin): Row => {
    const days = overview.won.daily.filter(({ day }) => binOf(day) === bin)
    return {
      ...bin,
      leads: days.reduce((sum, { leads }) => sum + leads, 0),
      value: days.reduce((sum, { value }) => sum + value, 0),
    }
  })
  return (
    <Card
      topic={`Revenue won per ${unit}`}
      finding={wonFinding(overview)}
      numbers={{
        columns: [unit === 'week' ? 'Week' : 'Month', 'Leads won', 'Value'],
        rows: rows.map(({ title, leads, value }) => [title, inNumbers(leads), inRand(value)]),
      }}
    >
      {overview.won.value === 0 ? (
        <p css={{ color: colour.soft }}>
          Won leads appear here with their project value, in the {unit} in which they were won.
        </p>
      ) : (
        <RandBars bars={rows.map((row) => ({ ...row, tip: `${inRand(row.value)} from ${inNumbers(row.leads)}` }))} />
      )}
    </Card>
  )
}
