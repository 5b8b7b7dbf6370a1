import { Global } from '@emotion/react'
import { format, isValid, parse } from 'date-fns'
import { enGB } from 'date-fns/locale/en-GB'
import { type ComponentProps, useState } from 'react'
import library from 'react-datepicker'
import { DEFAULT_WEEK_START, weekdayOfStart } from '../../../events/settings/week-start.ts'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { BackIcon, ForwardIcon } from '../../ui/icons.tsx'
import { type Day, FIRST_DAY, LAST_DAY } from '../day.ts'
import { useWeekStart } from '../settings/settings.ts'
import { calendarStyles, TODAY_CLASS } from './calendar-style.ts'

// Its types are those of its CommonJS build, in which the calendar is a member; the build that Vite takes is the
// calendar itself.
const DatePicker = library as unknown as typeof library.default

// The calendar knows only the browser's own time zone: a day is its noon there, a time that every zone has on every
// day.
const toLocal = (day: Day) => new Date(`${day}T12:00:00`)

const fromLocal = (date: Date): Day => {
  const offsetMs = date.getTimezoneOffset() * 60_000
  return new Date(date.getTime() - offsetMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

const monthName = (date: Date) => date.toLocaleDateString('en-ZA', { month: 'long', year: 'numeric' })

/** The format in which a day is shown, and the others in which it may be typed. */
const FORMATS = ['d MMMM yyyy', 'dd MMMM yyyy', 'd MMM yyyy', 'dd MMM yyyy', 'dd/MM/yyyy', 'd/M/yyyy', 'yyyy-MM-dd']

/** The day that was typed, read as strictly as the calendar does. */
const typedDay = (text: string): Day | undefined => {
  for (const way of FORMATS) {
    const date = parse(text, way, new Date(), { locale: enGB })
    if (isValid(date) && format(date, way, { locale: enGB }) === text) return fromLocal(date)
  }
  return undefined
}

const faultOf = (text: string, latest: Day) => {
  const day = typedDay(text)
  if (!day) return text === '' ? undefined : 'Enter a date like 5 November 2026'
  if (day < FIRST_DAY) return 'Date is too early'
  return day > latest ? 'Date is too late' : undefined
}

type Leave = { onLeave: (text: string) => void; onType: () => void }

/** Reports the typed text on blur, before the calendar replaces it by its own day. */
const DayInput = ({ onLeave, onType, onBlur, ...input }: ComponentProps<'input'> & Leave) => (
  <input
    css={control}
    {...input}
    onInput={onType}
    onBlur={(event) => {
      onLeave(event.target.value)
      onBlur?.(event)
    }}
  />
)

/**
 * Picks one day, and closes after it; a day must always be selected. `today` is that of the agency, which may differ
 * from the browser's; no day after `latest` can be picked. Without a `day` it shows the placeholder until one is
 * picked.
 */
export const DayPicker = ({
  id,
  day,
  today,
  latest = LAST_DAY,
  placeholder,
  onPick,
}: {
  id: string
  day: Day | undefined
  today: Day
  latest?: Day
  placeholder?: string
  onPick: (day: Day) => void
}) => {
  const [fault, setFault] = useState<string>()
  const weekStart = useWeekStart() ?? weekdayOfStart(DEFAULT_WEEK_START)
  return (
    <div>
      <Global styles={calendarStyles} />
      <DatePicker
        id={id}
        selected={day === undefined ? null : toLocal(day)}
        openToDate={toLocal(day ?? today)}
        {...(placeholder && { placeholderText: placeholder })}
        onChange={(date: Date | null) => {
          if (date) setFault(undefined)
          if (date && fromLocal(date) !== day) onPick(fromLocal(date))
        }}
        // a screen reader reads `1 November 2026` for the cell that shows 1
        locale={enGB}
        dateFormat={FORMATS}
        {...(fault && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` })}
        // an unfinished year is not a date yet: otherwise `12 January 2` is one in 2001
        strictParsing
        minDate={toLocal(FIRST_DAY)}
        maxDate={toLocal(latest)}
        calendarStartDay={weekStart}
        dayClassName={(date) => (fromLocal(date) === today ? TODAY_CLASS : '')}
        showPopperArrow={false}
        popperPlacement="bottom-start"
        autoComplete="off"
        customInput={
          <DayInput
            onType={() => setFault(undefined)}
            onLeave={(text) => setFault((old) => faultOf(text, latest) ?? old)}
          />
        }
        renderCustomHeader={({ monthDate, decreaseMonth, increaseMonth }) => (
          <div css={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
            <Button look="quiet" aria-label="Previous month" onClick={decreaseMonth} css={{ border: 0 }}>
              <BackIcon />
            </Button>
            <strong>{monthName(monthDate)}</strong>
            <Button look="quiet" aria-label="Next month" onClick={increaseMonth} css={{ border: 0 }}>
              <ForwardIcon />
            </Button>
          </div>
        )}
      />
      <div role="alert">{fault && <FieldError id={id} error={fault} />}</div>
    </div>
  )
}
