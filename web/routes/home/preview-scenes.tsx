import type { ReactNode } from 'react'
import type { Trade } from '../../content/preview.ts'

// In the colours of the chosen palette: `a` is its main colour, `b` the second, `c` the background.
const a = 'var(--a)'
const b = 'var(--b)'
const c = 'var(--c)'

const bakery = (
  <>
    <path d="M20 26h120l14 26H6z" fill={a} />
    <path d="M6 52h30a15 15 0 0 1-30 0zM65 52h29a14 14 0 0 1-29 0zM124 52h30a15 15 0 0 1-30 0z" fill={a} />
    <path d="M44 26h24l-3 26H36zM92 26h24l8 26H94zM36 52h29a14 14 0 0 1-29 0zM94 52h30a15 15 0 0 1-30 0z" fill="#fff" />
    <path d="M38 112c0-22 16-33 42-33s42 11 42 33c0 5-4 8-9 8H47c-5 0-9-3-9-8z" fill={b} />
    <path d="m58 92 9 13m9-18 9 15m9-15 9 13" stroke={c} strokeWidth="5" strokeLinecap="round" />
    <path d="M14 124h132" stroke={a} strokeWidth="4" strokeLinecap="round" />
  </>
)

const plumber = (
  <>
    <path d="M22 44h62a32 32 0 0 1 32 32v14" fill="none" stroke={a} strokeWidth="22" />
    <path d="M14 28h12v32H14zM99 84h34v10H99z" fill={b} />
    <path d="M64 34V20M44 18h40" stroke={b} strokeWidth="8" strokeLinecap="round" />
    <path d="M116 102c8 11 13 17 13 24a13 13 0 0 1-26 0c0-7 5-13 13-24z" fill={b} />
    <path d="M111 128a6 6 0 0 0 5 5" fill="none" stroke={c} strokeWidth="3" strokeLinecap="round" />
  </>
)

const guesthouse = (
  <>
    <circle cx="122" cy="38" r="17" fill={b} />
    <path d="M0 92c26-22 44-22 64-8s40 10 58-6 28-10 38-4v56H0z" fill={b} opacity=".45" />
    <path d="M34 118V84h92v34z" fill={c} stroke={a} strokeWidth="3" />
    <path d="M24 86l30-30h52l30 30z" fill={a} />
    <path d="M72 96h16v22H72z" fill={a} />
    <path d="M44 95h16v13H44zM100 95h16v13h-16z" fill={b} />
    <path d="M20 119h120" stroke={a} strokeWidth="5" strokeLinecap="round" />
  </>
)

const salon = (
  <>
    <circle cx="80" cy="66" r="58" fill={b} opacity=".3" />
    <path d="M60 98 104 18M100 98 56 18" stroke={a} strokeWidth="10" strokeLinecap="round" />
    <circle cx="52" cy="112" r="15" stroke={b} strokeWidth="9" />
    <circle cx="108" cy="112" r="15" stroke={b} strokeWidth="9" />
    <circle cx="80" cy="62" r="4" fill={c} />
  </>
)

const mechanic = (
  <>
    <path d="M8 98c0-16 6-20 20-22l20-26c3-4 7-6 12-6h34c6 0 10 2 14 6l20 25c18 2 26 7 26 23v12H8z" fill={a} />
    <path d="M46 75l14-19h18v19zM86 56h9l16 19H86z" fill={c} />
    <path d="M44 98a17 17 0 1 0 .1 0zM118 98a17 17 0 1 0 .1 0z" fill={b} stroke={c} strokeWidth="5" />
    <path d="M4 134h152" stroke={a} strokeWidth="4" strokeLinecap="round" />
  </>
)

const butchery = (
  <>
    <path d="M8 40h144M8 72h144M8 104h144" stroke={b} strokeWidth="4" strokeLinecap="round" />
    <path
      d="M74 74a10 10 0 0 1 20 0a26 26 0 0 1-52 0a42 42 0 0 1 84 0a58 58 0 0 1-102 38"
      stroke={a}
      strokeWidth="12"
      strokeLinecap="round"
    />
  </>
)

const scenes: Record<Trade['id'], ReactNode> = { bakery, plumber, guesthouse, salon, mechanic, butchery }

/** The picture of a trade's sample next to its headline. Decoration. */
export const PreviewScene = ({ trade }: { trade: Trade['id'] }) => (
  <svg
    viewBox="0 0 160 144"
    width="160"
    height="144"
    fill="none"
    aria-hidden="true"
    css={{ width: '100%', height: 'auto' }}
  >
    {scenes[trade]}
  </svg>
)
