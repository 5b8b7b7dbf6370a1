import { useEffect } from 'react'
import { useLocation } from 'react-router'
import useSWR from 'swr'
import * as v from 'valibot'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { stored } from '../../client/stored.ts'
import { isLeadPath } from '../leads/address.ts'
import { fetchLead } from '../leads/lead.ts'

const MAX_RECENT = 5

const ids = v.array(v.pipe(v.string(), v.uuid()))

/** The ids of the leads that an account opened last on this device; no names. */
const recent = (accountId: string) =>
  stored(`recent-leads/${accountId}`, 'device', (value) => (v.is(ids, value) ? value : undefined))

export const useNoteRecent = (accountId: string | undefined) => {
  const { pathname, search } = useLocation()
  const id = isLeadPath(pathname) ? new URLSearchParams(search).get('id') : null
  useEffect(() => {
    if (!id || !accountId) return
    const known = recent(accountId)
    known.keep([id, ...(known.read() ?? []).filter((each) => each !== id)].slice(0, MAX_RECENT))
  }, [id, accountId])
}

/** The leads that an account opened last, without those that were merged or erased since. */
export const useRecentLeads = (accountId: string | undefined): readonly Lead[] => {
  const wanted = accountId ? (recent(accountId).read() ?? []) : []
  const { data } = useSWR(wanted.length > 0 ? ['recent-leads', ...wanted] : null, async ([, ...each]: string[]) => {
    const leads = await Promise.all(each.map((id) => fetchLead(id).catch(() => undefined)))
    return leads.filter((lead) => lead !== undefined && !isErased(lead) && !lead.mergedInto)
  })
  return (data ?? []) as readonly Lead[]
}
