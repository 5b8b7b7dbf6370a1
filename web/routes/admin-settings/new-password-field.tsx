import { MIN_PASSWORD_CHARACTERS } from '../../../events/staff/staff.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

const RANDOM_BYTES = 12

const randomPassword = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** A password for another staff member: visible, because the owner has to pass it on. */
export const NewPasswordField = ({
  onSuggest,
  ...field
}: { error: string | undefined; onSuggest: (password: string) => void } & React.ComponentProps<'input'>) => (
  <div css={{ display: 'grid', gap: space.tight }}>
    <TextField
      id="account-password"
      label="Password"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      hint={`At least ${MIN_PASSWORD_CHARACTERS} characters. Share it securely; it can be changed at "Your account".`}
      {...field}
    />
    <div>
      <Button look="quiet" onClick={() => onSuggest(randomPassword())}>
        Suggest a password
      </Button>
    </div>
  </div>
)
