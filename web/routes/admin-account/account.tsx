import { useState } from 'react'
import { MIN_PASSWORD_CHARACTERS, passwordForm } from '../../../events/staff/staff.ts'
import type { Me } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { useMe } from '../../staff/account/account.ts'
import { PasswordField } from '../../staff/account/password-field.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Notifications } from './notifications.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { StaffForm } from './staff-form.tsx'
import { TwoFactorSection } from './two-factor.tsx'

const Password = ({ me }: { me: Me }) => {
  const [wasChanged, setWasChanged] = useState(false)
  const form = useStaffForm(passwordForm, {
    send: async ({ current, next }) => {
      setWasChanged(false)
      await send('POST', '/api/me/password', { current, next })
      form.reset()
      setWasChanged(true)
    },
  })
  return (
    <SettingsSection
      id="password"
      title="Your password"
      intro="Changing it signs you out everywhere else, at once. Here you stay signed in."
    >
      <StaffForm
        form={form}
        label="Your password"
        action="Change password"
        busyAction="Changing..."
        done={wasChanged && 'Your password is changed. Everywhere else you have been signed out.'}
      >
        {/* for password managers: the account of this password */}
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        <PasswordField
          id="current"
          label="Current password"
          autoComplete="current-password"
          {...form.field('current')}
        />
        <PasswordField
          id="next"
          label="New password"
          autoComplete="new-password"
          hint={`At least ${MIN_PASSWORD_CHARACTERS} characters; try a short phrase.`}
          {...form.field('next')}
        />
        <PasswordField id="repeat" label="Confirm new password" autoComplete="new-password" {...form.field('repeat')} />
      </StaffForm>
    </SettingsSection>
  )
}

export const AccountScreen = () => {
  useTitle('Your account')
  const { data: me, error, mutate } = useMe()
  return (
    <>
      <TopBar title="Your account" />
      <Pending what="your account" isLoading={!me} error={error} retry={() => mutate()} />
      {me && (
        <>
          <Profile me={me} />
          <Notifications me={me} />
          <Sessions />
          <Password me={me} />
          <TwoFactorSection />
        </>
      )}
    </>
  )
}
