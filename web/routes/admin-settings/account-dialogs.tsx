import { useState } from 'react'
import * as v from 'valibot'
import {
  accountChange,
  accountForm,
  MIN_PASSWORD_CHARACTERS,
  newPassword,
  STAFF_ROLES,
} from '../../../events/staff/staff.ts'
import type { Account } from '../../../events/staff/wire.ts'
import { ROLE_NAMES } from '../../staff/account/role.ts'
import { FinalDialog, FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { addAccount, changeAccount, removeAccount, turnTwoFactorOff } from './accounts-api.ts'
import { leavingFields, leavingOf, OwnedPrograms } from './owned-programs.tsx'

const RANDOM_BYTES = 12

const randomPassword = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** A password for another staff member: visible, because the owner has to pass it on. */
const NewPasswordField = ({
  onSuggest,
  ...field
}: { error: string | undefined; onSuggest: (password: string) => void } & React.ComponentProps<'input'>) => (
  <div css={{ display: 'grid', gap: space.tight }}>
    <TextField
      id="account-password"
      label="Password"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      hint={`At least ${MIN_PASSWORD_CHARACTERS} characters. Share it securely; it can be changed at "Your account".`}
      {...field}
    />
    <div>
      <Button look="quiet" onClick={() => onSuggest(randomPassword())}>
        Suggest a password
      </Button>
    </div>
  </div>
)

const ROLE_CHOICES = STAFF_ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))

export const AddAccount = ({ onClose }: { onClose: () => void }) => {
  const form = useStaffForm(accountForm, {
    defaultValues: { role: 'agent' },
    send: async (account) => {
      await addAccount(account)
      toast({ title: 'Account added', description: `${account.displayName} can sign in now.` })
      onClose()
    },
  })
  return (
    <FormDialog title="Add an account" action="Add account" form={form} onClose={onClose}>
      <TextField id="account-name" label="Name" autoComplete="off" {...form.field('displayName')} />
      <TextField
        id="account-username"
        label="Username"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        hint="Can’t be changed later."
        {...form.field('username')}
      />
      <SelectField id="account-role" label="Role" choices={ROLE_CHOICES} {...form.field('role')} />
      <NewPasswordField
        onSuggest={(password) => form.setValue('password', password, { shouldValidate: form.formState.isSubmitted })}
        {...form.field('password')}
      />
    </FormDialog>
  )
}

/** Changes an account's name, and the role of an account that is not one's own. */
export const EditAccount = ({ account, isMe, onClose }: { account: Account; isMe: boolean; onClose: () => void }) => {
  const [areProgramsKnown, setProgramsKnown] = useState(false)
  // a role that only a newer node knows stays unchanged
  const role = STAFF_ROLES.find((known) => known === account.role)
  const form = useStaffForm(v.object({ ...v.pick(accountChange, ['displayName', 'role']).entries, ...leavingFields }), {
    defaultValues: { displayName: account.displayName, ...(role && { role }) },
    send: async ({ keepsTokens, keepsWebhooks, ...wanted }) => {
      await changeAccount(account.id, {
        ...wanted,
        ...(role === 'owner' && wanted.role === 'agent' && leavingOf({ keepsTokens, keepsWebhooks })),
      })
      toast({ title: 'Account changed' })
      onClose()
    },
  })
  const isLeaving = role === 'owner' && form.watch('role') === 'agent'
  return (
    <FormDialog
      title={`Edit ${account.displayName}`}
      action="Save account"
      form={form}
      isReady={!isLeaving || areProgramsKnown}
      onClose={onClose}
    >
      <TextField id="account-name" label="Name" autoComplete="off" {...form.field('displayName')} />
      {isMe && <p>Another admin must change your role.</p>}
      {!isMe && role && (
        <SelectField
          id="account-role"
          label="Role"
          choices={ROLE_CHOICES}
          hint="Changing to Member signs them out."
          {...form.field('role')}
        />
      )}
      {isLeaving && <OwnedPrograms owner={account} field={form.field} onKnown={setProgramsKnown} />}
    </FormDialog>
  )
}

export const SetPassword = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const form = useStaffForm(v.strictObject({ password: newPassword }), {
    send: async ({ password }) => {
      await changeAccount(account.id, { password })
      toast({
        title: 'Password set',
        description: `${account.displayName} is signed out everywhere and signs in with the new one.`,
      })
      onClose()
    },
  })
  return (
    <FormDialog title={`A new password for ${account.displayName}`} action="Set password" form={form} onClose={onClose}>
      <NewPasswordField
        onSuggest={(password) => form.setValue('password', password, { shouldValidate: form.formState.isSubmitted })}
        {...form.field('password')}
      />
    </FormDialog>
  )
}

/** Turns off the second factor of a staff member who has lost their phone and their recovery codes. */
export const TurnOffTwoFactor = ({ account, onClose }: { account: Account; onClose: () => void }) => (
  <FinalDialog
    title={`Turn off two-factor sign-in for ${account.displayName}?`}
    action="Turn off"
    act={async () => {
      await turnTwoFactorOff(account.id)
      toast({ title: 'Two-factor sign-in turned off' })
    }}
    onClose={onClose}
  >
    <p>
      Do it once you know that it is {account.displayName} who asks. Their password alone signs them in then, until they
      set it up again.
    </p>
  </FinalDialog>
)

/** Asks by name before an account is removed for good. */
export const RemoveAccount = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const [areProgramsKnown, setProgramsKnown] = useState(false)
  const isOwner = account.role === 'owner'
  const form = useStaffForm(v.object(leavingFields), {
    send: async (programs) => {
      await removeAccount(account.id, isOwner ? leavingOf(programs) : undefined)
      toast({ title: 'Account removed', description: `${account.displayName} is signed out.` })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Remove ${account.displayName}?`}
      action={`Remove ${account.displayName}`}
      form={form}
      isFinal
      isReady={!isOwner || areProgramsKnown}
      onClose={onClose}
    >
      <p>
        {account.displayName} ({account.username}) is signed out everywhere at once and cannot sign in any more. What
        {` ${account.displayName} `}has done stays in the history of leads and chats.
      </p>
      {isOwner && <OwnedPrograms owner={account} field={form.field} onKnown={setProgramsKnown} />}
    </FormDialog>
  )
}
