import { type ReactNode, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { ALERTS, type Alert, type AlertForm, alertForm, isForOwners } from '../../../events/staff/staff.ts'
import { type AlertSettings, alertSettings, type Me } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { AlertButtons, AlertsRefusal } from '../../staff/alerts/alert-buttons.tsx'
import { allowAgain } from '../../staff/alerts/blocked.ts'
import { usePush } from '../../staff/device/push.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { StaffForm } from './staff-form.tsx'

const KEY = '/api/me/alerts'

/** The rows of the table. */
const SUBJECTS = [
  { subject: 'new', label: 'A new lead comes in' },
  { subject: 'late', label: 'A lead has had no reply for 90 minutes' },
  { subject: 'chat', label: 'A visitor waits in a chat' },
  { subject: 'message', label: 'A message comes in a chat that you do not look at' },
  { subject: 'handed', label: 'A colleague hands you a chat' },
  { subject: 'webhook', label: 'A webhook is paused because it fails' },
]

const WAYS = [
  { way: 'page', label: 'Browser' },
  { way: 'device', label: 'Devices' },
  { way: 'email', label: 'Email' },
]

const alertOf = (subject: string, way: string) => ALERTS.find((alert) => alert === `${subject}-${way}`)

const isSubjectForOwners = (subject: string) =>
  ALERTS.some((alert) => alert.startsWith(`${subject}-`) && isForOwners(alert))

const STATES: Record<ReturnType<typeof usePush>['state'], string> = {
  unknown: '',
  impossible:
    'This browser cannot show them. On an iPhone or iPad, add this site to the Home Screen, and open it from there.',
  blocked: allowAgain('Notify this device'),
  off: '',
  stopped: 'Your browser has stopped the notifications on this device. Turn them on again with "Notify this device".',
  on: 'This device gets notifications about leads and chats.',
}

const Way = ({ title, hint, children }: { title: string; hint: string; children: ReactNode }) => (
  <div css={{ display: 'grid', gap: space.tight, justifyItems: 'start', alignContent: 'start' }}>
    <h3 css={{ fontSize: type.small, fontWeight: 600 }}>{title}</h3>
    <p css={{ color: colour.soft, fontSize: type.small }}>{hint}</p>
    {children}
  </div>
)

const ThisBrowser = () => (
  <Way title="In this browser" hint="While a staff page is open here.">
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
      <AlertButtons />
    </div>
    <AlertsRefusal />
  </Way>
)

/** Whether this phone or computer shows notifications, also while no staff page is open. */
const ThisDevice = ({ accountId }: { accountId: string }) => {
  const { state, problem, isBusy, turn } = usePush(accountId)
  return (
    <Way
      title="On this device"
      hint="In support hours, even when no staff page is open. They never show a name. They pause a week after you signed in; signing out turns them off."
    >
      {state !== 'impossible' && (
        <Button look="quiet" aria-pressed={state === 'on'} aria-disabled={isBusy || state === 'unknown'} onClick={turn}>
          <BellIcon /> Notify this device
        </Button>
      )}
      <p role="status" css={{ color: colour.soft, fontSize: type.small }}>
        {problem || STATES[state]}
      </p>
    </Way>
  )
}

const cell = { padding: `${space.tight} ${space.snug}`, borderTop: `1px solid ${colour.line}` }

const Table = ({ isOwner, field }: { isOwner: boolean; field: UseFormRegisterReturn }) => (
  <table css={{ width: '100%', borderCollapse: 'collapse', fontSize: type.small }}>
    <thead>
      <tr>
        <th scope="col" css={{ padding: `${space.tight} 0`, textAlign: 'left', fontWeight: 600 }}>
          Notify me when
        </th>
        {WAYS.map(({ way, label }) => (
          <th key={way} scope="col" css={{ ...cell, border: 0, fontWeight: 600 }}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {SUBJECTS.filter(({ subject }) => isOwner || !isSubjectForOwners(subject)).map(({ subject, label }) => (
        <tr key={subject}>
          <th scope="row" css={{ ...cell, paddingLeft: 0, textAlign: 'left', fontWeight: 400 }}>
            {label}
          </th>
          {WAYS.map(({ way, label: where }) => {
            const alert = alertOf(subject, way)
            return (
              <td key={way} css={{ ...cell, textAlign: 'center' }}>
                {alert && (
                  <label
                    css={{ display: 'grid', placeItems: 'center', '@media (pointer: coarse)': { minWidth: '2.75rem' } }}
                  >
                    <input
                      type="checkbox"
                      value={alert}
                      aria-label={`${label}: ${where}`}
                      css={{
                        width: '1.375rem',
                        height: '1.375rem',
                        accentColor: colour.accent,
                      }}
                      {...field}
                    />
                  </label>
                )}
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  </table>
)

const savedInWords = ({ email, alerts }: AlertForm, isOwner: boolean) => {
  const isEmailed =
    email !== null && alerts.some((alert) => /^(new|late)-email$/.test(alert) && (isOwner || !isForOwners(alert)))
  return isEmailed ? 'Saved. You get emails about leads from now on.' : 'Saved. You get no emails about leads.'
}

const Form = (props: { settings: AlertSettings; isOwner: boolean; onSaved: (chosen: AlertForm) => void }) => {
  const { settings, isOwner } = props
  const { email, alerts, isPossible, isUnknown } = settings
  const [saved, setSaved] = useState('')
  const form = useStaffForm(alertForm, {
    defaultValues: { email, alerts: alerts as Alert[] },
    send: async (wanted) => {
      setSaved('')
      await send('POST', KEY, wanted)
      props.onSaved(wanted)
      form.reset(form.getValues())
      setSaved(savedInWords(wanted, isOwner))
    },
  })
  return (
    <StaffForm form={form} label="Notifications" action="Save" busyAction="Saving..." done={saved} isWide>
      <Table isOwner={isOwner} field={form.register('alerts')} />
      {isUnknown && (
        <p css={{ color: colour.soft }}>
          It is not known here whether this site can send these emails. Ask the person who runs the server.
        </p>
      )}
      {!isPossible && !isUnknown && (
        <p css={{ color: colour.bad }}>
          This site cannot send these emails yet. An admin sets it up in Settings, Email.
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
    </StaffForm>
  )
}

/** All notifications of the staff member in one table: what about, and by which way; and what each way takes. */
export const Notifications = ({ me }: { me: Me }) => {
  const { data, error, mutate } = useGet(KEY, alertSettings)
  return (
    <SettingsSection
      id="notifications"
      title="Notifications"
      intro="By email and on devices in support hours only. What happens at night comes in the morning. Nothing comes about leads and chats that have had a reply."
    >
      <div css={{ display: 'grid', gap: space.roomy }}>
        <div css={{ display: 'grid', gap: space.base, gridTemplateColumns: 'repeat(auto-fit, minmax(14rem, 1fr))' }}>
          <ThisBrowser />
          <ThisDevice accountId={me.id} />
        </div>
        <Pending what="your notifications" isLoading={!data} error={error} retry={() => mutate()} />
        {data && (
          <Form
            settings={data}
            isOwner={me.role === 'owner'}
            onSaved={(chosen) => mutate({ ...data, ...chosen }, { revalidate: false })}
          />
        )}
      </div>
    </SettingsSection>
  )
}
