import { useState } from 'react'
import { type AlertForm, alertForm } from '../../../events/staff/staff.ts'
import { type AlertSettings, alertSettings, type Me } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { CheckField, TextField } from '../../ui/form/field.tsx'
import { colour } from '../../ui/theme.ts'
import { StaffForm } from './staff-form.tsx'

const KEY = '/api/me/alerts'

const Form = (props: { settings: AlertSettings; isOwner: boolean; onSaved: (chosen: AlertForm) => void }) => {
  const { settings, isOwner } = props
  const { email, onNew, onLate, onChats, isPossible, isUnknown } = settings
  const [saved, setSaved] = useState('')
  const form = useStaffForm(alertForm, {
    defaultValues: { email, onNew, onLate, onChats },
    send: async (wanted) => {
      setSaved('')
      await send('POST', KEY, wanted)
      props.onSaved(wanted)
      form.reset(form.getValues())
      const isOff = wanted.email === null || !(wanted.onNew || (isOwner && wanted.onLate))
      setSaved(isOff ? 'Saved. You get no emails about leads.' : 'Saved. You get emails about leads from now on.')
    },
  })
  return (
    <StaffForm form={form} label="Notifications" action="Save" busyAction="Saving..." done={saved}>
      {isUnknown && (
        <p css={{ color: colour.soft }}>
          It is not known here whether this site can send these emails. Ask the person who runs the server.
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
        hint="Links to choose a new password go there too. No address = no emails."
        {...form.field('email')}
      />
      <CheckField id="alert-new" label="When a new lead comes in" {...form.field('onNew')} />
      {isOwner && (
        <CheckField id="alert-late" label="When a lead has had no reply for 90 minutes" {...form.field('onLate')} />
      )}
      <CheckField
        id="alert-chats"
        label="When a visitor waits in a chat (on your devices only)"
        {...form.field('onChats')}
      />
    </StaffForm>
  )
}

/** The alerts that the staff member gets by email and on their devices. */
export const AlertChoice = ({ me }: { me: Me }) => {
  const { data, error, mutate } = useGet(KEY, alertSettings)
  return (
    <SettingsSection
      id="told-of"
      title="Notifications"
      intro="By email and on the devices that you have turned on, in support hours only. What happens at night comes in the morning. Nothing comes about leads and chats that have had a reply."
    >
      {error && <FetchFailure title="Error loading your notifications" error={error} retry={() => mutate()} />}
      {!data && !error && <Placeholder title="Loading..." />}
      {data && (
        <Form
          settings={data}
          isOwner={me.role === 'owner'}
          onSaved={(chosen) => mutate({ ...data, ...chosen }, { revalidate: false })}
        />
      )}
    </SettingsSection>
  )
}
