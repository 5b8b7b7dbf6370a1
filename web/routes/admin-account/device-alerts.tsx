import { usePush } from '../../staff/device/push.ts'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { Button } from '../../ui/button.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const STATES: Record<ReturnType<typeof usePush>['state'], string> = {
  unknown: '',
  impossible:
    'This browser cannot show them. On an iPhone or iPad, add this site to the Home Screen, and open it from there.',
  blocked: 'Your browser blocks notifications from this site. Allow them in its site settings, and try again.',
  off: '',
  on: 'This device gets notifications about leads.',
}

/** Whether this phone or computer is told of leads, also while no staff page is open. */
export const DeviceAlerts = ({ accountId }: { accountId: string }) => {
  const { state, problem, isBusy, turn } = usePush(accountId)
  return (
    <SettingsSection
      id="device"
      title="Notifications on this device"
      intro="They reach this phone or computer also while no staff page is open, in support hours, and name nobody. What they tell of you choose under “Emails about leads”. They end with your session here, and go on once you sign in again; signing out turns them off."
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
