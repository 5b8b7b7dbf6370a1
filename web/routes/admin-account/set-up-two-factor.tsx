import * as v from 'valibot'
import { twoFactorForm } from '../../../events/staff.ts'
import type { twoFactorSecret } from '../../../events/wire/staff.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { PasswordField } from '../../staff/password-field.tsx'
import { useFirstFocus } from '../../staff/use-first-focus.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { QrCode } from './qr-code.tsx'

type Secret = v.InferOutput<typeof twoFactorSecret>

const GROUPS = /.{4}/g

/** Brings a secret into somebody's authenticator app, and asks for a first code of it. */
export const SetUpTwoFactor = ({
  secret: { secret, uri },
  turnOn,
  onCancel,
}: {
  secret: Secret
  turnOn: (form: v.InferOutput<typeof twoFactorForm>) => Promise<void>
  onCancel: () => void
}) => {
  const form = useStaffForm(v.omit(twoFactorForm, ['secret']), { send: (answers) => turnOn({ ...answers, secret }) })
  const element = useFirstFocus<HTMLFormElement>()
  return (
    <form
      ref={element}
      tabIndex={-1}
      noValidate
      onSubmit={form.onSubmit}
      aria-label="Set up two-factor sign-in"
      css={{ display: 'grid', gap: space.base, maxWidth: '24rem', outline: 'none' }}
    >
      <p>1. Scan this with an authenticator app on your phone, such as Google Authenticator or Aegis.</p>
      <QrCode text={uri} label="QR code for an authenticator app" />
      <p css={{ color: colour.soft, fontSize: type.small }}>
        Or type this into the app:{' '}
        <code css={{ overflowWrap: 'anywhere' }}>{secret.match(GROUPS)?.join(' ').toLowerCase()}</code>
      </p>
      <p>2. Type the code that the app shows, and your password.</p>
      <TextField
        id="first-code"
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        {...form.field('code')}
      />
      <PasswordField
        id="two-factor-password"
        label="Your password"
        autoComplete="current-password"
        {...form.field('password')}
      />
      <FormProblem problem={form.problem} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button type="submit" disabled={form.isSending}>
          {form.isSending ? 'Turning on...' : 'Turn on'}
        </Button>
        <Button look="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
