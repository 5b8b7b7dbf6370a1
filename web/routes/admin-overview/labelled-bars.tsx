import { Bar, BarChart, LabelList, XAxis, YAxis } from 'recharts'
import { colour } from '../../ui/theme.ts'

const ROW_PX = 48
const BAR_PX = 14
const NAME_ABOVE_BAR_PX = 6
const LABEL_AFTER_BAR_PX = 6
const FONT_PX = 13
/** A little wider than digits and lower-case letters, so that the longest label has room after the longest bar. */
const LETTER_PX = 7

export type LabelledBar = { name: string; value: number; label: string; fill: string }

/**
 * Horizontal bars, each with its name above it and its numbers at its end, at one left edge whatever the window's
 * width.
 */
export const LabelledBars = ({ bars, max }: { bars: LabelledBar[]; max: number }) => {
  const roomForLabels = Math.max(...bars.map(({ label }) => label.length)) * LETTER_PX + LABEL_AFTER_BAR_PX
  return (
    <BarChart
      responsive
      accessibilityLayer={false}
      layout="vertical"
      data={bars.map((bar) => ({ ...bar, fill: bar.value ? bar.fill : colour.line }))}
      margin={{ top: 10, right: roomForLabels, bottom: 0, left: 0 }}
      style={{ width: '100%', height: bars.length * ROW_PX + 10 }}
    >
      <XAxis type="number" hide domain={[0, Math.max(max, Number.MIN_VALUE)]} />
      <YAxis type="category" dataKey="name" hide />
      {/* A bar without length has its name and its number too. */}
      <Bar dataKey="value" barSize={BAR_PX} radius={[0, 3, 3, 0]} minPointSize={2} isAnimationActive={false}>
        <LabelList
          dataKey="label"
          content={({ x, y, width, value }) => (
            <text
              x={Number(x) + Number(width) + LABEL_AFTER_BAR_PX}
              y={Number(y) + BAR_PX - 2}
              fill={colour.ink}
              fontSize={FONT_PX}
            >
              {value}
            </text>
          )}
        />
        <LabelList
          dataKey="name"
          content={({ y, value }) => (
            <text x={0} y={Number(y) - NAME_ABOVE_BAR_PX} fill={colour.soft} fontSize={FONT_PX}>
              {value}
            </text>
          )}
        />
      </Bar>
    </BarChart>
  )
}
