import { useRef } from 'react'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { kindsInWords } from '../../staff/leads/list/kinds.ts'
import { LayoutSwitch } from '../../staff/leads/list/layout-switch.tsx'
import { pagesOf } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { periodTitle } from '../../staff/leads/list/period.ts'
import { SortButtons } from '../../staff/leads/list/sort-buttons.tsx'
import { FlaggedMatches } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, from, onPhone, space, type } from '../../ui/theme.ts'
import { Cards } from './cards.tsx'
import { Empty } from './empty.tsx'
import { folded } from './folded.ts'
import { OtherDates } from './other-dates.tsx'
import { useResults } from './use-results.ts'
import { LIST_TITLE, type Shown, type View } from './use-view.ts'

/** The number of leads, and by which conditions they were found, as text. */
export const countLine = (total: number, by: string[]) =>
  `${total} submissions found${by.length > 0 ? ` (filtered by ${by.join(', ')})` : ''}`

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
export const CardLayout = ({
  view,
  shown: { range, filter },
  step,
  isUnfolded,
}: Pick<View, 'view' | 'step'> & { shown: Shown; isUnfolded: boolean }) => {
  const title = useRef<HTMLHeadingElement>(null)
  const { data: colleagues = [] } = useColleagues()
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
          <LayoutSwitch layout="cards" />
          <div css={[below, folded(isUnfolded)]}>
            <SortButtons sort={view.sort} onSort={(sort) => step({ sort })} />
          </div>
        </div>
      </div>
      <div css={{ display: 'grid', gap: space.base, ':not(:empty)': { marginTop: space.base } }}>
        <Pending what="submissions" isLoading={found.isLoading} error={error} retry={refresh} />
        {isEmpty && <Empty view={view} step={step} />}
      </div>
      {leads && !isEmpty && (
        <div aria-busy={found.isFetching} css={{ opacity: found.isFetching ? 0.6 : 1 }}>
          <Cards
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
