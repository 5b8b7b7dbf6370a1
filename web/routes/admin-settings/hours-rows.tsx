import { useFieldArray } from 'react-hook-form'
import type * as v from 'valibot'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import type { hoursForm } from './hours-form.ts'
import { LEVEL_WITH_FIELDS, ListRows, type ListRowsProps, RemoveRow } from './list-rows.tsx'
import type { useSettingsForm } from './use-settings-form.ts'

export type HoursForm = ReturnType<
  typeof useSettingsForm<v.InferInput<typeof hoursForm>, v.InferOutput<typeof hoursForm>>
>

const HoursRows = ({ title, hint, ...list }: ListRowsProps & { title: string; hint: string }) => (
  <fieldset css={{ marginTop: space.roomy }}>
    <legend css={{ padding: 0, fontSize: type.small, fontWeight: 600 }}>{title}</legend>
    <p css={{ marginBottom: space.snug, color: colour.soft, fontSize: type.small }}>{hint}</p>
    <ListRows {...list} />
  </fieldset>
)

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const WEEKDAYS = DAYS.map((label, index) => ({ value: String(index + 1), label }))

/** If the window is this wide, the five fields of a day fit on one line. */
const WIDE = '@media (min-width: 80rem)'

const pairs = { alignItems: 'start', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }

/** One line if there is room; else the button is next to the day, above the times. */
const dayColumns = {
  ...pairs,
  '& > button': { gridArea: '1 / 2', marginTop: LEVEL_WITH_FIELDS },
  [WIDE]: {
    gridTemplateColumns: 'minmax(9rem, 1fr) repeat(4, minmax(0, 1fr)) auto',
    columnGap: space.tight,
    '& > button': { gridArea: 'auto' },
    '& > div > :is(select, input)': { paddingInline: `${space.tight} ${space.hair}` },
    '& ::-webkit-calendar-picker-indicator': { marginInlineStart: 0 },
  },
}

/** The same, with the text on a line of its own. */
const closureColumns = {
  ...pairs,
  '& > div:last-of-type': { gridColumn: '1 / -1' },
  '& > button': { marginTop: 0 },
  [from.medium]: {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr)) auto',
    '& > div:last-of-type': { gridColumn: 'auto' },
    '& > button': { marginTop: LEVEL_WITH_FIELDS },
  },
}

export const SingleDays = ({ form }: { form: HoursForm }) => {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'byDay' })
  return (
    <HoursRows
      id="single-days"
      title="Other hours on single days"
      hint="Such as a Friday that ends earlier."
      rows={fields}
      look={dayColumns}
      problem={form.formState.errors.byDay}
      add="Add a day"
      onAdd={() => {
        const [opens, closes, opensAgain, closesAgain] = form.getValues([
          'opens',
          'closes',
          'opensAgain',
          'closesAgain',
        ])
        append({ day: '', opens, closes, opensAgain, closesAgain })
      }}
    >
      {(index) => (
        <>
          <SelectField
            id={`day-${index}`}
            label={`Day ${index + 1}`}
            choices={WEEKDAYS}
            {...form.field(`byDay.${index}.day`)}
          />
          <TextField id={`day-${index}-opens`} label="From" type="time" {...form.field(`byDay.${index}.opens`)} />
          <TextField id={`day-${index}-closes`} label="Until" type="time" {...form.field(`byDay.${index}.closes`)} />
          <TextField
            id={`day-${index}-opens-again`}
            label="Again from"
            type="time"
            {...form.field(`byDay.${index}.opensAgain`)}
          />
          <TextField
            id={`day-${index}-closes-again`}
            label="Again until"
            type="time"
            {...form.field(`byDay.${index}.closesAgain`)}
          />
          <RemoveRow label={`Remove day ${index + 1}`} onClick={() => remove(index)} />
        </>
      )}
    </HoursRows>
  )
}

/** Days on which no staff reply. */
export const Closures = ({ form }: { form: HoursForm }) => {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'closures' })
  return (
    <HoursRows
      id="closures"
      title="Closures"
      hint="Days without replies. Visitors read the text in the chat, and when you are back."
      rows={fields}
      look={closureColumns}
      problem={form.formState.errors.closures}
      add="Add a closure"
      onAdd={() => append({ from: '', until: '', word: '' })}
    >
      {(index) => (
        <>
          <TextField
            id={`closure-${index}-from`}
            label="First day"
            type="date"
            {...form.field(`closures.${index}.from`)}
          />
          <TextField
            id={`closure-${index}-until`}
            label="Last day"
            type="date"
            {...form.field(`closures.${index}.until`)}
          />
          <TextField
            id={`closure-${index}-word`}
            label="Words for visitors"
            placeholder="Closed for the summer"
            {...form.field(`closures.${index}.word`)}
          />
          <RemoveRow label={`Remove closure ${index + 1}`} onClick={() => remove(index)} />
        </>
      )}
    </HoursRows>
  )
}
