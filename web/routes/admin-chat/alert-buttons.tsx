import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { BellIcon, SoundIcon } from '../../ui/icons.tsx'
import { colour, type } from '../../ui/theme.ts'
import type { AlertSettings, Alerts } from './alerts.ts'

const REFUSALS: Record<NonNullable<AlertSettings['refusal']>, string> = {
  unknown: 'This browser shows no notifications.',
  blocked:
    'Your browser blocks notifications from this site. Allow them in its site settings, beside the address, and press Notifications again.',
  dismissed: 'The browser asked, and was not answered. Press Notifications again to be asked once more.',
}

/** Switches for the sound and the desktop notifications of new messages, and why there are none. */
export const AlertButtons = ({ alerts }: { alerts: Alerts }) => {
  const { sound, desktop, refusal } = useSyncExternalStore(alerts.subscribe, alerts.get)
  return (
    <>
      <Button look="quiet" aria-pressed={sound} onClick={alerts.turnSound}>
        <SoundIcon /> Sound
      </Button>
      <Button look="quiet" aria-pressed={desktop} onClick={alerts.turnDesktop}>
        <BellIcon /> Notifications
      </Button>
      <p
        role="status"
        css={{ order: 9, flexBasis: '100%', color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}
      >
        {refusal && REFUSALS[refusal]}
      </p>
    </>
  )
}
