import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { hasSessionEnded } from '../../staff/account/sign-in-address.ts'
import { removeOldDrafts } from '../../staff/drafts/drafts.tsx'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { Button } from '../../ui/button.tsx'
import { Horizon } from '../../ui/horizon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { colour, panel, shadow, space } from '../../ui/theme.ts'
import { ForgottenForm } from './forgotten-form.tsx'
import { LINK_IS_OVER, NewPasswordForm } from './new-password-form.tsx'
import { usePasswordLink } from './password-link.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The screen of a link that sets a new password; for an expired link it says so at once, with the way to a new one. */
const NewPassword = (props: { token: string; onDone: () => void; onRequestAgain: () => void }) => {
  const { data: link } = usePasswordLink(props.token)
  if (link?.isOpen !== false) return <NewPasswordForm token={props.token} onDone={props.onDone} />
  return (
    <div css={{ display: 'grid', gap: space.base }}>
      <FormProblem problem={LINK_IS_OVER} />
      <Button onClick={props.onRequestAgain}>Ask for a new link</Button>
    </div>
  )
}

const Sheet = ({ title, children }: { title: string; children: ReactNode }) => (
  <main
    css={{
      display: 'grid',
      gridTemplateRows: '1fr auto',
      minHeight: '100vh',
      background: `linear-gradient(${colour.paper} 45%, ${colour.clayWash})`,
    }}
  >
    <div css={{ placeSelf: 'center', width: '100%', maxWidth: '27rem', padding: space.roomy }}>
      <Logo href="/" />
      <div
        css={{
          marginTop: space.roomy,
          padding: '2rem',
          ...panel,
          boxShadow: shadow.card,
        }}
      >
        <h1 css={{ marginBottom: space.roomy, fontSize: '1.5rem' }}>{title}</h1>
        {children}
      </div>
    </div>
    <Horizon />
  </main>
)

/** Staff sign in here and return to the screen they came for. A password link leads here to choose a new password. */
export const Login = () => {
  useTitle('Staff sign-in')
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const [isResetting, setResetting] = useState(false)
  const [wasChosen, setChosen] = useState(false)
  useEffect(removeOldDrafts, [])
  const token = new URLSearchParams(hash.slice(1)).get('password')
  if (token) {
    // the link may have been requested in this very tab
    const leaveLink = async (next: { isResetting: boolean; wasChosen: boolean }) => {
      setResetting(next.isResetting)
      setChosen(next.wasChosen)
      await navigate('/login', { replace: true })
    }
    return (
      <Sheet title="Choose a new password">
        <NewPassword
          key={token}
          token={token}
          onDone={() => leaveLink({ isResetting: false, wasChosen: true })}
          onRequestAgain={() => leaveLink({ isResetting: true, wasChosen: false })}
        />
      </Sheet>
    )
  }
  if (isResetting) {
    return (
      <Sheet title="Forgotten password">
        <ForgottenForm onBack={() => setResetting(false)} />
      </Sheet>
    )
  }
  return (
    <Sheet title="Staff sign-in">
      {hasSessionEnded(search) && (
        <p css={{ margin: `-${space.snug} 0 ${space.base}` }}>Your session has ended. Sign in again.</p>
      )}
      {wasChosen && (
        <p role="status" css={{ margin: `-${space.snug} 0 ${space.base}` }}>
          Your new password is saved. Sign in with it.
        </p>
      )}
      <SignInForm />
      <Button look="quiet" onClick={() => setResetting(true)} css={{ marginTop: space.base }}>
        Forgot your password?
      </Button>
    </Sheet>
  )
}
