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

const scenes: Record<Trade['id'], ReactNode> = { bakery, plumber, guesthouse }

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
