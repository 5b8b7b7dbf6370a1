import { mutate } from 'swr'
import type * as v from 'valibot'
import type { AccountChange, accountForm, LeavingOwner } from '../../../events/staff/staff.ts'
import { accounts, passwordLink } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { COLLEAGUES_KEY } from '../../staff/account/colleagues.ts'
import { useGet } from '../../staff/requests/use-get.ts'
import { WEBHOOKS_KEY } from '../../staff/webhooks/webhooks.ts'
import { TOKENS_KEY } from './tokens-api.ts'

const KEY = '/api/accounts'

export const useAccounts = () => useGet(KEY, accounts, { poll: 'lists' })

/** Sends a change of accounts; it shows in useAccounts and useColleagues. */
const change = async (...request: Parameters<typeof send>) => {
  await send(...request)
  await Promise.all([KEY, COLLEAGUES_KEY, TOKENS_KEY, WEBHOOKS_KEY].map((key) => mutate(key)))
}

export const addAccount = (form: v.InferOutput<typeof accountForm>) => change('POST', KEY, form)

export const changeAccount = (id: string, changes: AccountChange) => change('PATCH', `${KEY}/${id}`, changes)

/** Makes a link to choose a new password, to be passed on: it is stored nowhere. */
export const makePasswordLink = (id: string) => send('POST', `${KEY}/${id}/password-link`, {}).then(read(passwordLink))

export const turnTwoFactorOff = (id: string) => change('DELETE', `${KEY}/${id}/two-factor`)

export const removeAccount = (id: string, leaving?: LeavingOwner) =>
  change('DELETE', `${KEY}/${id}${leaving ? `?${new URLSearchParams(leaving)}` : ''}`)
