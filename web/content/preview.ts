import { PALETTES } from './questionnaire.ts'

/**
 * The trades in the preview. `search` is the term of their customers on Google, `schemaType` the questionnaire's first
 * answer.
 */
export const TRADES = [
  {
    id: 'bakery',
    name: 'Bakery',
    headline: 'Still warm at seven.',
    action: 'See today’s bread',
    search: 'fresh bread',
    schemaType: 'Store',
  },
  {
    id: 'plumber',
    name: 'Plumber',
    headline: 'Burst pipe? On our way.',
    action: 'Call us now',
    search: 'plumber',
    schemaType: 'HomeAndConstructionBusiness',
  },
  {
    id: 'guesthouse',
    name: 'Guesthouse',
    headline: 'Wake up to the Karoo.',
    action: 'Check your dates',
    search: 'guesthouse',
    schemaType: 'LodgingBusiness',
  },
  {
    id: 'salon',
    name: 'Hair salon',
    headline: 'Your best hair day.',
    action: 'Book a chair',
    search: 'hair salon',
    schemaType: 'HealthAndBeautyBusiness',
  },
  {
    id: 'mechanic',
    name: 'Mechanic',
    headline: 'Back on the road by five.',
    action: 'Book a service',
    search: 'car service',
    schemaType: 'AutomotiveBusiness',
  },
  {
    id: 'butchery',
    name: 'Butchery',
    headline: 'Cut fresh this morning.',
    action: 'Order your braai',
    search: 'boerewors',
    schemaType: 'Store',
  },
] as const

export type Trade = (typeof TRADES)[number]

/** The palettes of the questionnaire that the preview offers. */
const OFFERED = ['Karoo earth', 'Ocean blue', 'Forest green', 'Protea pink']

export const PREVIEW_PALETTES = OFFERED.flatMap((offered) => PALETTES.filter(({ name }) => name === offered))
