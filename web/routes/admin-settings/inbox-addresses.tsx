import { useFieldArray } from 'react-hook-form'
import * as v from 'valibot'
import { inboxAddress, MAX_INBOX_ADDRESSES } from '../../../events/settings/inbox-addresses.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** The addresses, read-only. */
const AddressList = ({ settings: { inboxAddresses: addresses } }: { settings: Settings }) =>
  addresses.length === 0 ? (
    <p>None.</p>
  ) : (
    <ul css={{ overflowWrap: 'anywhere' }}>
      {addresses.map((address) => (
        <li key={address}>{address}</li>
      ))}
    </ul>
  )

/** `inboxAddressesForm` with one row per address. */
const rowsForm = v.pipe(
  v.object({
    rows: v.pipe(
      v.array(v.object({ address: inboxAddress })),
      v.maxLength(MAX_INBOX_ADDRESSES, `At most ${MAX_INBOX_ADDRESSES} addresses`),
    ),
  }),
  v.transform(({ rows }) => ({ addresses: rows.map(({ address }) => address) })),
)

const valuesOf = ({ inboxAddresses }: Settings) => ({ rows: inboxAddresses.map((address) => ({ address })) })

/** The recipients of every signed contract, for owners to change. */
const InboxAddressesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, INBOX_ADDRESSES, rowsForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rows' })
  const problem = form.formState.errors.rows
  const ofAll = problem?.root?.message ?? problem?.message
  return (
    <SettingsForm form={form}>
      {fields.length === 0 && <p css={{ color: colour.soft }}>There are no extra recipients.</p>}
      <ul css={{ display: 'grid', gap: space.snug }}>
        {fields.map(({ id }, index) => (
          <li
            key={id}
            css={{
              display: 'grid',
              gridTemplateColumns: 'minmax(0, 24rem) auto',
              gap: space.snug,
              alignItems: 'start',
            }}
          >
            <TextField
              id={`inbox-${index}`}
              label={`Address ${index + 1}`}
              type="email"
              autoComplete="off"
              {...form.field(`rows.${index}.address`)}
            />
            <Button
              look="quiet"
              aria-label={`Remove address ${index + 1}`}
              onClick={() => remove(index)}
              css={{ justifySelf: 'start', marginTop: '1.9375rem' }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {ofAll && <FieldError id="addresses" error={ofAll} />}
      <Button look="quiet" css={{ marginTop: space.base }} onClick={() => append({ address: '' })}>
        Add an address
      </Button>
    </SettingsForm>
  )
}

export const INBOX_ADDRESSES: PartSection = {
  id: 'inbox-addresses',
  title: 'Inbox addresses',
  noun: 'inbox addresses',
  intro: 'Extra recipients for signed contracts. Other leads appear on the dashboard only.',
  Form: InboxAddressesForm,
  Shown: AddressList,
}
