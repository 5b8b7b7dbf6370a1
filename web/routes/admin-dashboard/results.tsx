import { useRef } from 'react'
import { isListed } from '../../../events/lead/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { useMe } from '../../staff/account.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { holdsTerm } from '../../staff/leads/list/groups.ts'
import { isOfKinds, kindsInWords } from '../../staff/leads/list/kinds.ts'
import { clampPage, pagesOf, useLeadPage, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { periodTitle } from '../../staff/leads/list/period.ts'
import { SortButtons } from '../../staff/leads/list/sort-buttons.tsx'
import { useLiveLeads } from '../../staff/leads/live/live.ts'
import { FlaggedMatches } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useSettings } from '../../staff/settings.ts'
import { Button } from '../../ui/button.tsx'
import { colour, from, onPhone, space, type } from '../../ui/theme.ts'
import { DensityButtons, useDensity } from './density.tsx'
import { Empty } from './empty.tsx'
import { folded } from './folded.ts'
import { LeadList } from './lead-list.tsx'
import { OtherDates } from './other-dates.tsx'
import { LIST_TITLE, type Shown, type View } from './use-view.ts'

const countLine = (total: number, by: string[]) =>
  `${total} submissions found${by.length > 0 ? ` (filtered by ${by.join(', ')})` : ''}`

/** The leads found in a period, and those on the shown page, updated live. */
const useResults = ({ view, filter }: Pick<View, 'view'> & Pick<Shown, 'filter'>) => {
  const { data: me } = useMe()
  const { data: settings } = useSettings()
  const summary = useLeadSummary(filter)
  const page = clampPage(view.page, summary.data?.total)
  const isOneDay = view.period === 'day'
  const fetched = useLeadPage(filter, {
    sort: view.sort,
    page,
    ...(!isOneDay && { byDay: { days: summary.data?.days } }),
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

/** The title of the list, and its look. On a phone the choice of cards or rows is next to the count. */
const head = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  justifyContent: 'space-between',
  gap: space.base,
  [onPhone]: { alignItems: 'center', justifyContent: 'start', gap: `${space.hair} ${space.base}` },
} as const

const words = {
  minWidth: 0,
  [onPhone]: { display: 'contents' },
  [from.medium]: {
    display: 'flex',
    flex: '1 1 20rem',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: space.base,
  },
} as const

const count = {
  marginTop: space.hair,
  color: colour.soft,
  overflowWrap: 'anywhere',
  [onPhone]: { flex: '1 1 0', minWidth: 0, marginTop: 0 },
} as const

const looks = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: `${space.tight} ${space.base}`,
  [onPhone]: { display: 'contents' },
} as const

const wholeLine = { [onPhone]: { flex: '0 0 100%' } } as const

const below = { [onPhone]: { order: 1 } } as const

/** The leads of one period, a page at a time, by day and live. */
export const Results = ({
  view,
  shown: { range, filter },
  step,
  isUnfolded,
}: Pick<View, 'view' | 'step'> & { shown: Shown; isUnfolded: boolean }) => {
  const title = useRef<HTMLHeadingElement>(null)
  const { data: colleagues = [] } = useColleagues()
  const [density, chooseDensity] = useDensity()
  const narrowed = [...(view.term ? [`"${view.term}"`] : []), ...kindsInWords(view.kinds, colleagues)]
  const { leads, total, isSearching, isEmpty, error, refresh, ...found } = useResults({ view, filter })
  useLoggedContacts(refresh)
  const goTo = (target: number) => {
    step({ page: target })
    title.current?.focus()
  }
  return (
    <section aria-labelledby={LIST_TITLE} css={{ marginTop: space.roomy }}>
      <div css={head}>
        <div css={words}>
          <h2
            id={LIST_TITLE}
            ref={title}
            tabIndex={-1}
            css={{ fontSize: type.heading, scrollMarginTop: space.base, outline: 'none', ...wholeLine }}
          >
            {periodTitle(view.period, range)}
          </h2>
          <p role="status" css={count}>
            {isSearching && 'Searching...'}
            {found.isCounted && total !== undefined && countLine(total, narrowed)}
          </p>
          {view.term && (
            <div css={[{ marginTop: space.hair, fontSize: type.small, overflowWrap: 'anywhere' }, wholeLine, below]}>
              <FlaggedMatches term={view.term} />
              {view.period !== 'all' && found.isCounted && total !== undefined && !isEmpty && (
                <OtherDates {...{ view, total, step }} />
              )}
            </div>
          )}
        </div>
        <div css={looks}>
          {view.day !== view.today && (
            <Button look="quiet" onClick={() => step({ day: undefined })} css={[below, folded(isUnfolded)]}>
              Today
            </Button>
          )}
          <DensityButtons density={density} onChoose={chooseDensity} />
          <div css={[below, folded(isUnfolded)]}>
            <SortButtons sort={view.sort} onSort={(sort) => step({ sort })} />
          </div>
        </div>
      </div>
      <div css={{ display: 'grid', gap: space.base, ':not(:empty)': { marginTop: space.base } }}>
        {error && <FetchFailure title="Error loading submissions" error={error} retry={refresh} />}
        {found.isLoading && !error && <Placeholder title="Loading submissions..." />}
        {isEmpty && <Empty view={view} step={step} />}
      </div>
      {leads && !isEmpty && (
        <div aria-busy={found.isFetching} css={{ opacity: found.isFetching ? 0.6 : 1 }}>
          <LeadList
            density={density}
            leads={leads}
            sort={view.sort}
            counts={found.counts}
            isOneDay={found.isOneDay}
            arrived={found.arrived}
            onChanged={refresh}
          />
          <Pager page={found.page} pages={pagesOf(total ?? 0)} onPage={goTo} />
        </div>
      )}
    </section>
  )
}
