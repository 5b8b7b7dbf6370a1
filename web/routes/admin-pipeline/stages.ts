import { addDays, startOfDay } from '../../../events/base/agency-day.ts'
import type { FollowUpStatus } from '../../../events/lead/follow-up/follow-up.ts'
import { pipeline } from '../../../events/lead/screens/pipeline-wire.ts'
import { leads } from '../../../events/lead/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { dayOf } from '../../staff/day.ts'
import { LIVE_LIST, leadQuery } from '../../staff/leads/list/leads.ts'
import { useGet } from '../../staff/requests/use-get.ts'

/** How many cards a stage shows at first, and how many more at a time. */
export const STAGE_CARDS = 20

export const useStages = (days: number) => useGet(`/api/pipeline?days=${days}`, pipeline, LIVE_LIST)

export const useStageLeads = (status: FollowUpStatus, days: number, shown: number) => {
  const from = startOfDay(addDays(dayOf(serverNow()), 1 - days))
  const query = leadQuery({ from, term: '', kinds: { status } }, { limit: shown })
  return useGet(`/api/leads?${query}`, leads, LIVE_LIST)
}
