import { useState } from 'react'
import useSWR from 'swr'
import type { MergeField } from '../../../../events/lead/person/merge.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { HttpError, send } from '../../../client/http.ts'
import { fetchLead, readChange } from '../lead.ts'

const addressOf = (id: string) => `/api/leads/${encodeURIComponent(id)}`

/** The two leads to merge, as they are when the dialog opens; `look` reads them again. */
export const useBoth = (ids: readonly [string, string]) => {
  // fetched each time: the cached leads may be stale
  const [opening] = useState(() => crypto.randomUUID())
  const { data, error, mutate } = useSWR(
    ['merge', opening, ...ids],
    (): Promise<[Lead, Lead]> => Promise.all([fetchLead(ids[0]), fetchLead(ids[1])]),
    { revalidateOnReconnect: false },
  )
  return { both: data, error, look: () => mutate() }
}

/** The lead that stays, the one merged into it, and the event to undo, if the node reports it. */
export type Merged = { lead: Lead; mergedId: string; eventId: string | null }

/**
 * Merges a lead into the one that stays, which takes these fields of it; both as they were shown. Throws an HttpError
 * of 409 if either has changed since then, or cannot be merged.
 */
export const mergeLeads = async (staying: Lead, merged: Lead, takes: readonly MergeField[]): Promise<Merged> => {
  const form = { mergedId: merged.id, mergedVersion: merged.version, takes }
  const match = { 'if-match': `"${staying.version}"` }
  const changed = await send('POST', `${addressOf(staying.id)}/merge`, form, match).then(readChange)
  return { ...changed, mergedId: merged.id }
}

/** Whether a merge was refused because a lead is not as it was shown: reading it again helps then. */
export const isStale = (error: unknown) =>
  error instanceof HttpError &&
  error.status === 409 &&
  (error.problem?.isChanged === true || error.problem?.mergedInto !== undefined)
