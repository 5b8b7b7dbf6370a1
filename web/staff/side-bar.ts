import type { CSSObject } from '@emotion/react'
import { belowWide, colour, from, radius, space, type, unseen } from '../ui/theme.ts'
import { tipAbove } from '../ui/tooltip.ts'

/** The columns of a window with a side bar: icons with labels, or icons alone. */
export const withSideBar: CSSObject = {
  [from.large]: { display: 'grid', gridTemplateColumns: '3.5rem minmax(0, 1fr)', alignItems: 'start' },
  [from.wide]: { gridTemplateColumns: '13.75rem minmax(0, 1fr)' },
}

/** The side bar; in a small window a row above the screen. */
export const sideBar: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  gap: space.snug,
  padding: `${space.tight} ${space.base}`,
  background: colour.sheet,
  borderBottom: `1px solid ${colour.line}`,
  [from.large]: {
    position: 'sticky',
    top: 0,
    flexDirection: 'column',
    alignItems: 'stretch',
    height: '100dvh',
    padding: `${space.snug} ${space.tight}`,
    borderBottom: 0,
    borderRight: `1px solid ${colour.line}`,
    overflowY: 'auto',
  },
  [from.wide]: { padding: space.snug },
}

/** The foot of the side bar; in a small window the right end of its row. */
export const sideBarFoot: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  gap: space.snug,
  minWidth: 0,
  marginLeft: 'auto',
  fontSize: type.small,
  [from.large]: {
    flexDirection: 'column',
    alignItems: 'stretch',
    gap: space.hair,
    marginTop: 'auto',
    marginLeft: 0,
  },
}

/** A link or a button of the side bar, an icon and a label. Its tooltip has the label where the icon is alone. */
export const sideEntry: CSSObject = {
  [from.large]: {
    ...tipAbove,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'start',
    gap: space.snug,
    minHeight: '2.25rem',
    '@media (pointer: coarse)': { minHeight: '2.75rem' },
    padding: `0 ${space.snug}`,
    border: 0,
    borderRadius: radius.control,
    background: 'none',
    color: colour.soft,
    fontSize: type.body,
    fontWeight: 500,
    textDecoration: 'none',
    '& svg': { fontSize: '1rem' },
    ':hover': { background: colour.sunk, color: colour.ink },
    '&[aria-current="page"], &[data-within]': { background: colour.accentWash, color: colour.accentDeep },
    [belowWide]: { justifyContent: 'center', padding: 0 },
    [from.wide]: { '&&::after': { display: 'none' } },
  },
  '@media (max-width: 63.99rem)': { '&&::after': { display: 'none' }, 'button& > svg': { display: 'none' } },
}

/** The label of an entry, visible unless the icon is alone. */
export const sideLabel: CSSObject = { [from.large]: { [belowWide]: unseen } }
