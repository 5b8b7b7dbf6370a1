import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { BellIcon, SoundIcon } from '../../ui/icons.tsx'
import { colour, type } from '../../ui/theme.ts'
import { type AlertSettings, alerts } from './alerts.ts'
import { allowAgain } from './blocked.ts'

const REFUSALS: Record<NonNullable<AlertSettings['refusal']>, string> = {
  unknown: 'This browser shows no notifications.',
  blocked: allowAgain('Notifications'),
  dismissed: 'Permission not granted. Press Notifications to try again.',
}

/** Switches for the sound and the desktop notifications of this browser. */
export const AlertButtons = () => {
  const { sound, desktop } = useSyncExternalStore(alerts.subscribe, alerts.get)
  return (
    <>
      <Button look="quiet" aria-pressed={sound} onClick={alerts.turnSound}>
        <SoundIcon /> Sound
      </Button>
      <Button look="quiet" aria-pressed={desktop} onClick={alerts.turnDesktop}>
        <BellIcon /> Notifications
      </Button>
    </>
  )
}

/** Why there are no notifications, once they were requested. */
export const AlertsRefusal = () => {
  const { refusal } = useSyncExternalStore(alerts.subscribe, alerts.get)
  return (
    <p role="status" css={{ color: colour.soft, fontSize: type.small }}>
      {refusal && REFUSALS[refusal]}
    </p>
  )
}
