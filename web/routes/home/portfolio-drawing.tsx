import type { ReactNode } from 'react'
import type { PORTFOLIO } from '../../content/home.ts'
import { colour } from '../../ui/theme.ts'

type Drawing = (typeof PORTFOLIO)[number]['drawing']

const Lines = ({ y, widths, fill }: { y: number; widths: number[]; fill: string }) =>
  widths.map((width, line) => <rect key={width} x="34" y={y + line * 13} width={width} height="6" rx="3" fill={fill} />)

const bakery = (
  <>
    <rect x="16" y="34" width="288" height="150" fill="#f6e3cd" />
    <rect x="34" y="56" width="112" height="13" rx="3" fill="#5a3216" />
    <rect x="34" y="75" width="78" height="13" rx="3" fill="#5a3216" />
    <Lines y={102} widths={[104, 88]} fill="#c79f78" />
    <rect x="34" y="134" width="62" height="20" rx="4" fill="#a8481a" />
    <ellipse cx="228" cy="150" rx="58" ry="7" fill="#e6c8a4" />
    <path d="M172 140c0-40 24-62 56-62s56 22 56 62c0 7-5 10-12 10h-88c-7 0-12-3-12-10z" fill="#c9813f" />
    <path d="M196 98l18 24M222 88l16 28M250 92l12 24" stroke="#f6e3cd" strokeWidth="7" strokeLinecap="round" />
  </>
)

const plumber = (
  <>
    <rect x="16" y="34" width="288" height="150" fill="#dbe8ea" />
    <rect x="34" y="58" width="126" height="13" rx="3" fill="#123b45" />
    <rect x="34" y="77" width="94" height="13" rx="3" fill="#123b45" />
    <Lines y={104} widths={[110, 92]} fill="#8db0b6" />
    <rect x="34" y="136" width="86" height="22" rx="11" fill="#e0562b" />
    <path d="M196 72h46a26 26 0 0 1 26 26v22" fill="none" stroke="#3b7480" strokeWidth="22" strokeLinecap="butt" />
    <rect x="250" y="116" width="36" height="11" rx="3" fill="#123b45" />
    <rect x="184" y="57" width="13" height="30" rx="3" fill="#123b45" />
    <path d="M222 60V46M206 44h32" stroke="#e0562b" strokeWidth="8" strokeLinecap="round" />
    <path d="M268 138c7 10 11 15 11 20a11 11 0 0 1-22 0c0-5 4-10 11-20z" fill="#4aa3b8" />
  </>
)

const guesthouse = (
  <>
    <rect x="16" y="34" width="288" height="150" fill="#e9e3d1" />
    <circle cx="250" cy="72" r="20" fill="#e3a83b" />
    <path d="M16 138c46-34 78-36 112-18s70 18 104-6 52-16 72-8v78H16z" fill="#8a9a6b" />
    <path d="M178 150v-38h84v38z" fill="#fbf7ec" />
    <path d="M168 114l52-28 52 28z" fill="#7a3d2b" />
    <rect x="212" y="124" width="17" height="26" fill="#7a3d2b" />
    <path d="M188 122h14v13h-14zM240 122h14v13h-14z" fill="#8fb3b8" />
    <path d="M164 150h112" stroke="#5b4a34" strokeWidth="5" />
    <rect x="34" y="54" width="104" height="13" rx="3" fill="#3d3a24" />
    <rect x="34" y="73" width="72" height="13" rx="3" fill="#3d3a24" />
    <rect x="34" y="154" width="118" height="18" rx="4" fill="#fbf7ec" />
    <rect x="112" y="157" width="37" height="12" rx="3" fill="#7a3d2b" />
  </>
)

const drawings: Record<Drawing, ReactNode> = { bakery, plumber, guesthouse }

/** A sample site drawn in its browser window; decoration, the card says the rest. */
export const PortfolioDrawing = ({ drawing }: { drawing: Drawing }) => (
  <svg
    viewBox="0 0 320 200"
    width="320"
    height="200"
    aria-hidden="true"
    css={{ width: '100%', height: 'auto', background: colour.sunk }}
  >
    <rect x="16" y="16" width="288" height="168" rx="6" fill={colour.sheet} stroke={colour.line} />
    <circle cx="28" cy="25" r="2.5" fill={colour.edge} />
    <circle cx="37" cy="25" r="2.5" fill={colour.edge} />
    <circle cx="46" cy="25" r="2.5" fill={colour.edge} />
    {drawings[drawing]}
  </svg>
)
