import * as v from 'valibot'
import { requiredText } from '../base/text.ts'

const MAX_FIGURE_CHARACTERS = 12
const MAX_LABEL_CHARACTERS = 40
const MAX_ADDRESS_CHARACTERS = 500

/** An address on the web. */
export const webAddress = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(MAX_ADDRESS_CHARACTERS, `At most ${MAX_ADDRESS_CHARACTERS} characters`),
  v.url('Write a whole address, such as https://www.facebook.com/yourpage'),
  v.startsWith('https://', 'The address has to begin with https://'),
)

/** The possible claims in the row of figures below the hero, in order. */
export const CLAIM_IDS = ['delivered', 'rating', 'reply', 'delivery', 'uptime', 'guarantee'] as const

/** The claims about facts, which need a proof; the others are promises. */
export const CLAIMS_OF_FACTS: readonly ClaimId[] = ['delivered', 'rating', 'uptime', 'guarantee']

export type ClaimId = (typeof CLAIM_IDS)[number]

/** A figure and its caption, and the address of a page that proves it. */
export const claim = v.strictObject({
  id: v.picklist(CLAIM_IDS),
  figure: requiredText('Write the figure too, or clear both', { max: MAX_FIGURE_CHARACTERS }),
  label: requiredText('Write what it counts too, or clear both', { max: MAX_LABEL_CHARACTERS }),
  proof: v.exactOptional(webAddress),
})

export type Claim = v.InferOutput<typeof claim>

/** The claims that the website makes: one that owners leave out shows nowhere. */
export const claims = v.pipe(
  v.array(claim),
  v.check((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Each claim only once'),
)

/** The claims until owners have set their own (specification, 1). */
export const FIRST_CLAIMS: readonly Claim[] = [
  { id: 'delivered', figure: '200+', label: 'websites delivered this year' },
  { id: 'rating', figure: '5 stars', label: 'our rating on Google' },
  { id: 'reply', figure: '2 hours', label: 'reply promise' },
  { id: 'delivery', figure: '2–14 days', label: 'to go live' },
  { id: 'uptime', figure: '99.9%', label: 'uptime' },
  { id: 'guarantee', figure: '100%', label: 'satisfaction guarantee' },
]
