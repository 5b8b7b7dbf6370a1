import useSWR from 'swr'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { type Lead, leadStages, leads } from '../../../../events/lead/wire.ts'
import { get } from '../../../client/get.ts'
import { type LeadFilter, LIVE_LIST, leadQuery } from '../../../staff/leads/list/leads.ts'
import { POLL_MS } from '../../../staff/requests/polling.ts'
import { useGet } from '../../../staff/requests/use-get.ts'

/** How many cards a stage shows at first, and how many more at a time. */
export const STAGE_CARDS = 20

/** How many cards each stage shows. */
export type ShownCards = Record<FollowUpStatus, number>

/**
 * The leads of a filter by stage: their number, their value, and the newest of them. Nothing is fetched without a
 * filter.
 */
export const useStages = (filter: LeadFilter | undefined, shown: ShownCards) => {
  const stages = useGet(filter && `/api/leads/stages?${leadQuery(filter)}`, leadStages, LIVE_LIST)
  const cards = useSWR<Lead[][]>(
    filter &&
      FOLLOW_UP_STATUSES.map((status) => {
        const query = leadQuery({ ...filter, kinds: { ...filter.kinds, status } }, { limit: shown[status] })
        return `/api/leads?${query}`
      }),
    (addresses: string[]) => Promise.all(addresses.map((address) => get(address, leads))),
    { revalidateIfStale: true, keepPreviousData: true, refreshInterval: POLL_MS.lists },
  )
  return {
    stages: stages.data?.map((stage, index) => ({ ...stage, cards: cards.data?.[index] })),
    isSearching: stages.isLoading && stages.data !== undefined,
    error: stages.error ?? cards.error,
    refresh: () => Promise.all([stages.mutate(), cards.mutate()]),
  }
}

export type BoardStage = NonNullable<ReturnType<typeof useStages>['stages']>[number]
