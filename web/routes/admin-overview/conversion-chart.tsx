import { inNumbers } from '../../../events/base/amount.ts'
import { Card } from './card.tsx'
import { DARKEST } from './chart-style.tsx'
import { LabelledBars } from './labelled-bars.tsx'
import { conversionFinding, hasEnoughLeads, inPercent, inShare } from './labels.ts'

/** The share of leads that were won, per group: on a scale of 100%, without a rate for few leads. */
export const ConversionChart = ({
  dimension,
  rows,
}: {
  dimension: 'package' | 'source'
  rows: { name: string; leads: number; won: number }[]
}) => {
  return (
    <Card
      topic={`Conversion by ${dimension}`}
      finding={conversionFinding(rows)}
      numbers={{
        columns: [dimension === 'package' ? 'Package' : 'Source', 'Leads', 'Won', 'Rate'],
        rows: rows.map(({ name, leads, won }) => [name, inNumbers(leads), inNumbers(won), inShare(won, leads)]),
      }}
    >
      <LabelledBars
        max={1}
        bars={rows.map((row) => ({
          name: row.name,
          value: hasEnoughLeads(row.leads) ? row.won / row.leads : 0,
          label: hasEnoughLeads(row.leads)
            ? `${inPercent(row.won, row.leads)}, ${inNumbers(row.won)} of ${inNumbers(row.leads)}`
            : `${inNumbers(row.won)} of ${inNumbers(row.leads)}, too few for a rate`,
          fill: DARKEST,
        }))}
      />
    </Card>
  )
}
