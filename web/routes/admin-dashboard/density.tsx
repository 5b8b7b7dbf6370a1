import { useRemembered } from '../../staff/remembered.ts'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

/** How a list shows its leads: as cards, or a row of 44 px each. */
export const DENSITIES = ['cards', 'rows'] as const

export type Density = (typeof DENSITIES)[number]

/** The look of this browser's lists of leads: chosen once, and remembered. */
export const useDensity = () => useRemembered('leads-density', DENSITIES)

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
