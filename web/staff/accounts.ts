import useSWR, { useSWRConfig } from 'swr'
import * as v from 'valibot'
import type { AccountChange, accountForm, LeavingOwner } from '../../events/staff.ts'
import { type Account, accounts, passwordLink } from '../../events/wire/staff.ts'
import { postJson, request, sendJson } from '../http.ts'
import { loader } from '../load.ts'
import { COLLEAGUES_KEY } from './colleagues.ts'
import { TOKENS_KEY } from './tokens.ts'
import { WEBHOOKS_KEY } from './webhooks.ts'

const KEY = '/api/accounts'
const REFRESH_INTERVAL_MS = 30_000

/** The staff's accounts, by name; for owners. */
export const useAccounts = () =>
  useSWR<Account[]>(KEY, loader(accounts), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

/** What owners do with accounts; each shows in useAccounts and useColleagues. */
export const useAccountChanges = () => {
  const { mutate } = useSWRConfig()
  const shown = async (work: Promise<Response>) => {
    await work
    await Promise.all([KEY, COLLEAGUES_KEY, TOKENS_KEY, WEBHOOKS_KEY].map((key) => mutate(key)))
  }
  return {
    add: (form: v.InferOutput<typeof accountForm>) => shown(postJson(KEY, form)),
    change: (id: string, change: AccountChange) => shown(sendJson('PATCH', `${KEY}/${id}`, change)),
    /** The link is for handing over: nothing keeps it. */
    makePasswordLink: async (id: string) =>
      v.parse(passwordLink, await (await postJson(`${KEY}/${id}/password-link`, {})).json()),
    turnTwoFactorOff: (id: string) => shown(request(`${KEY}/${id}/two-factor`, { method: 'DELETE' })),
    remove: (id: string, leaving?: LeavingOwner) =>
      shown(request(`${KEY}/${id}${leaving ? `?${new URLSearchParams(leaving)}` : ''}`, { method: 'DELETE' })),
  }
}
