import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigationType } from 'react-router'
import { HttpError } from '../../client/http.ts'
import { Logo } from '../../ui/logo.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { checkSession, signOut, useAccountWatch, useMe } from '../account/account.ts'
import { usePushState } from '../device/push.ts'
import { useNotifications } from '../device/worker.ts'
import { LeaveGuard, LeaveQuestion } from '../drafts/leave-guard.tsx'
import { useSlipGuard } from '../drafts/slip-guard.ts'
import { type LeaveWords, unsavedWords } from '../drafts/unsaved.ts'
import { isLeadPath } from '../leads/address.ts'
import { LogCalls } from '../leads/contact/log-contact.tsx'
import { scrollKey } from '../leads/list/place.ts'
import { KeyHelp } from '../list/key-help.tsx'
import { PaletteOpener } from '../palette/palette-opener.tsx'
import { FetchFailure } from '../placeholder.tsx'
import { sideBar, withSideBar } from '../side-bar.ts'
import { AccountMenu } from './account-menu.tsx'
import { Banners } from './banners.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { Navigation } from './navigation.tsx'
import { unfinishedWords } from './unfinished.tsx'

const leave = () =>
  signOut().catch(() =>
    toast({
      title: 'You are still signed in',
      description: 'The server did not answer. Try again.',
      variant: 'destructive',
    }),
  )

/** Signs out. If text is unsaved, or stored on this device, `question` asks for confirmation first. */
const useSignOut = (accountId: string | undefined) => {
  const [words, setWords] = useState<LeaveWords>()
  const close = () => setWords(undefined)
  const goOn = () => {
    close()
    leave()
  }
  const start = () => {
    const stored = accountId ? unfinishedWords(accountId) : undefined
    const unsaved = unsavedWords()
    const lost = unsaved?.isLost ? unsaved : undefined
    const question = lost && stored ? { ...stored, lost: lost.text } : (lost ?? stored ?? unsaved)
    if (question) setWords(question)
    else leave()
  }
  return { start, question: words && <LeaveQuestion words={words} onStay={close} onLeave={goOn} /> }
}

/** Moves the focus to a newly opened screen, unless the screen has taken it itself: the pressed control may be gone. */
const useFocusOnArrival = () => {
  const content = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  const how = useNavigationType()
  // each lead is a screen of its own
  const screen = isLeadPath(pathname) ? pathname + search : pathname
  const shown = useRef(screen)
  useEffect(() => {
    if (shown.current === screen) return
    shown.current = screen
    const isInside = content.current?.contains(document.activeElement)
    if (how === 'PUSH' && !isInside) content.current?.focus({ preventScroll: true })
  }, [screen, how])
  return content
}

/** Loads the section in which a staff member sets up two-factor sign-in: most never need it, and it brings QR codes along. */
type LoadTwoFactor = () => Promise<{ default: ComponentType<{ onDone: () => void }> }>

/** Takes the place of every screen until the staff member has the second factor that owners require. */
const TwoFactorFirst = ({ load }: { load: LoadTwoFactor }) => {
  const [TwoFactorSection] = useState(() => lazy(load))
  return (
    <>
      <h1 css={{ fontSize: type.heading }}>Set up two-factor sign-in</h1>
      <p css={{ marginTop: space.tight, color: colour.soft }}>
        The Admins require it for all accounts. The other screens open once it is set up.
      </p>
      <Suspense>
        <TwoFactorSection onDone={() => location.reload()} />
      </Suspense>
    </>
  )
}

const isSignedOut = (error: unknown) => error instanceof HttpError && error.status === 401

/**
 * The state of the sign-in: `asking` as long as there is no response, `stranger` if no account is signed in. No screen
 * shows or requests data then.
 */
const signInStateOf = ({ data: me, error }: ReturnType<typeof useMe>) => {
  if (me) return 'known'
  if (!error) return 'asking'
  return isSignedOut(error) ? 'stranger' : 'failed'
}

const AccountFailure = ({ error }: { error: Error }) => (
  <div css={{ marginBottom: space.roomy }}>
    <FetchFailure title="Error loading your account" error={error} retry={checkSession} />
  </div>
)

/** The last row of a screen can be scrolled to above the bar of a phone and a toast at the foot. */
const FOOT_ROOM = 'calc(var(--bar, 0px) + 8rem)'

/** The frame of every staff screen: navigation, the palette, the signed-in account. */
export const Frame = ({ loadTwoFactor }: { loadTwoFactor: LoadTwoFactor }) => {
  const account = useMe()
  const { data: me } = account
  const signInState = signInStateOf(account)
  const isBare = signInState === 'stranger' || signInState === 'asking' || me?.mustSetUpTwoFactor
  const { start, question } = useSignOut(me?.id)
  useAccountWatch()
  useSlipGuard()
  useNotifications()
  usePushState(me && !me.mustSetUpTwoFactor ? me.id : undefined)
  const content = useFocusOnArrival()
  return (
    <div css={withSideBar}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header css={sideBar}>
        <Logo href="/" isBrief />
        <Navigation
          hasScreens={!isBare || signInState === 'asking'}
          isCounted={!isBare}
          isOwner={me?.role === 'owner'}
          search={!isBare && <PaletteOpener onSignOut={start} />}
          account={<AccountMenu me={me} onSignOut={start} />}
        />
      </header>
      <main
        ref={content}
        id="content"
        tabIndex={-1}
        css={{
          minWidth: 0,
          '--gutter': space.base,
          padding: `0 var(--gutter) ${FOOT_ROOM}`,
          outline: 'none',
          [from.medium]: { '--gutter': space.roomy },
          '&:not(:has([data-top-bar]))': { paddingTop: space.base },
        }}
      >
        <Banners me={isBare ? undefined : me} />
        {me?.mustSetUpTwoFactor && <TwoFactorFirst load={loadTwoFactor} />}
        {signInState === 'asking' && <LoadingScreen retry={checkSession} />}
        {signInState === 'failed' && <AccountFailure error={account.error} />}
        {!isBare && <Outlet />}
      </main>
      {question}
      <LeaveGuard />
      {!isBare && <LogCalls />}
      {!isBare && <KeyHelp />}
      <ScrollRestoration getKey={scrollKey} />
    </div>
  )
}
