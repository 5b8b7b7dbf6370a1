import { space, type } from '../../../ui/theme.ts'

/** A label of 88 px next to its value, for each property of a lead. */
export const property = {
  display: 'grid',
  gridTemplateColumns: '5.5rem minmax(0, 1fr)',
  alignItems: 'center',
  columnGap: space.tight,
} as const

export const facts = {
  display: 'grid',
  gap: space.hair,
  '& > div': { ...property, alignItems: 'baseline' },
  '& dd': { fontSize: type.body },
} as const
