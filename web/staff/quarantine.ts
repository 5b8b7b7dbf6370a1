import useSWR from 'swr'
import * as v from 'valibot'
import type { Lead } from '../../events/lead.ts'
import { postJson, request } from '../http.ts'
import { leads } from './leads.ts'

const KEY = '/api/leads?quarantine=true'
const REFRESH_INTERVAL_MS = 30_000

/** Where staff look at the suspects. */
export const QUARANTINE_PATH = '/admin-submissions?quarantine=true'

/** The suspects, newest first. */
export const useQuarantine = () =>
  useSWR<Lead[]>(KEY, async () => v.parse(leads, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

/** Makes a suspect a lead like any other: it joins the list, and a contract goes out by e-mail. */
export const releaseLead = (id: string) => postJson(`/api/leads/${id}/release`, {})
