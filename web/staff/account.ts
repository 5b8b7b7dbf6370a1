import useSWR from 'swr'
import * as v from 'valibot'
import { STAFF_ROLES } from '../../events/staff.ts'
import { forgetConsole } from '../chat/console-kept.ts'
import { postJson, request } from '../http.ts'

const KEY = '/api/me'

const me = v.object({
  id: v.string(),
  username: v.string(),
  displayName: v.string(),
  role: v.picklist(STAFF_ROLES),
})

/** Who is signed in. */
export const useMe = () => useSWR(KEY, async () => v.parse(me, await (await request(KEY)).json()))

export const signIn = (credentials: { username: string; password: string }) => postJson('/api/login', credentials)

/** Changes one's own password; one's other sessions end. */
export const changePassword = (passwords: { current: string; next: string }) => postJson('/api/me/password', passwords)

/** Signs out, and leaves the app, so that nothing of what was seen or written stays. */
export const signOut = async () => {
  // first: the chat's socket leaves the page as soon as the session has ended
  forgetConsole()
  await postJson('/api/logout', {})
  location.assign('/login')
}
