import { inNumbers } from '../../../events/amount.ts'
import { Card } from './card.tsx'
import { DARKEST } from './chart-style.tsx'
import { LabelledBars } from './labelled-bars.tsx'
import { conversionFinding, inPercent } from './words.ts'

/** How many of the leads were won, by something that tells them apart. */
export const ConversionChart = ({
  what,
  rows,
}: {
  what: 'package' | 'source'
  rows: { name: string; leads: number; won: number }[]
}) => {
  const rate = ({ leads, won }: { leads: number; won: number }) => (leads === 0 ? 0 : won / leads)
  return (
    <Card
      topic={`Conversion by ${what}`}
      finding={conversionFinding(rows)}
      numbers={{
        columns: [what === 'package' ? 'Package' : 'Source', 'Leads', 'Won', 'Rate'],
        rows: rows.map(({ name, leads, won }) => [name, inNumbers(leads), inNumbers(won), inPercent(won, leads)]),
      }}
    >
      <LabelledBars
        max={Math.max(...rows.map(rate))}
        bars={rows.map((row) => ({
          name: row.name,
          value: rate(row),
          label: `${inPercent(row.won, row.leads)}, ${inNumbers(row.won)} of ${inNumbers(row.leads)}`,
          fill: DARKEST,
        }))}
      />
    </Card>
  )
}
