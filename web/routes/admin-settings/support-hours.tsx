import { useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { hoursInWords } from '../../../events/settings/support-time.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { dayInShort } from '../../staff/day.ts'
import { FieldError, TextField } from '../../ui/form/field.tsx'
import { colour, from, radius, space, type, unseen } from '../../ui/theme.ts'
import { hoursForm, hoursValues } from './hours-form.ts'
import { Closures, DAYS, type HoursForm, SingleDays } from './hours-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** The days on which staff reply, as a row of switches. */
const Days = ({ form }: { form: HoursForm }) => {
  const daysError = form.formState.errors.days?.message
  return (
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
  )
}

const HoursSummary = ({ settings: { supportHours: hours } }: { settings: Settings }) => (
  <>
    <p>{hoursInWords(hours)}</p>
    <ul>
      {hours.closures?.map(({ from, until, word }) => (
        <li key={`${from} ${until} ${word}`}>
          Closed {dayInShort(from)}
          {until !== from && ` to ${dayInShort(until)}`}
          {word && `: ${word}`}
        </li>
      ))}
    </ul>
  </>
)

const SupportHoursForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, SUPPORT_HOURS, hoursForm, hoursValues)
  const written = v.safeParse(hoursForm, useWatch({ control: form.control }))
  return (
    <SettingsForm form={form}>
      <Days form={form} />
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
        <TextField id="opens-again" label="Again from" type="time" {...form.field('opensAgain')} />
        <TextField id="closes-again" label="Again until" type="time" {...form.field('closesAgain')} />
      </div>
      <p css={{ marginTop: space.tight, color: colour.soft, fontSize: type.small }}>
        An end that is not later than its beginning is on the next day. Use 'Again from' and 'Again until' if you close
        during the day, for example for lunch.
      </p>
      <SingleDays form={form} />
      <Closures form={form} />
      <p css={{ marginTop: space.base, color: colour.soft, fontSize: type.small }}>
        {written.success ? (
          <>
            {form.formState.isDirty ? 'On the website once saved' : 'On the website'}:{' '}
            <strong css={{ color: colour.ink }}>{hoursInWords(written.output)}</strong>.{' '}
          </>
        ) : null}
        South African public holidays are always closed.
      </p>
    </SettingsForm>
  )
}

export const SUPPORT_HOURS: PartSection = {
  id: 'support-hours',
  noun: 'support hours',
  intro: 'Shown on the website; used by chat and reply deadlines.',
  Form: SupportHoursForm,
  Shown: HoursSummary,
}
