import { Bar, BarChart, LabelList, XAxis, YAxis } from 'recharts'
import { colour } from '../../ui/theme.ts'
import { axis } from './chart-style.tsx'

const ROW_PX = 40
const NAME_PX = 148
const LABEL_PX = 104

/** One bar: its name, how long it is, what stands at its end, its shade. */
export type LabelledBar = { name: string; value: number; label: string; fill: string }

/** Bars that lie, each with its name before it and its number at its end. `max` is as long as there is room for. */
export const LabelledBars = ({ bars, max }: { bars: LabelledBar[]; max: number }) => (
  <BarChart
    responsive
    accessibilityLayer={false}
    layout="vertical"
    data={bars}
    margin={{ top: 0, right: LABEL_PX, bottom: 0, left: 0 }}
    barCategoryGap="24%"
    style={{ width: '100%', height: bars.length * ROW_PX }}
  >
    <XAxis type="number" hide domain={[0, Math.max(max, 1)]} />
    <YAxis
      type="category"
      dataKey="name"
      {...axis}
      tick={{ ...axis.tick, fill: colour.ink, textAnchor: 'start', dx: 8 - NAME_PX }}
      width={NAME_PX}
      interval={0}
    />
    <Bar dataKey="value" isAnimationActive={false} radius={[0, 3, 3, 0]} minPointSize={2}>
      <LabelList dataKey="label" position="right" fill={colour.ink} fontSize={13} />
    </Bar>
  </BarChart>
)
