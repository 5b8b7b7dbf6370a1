import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'
import { inNumbers } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { SOURCE_NAMES } from '../../../events/lead/labels.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { type Bin, binsOf, daysOf } from './bins.ts'
import { Card } from './card.tsx'
import { axis, cursor, grid, SHADES, Tip } from './chart-style.tsx'
import { leadsFinding } from './labels.ts'

/** More bars than this cannot be distinguished. */
const MAX_DAILY_BARS = 92

type Series = { key: string; name: string; shade: string; sources: string[]; total: number }
type Row = Bin & { counts: Record<string, number>; total: number }

/**
 * A series for each source, the largest first; if there are more than shades, the rest is one, named to distinguish it
 * from leads of unknown source.
 */
const seriesOf = ({ sources }: Overview): Series[] => {
  const own = sources.length > SHADES.length ? sources.slice(0, SHADES.length - 1) : sources
  const rest = sources.slice(own.length)
  const groups = [
    ...own.map(({ source, leads }) => ({ name: nameOf(SOURCE_NAMES, source), sources: [source], total: leads })),
    ...(rest.length > 0
      ? [
          {
            name: `${rest.length} smaller sources`,
            sources: rest.map(({ source }) => source),
            total: rest.reduce((sum, { leads }) => sum + leads, 0),
          },
        ]
      : []),
  ]
  return groups.map((group, index) => ({ ...group, key: `series${index}`, shade: SHADES[index] ?? colour.line }))
}

const rowsOf = (overview: Overview, series: Series[], unit: 'day' | 'week'): Row[] => {
  const { bins, binOf } = binsOf(overview, unit)
  const rows = new Map(bins.map((bin): [string, Row] => [bin.first, { ...bin, counts: {}, total: 0 }]))
  for (const { day, source, leads } of overview.daily) {
    const row = rows.get(binOf(day)?.first ?? '')
    const key = series.find(({ sources }) => sources.includes(source))?.key
    if (!row || !key) continue
    row.counts[key] = (row.counts[key] ?? 0) + leads
    row.total += leads
  }
  return [...rows.values()]
}

const Legend = ({ series }: { series: Series[] }) => (
  <ul css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.roomy}`, fontSize: type.small }}>
    {series.map(({ key, name, shade, total }) => (
      <li key={key} css={{ display: 'flex', alignItems: 'center', gap: space.tight }}>
        <span css={{ width: '0.75rem', height: '0.75rem', borderRadius: 3, background: shade }} />
        {name} <strong css={{ fontVariantNumeric: 'tabular-nums' }}>{inNumbers(total)}</strong>
      </li>
    ))}
  </ul>
)

/** Leads per day by source; per week for ranges whose days could not be distinguished. */
export const LeadsChart = ({ overview }: { overview: Overview }) => {
  const unit = daysOf(overview) > MAX_DAILY_BARS ? 'week' : 'day'
  const series = seriesOf(overview)
  const rows = rowsOf(overview, series, unit)
  const shown = (row: Row) => series.filter(({ key }) => row.counts[key])
  return (
    <Card
      topic={unit === 'day' ? 'Leads per day, by source' : 'Leads per week, by source'}
      finding={leadsFinding(overview)}
      numbers={{
        columns: [unit === 'day' ? 'Day' : 'Week', ...series.map(({ name }) => name), 'All'],
        rows: rows.map((row) => [
          row.title,
          ...series.map(({ key }) => inNumbers(row.counts[key] ?? 0)),
          inNumbers(row.total),
        ]),
      }}
    >
      <Legend series={series} />
      <BarChart
        responsive
        accessibilityLayer={false}
        data={rows}
        margin={{ top: 16, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="12%"
        style={{ width: '100%', height: '16rem' }}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="label" {...axis} minTickGap={24} interval="equidistantPreserveStart" />
        <YAxis {...axis} allowDecimals={false} width={36} tickFormatter={inNumbers} />
        <Tooltip
          cursor={cursor}
          isAnimationActive={false}
          content={({ active, payload }) => {
            const row: Row | undefined = payload?.[0]?.payload
            if (!active || !row) return null
            return (
              <Tip title={row.title}>
                {shown(row).map(({ key, name }) => (
                  <p key={key}>
                    {name}: {inNumbers(row.counts[key] ?? 0)}
                  </p>
                ))}
                <p>All: {inNumbers(row.total)}</p>
              </Tip>
            )
          }}
        />
        {series.map(({ key, shade }) => (
          <Bar
            key={key}
            dataKey={(row: Row) => row.counts[key] ?? 0}
            stackId="leads"
            fill={shade}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Card>
  )
}
