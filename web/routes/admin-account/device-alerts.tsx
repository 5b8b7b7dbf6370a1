import { allowAgain } from '../../staff/alerts/blocked.ts'
import { usePush } from '../../staff/device/push.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { Button } from '../../ui/button.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const STATES: Record<ReturnType<typeof usePush>['state'], string> = {
  unknown: '',
  impossible:
    'This browser cannot show them. On an iPhone or iPad, add this site to the Home Screen, and open it from there.',
  blocked: allowAgain('Notify this device'),
  off: '',
  stopped: 'Your browser has stopped the notifications on this device. Turn them on again with "Notify this device".',
  on: 'This device gets notifications about leads and chats.',
}

/** Whether this phone or computer shows notifications of leads and chats, also while no staff page is open. */
export const DeviceAlerts = ({ accountId }: { accountId: string }) => {
  const { state, problem, isBusy, turn } = usePush(accountId)
  return (
    <SettingsSection
      id="device"
      title="Notifications on this device"
      intro={
        'In support hours, even when no staff page is open. They never show a name. They pause a week after you signed in; signing out turns them off.'
      }
    >
      {state !== 'impossible' && (
        <Button look="quiet" aria-pressed={state === 'on'} aria-disabled={isBusy || state === 'unknown'} onClick={turn}>
          <BellIcon /> Notify this device
        </Button>
      )}
      <p role="status" css={{ marginTop: space.tight, color: colour.soft, fontSize: type.small }}>
        {problem || STATES[state]}
      </p>
    </SettingsSection>
  )
}
