import * as v from 'valibot'
import { periodInWords, type Retention, retentionForm } from '../../../events/settings/retention.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { typedNumber } from './typed-number.ts'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const LABELS: Record<keyof Retention, string> = {
  leadMonths: 'Leads without a contract: months after the last contact',
  chatMonths: 'Chats: months after the last message',
  spamDays: 'Flagged leads: days after they came',
  contractYears: 'Contracts: years after their end',
  exportDays: 'Exports of personal data: days',
  requestMonths: 'Privacy requests: months after they were done',
}

const NAMES = Object.keys(LABELS) as (keyof Retention)[]

const { entries } = retentionForm

/** The periods as they are typed. */
const typedForm = v.object({
  leadMonths: v.pipe(typedNumber, entries.leadMonths),
  chatMonths: v.pipe(typedNumber, entries.chatMonths),
  spamDays: v.pipe(typedNumber, entries.spamDays),
  contractYears: v.pipe(typedNumber, entries.contractYears),
  exportDays: v.pipe(typedNumber, entries.exportDays),
  requestMonths: v.pipe(typedNumber, entries.requestMonths),
})

const valuesOf = ({ retention }: Settings) => ({
  leadMonths: String(retention.leadMonths),
  chatMonths: String(retention.chatMonths),
  spamDays: String(retention.spamDays),
  contractYears: String(retention.contractYears),
  exportDays: String(retention.exportDays),
  requestMonths: String(retention.requestMonths),
})

const RetentionForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, RETENTION, typedForm, valuesOf)
  return (
    <SettingsForm form={form} gap={space.base}>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        {NAMES.map((name) => (
          <TextField
            key={name}
            id={`retention-${name}`}
            label={LABELS[name]}
            inputMode="numeric"
            autoComplete="off"
            {...form.field(name)}
          />
        ))}
      </div>
    </SettingsForm>
  )
}

const RetentionLines = ({ settings: { retention } }: { settings: Settings }) => (
  <ul>
    {NAMES.map((name) => (
      <li key={name}>
        {LABELS[name].split(':')[0]}: {periodInWords(retention, name)}
      </li>
    ))}
  </ul>
)

export const RETENTION: PartSection = {
  id: 'retention',
  noun: 'how long data is stored',
  intro:
    'Older data is erased each day, for good. The Privacy screen shows what goes in the next 30 days, and the privacy page of the website shows these periods.',
  Form: RetentionForm,
  Shown: RetentionLines,
}
