import * as v from 'valibot'
import { addDays, startOfDay } from '../base/agency-day.ts'
import { inRand } from '../base/amount.ts'
import { requiredText } from '../base/text.ts'
import { oneOf } from '../base/word.ts'
import { definePart } from './part.ts'
import { PACKAGE_IDS } from './prices.ts'

const MAX_TEXT_CHARACTERS = 120
const MAX_PRICE_RAND = 1_000_000

/** The price that is struck out, in rand. */
export const usualPrice = v.pipe(
  v.number('Write a price in rand'),
  v.integer('Write whole rand'),
  v.minValue(1, 'Write a price in rand'),
  v.maxValue(MAX_PRICE_RAND, `At most ${inRand(MAX_PRICE_RAND)}`),
)

/**
 * An offer: the text of the banner, and the packages for which a usual price (in rand) is struck out next to the price.
 */
export const offer = v.strictObject({
  text: requiredText('A text is required', { max: MAX_TEXT_CHARACTERS }),
  /** The last day on which it is valid, yyyy-mm-dd, in the agency's time zone. */
  lastDay: v.pipe(v.string(), v.isoDate('Choose a day')),
  packages: v.pipe(
    v.array(
      v.strictObject({
        id: v.picklist(PACKAGE_IDS),
        usualPrice,
      }),
    ),
    v.minLength(1, 'Choose at least one package'),
    v.check((packages) => new Set(packages.map(({ id }) => id)).size === packages.length, 'Name each package once'),
  ),
})

/** The percentage of an offer follows from its prices, except that of the specification's. */
export type Offer = v.InferOutput<typeof offer> & { percentage?: number }

/** The setting of owners: an offer, or none. */
export const offerForm = v.strictObject({ offer: v.nullable(offer) })

/** The offer of an agency that has set none (specification, 1 and 9). It has ended. */
export const DEFAULT_OFFER: Offer = {
  text: '50% off the setup of Professional and Premium',
  percentage: 50,
  lastDay: '2025-09-30',
  packages: [
    { id: 'professional', usualPrice: 4_999 },
    { id: 'premium', usualPrice: 4_999 },
  ],
}

/** The offer that is valid at an instant: the one that is set, until its last day is over. */
export const offerAt = (set: Offer | null, now: Date): Offer | null =>
  set && now < startOfDay(addDays(set.lastDay, 1)) ? set : null

/**
 * The discount of a package in an offer, in whole per cent up to 99: none is free. Undefined if the price is no lower
 * than the usual one.
 */
export const percentOff = (usualPrice: number, once: number): number | undefined => {
  const percent = Math.min(99, Math.round(100 * (1 - once / usualPrice)))
  return percent > 0 ? percent : undefined
}

export const offerPart = definePart({
  name: 'offer',
  summary: 'Sets the offer',
  type: 'OfferChanged',
  form: offerForm,
  /** The offer that was set last, though it may have ended. */
  apply: ({ offer: set }) => set,
  initial: DEFAULT_OFFER as Offer | null,
})

export const offerWire = v.nullable(
  v.object({
    text: v.string(),
    percentage: v.exactOptional(v.number()),
    lastDay: v.string(),
    packages: v.array(v.object({ id: oneOf(PACKAGE_IDS), usualPrice: v.number() })),
  }),
)
