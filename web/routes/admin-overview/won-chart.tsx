import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { inNumbers, inRand, inShortRand } from '../../../events/base/amount.ts'
import type { Overview } from '../../../events/lead/overview-wire.ts'
import { colour } from '../../ui/theme.ts'
import { type Bin, binsOf, daysOf } from './bins.ts'
import { Card } from './card.tsx'
import { axis, cursor, DARKEST, grid, Tip } from './chart-style.tsx'
import { wonFinding } from './labels.ts'

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
        <BarChart
          responsive
          accessibilityLayer={false}
          data={rows}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="24%"
          style={{ width: '100%', height: '21.5rem' }}
        >
          <CartesianGrid {...grid} />
          <XAxis dataKey="label" {...axis} minTickGap={16} interval="equidistantPreserveStart" />
          <YAxis {...axis} width={64} tickFormatter={inShortRand} />
          <Tooltip
            cursor={cursor}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const row: Row | undefined = payload?.[0]?.payload
              if (!active || !row) return null
              return (
                <Tip title={row.title}>
                  <p>
                    {inRand(row.value)} from {inNumbers(row.leads)}
                  </p>
                </Tip>
              )
            }}
          />
          <Bar dataKey="value" fill={DARKEST} isAnimationActive={false} radius={[3, 3, 0, 0]} />
        </BarChart>
      )}
    </Card>
  )
}
