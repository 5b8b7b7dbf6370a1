import { useLocation, useNavigate } from 'react-router'
import { useSWRConfig } from 'swr'
import { signIn as credentials } from '../../../events/staff.ts'
import { HttpError } from '../../http.ts'
import { signIn } from '../../staff/account.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { PasswordField } from '../../staff/password-field.tsx'
import { reasonOf } from '../../staff/refusal.ts'
import { afterSignIn, QUEUE_DESK_PATH } from '../../staff/sign-in-address.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

const explain = (error: unknown) =>
  error instanceof HttpError && error.status === 401 ? 'Incorrect username or password.' : reasonOf(error)

/** Signs somebody in, and leads back to where they were going. */
export const SignInForm = () => {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const { mutate } = useSWRConfig()
  const form = useStaffForm(credentials, {
    send: async (who) => {
      const link = new URLSearchParams(hash.slice(1)).get('link')
      await signIn({ ...who, ...(link && { link }) })
      await mutate(() => true, undefined, { revalidate: false })
      const next = afterSignIn(search)
      if (next === QUEUE_DESK_PATH) location.replace(next)
      else await navigate(next, { replace: true })
    },
    explain,
  })
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Staff sign-in" css={{ display: 'grid', gap: space.base }}>
      <TextField
        id="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <PasswordField id="password" label="Password" autoComplete="current-password" {...form.field('password')} />
      <FormProblem problem={form.problem} />
      <Button type="submit" disabled={form.isSending}>
        {form.isSending ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  )
}
