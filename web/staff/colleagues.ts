import useSWR from 'swr'
import * as v from 'valibot'
import type { Colleague } from '../../events/staff.ts'
import { request } from '../http.ts'

const KEY = '/api/staff'
const REFRESH_INTERVAL_MS = 60_000

const colleagues = v.array(v.object({ id: v.string(), displayName: v.string() }))

/** Everybody who works for the agency, by name. */
export const useColleagues = () =>
  useSWR<Colleague[]>(KEY, async () => v.parse(colleagues, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
