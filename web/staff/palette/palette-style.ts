import { colour, radius, space, type } from '../../ui/theme.ts'

/** The styles of the command palette: cmdk provides its parts unstyled, and marks them by attributes. */
export const paletteStyle = {
  '[cmdk-input]': {
    width: '100%',
    padding: space.snug,
    border: `1px solid ${colour.edge}`,
    borderRadius: radius.control,
    background: colour.sheet,
    color: colour.ink,
    fontSize: type.body,
  },
  // one size, however many results there are: nothing moves while they load
  '[cmdk-list]': {
    height: 'min(26rem, 60dvh)',
    marginTop: space.snug,
    overflow: 'auto',
    overscrollBehavior: 'contain',
  },
  '[cmdk-group-heading]': {
    padding: `${space.tight} ${space.snug} ${space.hair}`,
    color: colour.soft,
    fontSize: type.small,
    fontWeight: 600,
  },
  '[cmdk-item]': {
    display: 'flex',
    flexWrap: 'wrap',
    alignContent: 'center',
    alignItems: 'baseline',
    columnGap: space.snug,
    minHeight: '2.25rem',
    '@media (pointer: coarse)': { minHeight: '2.75rem' },
    padding: `${space.hair} ${space.snug}`,
    borderRadius: radius.control,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
  },
  '[cmdk-item] small': { color: colour.soft, fontSize: type.small },
  '[cmdk-item][aria-selected=true]': { background: colour.accentWash },
  '[cmdk-item][aria-selected=true] small': { color: colour.ink },
} as const
