import { CONTACT_METHODS, PACKAGE_CHOICES, TIMELINES } from '../../../events/base/choices.ts'
import { REQUEST_NOTICE } from '../../content/form-notices.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { LeadForm } from '../../ui/form/lead-form.tsx'
import { useLeadForm } from '../../ui/form/use-lead-form.ts'
import { from, space } from '../../ui/theme.ts'

const pair = { display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }

/** The choices name one amount each, which is not the whole cost of a package. */
const PRICES_IN_FULL = (
  <>
    Setup and monthly fees: see <a href="#pricing">packages and prices</a>. Your quote confirms the total.
  </>
)

/** The contact section's form for a quote; `choices` are its packages, if owners have set them. */
export const QuoteForm = ({ choices = PACKAGE_CHOICES }: { choices?: readonly { value: string; label: string }[] }) => {
  const form = useLeadForm({
    leadSource: 'contact_form',
    success: {
      title: 'Message Sent Successfully!',
      description: 'We typically respond within 2 hours during business hours',
    },
  })
  return (
    <LeadForm label="Quote request" action="Request my quote" path="/" dataNote={REQUEST_NOTICE} form={form}>
      <div css={pair}>
        <TextField label="Full name" required minLength={2} autoComplete="name" {...form.field('name')} />
        <TextField label="Phone" required type="tel" minLength={10} autoComplete="tel" {...form.field('phone')} />
        <TextField label="Email" required type="email" autoComplete="email" {...form.field('email')} />
        <TextField label="Company" autoComplete="organization" {...form.field('company')} />
        <SelectField label="Package" hint={PRICES_IN_FULL} choices={choices} {...form.field('package')} />
        <SelectField label="Preferred contact method" choices={CONTACT_METHODS} {...form.field('industry')} />
      </div>
      <SelectField label="Timeline" choices={TIMELINES} {...form.field('timeline')} />
      <TextAreaField label="Message" rows={4} {...form.field('message')} />
    </LeadForm>
  )
}
