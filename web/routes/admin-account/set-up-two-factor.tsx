import * as v from 'valibot'
import { twoFactorForm } from '../../../events/staff/staff.ts'
import type { twoFactorSecret } from '../../../events/staff/wire.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, type } from '../../ui/theme.ts'
import { QrCode } from './qr-code.tsx'
import { StaffForm } from './staff-form.tsx'

type Secret = v.InferOutput<typeof twoFactorSecret>

const GROUPS = /.{4}/g

/** Shows a secret for an authenticator app, and asks for a first code from it. */
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
  return (
    <StaffForm
      form={form}
      label="Set up two-factor sign-in"
      action="Turn on"
      busyAction="Turning on..."
      onCancel={onCancel}
    >
      <p>1. Scan this with an authenticator app on your phone, such as Google Authenticator or Aegis.</p>
      <QrCode text={uri} label="QR code for an authenticator app" />
      <p css={{ color: colour.soft, fontSize: type.small }}>
        Or type this into the app:{' '}
        <code css={{ overflowWrap: 'anywhere' }}>{secret.match(GROUPS)?.join(' ').toLowerCase()}</code>
      </p>
      <p>2. Type the code that the app shows.</p>
      <TextField
        id="first-code"
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        {...form.field('code')}
      />
    </StaffForm>
  )
}
