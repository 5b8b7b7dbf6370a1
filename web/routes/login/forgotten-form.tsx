import { useState } from 'react'
import { forgottenPassword } from '../../../events/staff/staff.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'
import { requestPasswordLink } from './password-link.ts'

const SENT =
  'If this account has an email address, a link is on its way there. It works once, for an hour. If none comes, ask an admin for a link.'
const NOT_POSSIBLE =
  'This site cannot send emails to single people. Ask an Admin for a link: they make it in the settings.'

/** Requests an email with a link to choose a new password. The response is the same for every username. */
export const ForgottenForm = ({ onBack }: { onBack: () => void }) => {
  const [answer, setAnswer] = useState('')
  const form = useStaffForm(forgottenPassword, {
    send: async ({ username }) => setAnswer((await requestPasswordLink(username)).isPossible ? SENT : NOT_POSSIBLE),
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      aria-label="Forgotten password"
      css={{ display: 'grid', gap: space.base }}
    >
      <p css={{ color: colour.soft }}>You get an email with a link to choose a new password.</p>
      <TextField
        id="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <FormProblem problem={form.problem} />
      <p role="status" css={{ ':empty': { display: 'none' } }}>
        {answer}
      </p>
      <Button type="submit" disabled={form.isSending}>
        {form.isSending ? 'Asking...' : 'Send me a link'}
      </Button>
      <Button look="outline" onClick={onBack}>
        Back to sign-in
      </Button>
    </form>
  )
}
