import { useFieldArray } from 'react-hook-form'
import * as v from 'valibot'
import { inboxAddress, MAX_INBOX_ADDRESSES } from '../../../events/settings/inbox-addresses.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextField } from '../../ui/form/field.tsx'
import { LEVEL_WITH_FIELDS, ListRows, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

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

const InboxAddressesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, INBOX_ADDRESSES, rowsForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rows' })
  return (
    <SettingsForm form={form}>
      <ListRows
        id="addresses"
        rows={fields}
        none="There are no extra recipients."
        look={{ alignItems: 'start', gridTemplateColumns: 'minmax(0, 24rem) auto' }}
        problem={form.formState.errors.rows}
        add="Add an address"
        onAdd={() => append({ address: '' })}
      >
        {(index) => (
          <>
            <TextField
              id={`inbox-${index}`}
              label={`Address ${index + 1}`}
              type="email"
              autoComplete="off"
              {...form.field(`rows.${index}.address`)}
            />
            <RemoveRow
              label={`Remove address ${index + 1}`}
              onClick={() => remove(index)}
              css={{ marginTop: LEVEL_WITH_FIELDS }}
            />
          </>
        )}
      </ListRows>
    </SettingsForm>
  )
}

export const INBOX_ADDRESSES: PartSection = {
  id: 'inbox-addresses',
  noun: 'inbox addresses',
  intro: 'Extra recipients for signed contracts. Other leads appear on the dashboard only.',
  Form: InboxAddressesForm,
  Shown: AddressList,
}
