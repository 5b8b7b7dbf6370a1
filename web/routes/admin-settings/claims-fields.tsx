import * as v from 'valibot'
import { CLAIM_IDS, CLAIMS_OF_FACTS, type ClaimId, claim, webAddress } from '../../../events/settings/claims.ts'
import { claimsOf, type Showcase } from '../../../events/settings/showcase.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const { figure, label } = claim.entries

const typed = v.pipe(v.string(), v.trim())

/** A figure and its caption: both or neither are filled in. The proof may be blank. */
const typedClaim = v.pipe(
  v.object({
    id: v.picklist(CLAIM_IDS),
    figure: typed,
    label: typed,
    proof: v.union([v.pipe(typed, v.literal('')), webAddress]),
  }),
  v.forward(
    v.partialCheck(
      [['figure'], ['label']],
      (words) => !words.label || v.is(figure, words.figure),
      'Write a short figure',
    ),
    ['figure'],
  ),
  v.forward(
    v.partialCheck(
      [['figure'], ['label']],
      (words) => !words.figure || v.is(label, words.label),
      'Say in short what it counts',
    ),
    ['label'],
  ),
)

/** A row for each claim; blank ones are not shown. */
export const typedClaims = v.pipe(
  v.array(typedClaim),
  v.transform((rows) =>
    rows.flatMap(({ proof, ...row }) => (row.figure === '' ? [] : [proof ? { ...row, proof } : row])),
  ),
)

/** The claims as their rows show them. */
export const claimRows = ({ showcase }: Settings) => {
  const made = claimsOf(showcase as Showcase)
  return CLAIM_IDS.map((id) => ({ id, figure: '', label: '', proof: '', ...made.find((one) => one.id === id) }))
}

/** The subject of each claim. */
const ABOUT: Record<ClaimId, string> = {
  delivered: 'Websites',
  rating: 'Rating',
  reply: 'Reply',
  delivery: 'Delivery',
  uptime: 'Uptime',
  guarantee: 'Guarantee',
}

type FieldProps = { name: string; error?: string | undefined }

export const ClaimsFields = ({
  areFirst,
  field,
}: {
  /** Whether they are the website's defaults. */
  areFirst: boolean
  field: (name: `claims.${number}.${'figure' | 'label' | 'proof'}`) => FieldProps
}) => (
  <fieldset>
    <legend css={{ padding: 0, fontWeight: 600 }}>What the website claims in figures</legend>
    <p css={{ margin: `${space.hair} 0 ${space.snug}`, color: colour.soft, fontSize: type.small }}>
      {areFirst && 'The website comes with these claims. '}
      Empty claims are hidden. Once your company details have a registered name, so are facts without a proof: a page
      that shows it, your Google page or reviews for the rating, your work for the websites, the words of your
      guarantee.
    </p>
    <div css={{ display: 'grid', gap: space.base }}>
      {CLAIM_IDS.map((id, index) => (
        <div key={id} css={{ display: 'grid', gap: space.snug, [from.medium]: { gridTemplateColumns: '1fr 2fr 2fr' } }}>
          <TextField id={`claim-${id}-figure`} label={`${ABOUT[id]}: figure`} {...field(`claims.${index}.figure`)} />
          <TextField id={`claim-${id}-label`} label="What it counts" {...field(`claims.${index}.label`)} />
          {CLAIMS_OF_FACTS.includes(id) && (
            <TextField id={`claim-${id}-proof`} label="Page that proves it" {...field(`claims.${index}.proof`)} />
          )}
        </div>
      ))}
    </div>
  </fieldset>
)
