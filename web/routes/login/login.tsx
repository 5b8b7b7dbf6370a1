import { valibotResolver } from '@hookform/resolvers/valibot'
import { useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { useSWRConfig } from 'swr'
import type * as v from 'valibot'
import { signIn as credentials } from '../../../events/staff.ts'
import { HttpError } from '../../http.ts'
import { signIn } from '../../staff/account.ts'
import { afterSignIn } from '../../staff/sign-in-address.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Logo } from '../../ui/logo.tsx'
import { colour, radius, shadow, space, type } from '../../ui/theme.ts'

type Credentials = v.InferInput<typeof credentials>

const reasonOf = (error: unknown) => {
  if (error instanceof HttpError && error.status === 401) return 'The username or the password is not right.'
  if (error instanceof HttpError && error.status === 429) return 'Too many tries. Wait a few minutes, then try again.'
  return 'The server did not answer as expected. Try again.'
}

/** Where staff sign in; then back to where they were going. */
export const Login = () => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const { mutate } = useSWRConfig()
  const { register, handleSubmit, setError, formState } = useForm<
    Credentials,
    unknown,
    v.InferOutput<typeof credentials>
  >({
    resolver: valibotResolver<Credentials, unknown, v.InferOutput<typeof credentials>>(credentials),
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (form) => {
    try {
      await signIn(form)
      await mutate(() => true, undefined, { revalidate: false })
      await navigate(afterSignIn(search), { replace: true })
    } catch (error) {
      setError('root', { message: reasonOf(error) })
    }
  })

  return (
    <main css={{ display: 'grid', placeItems: 'center', minHeight: '100vh', padding: space.roomy }}>
      <div css={{ width: '100%', maxWidth: '24rem' }}>
        <Logo href="/" />
        <div
          css={{
            marginTop: space.roomy,
            padding: '2rem',
            border: `1px solid ${colour.line}`,
            borderRadius: radius.card,
            background: colour.sheet,
            boxShadow: shadow.card,
          }}
        >
          <h1 css={{ marginBottom: space.roomy, fontSize: '1.5rem' }}>Staff sign-in</h1>
          <form noValidate onSubmit={submit} aria-label="Staff sign-in" css={{ display: 'grid', gap: space.base }}>
            <TextField
              id="username"
              label="Username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              error={errors.username?.message}
              {...register('username')}
            />
            <TextField
              id="password"
              label="Password"
              type="password"
              autoComplete="current-password"
              error={errors.password?.message}
              {...register('password')}
            />
            <div role="alert">
              {errors.root && (
                <p
                  css={{
                    padding: space.snug,
                    borderRadius: radius.control,
                    background: colour.badWash,
                    color: colour.bad,
                    fontSize: type.small,
                    fontWeight: 500,
                  }}
                >
                  {errors.root.message}
                </p>
              )}
            </div>
            <Button type="submit" disabled={isSubmitting}>
              {isSubmitting ? 'Signing in...' : 'Sign in'}
            </Button>
          </form>
        </div>
      </div>
    </main>
  )
}
