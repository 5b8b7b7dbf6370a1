import { REQUEST_NOTICE } from '../../content/form-notices.ts'
import { TextField } from '../../ui/form/field.tsx'
import { LeadForm } from '../../ui/form/lead-form.tsx'
import { useLeadForm } from '../../ui/form/use-lead-form.ts'

/** The hero's form for a free consultation (specification, 3 and 5). */
export const HeroForm = () => {
  const form = useLeadForm({
    leadSource: 'hero_form',
    success: {
      title: 'Quote Request Sent!',
      description: "We'll get back to you within 2 hours during business hours.",
    },
  })
  return (
    <LeadForm label="Free consultation" action="Get my free consultation" path="/" notice={REQUEST_NOTICE} form={form}>
      <TextField label="Full name" required minLength={2} autoComplete="name" {...form.field('name')} />
      <TextField label="Phone" required type="tel" minLength={10} autoComplete="tel" {...form.field('phone')} />
      <TextField label="E-mail" required type="email" autoComplete="email" {...form.field('email')} />
      <TextField label="Company" autoComplete="organization" {...form.field('company')} />
    </LeadForm>
  )
}
