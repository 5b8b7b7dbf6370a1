import { holdsTerm } from '../../../events/lead/search/searched.ts'
import { isListed } from '../../../events/lead/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { useMe } from '../../staff/account/account.ts'
import { isOfKinds } from '../../staff/leads/list/kinds.ts'
import { clampPage, useLeadPage, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { useLiveLeads } from '../../staff/leads/live/live.ts'
import { useSettings } from '../../staff/settings/settings.ts'
import type { Shown, View } from './use-view.ts'

/** The most leads that the working list has on a page. */
export const LIST_LEADS = 1_000

/**
 * The leads found in a period, and those on the shown page, updated live; `shown` leads of the working list, in the order
 * of their submission.
 */
export const useResults = ({
  view,
  filter,
  shown,
}: Pick<View, 'view'> & Pick<Shown, 'filter'> & { shown?: number }) => {
  const { data: me } = useMe()
  const { data: settings } = useSettings()
  const summary = useLeadSummary(filter)
  const page = clampPage(view.page, summary.data?.total, shown && LIST_LEADS)
  const isOneDay = view.period === 'day'
  const fetched = useLeadPage(filter, {
    sort: view.by ? 'desc' : view.sort,
    page,
    ...(shown ? { size: LIST_LEADS, shown } : !isOneDay && { byDay: { days: summary.data?.days } }),
  })
  const refresh = () => {
    summary.mutate()
    fetched.mutate()
  }
  const { leads, arrived } = useLiveLeads(fetched.data, {
    belongs: (lead) => {
      const at = new Date(lead.timestamp)
      const history = settings?.supportHoursHistory ?? []
      return (
        isListed(lead) &&
        at >= filter.from &&
        at < filter.to &&
        holdsTerm(lead, filter.term) &&
        isOfKinds(lead, filter.kinds, { me: me?.id, now: serverNow(), history })
      )
    },
    refresh,
  })
  // the earlier results stay visible, dimmed, but no text about the new search refers to them
  const isSearching = summary.isLoading && summary.data !== undefined
  const isEmpty = !isSearching && summary.data?.total === 0
  const isLoading = !summary.data || (!leads && !isEmpty)
  const counts = new Map(summary.data?.days.map(({ day, count }) => [day, count]))
  return {
    ...{ page, total: summary.data?.total, isOneDay, leads, arrived, counts, refresh },
    ...{ isSearching, isEmpty, isLoading, isFetching: fetched.isLoading, error: summary.error ?? fetched.error },
    isCounted: !isSearching && !summary.error,
  }
}
