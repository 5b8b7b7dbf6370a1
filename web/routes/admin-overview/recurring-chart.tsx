import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { inRand, inShortRand } from '../../../events/base/amount.ts'
import type { Overview } from '../../../events/lead/overview-wire.ts'
import { monthInWords } from '../../staff/day.ts'
import { Card } from './card.tsx'
import { axis, cursor, DARKEST, grid, Tip } from './chart-style.tsx'

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
      <BarChart
        responsive
        accessibilityLayer={false}
        data={rows}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="24%"
        style={{ width: '100%', height: '21.5rem' }}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="title" {...axis} minTickGap={16} interval="equidistantPreserveStart" />
        <YAxis {...axis} width={64} tickFormatter={inShortRand} />
        <Tooltip
          cursor={cursor}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const row: (typeof rows)[number] | undefined = payload?.[0]?.payload
            return active && row ? (
              <Tip title={row.title}>
                <p>{inRand(row.monthly)}</p>
              </Tip>
            ) : null
          }}
        />
        <Bar dataKey="monthly" fill={DARKEST} isAnimationActive={false} radius={[3, 3, 0, 0]} maxBarSize={64} />
      </BarChart>
    </Card>
  )
}
