import { useSWRConfig } from 'swr'
import type * as v from 'valibot'
import type { AccountChange, accountForm, LeavingOwner } from '../../../events/staff/staff.ts'
import { accounts, passwordLink } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { COLLEAGUES_KEY } from '../../staff/colleagues.ts'
import { useGet } from '../../staff/use-get.ts'
import { WEBHOOKS_KEY } from '../../staff/webhooks.ts'
import { TOKENS_KEY } from './use-tokens.ts'

const KEY = '/api/accounts'

/** The staff's accounts, by name; for owners. */
export const useAccounts = () => useGet(KEY, accounts, { poll: 'lists' })

/** The changes that owners make to accounts; each shows in useAccounts and useColleagues. */
export const useAccountChanges = () => {
  const { mutate } = useSWRConfig()
  const shown = async (...change: Parameters<typeof send>) => {
    await send(...change)
    await Promise.all([KEY, COLLEAGUES_KEY, TOKENS_KEY, WEBHOOKS_KEY].map((key) => mutate(key)))
  }
  return {
    add: (form: v.InferOutput<typeof accountForm>) => shown('POST', KEY, form),
    change: (id: string, change: AccountChange) => shown('PATCH', `${KEY}/${id}`, change),
    /** The link is to be passed on: it is stored nowhere. */
    makePasswordLink: (id: string) => send('POST', `${KEY}/${id}/password-link`, {}).then(read(passwordLink)),
    turnTwoFactorOff: (id: string) => shown('DELETE', `${KEY}/${id}/two-factor`),
    remove: (id: string, leaving?: LeavingOwner) =>
      shown('DELETE', `${KEY}/${id}${leaving ? `?${new URLSearchParams(leaving)}` : ''}`),
  }
}
