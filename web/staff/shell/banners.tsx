import { Global } from '@emotion/react'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Me } from '../../../events/staff/wire.ts'
import { OfflineBanner } from '../device/online.tsx'
import { SessionEnded } from '../forms/session-ended.tsx'
import { pauseReason } from '../webhooks/webhook-pause.ts'
import { useWebhooks } from '../webhooks/webhooks.ts'
import { Banner } from './banner.tsx'

/** Shows owners on every screen a webhook that was paused, unless an owner paused it; renders nothing otherwise. */
const WebhookBanner = () => {
  const { data: webhooks } = useWebhooks()
  const paused =
    webhooks?.find(({ isFailed }) => isFailed) ?? webhooks?.find(({ isPausedByRestore }) => isPausedByRestore)
  if (!paused) return null
  return (
    <Banner title={`The webhook to ${new URL(paused.url).host} is paused`}>
      <p css={{ flex: '1 1 16rem' }}>It was paused because {pauseReason(paused)}. Events wait for up to 30 days.</p>
      <Link to="/admin-settings/webhooks">Look at webhooks</Link>
    </Banner>
  )
}

/** Whether the window is high enough for banners that stay. */
const HIGH = '(min-height: 30rem)'

/**
 * A focused element is scrolled to below all that stays at the top, which is `--top` high; a screen with a row of its
 * own up there sets that itself. Banners that scroll away need no room.
 */
const seenBelow = {
  ':where(html)': { '--top': 'var(--notices, 0px)', scrollPaddingTop: 'var(--top)' },
  [`@media not all and ${HIGH}`]: { html: { '--notices': '0px !important' } },
} as const

/**
 * The banners above every screen, shown as long as they apply, in sight however far it is scrolled; a window as low as
 * a phone with its keyboard has no room for that. `--notices` is their height at the top. `me` is the account that may
 * see the screens.
 */
export const Banners = ({ me }: { me: Me | undefined }) => {
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
          [`@media ${HIGH}`]: { position: 'sticky', top: 0 },
        }}
      >
        <OfflineBanner />
        <SessionEnded />
      </div>
      {me?.role === 'owner' && <WebhookBanner />}
    </>
  )
}
