import type { CSSObject } from '@emotion/react'
import { type Palette, palette } from '../ui/theme.ts'

/** The colours of the staff's app, on neutral grounds; the test next to this file checks the contrast of each pair that is used. */
export const LIGHT: Palette = {
  ...palette,
  paper: '#f7f6f3',
  sunk: '#f1f0ec',
  line: '#e7e4dc',
  clay: '#8a4b00',
}

export const DARK: Palette = {
  paper: '#131419',
  sheet: '#1a1c22',
  sunk: '#23252d',
  ink: '#eceef4',
  soft: '#a9adba',
  line: '#2b2e37',
  edge: '#767b8a',
  accent: '#8f9cff',
  accentDeep: '#b5beff',
  accentWash: '#252b52',
  onAccent: '#0f1230',
  clay: '#f3b15a',
  clayWash: '#382a14',
  sun: '#f6a52c',
  night: '#0d1230',
  onNight: '#ffffff',
  onNightSoft: '#c6cbee',
  onInk: '#16181f',
  onInkSoft: '#43464f',
  bad: '#ff8a80',
  badWash: '#3d1f1d',
  good: '#6fd08c',
  goodWash: '#173322',
}

/** The sizes of the staff's app: four of type, one of controls. */
const SIZES = {
  small: '0.8125rem',
  body: '0.875rem',
  lead: '0.875rem',
  step: '0.9375rem',
  heading: '1.25rem',
  display: '1.25rem',
  control: '2rem',
  quiet: '2rem',
  field: '0.875rem',
  inButton: '0.25rem 0.75rem',
  inField: '0.25rem 0.5rem',
}

/** Under a thumb; below 16 px of type iOS zooms in on a field. */
const THUMB_SIZES = { control: '2.75rem', quiet: '2.75rem', field: '1rem' }

const variablesOf = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--look-${name}`, value]))

const dark: CSSObject = { colorScheme: 'dark', ...variablesOf(DARK) }

/** Sets the variables of the chosen theme, otherwise of the system's; printed pages are light. */
export const themeStyles: CSSObject = {
  ':root': { colorScheme: 'light', ...variablesOf({ ...LIGHT, ...SIZES }) },
  '@media (pointer: coarse)': { ':root': variablesOf(THUMB_SIZES) },
  '@media screen': { ':root[data-theme=dark]': dark },
  '@media screen and (prefers-color-scheme: dark)': { ':root:not([data-theme])': dark },
}
