import { PALETTES } from './questionnaire.ts'

/** The trades in the preview. `schemaType` is the questionnaire's first answer for the trade. */
export const TRADES = [
  {
    id: 'bakery',
    name: 'Bakery',
    headline: 'Still warm at seven.',
    action: 'See today’s bread',
    schemaType: 'Store',
  },
  {
    id: 'plumber',
    name: 'Plumber',
    headline: 'Burst pipe? On our way.',
    action: 'Call us now',
    schemaType: 'HomeAndConstructionBusiness',
  },
  {
    id: 'guesthouse',
    name: 'Guesthouse',
    headline: 'Wake up to the Karoo.',
    action: 'Check your dates',
    schemaType: 'LodgingBusiness',
  },
] as const

export type Trade = (typeof TRADES)[number]

/** The palettes of the questionnaire that the preview offers. */
const OFFERED = ['Karoo earth', 'Ocean blue', 'Forest green', 'Protea pink']

export const PREVIEW_PALETTES = OFFERED.flatMap((offered) => PALETTES.filter(({ name }) => name === offered))
