import type { CSSObject } from '@emotion/react'
import { colour, from, radius, space, type, unseen, withBar } from '../ui/theme.ts'
import { tipAbove } from '../ui/tooltip.ts'

/** The columns of a window with a side bar: icons with labels, or icons alone. */
export const withSideBar: CSSObject = {
  [from.large]: { display: 'grid', gridTemplateColumns: '3.5rem minmax(0, 1fr)', alignItems: 'start' },
  [from.wide]: { gridTemplateColumns: '13.75rem minmax(0, 1fr)' },
}

/** The side bar; in a small window there is only the bar at its foot. */
export const sideBar: CSSObject = {
  [from.large]: {
    position: 'sticky',
    top: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: space.snug,
    height: '100dvh',
    padding: `${space.snug} ${space.tight}`,
    background: colour.sheet,
    borderRight: `1px solid ${colour.line}`,
    overflowY: 'auto',
  },
  [from.wide]: { padding: space.snug },
  [withBar]: { '& > a': { display: 'none' } },
}

/** Windows in which the side bar shows icons alone. */
export const ICONS_ALONE = '(min-width: 64rem) and (max-width: 79.99rem)'

export const iconsAlone = `@media ${ICONS_ALONE}`

const ICON = { width: '1rem', height: '1rem' }

/** A link or a button of the side bar, an icon and a label. Its tooltip has the label where the icon is alone. */
export const sideEntry: CSSObject = {
  [from.large]: {
    ...tipAbove,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'start',
    gap: space.snug,
    minHeight: '2rem',
    '@media (pointer: coarse)': { minHeight: '2.75rem' },
    padding: `0 ${space.snug}`,
    border: 0,
    borderRadius: radius.control,
    background: 'none',
    color: colour.soft,
    fontSize: type.body,
    fontWeight: 500,
    textDecoration: 'none',
    '& > svg': ICON,
    ':hover': { background: colour.sunk, color: colour.ink },
    '&[aria-current], &[data-within]': { background: colour.accentWash, color: colour.accentDeep },
  },
  [iconsAlone]: { justifyContent: 'center', padding: 0 },
  [from.wide]: { '&&::after': { display: 'none' } },
  [withBar]: { '&&::after': { display: 'none' } },
}

/** The label of an entry, visible unless the icon is alone. */
export const sideLabel: CSSObject = { [iconsAlone]: unseen }
