import type { CSSObject } from '@emotion/react'
import { colour, radius, size } from '../theme.ts'

/** The style of every input, select and text area. At least 16 px of type: below that iOS zooms in. */
export const control: CSSObject = {
  width: '100%',
  minHeight: size.control,
  padding: size.inField,
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.control,
  background: colour.sheet,
  fontSize: size.field,
  lineHeight: 1.4,
  ':hover': { borderColor: colour.ink },
  ':focus': { outline: `3px solid ${colour.accent}`, outlineOffset: -1, borderColor: colour.accent },
  '&[aria-invalid="true"]': { borderColor: colour.bad, background: colour.badWash },
}
