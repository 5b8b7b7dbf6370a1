import type { CSSProperties, ReactNode } from 'react'
import type { SERVICES } from '../../content/home.ts'
import { UNNAMED } from '../../content/idea.ts'
import { TRADES } from '../../content/preview.ts'
import { colour, onPhone, radius, shadow, space } from '../../ui/theme.ts'
import { PreviewScene } from './preview-scenes.tsx'

export type Artefact = (typeof SERVICES)[number]['artefact']

const bar = (width: string) =>
  ({ display: 'block', width, height: 6, borderRadius: 6, background: colour.line }) as const

const PAGES = [
  { trade: 'plumber', colours: ['#14264a', '#c1272d', '#eef2f9'], turn: '-5deg' },
  { trade: 'bakery', colours: ['#7a3e1d', '#d19a5b', '#fbf0e0'], turn: '0deg' },
  { trade: 'guesthouse', colours: ['#1e4d2b', '#6a9c5b', '#f3f5ec'], turn: '5deg' },
] as const

const pages = (
  <div css={{ display: 'flex', justifyContent: 'center', paddingTop: space.tight }}>
    {PAGES.map(({ trade, colours: [a, b, c], turn }, index) => (
      <div
        key={trade}
        style={{ '--a': a, '--b': b, '--c': c, rotate: turn } as CSSProperties}
        css={{
          flex: '0 1 8.5rem',
          minWidth: 0,
          margin: index === 1 ? '-0.5rem -0.75rem 0' : '0.5rem 0 0',
          zIndex: index === 1 ? 1 : 0,
          padding: '0.75rem',
          border: `1px solid ${colour.line}`,
          borderRadius: radius.control,
          background: 'var(--c)',
          boxShadow: shadow.card,
        }}
      >
        <PreviewScene trade={trade} />
        <i css={{ ...bar('85%'), marginTop: 10, background: 'var(--a)' }} />
        <i css={{ ...bar('60%'), marginTop: 6, background: 'var(--b)' }} />
      </div>
    ))}
  </div>
)

const searchResult = (
  <div
    css={{
      display: 'grid',
      gap: space.snug,
      gridTemplateColumns: 'minmax(0, 1fr)',
      maxWidth: '25rem',
      margin: '0 auto',
      fontSize: '0.8125rem',
      lineHeight: 1.4,
    }}
  >
    <div
      css={{
        padding: `${space.tight} ${space.base}`,
        border: `1px solid ${colour.line}`,
        borderRadius: radius.round,
        background: colour.sheet,
        color: colour.soft,
      }}
    >
      {/* as the preview's trade has it */}
      {TRADES.map(({ id, search }) => (
        <span key={id} className={`for-${id}`}>
          {search}
        </span>
      ))}{' '}
      near me
    </div>
    <div css={{ padding: space.base, borderRadius: radius.card, background: colour.sheet, boxShadow: shadow.card }}>
      <p css={{ display: 'flex', alignItems: 'center', gap: space.tight, color: colour.soft }}>
        <i css={{ flex: 'none', width: 18, height: 18, borderRadius: 18, background: colour.sun }} />
        <span data-preview="domain">yourbusiness.co.za</span>
      </p>
      <p
        css={{
          overflow: 'hidden',
          marginTop: space.hair,
          color: colour.accent,
          fontSize: '1.0625rem',
          fontWeight: 600,
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        <span data-preview="name">{UNNAMED}</span> in Graaff-Reinet
      </p>
      <p css={{ marginTop: space.hair, color: colour.soft }}>
        <b css={{ color: '#1c6b32' }}>Open</b> · closes 17:00 · Directions
      </p>
    </div>
  </div>
)

const phone = (
  <svg
    aria-hidden="true"
    viewBox="0 0 220 150"
    width="220"
    height="150"
    fill="none"
    stroke={colour.ink}
    strokeWidth="3"
    strokeLinecap="round"
    css={{ width: '100%', height: '10.5rem' }}
  >
    <rect x="70" y="8" width="84" height="172" rx="14" fill={colour.sheet} />
    <path d="M82 34h52M82 44h38" strokeWidth="5" />
    <path d="M82 90h60" stroke={colour.accent} strokeWidth="22" strokeLinecap="butt" />
    <path d="M44 150a108 108 0 0 1 140-104M66 150a88 88 0 0 1 118-83" stroke={colour.clay} strokeDasharray="1 7" />
    <path d="M190 150c-20-8-34-20-44-38-4-8-14-10-16-3-2 6 6 14 10 22 4 9 4 14 8 24" fill={colour.paper} />
  </svg>
)

const addressBar = (
  <div
    css={{
      display: 'grid',
      // a long address ends in dots
      gridTemplateColumns: 'minmax(0, 1fr)',
      gap: space.snug,
      alignContent: 'center',
      height: '100%',
      maxWidth: '20rem',
      margin: '0 auto',
    }}
  >
    <div
      css={{
        display: 'flex',
        alignItems: 'center',
        gap: space.tight,
        padding: `${space.snug} ${space.base}`,
        border: `2px solid ${colour.ink}`,
        borderRadius: radius.round,
        background: colour.sheet,
        fontWeight: 700,
      }}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        width="16"
        height="16"
        fill="none"
        stroke="#1c6b32"
        strokeWidth="2"
        css={{ flex: 'none' }}
      >
        <path d="M3 7h10v7H3zM5 7V5a3 3 0 0 1 6 0v2" />
      </svg>
      <span data-preview="domain" css={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        yourbusiness.co.za
      </span>
    </div>
  </div>
)

const uptime = (
  <div css={{ display: 'grid', gap: space.snug, alignContent: 'center', height: '100%', fontSize: '0.8125rem' }}>
    <b>
      <i
        css={{ display: 'inline-block', width: 9, height: 9, marginRight: 8, borderRadius: 9, background: '#2c8a48' }}
      />
      All systems up
    </b>
    <i
      css={{
        height: '3rem',
        background: `linear-gradient(${colour.sun} 0 0) 180px 0 / 6px 100% no-repeat, linear-gradient(#2c8a48 0 0)`,
        mask: 'repeating-linear-gradient(90deg, #000 0 6px, transparent 6px 10px)',
      }}
    />
  </div>
)

const artefacts: Record<Artefact, ReactNode> = { pages, searchResult, phone, addressBar, uptime }

/** The drawings that phones show too, which have little room. */
const ON_PHONES: readonly Artefact[] = ['pages', 'searchResult']

/** A drawing of a service's result. Decoration: the text next to it says the rest. */
export const ServiceArtefact = ({ artefact }: { artefact: Artefact }) => (
  <div
    aria-hidden="true"
    css={{
      overflow: 'hidden',
      height: '12rem',
      padding: space.roomy,
      ...(!ON_PHONES.includes(artefact) && { [onPhone]: { display: 'none' } }),
      background: colour.sunk,
      forcedColorAdjust: 'none',
    }}
  >
    {artefacts[artefact]}
  </div>
)
