import * as v from 'valibot'
import { confirmation } from '../../../events/staff/staff.ts'
import { send } from '../../client/http.ts'
import { TextField } from '../../ui/form/field.tsx'
import { useMe } from '../account/account.ts'
import { PasswordField } from '../account/password-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useStaffForm } from './use-staff-form.ts'

/** An open question; `settle` ends it with whether it was confirmed. */
export type Question = { needsCode: boolean; settle: (isConfirmed: boolean) => void }

const withCode = v.object({
  ...confirmation.entries,
  code: v.pipe(confirmation.entries.code, v.minLength(1, 'A code is required')),
})

/** Asks for the password, and for a code if the account has one. */
export const ConfirmationQuestion = ({ needsCode, settle }: Question) => {
  const { data: me } = useMe()
  const form = useStaffForm(needsCode ? withCode : confirmation, {
    send: async ({ password, code }) => {
      await send('POST', '/api/me/confirm', { password, ...(code && { code }) })
      settle(true)
    },
    faulty: 'password',
  })
  return (
    <FormDialog
      title="Confirm that it is you"
      action="Confirm"
      busyAction="Confirming..."
      form={form}
      onClose={() => settle(false)}
    >
      <p>Another person could be at your screen, so this needs your password. You are not asked again for a while.</p>
      {/* for password managers: the account of this password */}
      <input type="text" name="username" autoComplete="username" value={me?.username ?? ''} readOnly hidden />
      <PasswordField
        id="confirm-password"
        label="Your password"
        autoComplete="current-password"
        {...form.field('password')}
      />
      {needsCode && (
        <TextField
          id="confirm-code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          hint="From your authenticator app, or a recovery code."
          {...form.field('code')}
        />
      )}
    </FormDialog>
  )
}
