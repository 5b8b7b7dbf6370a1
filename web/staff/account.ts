import { useEffect } from 'react'
import useSWR, { mutate, preload } from 'swr'
import type { Profile } from '../../events/staff/staff.ts'
import { me } from '../../events/staff/wire.ts'
import { forgetConsole } from '../chat/console/console-kept.ts'
import { get, read } from '../client/get.ts'
import { HttpError, send } from '../client/http.ts'
import { endPush } from './device/push.ts'
import { forgetDrafts } from './drafts.tsx'
import { signInAddress } from './sign-in-address.ts'
import { giveUpUnsaved, isAnythingUnsaved, unsavedWords } from './unsaved.ts'

const KEY = '/api/me'

const COOKIE_COMES_WITHIN_MS = 1_000

/** How tabs tell each other that somebody has signed in: all tabs of a browser have one session. */
const SIGN_INS = 'staff-sign-ins'

/** The account that this page was opened for: without one no session can have ended. */
let openedFor: string | undefined

/** Nothing of what a page shows or holds of one person is for the next one. */
const startAfresh = () => {
  forgetConsole()
  location.reload()
  return new Promise<never>(() => {})
}

const readMe = async () => {
  const account = await get(KEY, me)
  if (openedFor !== undefined && openedFor !== account.id) return await startAfresh()
  if (openedFor === undefined) forgetDrafts(account.id)
  openedFor = account.id
  return account
}

/** Who is signed in. */
export const useMe = () => useSWR(KEY, readMe)

/** Asks who is signed in while the screens still load: the first of them finds the answer. */
export const askWhoIsSignedIn = () => {
  // a failure is told where the answer is used
  preload(KEY, readMe).catch(() => {})
}

/** Asks again who is signed in: where the session has ended, the answer leads to sign-in as any other does. */
export const checkSession = () => mutate(KEY)

/**
 * Checks the session in a moment: another tab may have got a new token (by a new password, a second factor or a sign-in)
 * whose cookie is still on its way.
 */
export const checkSessionSoon = () => setTimeout(checkSession, COOKIE_COMES_WITHIN_MS)

/** Looks whether another account has signed in, in another tab, or behind this page's back: then the page starts afresh. */
export const useAccountWatch = () =>
  useEffect(() => {
    const leaving = new AbortController()
    const tabs = new BroadcastChannel(SIGN_INS)
    tabs.addEventListener('message', checkSession, { signal: leaving.signal })
    const look = () => {
      if (!document.hidden) checkSession()
    }
    document.addEventListener('visibilitychange', look, { signal: leaving.signal })
    return () => {
      leaving.abort()
      tabs.close()
    }
  }, [])

export const signIn = async (credentials: { username: string; password: string; link?: string; code?: string }) => {
  await send('POST', '/api/login', credentials)
  openedFor = undefined
  const tabs = new BroadcastChannel(SIGN_INS)
  tabs.postMessage(null)
  tabs.close()
}

/** Changes how one shows to colleagues. */
export const saveProfile = async (profile: Profile) => {
  const saved = await send('POST', '/api/me/profile', profile).then(read(me))
  await mutate(KEY, saved, { revalidate: false })
  return saved
}

let signingOut: 'no' | 'yes' | 'left' = 'no'

/** Leaves once: the answer to the sign-out and calls that it refuses may all lead here, and a second load aborts the first. */
const leaveSignedOut = () => {
  if (signingOut === 'left') return
  signingOut = 'left'
  forgetConsole()
  forgetDrafts()
  giveUpUnsaved()
  // Back may show this page again as it was
  addEventListener('pageshow', ({ persisted }) => persisted && location.replace('/login'))
  location.assign('/login')
}

/** Signs out, and leaves the app, so that nothing of what was seen or written stays. */
export const signOut = async () => {
  signingOut = 'yes'
  try {
    // what this device is told of must not keep anybody signed in
    await endPush().catch((error) => console.warn('The notifications of this device go on:', error))
    await send('POST', '/api/logout', {}).catch((error) => {
      // the session has ended already
      if (!(error instanceof HttpError && error.status === 401)) throw error
    })
    leaveSignedOut()
  } catch (error) {
    if (signingOut === 'yes') signingOut = 'no'
    throw error
  }
}

/** Leaves for the sign-in page, which leads back unless a sign-out is under way. */
export const leaveToSignIn = () => {
  if (signingOut !== 'no') return leaveSignedOut()
  location.assign(
    signInAddress(location.pathname + location.search + location.hash, { hasEnded: openedFor !== undefined }),
  )
}

/**
 * Leaves what cannot be shown any more, unless something was typed there: then the page asks who is signed in, and says
 * that nobody is (`SessionEnded`). `key` is of what was refused.
 */
export const leaveSignedOutPage = (key: string) => {
  if (!isAnythingUnsaved()) leaveToSignIn()
  else if (key !== KEY) checkSession()
}

/**
 * Leaves for the sign-in page though something is typed: it is kept on this device, and back here it is there again. Before
 * what is not kept is left the browser asks.
 */
export const signInAgain = () => {
  if (!unsavedWords()?.isLost) giveUpUnsaved()
  leaveToSignIn()
}
