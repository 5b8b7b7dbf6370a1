import { useClaims, useProofs } from '../../content/claims.ts'
import { colour, display, frame, from, space, type } from '../../ui/theme.ts'
import { FigureArtefact } from './figure-artefact.tsx'

/** The text of a claim: a link to its proof, if there is one. */
const Label = ({ words, proof }: { words: string; proof: string | undefined }) =>
  proof ? (
    <a href={proof} {...(!proof.startsWith('#') && { target: '_blank', rel: 'noreferrer' })} css={{ color: 'inherit' }}>
      {words}
    </a>
  ) : (
    words
  )

/** The statistics row: the owners' claims. */
export const Figures = () => {
  const claims = useClaims()
  const proofs = useProofs()
  if (claims.length === 0) return null
  return (
    <div css={{ borderTop: `1px solid ${colour.line}`, background: colour.paper }}>
      <dl
        css={{
          ...frame,
          display: 'grid',
          gridTemplateColumns: 'repeat(3, 1fr)',
          gap: `${space.roomy} ${space.tight}`,
          paddingBlock: space.wide,
          [from.large]: { gridTemplateColumns: `repeat(${claims.length}, auto)`, justifyContent: 'space-between' },
        }}
      >
        {claims.map((claim) => (
          <div key={claim.id} css={{ display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' }}>
            <dt css={{ maxWidth: '8.5rem', color: colour.soft, fontSize: type.small, lineHeight: 1.4 }}>
              <Label words={claim.label} proof={proofs[claim.id]} />
            </dt>
            <dd
              css={{ ...display, fontSize: 'clamp(1.0625rem, 3.7vw, 1.75rem)', lineHeight: 1.3, whiteSpace: 'nowrap' }}
            >
              <FigureArtefact claim={claim} />
              {claim.figure}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
