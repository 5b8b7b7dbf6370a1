import { useState } from 'react'
import { alertForm } from '../../../events/staff.ts'
import type { AlertSettings, Me } from '../../../events/wire/staff.ts'
import { saveAlertSettings, useAlertSettings } from '../../staff/account.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { PasswordField } from '../../staff/password-field.tsx'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextField } from '../../ui/form/field.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const Form = ({ settings, isOwner }: { settings: AlertSettings; isOwner: boolean }) => {
  const { email, onNew, onLate, isPossible, isUnknown } = settings
  const [saved, setSaved] = useState('')
  const form = useStaffForm(alertForm, {
    defaultValues: { email, onNew, onLate, password: '' },
    send: async (wanted) => {
      setSaved('')
      await saveAlertSettings(wanted)
      form.resetField('password')
      const isOff = wanted.email === null || !(wanted.onNew || (isOwner && wanted.onLate))
      setSaved(isOff ? 'Saved. You get no emails about leads.' : 'Saved. You get emails about leads from now on.')
    },
  })
  const typed = form.watch('email')?.trim() ?? ''
  const isAnother = typed !== '' && typed !== email
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      aria-label="Emails about leads"
      css={{ display: 'grid', gap: space.base, maxWidth: '24rem' }}
    >
      {isUnknown && (
        <p css={{ color: colour.soft }}>
          Whether this site can send these emails is not known here. The person who runs the server can tell.
        </p>
      )}
      {!isPossible && !isUnknown && (
        <p css={{ color: colour.bad }}>
          This site cannot send these emails yet. The person who runs the server has to set up an email server (SMTP).
        </p>
      )}
      <TextField
        id="alert-email"
        label="Your email address"
        type="email"
        autoComplete="email"
        hint="Leave it empty to get no emails."
        {...form.field('email')}
      />
      {isAnother && (
        <PasswordField
          id="alert-password"
          label="Your password"
          autoComplete="current-password"
          hint="A new address needs it: links to choose a new password go there too."
          {...form.field('password')}
        />
      )}
      <CheckField id="alert-new" label="When a new lead comes in" {...form.field('onNew')} />
      {isOwner && (
        <CheckField id="alert-late" label="When nobody has answered a lead for 90 minutes" {...form.field('onLate')} />
      )}
      <FormProblem problem={form.problem} />
      <div>
        <Button type="submit" disabled={form.isSending}>
          {form.isSending ? 'Saving...' : 'Save'}
        </Button>
      </div>
      <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
        {saved}
      </p>
    </form>
  )
}

/** Which emails about leads one gets, and where. */
export const LeadEmails = ({ me }: { me: Me }) => {
  const { data, error, mutate } = useAlertSettings()
  return (
    <SettingsSection
      id="lead-emails"
      title="Emails about leads"
      intro="They come in support hours only. Leads of the night are told when the hours begin. You get no email once a lead has been answered. The choice of leads holds for notifications on your devices too."
    >
      {error && <FetchFailure title="Error loading your emails" error={error} retry={() => mutate()} />}
      {!data && !error && <Notice title="Loading..." />}
      {data && <Form settings={data} isOwner={me.role === 'owner'} />}
    </SettingsSection>
  )
}
