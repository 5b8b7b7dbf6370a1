/**
 * The colours of the public pages. Every text colour has at least 4.5:1 on every background it is used on, every control
 * edge 3:1 (WCAG 2.2 AA).
 */
export const palette = {
  paper: '#fbf8f2',
  sheet: '#ffffff',
  sunk: '#f3eee3',
  ink: '#16181f',
  soft: '#50525c',
  line: '#ded7c8',
  edge: '#857f72',
  accent: '#2136c4',
  accentDeep: '#172791',
  accentWash: '#e9ebfb',
  onAccent: '#ffffff',
  /** The warm accent: in words and lines, and as a ground for them. */
  clay: '#a63d0e',
  clayWash: '#fdeedb',
  /** The sun of the horizon; a fill only, and a ground for ink. */
  sun: '#f6a52c',
  /** The ground of the sections that are dark from edge to edge. */
  night: '#111a4a',
  onNight: '#ffffff',
  onNightSoft: '#c6cbee',
  onInk: '#f6f2e9',
  onInkSoft: '#c3c0b8',
  bad: '#b0241b',
  badWash: '#fcedeb',
  good: '#1c6b32',
  goodWash: '#e6f3e8',
}

export type Palette = Record<keyof typeof palette, string>

/**
 * Values as CSS variables `--look-<name>`. Only the staff's app sets these (web/staff/look.ts); elsewhere the values
 * themselves hold.
 */
const variables = <Names extends string>(values: Record<Names, string>) =>
  Object.fromEntries(
    Object.entries<string>(values).map(([name, value]) => [name, `var(--look-${name}, ${value})`]),
  ) as Record<Names, string>

export const colour = variables(palette)

/** The one spacing scale, in rem (0.25 rem a step at the start, then roughly half as much again). */
export const space = {
  hair: '0.25rem',
  tight: '0.5rem',
  snug: '0.75rem',
  base: '1rem',
  roomy: '1.5rem',
  wide: '2.25rem',
  broad: '3.5rem',
  vast: 'clamp(3rem, 9vw, 7rem)',
  /** Between the edge of a panel and its content. */
  inset: 'clamp(1rem, 3vw, 2rem)',
}

/** The one type scale; the upper steps shrink with the window. */
export const type = variables({
  small: '0.875rem',
  body: '1rem',
  lead: 'clamp(1.0625rem, 1.4vw, 1.1875rem)',
  step: '1.25rem',
  heading: 'clamp(1.75rem, 3.3vw, 2.625rem)',
  display: 'clamp(2rem, 4.6vw, 3.75rem)',
})

/** The heights and paddings of controls, and the type in fields: below 16 px iOS zooms in. */
export const size = variables({
  control: '2.875rem',
  quiet: '2.25rem',
  field: '1rem',
  inButton: '0.5rem 1.25rem',
  inField: '0.5rem 0.75rem',
})

/** Prices and headings are in the display face, which has one weight. The build adapts its fallbacks to it. */
export const font = {
  display: 'Besley, Besley-Georgia, Besley-NotoSerif, serif',
  text: '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
}

export const radius = { control: '0.375rem', card: '0.625rem', round: '999px' }

/** A panel or a card: a sheet with a thin border. */
export const panel = {
  border: `1px solid ${colour.line}`,
  borderRadius: radius.card,
  background: colour.sheet,
} as const

export const shadow = {
  card: '0 1px 2px rgb(40 34 20 / 6%), 0 8px 24px -12px rgb(40 34 20 / 18%)',
  floating: '0 2px 6px rgb(40 34 20 / 10%), 0 18px 48px -12px rgb(40 34 20 / 32%)',
}

/** Media queries, smallest window first in the styles themselves. */
export const from = {
  medium: '@media (min-width: 48rem)',
  large: '@media (min-width: 64rem)',
  wide: '@media (min-width: 80rem)',
}

/** Windows in which the side bar of staff pages shows icons alone, or none. */
export const belowWide = '@media (max-width: 79.99rem)'

/** Windows that are smaller than medium ones. */
export const onPhone = '@media (max-width: 47.99rem)'

/** The width below which a bar at the foot replaces the floating buttons. */
export const withBar = '@media (max-width: 63.99rem)'

/** The column of all content. The space next to it is for the floating buttons, so that they never cover anything. */
export const frame = {
  maxWidth: 'calc(76rem + 2 * var(--gutter))',
  marginInline: 'auto',
  paddingInline: 'var(--gutter)',
} as const

/** The style of headings and prices in the display face. */
export const display = {
  fontFamily: font.display,
  fontWeight: 700,
  letterSpacing: '-0.02em',
  lineHeight: 1.08,
} as const

/** A link in words that a thumb hits, in rows that are no higher for it. */
export const thumbLink = {
  '@media (pointer: coarse)': {
    display: 'inline-block',
    minWidth: '2.75rem',
    minHeight: '2.75rem',
    marginBlock: `-${space.snug}`,
    paddingBlock: space.snug,
  },
} as const

export const withMotion = '@media (prefers-reduced-motion: no-preference)'

/** Visible to screen readers only. */
export const unseen = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  padding: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
  border: 0,
} as const
