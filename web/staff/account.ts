import useSWR, { mutate } from 'swr'
import * as v from 'valibot'
import { me } from '../../events/wire/staff.ts'
import { forgetConsole } from '../chat/console-kept.ts'
import { postJson, request } from '../http.ts'
import { signInAddress } from './sign-in-address.ts'

const KEY = '/api/me'

/** Whether anybody was signed in on this page: only then can a session have ended. */
let wasSignedIn = false

const readMe = async () => {
  const read = v.parse(me, await (await request(KEY)).json())
  wasSignedIn = true
  return read
}

/** Who is signed in. */
export const useMe = () => useSWR(KEY, readMe)

/** Asks again who is signed in: where the session has ended, the answer leads to sign-in as any other does. */
export const checkSession = () => mutate(KEY)

export const signIn = (credentials: { username: string; password: string; link?: string }) =>
  postJson('/api/login', credentials)

/** Changes one's own password; one's other sessions end. */
export const changePassword = (passwords: { current: string; next: string }) => postJson('/api/me/password', passwords)

let isSigningOut = false

const leaveSignedOut = () => {
  forgetConsole()
  location.assign('/login')
}

/** Signs out, and leaves the app, so that nothing of what was seen or written stays. */
export const signOut = async () => {
  isSigningOut = true
  try {
    await postJson('/api/logout', {})
    leaveSignedOut()
  } catch (error) {
    isSigningOut = false
    throw error
  }
}

/** Leaves for the sign-in page, with the way back; without it where somebody signs out, and the chat hears of it first. */
export const leaveToSignIn = () => {
  if (isSigningOut) return leaveSignedOut()
  location.assign(signInAddress(location.pathname + location.search + location.hash, { hasEnded: wasSignedIn }))
}
