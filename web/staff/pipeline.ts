import useSWR from 'swr'
import * as v from 'valibot'
import { addDays, startOfDay } from '../../events/agency-day.ts'
import type { FollowUpStatus } from '../../events/follow-up.ts'
import { type Lead, leads } from '../../events/wire/lead.ts'
import { pipeline } from '../../events/wire/pipeline.ts'
import { request } from '../http.ts'
import { serverNow } from '../server-time.ts'
import { dayOf } from './leads/day.ts'
import { leadQuery } from './leads/leads.ts'

/** How many cards a stage shows at first, and how many more at a time. */
export const STAGE_CARDS = 20
const REFRESH_INTERVAL_MS = 30_000
const LIVE = { refreshInterval: REFRESH_INTERVAL_MS, revalidateIfStale: true, keepPreviousData: true }

const getJson = async (address: string): Promise<unknown> => await (await request(address)).json()

/** What the leads of the last days are worth, stage by stage. */
export const useStages = (days: number) =>
  useSWR(
    `/api/pipeline?days=${days}`,
    async (address: string) => v.parse(pipeline, await getJson(address)).stages,
    LIVE,
  )

/** The newest leads of a stage that came within the last days. */
export const useStageLeads = (status: FollowUpStatus, days: number, shown: number) => {
  const from = startOfDay(addDays(dayOf(serverNow()), 1 - days))
  return useSWR<Lead[]>(
    `/api/leads?${leadQuery({ from, term: '', kinds: { status } }, { limit: shown })}`,
    async (address: string) => v.parse(leads, await getJson(address)),
    LIVE,
  )
}
