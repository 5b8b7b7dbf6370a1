import type { ReactNode } from 'react'
import { readNumber } from '../../../events/base/amount.ts'
import type { Claim, ClaimId } from '../../../events/settings/claims.ts'
import { colour } from '../../ui/theme.ts'

const STAR = 'm0 0 2.9 6 6.6.8-4.9 4.5 1.3 6.5L0 14.6l-5.9 3.2 1.3-6.5-4.9-4.5 6.6-.8z'

const STARS_AT = [10, 32, 54, 76, 98]
const ALL_STARS = STARS_AT.length

const stars = (fill: string) =>
  STARS_AT.map((x) => <path key={x} d={STAR} transform={`translate(${x} 7)`} fill={fill} stroke="none" />)

/** The stars, of five, of a rating such as `4.8`: its whole part, or all if it names no number. */
const rating = (figure: string) => {
  const rated = Math.min(readNumber(/^[\d.,]+/.exec(figure)?.[0] ?? '') || ALL_STARS, ALL_STARS)
  if (rated === ALL_STARS) return stars(colour.sun)
  return (
    <>
      {stars(colour.line)}
      <g css={{ clipPath: `inset(0 ${100 - (rated / ALL_STARS) * 100}% 0 0)` }}>{stars(colour.sun)}</g>
    </>
  )
}

const drawings: Record<Exclude<ClaimId, 'rating'>, ReactNode> = {
  delivered: (
    <>
      <path d="M17 1h28v18H17z" />
      <path d="M9 7h28v18H9z" fill={colour.paper} />
      <path d="M1 13h28v18H1zm0 5h28" fill={colour.paper} />
    </>
  ),
  reply: (
    <>
      <path d="M16 16V2a14 14 0 0 1 12 7z" fill={colour.sun} stroke="none" />
      <circle cx="16" cy="16" r="15" />
      <path d="M16 4v12l9-5" />
    </>
  ),
  delivery: (
    <g strokeWidth="11" strokeDasharray="11 3">
      <path d="M0 9h98M0 23h98" stroke={colour.sun} />
      <path d="M0 9h11" stroke={colour.line} />
    </g>
  ),
  uptime: <path d="M0 18h24l6-12 9 22 6-10h50" stroke="#2c8a48" />,
  guarantee: (
    <>
      <circle cx="16" cy="16" r="15" fill={colour.sun} stroke="none" />
      <path d="m9 16 5 5 9-9" />
    </>
  ),
}

/** A drawing of a statistic. Decoration: the text below it says the same. */
export const FigureArtefact = ({ claim: { id, figure } }: { claim: Claim }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 108 32"
    width="108"
    height="32"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    css={{ display: 'block', marginBottom: '0.5rem' }}
  >
    {id === 'rating' ? rating(figure) : drawings[id]}
  </svg>
)
