import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { TIMELINES } from '../../../events/base/choices.ts'
import { agreementTo } from '../../../events/contract/agreement.ts'
import type { PackageId } from '../../../events/settings/prices.ts'
import type { NewTerms } from '../../client/http.ts'
import { CONTRACT_NOTICE, SIGNATURE_NOTICE } from '../../content/form-notices.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { LeadForm } from '../../ui/form/lead-form.tsx'
import { useLeadForm } from '../../ui/form/use-lead-form.ts'
import { from, space, type } from '../../ui/theme.ts'

const pair = { display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }

type TickedAt = RefObject<number | undefined>

/** The box by which a visitor agrees to the terms; `tickedAt` takes the time. */
const Agreement = ({ tickedAt, ...box }: { tickedAt: TickedAt } & ComponentProps<typeof CheckField>) => {
  useEffect(() => {
    // a box that was ticked before hydration raised no event
    if ((document.getElementById(box.id) as HTMLInputElement).checked) tickedAt.current ??= performance.now()
  }, [box.id, tickedAt])
  return (
    <CheckField
      required
      {...box}
      onChange={(event) => {
        tickedAt.current = event.target.checked ? performance.now() : undefined
        return box.onChange?.(event)
      }}
    />
  )
}

/**
 * The form that signs a package's contract. The page shows the package's name, its price in one `line`, `delivery` and the version of the terms; a signature under
 * terms that have changed since then is refused, and the form shows the difference.
 */
export const ContractForm = (props: {
  packageId: PackageId
  name: string
  line: string
  delivery: string
  termsVersion: string
}) => {
  const { packageId, name, delivery } = props
  const [changed, setChanged] = useState<NewTerms>()
  const tickedAt = useRef<number>(undefined)
  const line = changed?.line ?? props.line
  const form = useLeadForm({
    leadSource: `contract_${packageId}`,
    fixed: { package: line },
    signing: {
      termsVersion: String(changed?.version ?? props.termsVersion),
      tickedAt: () => tickedAt.current,
      onChanged: setChanged,
    },
    success: {
      title: 'Contract Submitted Successfully!',
      description: 'A consultant will be in contact soon to discuss project details and next steps.',
    },
  })
  return (
    <LeadForm
      label={`${name} contract`}
      action="Sign the contract"
      sending="Submitting..."
      path={`/contract/${packageId}`}
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
      {changed && form.lazyParts && <form.lazyParts.ChangedTerms terms={changed} />}
      <Agreement label={changed?.agreement ?? agreementTo(line)} tickedAt={tickedAt} {...form.field('agreedToTerms')} />
      <p css={{ fontSize: type.small }}>{SIGNATURE_NOTICE}</p>
    </LeadForm>
  )
}
