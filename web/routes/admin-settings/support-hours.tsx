import { useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { hoursInWords, type SupportHours } from '../../../events/support-hours.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import { FieldError, TextField } from '../../ui/form/field.tsx'
import { colour, from, radius, space, type, unseen } from '../../ui/theme.ts'
import { SaveBar } from './save-bar.tsx'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MINUTES_OF_DAY = 24 * 60

const timeText = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const minuteOf = (text: string) => {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

/** Midnight, as the end of a day, is the last of its minutes and not the first. */
const closingMinuteOf = (text: string) => minuteOf(text) || MINUTES_OF_DAY

const time = v.pipe(v.string(), v.regex(/^\d\d:\d\d/, 'Choose a time'))

const hoursForm = v.pipe(
  v.object({
    days: v.pipe(v.array(v.string()), v.minLength(1, 'Choose at least one day')),
    opens: time,
    closes: time,
  }),
  v.forward(
    v.partialCheck(
      [['opens'], ['closes']],
      ({ opens, closes }) => closingMinuteOf(closes) > minuteOf(opens),
      'Must be later than the opening time',
    ),
    ['closes'],
  ),
  v.transform(
    ({ days, opens, closes }): SupportHours => ({
      days: days.map(Number),
      opensAtMinute: minuteOf(opens),
      closesAtMinute: closingMinuteOf(closes),
    }),
  ),
)

const valuesOf = ({ supportHours: { days, opensAtMinute, closesAtMinute } }: Settings) => ({
  days: days.map(String),
  opens: timeText(opensAtMinute),
  closes: timeText(closesAtMinute),
})

/** When somebody answers, for owners to change. */
export const SupportHoursForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, 'support-hours', hoursForm, valuesOf)
  const written = v.safeParse(hoursForm, useWatch({ control: form.control }))
  const daysError = form.formState.errors.days?.message
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Support hours">
      <fieldset aria-describedby={daysError && 'days-error'}>
        <legend css={{ padding: 0, fontSize: type.small, fontWeight: 600 }}>Days</legend>
        <div
          css={{
            display: 'grid',
            gridTemplateColumns: 'repeat(7, minmax(0, 3.5rem))',
            gap: space.hair,
            marginTop: '0.375rem',
            [from.medium]: { gap: space.tight },
          }}
        >
          {DAYS.map((name, index) => (
            <label
              key={name}
              css={{
                position: 'relative',
                display: 'inline-grid',
                placeItems: 'center',
                minHeight: '2.75rem',
                border: `1px solid ${colour.edge}`,
                borderRadius: radius.control,
                background: colour.sheet,
                fontWeight: 500,
                cursor: 'pointer',
                ':hover': { borderColor: colour.ink },
                ':has(:checked)': { borderColor: colour.accent, background: colour.accent, color: colour.onAccent },
                ':has(:focus-visible)': { outline: `3px solid ${colour.accent}`, outlineOffset: 2 },
              }}
            >
              <input
                type="checkbox"
                value={index + 1}
                css={{
                  position: 'absolute',
                  inset: 0,
                  width: '100%',
                  height: '100%',
                  margin: 0,
                  opacity: 0,
                  cursor: 'pointer',
                }}
                {...form.register('days')}
              />
              <span aria-hidden="true">{name.slice(0, 3)}</span>
              <span css={unseen}>{name}</span>
            </label>
          ))}
        </div>
        {daysError && <FieldError id="days" error={daysError} />}
      </fieldset>
      <div
        css={{
          display: 'grid',
          gridTemplateColumns: 'repeat(2, minmax(0, 10rem))',
          gap: space.base,
          marginTop: space.base,
        }}
      >
        <TextField id="opens" label="From" type="time" {...form.field('opens')} />
        <TextField id="closes" label="Until" type="time" {...form.field('closes')} />
      </div>
      <p css={{ marginTop: space.base, color: colour.soft, fontSize: type.small }}>
        {written.success ? (
          <>
            On the website: <strong css={{ color: colour.ink }}>{hoursInWords(written.output)}</strong>.{' '}
          </>
        ) : null}
        South African public holidays are always closed.
      </p>
      <SaveBar what="support hours" bar={form}>
        {form.conflict && <p>{hoursInWords(form.conflict.settings.supportHours)}</p>}
      </SaveBar>
    </form>
  )
}
