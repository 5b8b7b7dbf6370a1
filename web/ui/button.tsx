import { type CSSObject, css } from '@emotion/react'
import type { ComponentProps } from 'react'
import { colour, from, radius, size, space, type } from './theme.ts'

const base: CSSObject = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: space.tight,
  minHeight: size.control,
  padding: size.inButton,
  border: '1px solid transparent',
  borderRadius: radius.control,
  fontSize: type.body,
  fontWeight: 600,
  lineHeight: 1.2,
  textAlign: 'center',
  textDecoration: 'none',
  transition: 'background-color 120ms, border-color 120ms',
}

const whileDisabled: CSSObject = {
  ':disabled, &[aria-disabled="true"]': { cursor: 'not-allowed', opacity: 0.6 },
}

const looks: Record<'solid' | 'outline' | 'quiet', CSSObject> = {
  solid: {
    background: colour.accent,
    color: colour.onAccent,
    ':hover:not(:disabled, [aria-disabled="true"])': { background: colour.accentDeep, color: colour.onAccent },
  },
  outline: {
    background: colour.sheet,
    borderColor: colour.edge,
    color: colour.ink,
    ':hover:not(:disabled, [aria-disabled="true"])': { borderColor: colour.ink, color: colour.ink },
  },
  quiet: {
    minHeight: size.quiet,
    padding: `${space.hair} ${space.snug}`,
    background: 'transparent',
    borderColor: colour.line,
    color: colour.ink,
    fontSize: type.small,
    // a thumb's breadth
    '@media (pointer: coarse)': { minHeight: '2.75rem' },
    ':hover:not(:disabled, [aria-disabled="true"])': { background: colour.sunk, color: colour.ink },
    '&[aria-pressed="true"], &[aria-pressed="true"]:hover': {
      background: colour.ink,
      borderColor: colour.ink,
      color: colour.onInk,
    },
  },
}

type Look = keyof typeof looks

// serialized once: a screen of rows has a hundred buttons
const ofButton = {
  solid: css([base, whileDisabled, looks.solid]),
  outline: css([base, whileDisabled, looks.outline]),
  quiet: css([base, whileDisabled, looks.quiet]),
}
const ofLink = {
  solid: css([base, looks.solid]),
  outline: css([base, looks.outline]),
  quiet: css([base, looks.quiet]),
}

export const Button = ({ look = 'solid', ...rest }: { look?: Look } & ComponentProps<'button'>) => (
  <button type="button" css={ofButton[look]} {...rest} />
)

/** Buttons in a row: as wide as a small window lets them be, one below the other or side by side. */
export const actions: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: space.snug,
  '& > a': { flexGrow: 1, minHeight: '3.25rem', [from.large]: { flexGrow: 0 } },
}

/** A link that looks like a button; for going somewhere, never for doing something. */
export const ButtonLink = ({ look = 'solid', children, ...rest }: { look?: Look } & ComponentProps<'a'>) => (
  <a data-button="" css={ofLink[look]} {...rest}>
    {children}
  </a>
)
