import useSWR from 'swr'
import { passwordLinkPossible, passwordLinkState } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'

export const requestPasswordLink = (username: string) =>
  send('POST', '/api/login/forgotten', { username }).then(read(passwordLinkPossible))

const KEY = '/api/login/password-link'

/** Whether a link's token can still set a new password. */
export const usePasswordLink = (token: string) =>
  useSWR([KEY, token], () => send('POST', KEY, { token }).then(read(passwordLinkState)), { revalidateIfStale: true })

export const choosePassword = (token: string, password: string) =>
  send('POST', '/api/login/password', { token, password })
