import type { CSSObject } from '@emotion/react'
import { colour, radius, space } from '../theme.ts'

/** The style of every input, select and text area. At least 16 px of type: below that iOS zooms in. */
export const control: CSSObject = {
  width: '100%',
  minHeight: '2.875rem',
  padding: `${space.tight} ${space.snug}`,
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.control,
  background: colour.sheet,
  fontSize: '1rem',
  lineHeight: 1.4,
  ':hover': { borderColor: colour.ink },
  ':focus': { outline: `3px solid ${colour.accent}`, outlineOffset: -1, borderColor: colour.accent },
  '&[aria-invalid="true"]': { borderColor: colour.bad, background: colour.badWash },
}
