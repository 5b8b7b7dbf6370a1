import { nameOf } from '../../../events/base/name-of.ts'
import { WEEK_STARTS, type WeekStart, weekStartForm } from '../../../events/settings/week-start.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { SelectField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const NAMES: Record<WeekStart, string> = { sunday: 'Sunday', monday: 'Monday', saturday: 'Saturday' }

const CHOICES = WEEK_STARTS.map((value) => ({ value, label: NAMES[value] }))

const valuesOf = ({ weekStart }: Settings) => ({ weekStart: weekStart as WeekStart })

const WeekStartLine = ({ settings: { weekStart } }: { settings: Settings }) => (
  <p>Weeks begin on {nameOf(NAMES, weekStart)}.</p>
)

const WeekStartForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, WEEK_START, weekStartForm, valuesOf)
  return (
    <SettingsForm form={form} gap={space.base}>
      <SelectField id="week-start-day" label="Weeks begin on" choices={CHOICES} {...form.field('weekStart')} />
    </SettingsForm>
  )
}

export const WEEK_START: PartSection = {
  id: 'week-start',
  noun: 'start of the week',
  intro: 'The day on which Entire Week and calendars begin, for all accounts.',
  Form: WeekStartForm,
  Shown: WeekStartLine,
}
