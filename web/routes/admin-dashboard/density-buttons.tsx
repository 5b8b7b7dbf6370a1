import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { DENSITIES, type Density } from './density.ts'

const NAMES: Record<Density, string> = { cards: 'Cards', rows: 'Rows' }

/** Cards or rows. */
export const DensityButtons = (props: { density: Density; onChoose: (density: Density) => void }) => (
  <fieldset aria-label="Show as" css={{ display: 'flex', gap: space.tight }}>
    {DENSITIES.map((density) => (
      <Button
        key={density}
        look="quiet"
        aria-pressed={props.density === density}
        onClick={() => props.onChoose(density)}
      >
        {NAMES[density]}
      </Button>
    ))}
  </fieldset>
)
