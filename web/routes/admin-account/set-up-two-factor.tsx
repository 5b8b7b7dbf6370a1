import { encode } from 'uqr'
import * as v from 'valibot'
import { twoFactorForm } from '../../../events/staff/staff.ts'
import type { twoFactorSecret } from '../../../events/staff/wire.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, type } from '../../ui/theme.ts'
import { StaffForm } from './staff-form.tsx'

/** The quiet zone around a QR code, in modules (ISO/IEC 18004). */
const BORDER = 4

/** A text as a QR code, black on white whatever the colours of the page. */
const QrCode = ({ text }: { text: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      css={{ display: 'block', width: '13rem', maxWidth: '100%', background: '#fff', forcedColorAdjust: 'none' }}
    >
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

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
      <QrCode text={uri} />
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
