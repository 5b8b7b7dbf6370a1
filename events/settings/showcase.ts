import * as v from 'valibot'
import { photo } from '../base/photo.ts'
import { requiredText } from '../base/text.ts'
import { oneOf } from '../base/word.ts'
import { CLAIM_IDS, type Claim, claims, FIRST_CLAIMS, webAddress } from './claims.ts'
import { definePart } from './part.ts'

const MAX_LINKS = 8
const MAX_WORKS = 12
const MAX_REVIEWS = 6
const MAX_PEOPLE = 8
const MAX_NAME_CHARACTERS = 60
const MAX_REVIEW_CHARACTERS = 400
/** The maximum size of a request, less a margin. */
const MAX_SHOWCASE_BYTES = 60_000

const name = requiredText('A name is required', { max: MAX_NAME_CHARACTERS })

const link = v.strictObject({ name, href: webAddress })

/** Refuses a form that is too long for a request. */
export const fitsRequest = <Shown extends object>() =>
  v.check<Shown, string>(
    (shown) => new TextEncoder().encode(JSON.stringify(shown)).length <= MAX_SHOWCASE_BYTES,
    'All of it together is too long: leave something out',
  )

/**
 * The agency's showcase: its pages elsewhere, further work, customers' reviews, the people who reply, and its claims.
 * Without claims the stored ones stay.
 */
export const showcaseForm = v.pipe(
  v.strictObject({
    socialLinks: v.pipe(v.array(link), v.maxLength(MAX_LINKS, `At most ${MAX_LINKS} links`)),
    works: v.pipe(v.array(link), v.maxLength(MAX_WORKS, `At most ${MAX_WORKS} websites`)),
    reviews: v.pipe(
      v.array(
        v.strictObject({
          text: requiredText('A review is required', { max: MAX_REVIEW_CHARACTERS, lines: true }),
          name,
        }),
      ),
      v.maxLength(MAX_REVIEWS, `At most ${MAX_REVIEWS} reviews`),
    ),
    people: v.pipe(
      v.array(
        v.strictObject({
          name,
          role: requiredText('A role is required', { max: MAX_NAME_CHARACTERS }),
          photo,
        }),
      ),
      v.maxLength(MAX_PEOPLE, `At most ${MAX_PEOPLE} people`),
    ),
    claims: v.exactOptional(claims),
  }),
  fitsRequest(),
)

export type Showcase = v.InferOutput<typeof showcaseForm>

/** The default of an agency that has set nothing: none of it shows. */
export const NO_SHOWCASE: Showcase = { socialLinks: [], works: [], reviews: [], people: [] }

/** The website's claims: the defaults until owners have set theirs. */
export const claimsOf = ({ claims: set }: Pick<Showcase, 'claims'>): readonly Claim[] => set ?? FIRST_CLAIMS

export const showcasePart = definePart({
  name: 'showcase',
  summary: 'Sets the agency’s people, links and figures on the website',
  type: 'ShowcaseChanged',
  form: showcaseForm,
  apply: (showcase, before: Showcase): Showcase => ({ ...before, ...showcase }),
  initial: NO_SHOWCASE,
})

const linkWire = v.object({ name: v.string(), href: v.string() })

export const showcaseWire = v.object({
  socialLinks: v.array(linkWire),
  works: v.array(linkWire),
  reviews: v.array(v.object({ text: v.string(), name: v.string() })),
  people: v.array(v.object({ name: v.string(), role: v.string(), photo: v.nullable(v.string()) })),
  claims: v.exactOptional(
    v.array(
      v.object({ id: oneOf(CLAIM_IDS), figure: v.string(), label: v.string(), proof: v.exactOptional(v.string()) }),
    ),
  ),
})
