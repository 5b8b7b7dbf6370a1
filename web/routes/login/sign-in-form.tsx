import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { mutate } from 'swr'
import type * as v from 'valibot'
import { signIn as credentials } from '../../../events/staff/staff.ts'
import { HttpError } from '../../client/http.ts'
import { signIn } from '../../staff/account/account.ts'
import { PasswordField } from '../../staff/account/password-field.tsx'
import { afterSignIn, QUEUE_BOARD_PATH } from '../../staff/account/sign-in-address.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

const CODE_REQUIRED = 'urn:problem:code-required'
const WRONG_CODE = 'urn:problem:wrong-code'
const WRONG_CODE_TEXT =
  'This code is wrong, or was used already. Wait for the next one in your app, or use another recovery code.'

const problemType = (error: unknown) => (error instanceof HttpError ? error.problem?.type : undefined)

const explain = (error: unknown) => {
  if (problemType(error) === WRONG_CODE) return WRONG_CODE_TEXT
  return error instanceof HttpError && error.status === 401 ? 'Incorrect username or password.' : reasonOf(error)
}

/** Leaves out an empty code: an account may have no second factor. */
const withCode = ({ code, ...rest }: v.InferOutput<typeof credentials>) => ({ ...rest, ...(code && { code }) })

/** Signs a staff member in, and returns to the screen they came for. */
export const SignInForm = () => {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useStaffForm(credentials, {
    send: async (form) => {
      const link = new URLSearchParams(hash.slice(1)).get('link')
      try {
        await signIn({ ...withCode(form), ...(link && { link }) })
      } catch (error) {
        if (problemType(error) !== CODE_REQUIRED) throw error
        setNeedsCode(true)
        return
      }
      await mutate(() => true, undefined, { revalidate: false })
      const next = afterSignIn(search)
      if (next === QUEUE_BOARD_PATH) location.replace(next)
      else await navigate(next, { replace: true })
    },
    explain,
    faulty: needsCode ? 'code' : 'password',
  })
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Staff sign-in" css={{ display: 'grid', gap: space.base }}>
      <TextField
        id="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('username')}
      />
      <PasswordField id="password" label="Password" autoComplete="current-password" {...form.field('password')} />
      {needsCode && (
        <TextField
          id="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          hint="From your authenticator app, or a recovery code."
          {...form.field('code')}
        />
      )}
      <FormProblem problem={form.problem} />
      <Button type="submit" disabled={form.isSending}>
        {form.isSending ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  )
}
