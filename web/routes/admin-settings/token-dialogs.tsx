import { useState } from 'react'
import { agencyDay } from '../../../events/base/agency-day.ts'
import { TOKEN_SCOPES, tokenForm } from '../../../events/staff/api-token.ts'
import type { ApiToken } from '../../../events/staff/api-token-wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { SCOPE_NAMES } from '../../staff/account/token-scopes.ts'
import { DialogForm, FinalDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckGroup } from '../../ui/form/check-group.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { ShownOnce } from './shown-once.tsx'
import { makeToken, revokeToken } from './tokens-api.ts'

const NewToken = ({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) => {
  const form = useStaffForm(tokenForm, {
    defaultValues: { scopes: [] },
    send: async (wanted) => onMade(await makeToken(wanted)),
  })
  return (
    <DialogForm label="Make a token" action="Make token" form={form} onClose={onClose}>
      <TextField
        id="token-name"
        label="Name"
        autoComplete="off"
        hint="Name of the program, for example Zapier"
        {...form.field('name')}
      />
      <CheckGroup
        id="token-scopes"
        label="What it may do"
        boxes={TOKEN_SCOPES.map((scope) => ({
          id: `token-${scope.replace(':', '-')}`,
          label: SCOPE_NAMES[scope],
          value: scope,
        }))}
        {...form.field('scopes')}
      />
      <TextField
        id="token-last-day"
        label="Last day"
        type="date"
        min={agencyDay(serverNow())}
        hint="Without one the token works until you revoke it."
        {...form.field('lastDay')}
      />
    </DialogForm>
  )
}

/** Makes a token for a program, and shows it once. */
export const MakeToken = ({ onClose }: { onClose: () => void }) => {
  const [token, setToken] = useState<string>()
  return (
    <Dialog title={token === undefined ? 'Make a token' : 'Your new token'} onClose={onClose}>
      {token === undefined ? (
        <NewToken onMade={setToken} onClose={onClose} />
      ) : (
        <ShownOnce
          id="token-made"
          label="Token"
          value={token}
          hint={
            'Give it to the program now: it is not shown again. The program sends it as "Authorization: Bearer" and the token.'
          }
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** Asks by name before a token is revoked for good. */
export const RevokeToken = ({ token: { id, name }, onClose }: { token: ApiToken; onClose: () => void }) => (
  <FinalDialog
    title={`Revoke ${name}?`}
    action="Revoke token"
    act={async () => {
      await revokeToken(id)
      toast({ title: 'Token revoked', description: `${name} no longer gives access.` })
    }}
    onClose={onClose}
  >
    <p>
      Its program is shut out at once, also in the middle of an export. What it has done stays in the history of leads.
    </p>
  </FinalDialog>
)
