import { useState } from 'react'
import { nameOf, valueFor } from '../../../events/base/name-of.ts'
import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import { profileForm, type StaffRole } from '../../../events/staff/staff.ts'
import type { Me } from '../../../events/staff/wire.ts'
import { saveProfile } from '../../staff/account/account.ts'
import { isNameless } from '../../staff/account/own-name.ts'
import { PhotoField } from '../../staff/account/photo-field.tsx'
import { ROLE_NAMES } from '../../staff/account/role.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'
import { StaffForm } from './staff-form.tsx'

const DUTIES: Record<StaffRole, string> = {
  owner: 'You work with leads and chats, change settings and accounts, and can erase a person’s data.',
  agent: 'You work with leads and chats. Admins manage settings and accounts.',
}

const NAME_SEEN =
  'Colleagues see it, and so do people you email or write to on WhatsApp. The chat does not show it to visitors.'
const NO_NAME = `This is your username, which customers do not see: your emails and WhatsApp messages are from "${SUPPORT_TEAM_NAME}" until you enter your own name.`

const Form = ({ me }: { me: Me }) => {
  const [wasSaved, setWasSaved] = useState(false)
  const form = useStaffForm(profileForm, {
    defaultValues: { displayName: me.displayName },
    send: async ({ displayName: name, photo }) => {
      setWasSaved(false)
      // a field that was not touched may have been changed elsewhere
      const { displayName } = await saveProfile({
        ...(dirtyFields.displayName && name !== undefined && { displayName: name }),
        ...(dirtyFields.photo && photo !== undefined && { photo }),
      })
      form.reset({ displayName })
      setWasSaved(true)
    },
  })
  const { dirtyFields } = form.formState
  const chosen = form.watch('photo')
  const problem = form.formState.errors.photo?.message
  return (
    <StaffForm
      form={form}
      label="Profile"
      action="Save profile"
      busyAction="Saving..."
      done={wasSaved && !form.formState.isDirty && !problem && 'Saved. Your colleagues see it now.'}
    >
      <TextField
        id="profile-name"
        label="Name"
        autoComplete="name"
        hint={isNameless(me) ? NO_NAME : NAME_SEEN}
        {...form.field('displayName')}
      />
      <PhotoField
        id="profile-photo"
        photo={chosen === undefined ? me.photo : chosen}
        error={problem}
        onPhoto={(photo) => {
          form.clearErrors('photo')
          form.setValue('photo', photo, { shouldDirty: true })
        }}
        onRefused={(message) => form.setError('photo', { message })}
      />
    </StaffForm>
  )
}

export const Profile = ({ me }: { me: Me }) => (
  <SettingsSection id="who" title="Profile" intro={valueFor(DUTIES, me.role) ?? ''}>
    <dl
      css={{
        display: 'grid',
        gridTemplateColumns: 'auto 1fr',
        gap: `${space.tight} ${space.roomy}`,
        marginBottom: space.roomy,
        overflowWrap: 'anywhere',
        '& dt': { color: colour.soft },
        '& dd': { fontWeight: 500 },
      }}
    >
      <dt>Username</dt>
      <dd>{me.username}</dd>
      <dt>Role</dt>
      <dd>{nameOf(ROLE_NAMES, me.role)}</dd>
    </dl>
    <Form me={me} />
  </SettingsSection>
)
