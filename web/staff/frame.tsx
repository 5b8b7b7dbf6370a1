import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigationType } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Face } from '../ui/face.tsx'
import { Logo } from '../ui/logo.tsx'
import { colour, from, space, type, unseen } from '../ui/theme.ts'
import { toast } from '../ui/toast/toasts.ts'
import { signOut, useAccountWatch, useMe } from './account.ts'
import { OfflineNotice } from './device/online.tsx'
import { usePushState } from './device/push.ts'
import { useOpenedNotifications } from './device/worker.ts'
import { StuckBadge } from './email-alarm.tsx'
import { PaletteOpener } from './palette/palette-opener.tsx'
import { isSettingsPath } from './settings-tabs.tsx'
import { WaitingBadge } from './waiting-chats.tsx'
import { WaitingLeadsBadge } from './waiting-leads.tsx'
import { WebhookAlarm } from './webhook-alarm.tsx'

/** Where staff can go. A `badge` is an element that looks by itself whether there is anything to tell (CountBadge). */
const SCREENS: { path: string; label: string; badge?: ReactNode }[] = [
  { path: '/admin-today', label: 'Today' },
  { path: '/admin-dashboard', label: 'Dashboard', badge: <WaitingLeadsBadge /> },
  { path: '/admin-pipeline', label: 'Pipeline' },
  { path: '/admin-submissions', label: 'Submissions' },
  { path: '/admin-chat', label: 'Live chat', badge: <WaitingBadge /> },
  { path: '/admin-overview', label: 'Overview' },
  { path: '/admin-email', label: 'Email', badge: <StuckBadge /> },
  { path: '/admin-settings', label: 'Settings' },
]

const leave = () =>
  signOut().catch(() =>
    toast({
      title: 'You are still signed in',
      description: 'The server did not answer. Try again.',
      variant: 'destructive',
    }),
  )

/** On a phone in two rows, so that every badge is in sight; in one line as soon as there is room. */
const Navigation = () => {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Staff" css={{ order: 3, flexBasis: '100%', [from.large]: { order: 0, flex: 1 } }}>
      <ul
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: '1.25rem',
          [from.large]: { columnGap: space.base },
        }}
      >
        {SCREENS.map(({ path, label, badge }) => (
          <li key={path}>
            <NavLink
              to={path}
              {...(isSettingsPath(path) && isSettingsPath(pathname) && { 'data-within': '' })}
              css={{
                display: 'inline-flex',
                alignItems: 'center',
                gap: '0.375rem',
                minHeight: '2.5rem',
                '@media (pointer: coarse)': { minHeight: '2.75rem' },
                borderBottom: '2px solid transparent',
                color: colour.soft,
                fontSize: '0.9375rem',
                fontWeight: 500,
                textDecoration: 'none',
                whiteSpace: 'nowrap',
                ':hover': { color: colour.ink },
                '&[aria-current="page"], &[data-within]': { borderColor: colour.accent, color: colour.ink },
              }}
            >
              {label}
              {badge}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Takes the focus to a screen that somebody has gone to, unless it has taken it itself: what was pressed may be gone. */
const useFocusOnArrival = () => {
  const content = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const how = useNavigationType()
  const here = useRef(pathname)
  useEffect(() => {
    if (here.current === pathname) return
    here.current = pathname
    const isInside = content.current?.contains(document.activeElement)
    if (how === 'PUSH' && !isInside) content.current?.focus({ preventScroll: true })
  }, [pathname, how])
  return content
}

/** Most people never need it here: it brings QR codes along. */
const TwoFactorSection = lazy(async () => ({
  default: (await import('../routes/admin-account/two-factor.tsx')).TwoFactorSection,
}))

/** Stands in place of every screen until somebody has the second factor that owners require. */
const TwoFactorFirst = () => (
  <>
    <h1 css={{ fontSize: type.heading }}>Set up two-factor sign-in</h1>
    <p css={{ marginTop: space.tight, color: colour.soft }}>
      The owners require it of everybody. All else opens once it is set up.
    </p>
    <Suspense>
      <TwoFactorSection onDone={() => location.reload()} />
    </Suspense>
  </>
)

/** What is around every staff screen: where else to go, who is signed in, sign-out. */
export const Frame = () => {
  const { data: me } = useMe()
  useAccountWatch()
  useOpenedNotifications()
  usePushState(me && !me.mustSetUpTwoFactor ? me.id : undefined)
  const content = useFocusOnArrival()
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header css={{ background: colour.sheet, borderBottom: `1px solid ${colour.line}` }}>
        <div
          css={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: `${space.tight} ${space.wide}`,
            maxWidth: '76rem',
            margin: '0 auto',
            padding: `${space.snug} ${space.roomy}`,
          }}
        >
          <Logo href="/" isBrief />
          {!me?.mustSetUpTwoFactor && <Navigation />}
          <div
            css={{
              marginLeft: 'auto',
              display: 'flex',
              alignItems: 'center',
              gap: space.snug,
              minWidth: 0,
              fontSize: type.small,
            }}
          >
            {!me?.mustSetUpTwoFactor && <PaletteOpener onSignOut={leave} />}
            {me && (
              <Link
                to="/admin-account"
                title={me.displayName}
                css={{
                  display: 'flex',
                  alignItems: 'center',
                  gap: space.tight,
                  minWidth: 0,
                  maxWidth: '10rem',
                  padding: `${space.tight} 0`,
                  color: colour.ink,
                  textDecoration: 'none',
                }}
              >
                <Face name={me.displayName} photo={me.photo ?? null} sizePx={28} />
                <span
                  css={{
                    overflow: 'hidden',
                    textOverflow: 'ellipsis',
                    whiteSpace: 'nowrap',
                    textDecoration: 'underline 1px',
                    // beside the screens there is room for the face alone
                    [from.large]: unseen,
                  }}
                >
                  <span css={unseen}>Your account: </span>
                  {me.displayName}
                </span>
              </Link>
            )}
            <Button look="quiet" onClick={leave} css={{ whiteSpace: 'nowrap' }}>
              Sign out
            </Button>
          </div>
        </div>
      </header>
      <main
        ref={content}
        id="content"
        tabIndex={-1}
        css={{ maxWidth: '76rem', margin: '0 auto', padding: `${space.wide} ${space.roomy} 6rem`, outline: 'none' }}
      >
        <OfflineNotice />
        {me?.role === 'owner' && !me.mustSetUpTwoFactor && <WebhookAlarm />}
        {me?.mustSetUpTwoFactor ? <TwoFactorFirst /> : <Outlet />}
      </main>
      <ScrollRestoration />
    </>
  )
}
