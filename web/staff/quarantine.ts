import useSWR from 'swr'
import * as v from 'valibot'
import type { Lead } from '../../events/lead.ts'
import type { Suspicion } from '../../events/suspicion.ts'
import { postJson, request } from '../http.ts'
import { leads } from './lead-schema.ts'

const KEY = '/api/leads?quarantine=true'
const REFRESH_INTERVAL_MS = 30_000

/** Where staff look at the suspects. */
export const QUARANTINE_PATH = '/admin-submissions?quarantine=true'

/** Why somebody is a suspect, in words. */
export const REASONS: Record<Suspicion, string> = {
  trap: 'It filled in a field that people do not see.',
  too_fast: 'It was sent sooner than anybody could have typed it.',
}

/** The suspects, newest first. */
export const useQuarantine = () =>
  useSWR<Lead[]>(KEY, async () => v.parse(leads, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

/** Makes a suspect a lead like any other: it joins the list, and a contract goes out by e-mail. */
export const releaseLead = (id: string) => postJson(`/api/leads/${id}/release`, {})
