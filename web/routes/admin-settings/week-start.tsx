import { nameOf } from '../../../events/base/name-of.ts'
import { WEEK_STARTS, type WeekStart, weekStartForm } from '../../../events/settings/week-start.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { SelectField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { SaveBar } from './save-bar.tsx'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const NAMES: Record<WeekStart, string> = { sunday: 'Sunday', monday: 'Monday', saturday: 'Saturday' }

const CHOICES = WEEK_STARTS.map((value) => ({ value, label: NAMES[value] }))

const valuesOf = ({ weekStart }: Settings) => ({ weekStart: weekStart as WeekStart })

/** The day on which weeks begin, read-only. */
export const WeekStartLine = ({ settings: { weekStart } }: { settings: Settings }) => (
  <p>Weeks begin on {nameOf(NAMES, weekStart)}.</p>
)

/** The day on which weeks begin, for owners to change. */
export const WeekStartForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, 'week-start', weekStartForm, valuesOf)
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Week" css={{ display: 'grid', gap: space.base }}>
      <SelectField id="week-start-day" label="Weeks begin on" choices={CHOICES} {...form.field('weekStart')} />
      <SaveBar what="start of the week" bar={form}>
        {form.conflict && <WeekStartLine settings={form.conflict.settings} />}
      </SaveBar>
    </form>
  )
}
