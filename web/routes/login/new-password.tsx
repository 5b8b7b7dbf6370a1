import { FormProblem } from '../../staff/form-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { LINK_IS_OVER, NewPasswordForm } from './new-password-form.tsx'
import { usePasswordLink } from './password-link.ts'

/** The screen of a link that sets a new password; for an expired link it says so at once, with the way to a new one. */
export const NewPassword = (props: { token: string; onDone: () => void; onRequestAgain: () => void }) => {
  const { data: link } = usePasswordLink(props.token)
  if (link?.isOpen !== false) return <NewPasswordForm token={props.token} onDone={props.onDone} />
  return (
    <div css={{ display: 'grid', gap: space.base }}>
      <FormProblem problem={LINK_IS_OVER} />
      <Button onClick={props.onRequestAgain}>Ask for a new link</Button>
    </div>
  )
}
