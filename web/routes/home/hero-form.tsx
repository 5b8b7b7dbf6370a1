import { REQUEST_NOTICE } from '../../content/form-notices.ts'
import { TextField } from '../../ui/form/field.tsx'
import { LeadForm } from '../../ui/form/lead-form.tsx'
import { useLeadForm } from '../../ui/form/use-lead-form.ts'
import { from, space } from '../../ui/theme.ts'

const pair = { display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }

export const HeroForm = () => {
  const form = useLeadForm({
    leadSource: 'hero_form',
    success: {
      title: 'Quote Request Sent!',
      description: "We'll get back to you within 2 hours during business hours.",
    },
  })
  const { error: _, ...message } = form.field('message')
  return (
    <LeadForm
      label="Free consultation"
      action="Get my free consultation"
      path="/"
      dataNote={REQUEST_NOTICE}
      form={form}
    >
      <div css={pair}>
        <TextField label="Full name" required minLength={2} autoComplete="name" {...form.field('name')} />
        <TextField label="Phone" required type="tel" minLength={10} autoComplete="tel" {...form.field('phone')} />
        <TextField label="Email" required type="email" autoComplete="email" {...form.field('email')} />
        <TextField label="Company" autoComplete="organization" {...form.field('company')} />
      </div>
      {/* filled in with the choices made in the preview */}
      <textarea hidden {...message} />
    </LeadForm>
  )
}
