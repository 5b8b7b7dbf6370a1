import { type Company, companyForm, companyLines, type VAT_STATES } from '../../../events/settings/company.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const VAT_CHOICES: readonly { value: (typeof VAT_STATES)[number]; label: string }[] = [
  { value: 'registered', label: 'Registered for VAT' },
  { value: 'not_registered', label: 'Not registered for VAT' },
]

const valuesOf = ({ company }: Settings) => ({
  registeredName: company.registeredName ?? '',
  registrationNumber: company.registrationNumber ?? '',
  vat: String(company.vat ?? ''),
  vatNumber: company.vatNumber ?? '',
  address: company.address ?? '',
  guarantee: company.guarantee ?? '',
})

const CompanyLines = ({ settings }: { settings: Settings }) => {
  const company = settings.company as Company
  const lines = [...companyLines(company), ...(company.guarantee ? [`Guarantee: ${company.guarantee}`] : [])]
  return lines.length === 0 ? (
    <p>None.</p>
  ) : (
    <ul css={{ overflowWrap: 'anywhere' }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const CompanyForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, COMPANY, companyForm, valuesOf)
  const { field } = form
  const isRegistered = form.watch('vat') === 'registered'
  return (
    <SettingsForm form={form} gap={space.base}>
      <div
        css={{
          display: 'grid',
          alignItems: 'start',
          gap: space.base,
          [from.medium]: { gridTemplateColumns: '1fr 1fr' },
        }}
      >
        <TextField
          id="company-name"
          label="Registered name"
          hint="As in the company register, or your own name as a sole proprietor."
          autoComplete="off"
          {...field('registeredName')}
        />
        <TextField
          id="company-registration"
          label="Registration number"
          hint="Such as 2019/123456/07."
          autoComplete="off"
          {...field('registrationNumber')}
        />
        <SelectField id="company-vat" label="VAT" choices={VAT_CHOICES} {...field('vat')} />
        {isRegistered && (
          <TextField
            id="company-vat-number"
            label="VAT number"
            inputMode="numeric"
            autoComplete="off"
            {...field('vatNumber')}
          />
        )}
      </div>
      <TextAreaField id="company-address" label="Physical address" rows={3} {...field('address')} />
      <TextAreaField
        id="company-guarantee"
        label="Guarantee"
        rows={3}
        hint="What you promise a customer who is not happy. Shown beside the prices and on the contracts."
        {...field('guarantee')}
      />
    </SettingsForm>
  )
}

export const COMPANY: PartSection = {
  id: 'company',
  noun: 'company details',
  intro:
    'The party that customers sign with: shown at the foot of the website, on contracts and their copies, and under Privacy.',
  Form: CompanyForm,
  Shown: CompanyLines,
}
