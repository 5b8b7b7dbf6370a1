import { Global } from '@emotion/react'
import { useLayoutEffect, useRef } from 'react'
import type { Me } from '../../../events/staff/wire.ts'
import { space } from '../../ui/theme.ts'
import { OfflineNotice } from '../device/online.tsx'
import { SessionEnded } from '../session-ended.tsx'
import { WebhookAlarm } from './webhook-alarm.tsx'

/** Where the window is high enough for notices that stay. */
const HIGH = '(min-height: 30rem)'

/**
 * What takes the focus is scrolled to below the notices that stay; a screen with a row of its own up there says so itself.
 * Notices that scroll away need no room.
 */
const seenBelow = {
  ':where(html)': { scrollPaddingTop: 'var(--notices, 0px)' },
  [`@media not all and ${HIGH}`]: { html: { '--notices': '0px !important' } },
} as const

/**
 * What is said above every screen as long as it is so, in sight however far it is scrolled; in a window as low as a phone
 * with its keyboard there is no room for that. `--notices` is what it takes of the top. `me` is who may see the screens.
 */
export const Notices = ({ me }: { me: Me | undefined }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current: element } = box
    if (!element) return
    const { style } = document.documentElement
    const resized = new ResizeObserver(() => style.setProperty('--notices', `${element.offsetHeight}px`))
    resized.observe(element)
    return () => {
      resized.disconnect()
      style.removeProperty('--notices')
    }
  }, [])
  return (
    <>
      <Global styles={seenBelow} />
      <div
        ref={box}
        css={{
          display: 'grid',
          zIndex: 6,
          [`@media ${HIGH}`]: { position: 'sticky', top: space.tight },
        }}
      >
        <OfflineNotice />
        <SessionEnded />
      </div>
      {me?.role === 'owner' && <WebhookAlarm />}
    </>
  )
}
