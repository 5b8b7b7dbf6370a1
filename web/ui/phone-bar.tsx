import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { agency, whatsappLink } from '../content/agency.ts'
import { PhoneIcon, WhatsAppIcon } from './icons.tsx'
import { colour, space, withBar } from './theme.ts'

/** The bar's height while it shows; `--bar` is 0 otherwise. */
export const PHONE_BAR_HEIGHT = '3.75rem'

/** The next step that a page suggests. */
export type NextStep = { href: string; label: ReactNode }

/** A call, WhatsApp and the chat's launcher take a fifth each, and the next step the rest; without one, a third each. */
const part = 'var(--part, 20%)'

/** The root properties of a page without a next step. */
export const WITHOUT_NEXT_STEP = { '--part': '33.33%', '--next': '0px' }

const cell: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '0.125rem',
  color: colour.ink,
  fontSize: '0.75rem',
  fontWeight: 600,
  lineHeight: 1.3,
  textAlign: 'center',
  textDecoration: 'none',
  '& svg': { fontSize: '1.125rem' },
  ':hover': { color: colour.accentDeep },
  ':focus-visible': { outlineOffset: -3 },
}

/** Hides the bar while the visitor fills in a form, which gets the whole of a small window. */
export const hiddenWhileTyping = { 'body:has(main form :focus-visible) &': { visibility: 'hidden' } } as const

/** The chat launcher inside the bar; its tooltip becomes the label below its icon. */
export const inPhoneBar: CSSObject = {
  [withBar]: {
    ...cell,
    right: 'auto',
    bottom: 0,
    left: `calc(2 * ${part})`,
    width: part,
    height: `calc(${PHONE_BAR_HEIGHT} - 1px)`,
    border: 0,
    borderRadius: 0,
    background: 'transparent',
    boxShadow: 'none',
    ':hover': { background: 'transparent', color: colour.accentDeep },
    ...hiddenWhileTyping,
    '&&&::after': { all: 'unset', content: '"Chat"' },
  },
}

/** The bar while the chat's launcher is not in it: its links share the place. */
export const barWithoutChat = {
  'body [data-floats=bar]': {
    gridTemplateColumns: '1fr 1fr var(--next, 40%)',
    '& > :last-child': { width: '100%' },
  },
}

/** On small windows: every way to reach the agency, in one bar at the window's foot that has a place of its own. */
export const PhoneBar = ({ next, message }: { next: NextStep | null; message: string }) => (
  <nav
    aria-label="Contact us"
    data-floats="bar"
    css={{
      display: 'none',
      position: 'fixed',
      zIndex: 45,
      insetInline: 0,
      bottom: 0,
      gridTemplateColumns: `${part} ${part} 1fr`,
      height: PHONE_BAR_HEIGHT,
      background: colour.sheet,
      borderTop: `1px solid ${colour.line}`,
      viewTransitionName: 'phone-bar',
      [withBar]: { display: 'grid', ...hiddenWhileTyping },
    }}
  >
    <a href={`tel:${agency().dial}`} css={cell}>
      <PhoneIcon />
      Call
    </a>
    <a href={whatsappLink(message)} target="_blank" rel="noreferrer" aria-label="WhatsApp (new tab)" css={cell}>
      <WhatsAppIcon />
      WhatsApp
    </a>
    {next && (
      <a
        data-button=""
        href={next.href}
        css={{
          ...cell,
          width: `calc(200% / 3)`,
          marginLeft: 'auto',
          background: colour.accent,
          color: colour.onAccent,
          padding: `0 ${space.tight}`,
          fontSize: '0.875rem',
          ':hover': { background: colour.accentDeep, color: colour.onAccent },
          ':focus-visible': { outlineColor: colour.onAccent, outlineOffset: -5 },
        }}
      >
        <span>{next.label}</span>
      </a>
    )}
  </nav>
)
