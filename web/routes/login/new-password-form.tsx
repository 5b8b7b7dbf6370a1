import * as v from 'valibot'
import { MIN_PASSWORD_CHARACTERS, newPassword } from '../../../events/staff/staff.ts'
import { HttpError } from '../../client/http.ts'
import { PasswordField } from '../../staff/account/password-field.tsx'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { choosePassword } from './password-link.ts'

const twice = v.pipe(
  v.strictObject({ password: newPassword, repeat: v.nullish(v.string(), '') }),
  v.forward(
    v.partialCheck(
      [['password'], ['repeat']],
      ({ password, repeat }) => repeat === password,
      'This is not the same password',
    ),
    ['repeat'],
  ),
)

export const LINK_IS_OVER = 'This link was used or has expired. Ask for a new one.'

const explain = (error: unknown) =>
  error instanceof HttpError && error.status === 404 ? LINK_IS_OVER : reasonOf(error)

/** Chooses a new password by a link, before signing in with it. */
export const NewPasswordForm = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const form = useStaffForm(twice, {
    send: async ({ password }) => {
      await choosePassword(token, password)
      onDone()
    },
    explain,
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      aria-label="Choose a new password"
      css={{ display: 'grid', gap: space.base }}
    >
      <PasswordField
        id="new-password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${MIN_PASSWORD_CHARACTERS} characters; try a short phrase.`}
        {...form.field('password')}
      />
      <PasswordField id="repeat" label="Confirm new password" autoComplete="new-password" {...form.field('repeat')} />
      <FormProblem problem={form.problem} />
      <Button type="submit" disabled={form.isSending}>
        {form.isSending ? 'Saving...' : 'Save the new password'}
      </Button>
    </form>
  )
}
