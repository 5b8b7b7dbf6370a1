import useSWR from 'swr'
import { addDays, startOfDay } from '../../events/agency-day.ts'
import type { FollowUpStatus } from '../../events/follow-up.ts'
import { type Lead, leads } from '../../events/wire/lead.ts'
import { pipeline } from '../../events/wire/pipeline.ts'
import { loader } from '../load.ts'
import { serverNow } from '../server-time.ts'
import { dayOf } from './leads/day.ts'
import { leadQuery } from './leads/leads.ts'

/** How many cards a stage shows at first, and how many more at a time. */
export const STAGE_CARDS = 20
const REFRESH_INTERVAL_MS = 30_000
const LIVE = { refreshInterval: REFRESH_INTERVAL_MS, revalidateIfStale: true, keepPreviousData: true }

const loadPipeline = loader(pipeline)

/** What the leads of the last days are worth, stage by stage. */
export const useStages = (days: number) =>
  useSWR(`/api/pipeline?days=${days}`, async (address: string) => (await loadPipeline(address)).stages, LIVE)

/** The newest leads of a stage that came within the last days. */
export const useStageLeads = (status: FollowUpStatus, days: number, shown: number) => {
  const from = startOfDay(addDays(dayOf(serverNow()), 1 - days))
  return useSWR<Lead[]>(
    `/api/leads?${leadQuery({ from, term: '', kinds: { status } }, { limit: shown })}`,
    loader(leads),
    LIVE,
  )
}
