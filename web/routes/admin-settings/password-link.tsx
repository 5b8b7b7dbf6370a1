import { useState } from 'react'
import * as v from 'valibot'
import type { Account } from '../../../events/staff/wire.ts'
import { copyText } from '../../staff/copy-text.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { makePasswordLink } from './accounts-api.ts'

/** Makes a link to choose a new password for a staff member who has forgotten theirs. It is shown once. */
export const PasswordLink = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const [address, setAddress] = useState<string>()
  const { displayName } = account
  const form = useStaffForm(v.object({}), {
    send: async () => setAddress((await makePasswordLink(account.id)).address),
  })
  const title = `A password link for ${displayName}`
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} aria-label={title} css={{ display: 'grid', gap: space.base }}>
        {address === undefined ? (
          <p>
            By this link {displayName} chooses a new password, once and within an hour. Until then the present password
            works. Send it over a channel that only {displayName} reads.
          </p>
        ) : (
          <TextField
            id="password-link"
            label="Link"
            value={address}
            readOnly
            hint="Works once, for an hour. It is not shown again."
            onFocus={({ target }) => target.select()}
          />
        )}
        <FormProblem problem={form.problem} />
        <DialogActions>
          {address === undefined ? (
            <Button type="submit" disabled={form.isSending}>
              Make a link
            </Button>
          ) : (
            <Button onClick={() => copyText(address, 'Link copied')}>Copy link</Button>
          )}
          <Button look="outline" onClick={onClose}>
            {address === undefined ? 'Cancel' : 'Done'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
