import type { CSSObject } from '@emotion/react'
import { colour, panel, radius, shadow, space, type, unseen } from '../../ui/theme.ts'

/** Marks today in the agency's time zone. */
export const TODAY_CLASS = 'agency-today'

const CELL = '2.375rem'

/** All styles of react-datepicker's calendar, in place of the style sheet that comes with it. */
export const calendarStyles: Record<string, CSSObject> = {
  '.react-datepicker-wrapper': { display: 'block' },
  '.react-datepicker-popper': { zIndex: 20 },
  '.react-datepicker': {
    padding: space.snug,
    ...panel,
    boxShadow: shadow.floating,
    fontSize: type.small,
  },
  '.react-datepicker__sr-only, .react-datepicker__aria-live': unseen,
  '.react-datepicker__day-names, .react-datepicker__week': {
    display: 'grid',
    gridTemplateColumns: `repeat(7, ${CELL})`,
  },
  '.react-datepicker__day-name': {
    display: 'grid',
    placeItems: 'center',
    height: '2rem',
    color: colour.soft,
    fontSize: '0.8125rem',
  },
  '.react-datepicker__day': {
    display: 'grid',
    placeItems: 'center',
    height: CELL,
    borderRadius: radius.control,
    cursor: 'pointer',
    fontVariantNumeric: 'tabular-nums',
  },
  '.react-datepicker__day:hover': { background: colour.sunk },
  '.react-datepicker__day--outside-month': { color: colour.soft },
  [`.react-datepicker__day.${TODAY_CLASS}`]: {
    fontWeight: 700,
    textDecoration: 'underline',
    textUnderlineOffset: '0.25em',
    textDecorationThickness: 2,
  },
  '.react-datepicker__day--selected, .react-datepicker__day--selected:hover': {
    background: colour.accent,
    color: colour.onAccent,
    fontWeight: 700,
  },
  '.react-datepicker__day--disabled': { color: colour.edge, cursor: 'not-allowed' },
}
