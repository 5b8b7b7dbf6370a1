import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { inShortRand } from '../../../events/base/amount.ts'
import { axis, cursor, DARKEST, grid, Tip } from './chart-style.tsx'

export type RandBar = { label: string; title: string; value: number; tip: string }

export const RandBars = ({ bars }: { bars: RandBar[] }) => (
  <BarChart
    responsive
    accessibilityLayer={false}
    data={bars}
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
        const bar: RandBar | undefined = payload?.[0]?.payload
        return active && bar ? (
          <Tip title={bar.title}>
            <p>{bar.tip}</p>
          </Tip>
        ) : null
      }}
    />
    <Bar dataKey="value" fill={DARKEST} isAnimationActive={false} radius={[3, 3, 0, 0]} maxBarSize={64} />
  </BarChart>
)
