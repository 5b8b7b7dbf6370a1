import * as v from 'valibot'
import { CLAIM_IDS, type ClaimId, claim } from '../../../events/settings/claims.ts'
import { claimsOf, type Showcase } from '../../../events/settings/showcase.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const { figure, label } = claim.entries

const typed = v.pipe(v.string(), v.trim())

/** Two fields per claim: both or neither are filled in. */
const typedClaim = v.pipe(
  v.object({ id: v.picklist(CLAIM_IDS), figure: typed, label: typed }),
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
  v.transform((rows) => rows.filter((row) => row.figure !== '')),
)

/** The claims as their rows show them. */
export const claimRows = ({ showcase }: Settings) => {
  const made = claimsOf(showcase as Showcase)
  return CLAIM_IDS.map((id) => made.find((one) => one.id === id) ?? { id, figure: '', label: '' })
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

/** The website's claims in figures, for owners to change. */
export const ClaimsFields = ({
  areFirst,
  field,
}: {
  /** Whether they are the website's defaults. */
  areFirst: boolean
  field: (name: `claims.${number}.${'figure' | 'label'}`) => FieldProps
}) => (
  <fieldset>
    <legend css={{ padding: 0, fontWeight: 600 }}>What the website claims in figures</legend>
    <p css={{ margin: `${space.hair} 0 ${space.snug}`, color: colour.soft, fontSize: type.small }}>
      {areFirst && 'The website comes with these claims. '}
      Claim only what is true of you. A claim whose fields you clear shows nowhere. Visitors can follow the rating to
      your Google page or reviews, the websites to your work, and the guarantee to its words, once those are entered.
    </p>
    <div css={{ display: 'grid', gap: space.base }}>
      {CLAIM_IDS.map((id, index) => (
        <div key={id} css={{ display: 'grid', gap: space.snug, [from.medium]: { gridTemplateColumns: '1fr 2fr' } }}>
          <TextField id={`claim-${id}-figure`} label={`${ABOUT[id]}: figure`} {...field(`claims.${index}.figure`)} />
          <TextField id={`claim-${id}-label`} label="What it counts" {...field(`claims.${index}.label`)} />
        </div>
      ))}
    </div>
  </fieldset>
)
