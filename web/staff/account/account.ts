import { useEffect } from 'react'
import useSWR, { mutate, preload } from 'swr'
import type { LeadsLayout, Profile } from '../../../events/staff/staff.ts'
import { type Me, me } from '../../../events/staff/wire.ts'
import { clearStoredConsole } from '../../chat/console/stored-console.ts'
import { get, read } from '../../client/get.ts'
import { HttpError, send } from '../../client/http.ts'
import { endPush } from '../device/push.ts'
import { removeOtherDrafts } from '../drafts/drafts.tsx'
import { discardUnsaved, isAnythingUnsaved, unsavedWords } from '../drafts/unsaved.ts'
import { signInAddress } from './sign-in-address.ts'

const KEY = '/api/me'

const COOKIE_COMES_WITHIN_MS = 1_000

/** The channel by which tabs notify each other of a sign-in: all tabs of a browser have one session. */
const SIGN_INS = 'staff-sign-ins'

/** The account that this page was opened for: without one no session can have ended. */
let openedFor: string | undefined

/** Reloads the page: no data of one person may reach the next one. */
const startAfresh = () => {
  clearStoredConsole()
  location.reload()
  return new Promise<never>(() => {})
}

const readMe = async () => {
  const account = await get(KEY, me)
  if (openedFor !== undefined && openedFor !== account.id) return await startAfresh()
  if (openedFor === undefined) removeOtherDrafts(account.id)
  openedFor = account.id
  return account
}

export const useMe = () => useSWR(KEY, readMe)

/** Requests the signed-in account while the screens still load, so the first of them finds the response. */
export const preloadMe = () => {
  // the caller that uses the response reports a failure
  preload(KEY, readMe).catch(() => {})
}

/** Requests the signed-in account again: if the session has ended, the response leads to sign-in as any other does. */
export const checkSession = () => mutate(KEY)

/**
 * Checks the session in a moment: another tab may have got a new token (by a new password, a second factor or a
 * sign-in) whose cookie has not arrived yet.
 */
export const checkSessionSoon = () => setTimeout(checkSession, COOKIE_COMES_WITHIN_MS)

/** Reloads the page if another account has signed in, in another tab or without this page's knowledge. */
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

export const saveProfile = async (profile: Profile) => {
  const saved = await send('POST', '/api/me/profile', profile).then(read(me))
  await mutate(KEY, saved, { revalidate: false })
  return saved
}

/** Chooses how the list of leads opens, here at once and from then on everywhere. */
export const chooseLeadsLayout = (leadsLayout: LeadsLayout) =>
  mutate<Me>(KEY, () => send('POST', '/api/me/leads-layout', { leadsLayout }).then(read(me)), {
    optimisticData: (known) => ({ ...(known as Me), leadsLayout }),
    revalidate: false,
  })

let signingOut: 'no' | 'yes' | 'left' = 'no'

/**
 * Leaves once: the response to the sign-out and the calls that it makes fail may all lead here, and a second load
 * aborts the first.
 */
const leaveSignedOut = () => {
  if (signingOut === 'left') return
  signingOut = 'left'
  clearStoredConsole()
  removeOtherDrafts()
  discardUnsaved()
  // Back may restore this page as it was
  addEventListener('pageshow', ({ persisted }) => persisted && location.replace('/login'))
  location.assign('/login')
}

/** Signs out, and leaves the app to drop everything that was shown or typed. */
export const signOut = async () => {
  signingOut = 'yes'
  try {
    // this device's notifications must not prevent the sign-out
    await endPush().catch((error) => console.warn('The notifications of this device stay on:', error))
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
 * Leaves a page that can no longer be shown, unless text was typed there: then the page requests the signed-in account,
 * and reports that the session has ended (`SessionEnded`). `key` is that of the refused request.
 */
export const leaveSignedOutPage = (key: string) => {
  if (!isAnythingUnsaved()) leaveToSignIn()
  else if (key !== KEY) checkSession()
}

/**
 * Leaves for the sign-in page although text is unsaved: it is stored on this device, and restored on return. The
 * browser asks before text that is not stored is left.
 */
export const signInAgain = () => {
  if (!unsavedWords()?.isLost) discardUnsaved()
  leaveToSignIn()
}
