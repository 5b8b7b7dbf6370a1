import { TIMELINES } from '../../../events/base/choices.ts'
import { CONTRACT_NOTICE } from '../../content/form-notices.ts'
import { PACKAGES, type Package, packageLine } from '../../content/packages.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { LeadForm } from '../../ui/form/lead-form.tsx'
import { useLeadForm } from '../../ui/form/use-lead-form.ts'
import { from, space } from '../../ui/theme.ts'

const pair = { display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }

/** The form that signs a package's contract; `delivery` is the delivery date that the page shows. */
export const ContractForm = ({ packageId, delivery }: { packageId: Package['id']; delivery: string }) => {
  const offer = PACKAGES.find(({ id }) => id === packageId) ?? PACKAGES[0]
  const form = useLeadForm({
    leadSource: `contract_${offer.id}`,
    fixed: { package: packageLine(offer) },
    success: {
      title: 'Contract Submitted Successfully!',
      description: 'A consultant will be in contact soon to discuss project details and next steps.',
    },
  })
  return (
    <LeadForm
      label={`${offer.name} contract`}
      action="Submit contract"
      sending="Submitting..."
      path={`/contract/${offer.id}`}
      dataNote={CONTRACT_NOTICE}
      delivery={delivery}
      form={form}
    >
      <div css={pair}>
        <TextField label="Full name" required minLength={2} autoComplete="name" {...form.field('name')} />
        <TextField label="Phone" required type="tel" minLength={10} autoComplete="tel" {...form.field('phone')} />
        <TextField label="Email" required type="email" autoComplete="email" {...form.field('email')} />
        <TextField
          label="Business name"
          required
          minLength={2}
          autoComplete="organization"
          {...form.field('businessName')}
        />
        <TextField label="Industry" {...form.field('industry')} />
        <SelectField label="When do you want to start?" choices={TIMELINES} {...form.field('timeline')} />
      </div>
      <TextAreaField label="Anything we should know?" rows={4} {...form.field('message')} />
      <CheckField
        // a price stays on one line
        label={`I have read the terms on this page and agree to them: ${packageLine(offer).replace(' + ', '\u00a0+\u00a0')}.`}
        required
        {...form.field('agreedToTerms')}
      />
    </LeadForm>
  )
}
