import { useRef, useState } from 'react'
import { inNumbers } from '../../../events/base/amount.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { kindsInWords } from '../../staff/leads/list/kinds.ts'
import { LayoutSwitch } from '../../staff/leads/list/layout-switch.tsx'
import { leadQuery, pagesOf, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { FlaggedMatches, QuarantineLink } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { colour, space, type, unseen } from '../../ui/theme.ts'
import { countLine } from './card-layout.tsx'
import { Empty } from './empty.tsx'
import { AddLead } from './entry-dialog.tsx'
import { FilterChips } from './filter-chips.tsx'
import { LeadsExport } from './leads-export.tsx'
import { Rows } from './rows.tsx'
import { UnknownWeek } from './unknown-week.tsx'
import { LIST_LEADS, useResults } from './use-results.ts'
import { type Shown, useView, type View } from './use-view.ts'

/** So many leads are read at first, and more as the end of the list comes near. */
const FIRST_LEADS = 200

const Found = ({
  view,
  step,
  shown: { filter },
  onFocusTitle,
}: Pick<View, 'view' | 'step'> & { shown: Shown; onFocusTitle: () => void }) => {
  const [wanted, setWanted] = useState(FIRST_LEADS)
  // a column puts only the leads in order that were read
  const shown = view.by ? LIST_LEADS : wanted
  const { leads, total, isSearching, isEmpty, error, refresh, ...found } = useResults({ view, filter, shown })
  useLoggedContacts(refresh)
  const pages = pagesOf(total ?? 0, LIST_LEADS)
  return (
    <>
      {view.term && (
        <div css={{ marginBottom: space.tight, fontSize: type.small }}>
          <FlaggedMatches term={view.term} />
        </div>
      )}
      <Pending what="submissions" isLoading={found.isLoading} error={error} retry={refresh} />
      {isEmpty && <Empty view={view} step={step} />}
      {leads && !isEmpty && (
        <div aria-busy={found.isFetching} css={{ opacity: isSearching ? 0.6 : 1 }}>
          {view.by && pages > 1 && (
            <p css={{ color: colour.soft, fontSize: type.small }}>
              In order are the {inNumbers(LIST_LEADS)} leads of this page. Narrow the filters to sort all of them.
            </p>
          )}
          <Rows
            leads={leads}
            counts={found.counts}
            view={view}
            step={step}
            onChanged={refresh}
            onMore={() => leads.length >= shown && setWanted(Math.min(2 * shown, LIST_LEADS))}
          />
          <Pager
            page={found.page}
            pages={pages}
            onPage={(page) => {
              step({ page })
              onFocusTitle()
            }}
          />
        </div>
      )}
    </>
  )
}

/** The number of leads in the list, and for screen readers by which conditions. */
const Count = ({
  view,
  total,
  isSearching,
}: Pick<View, 'view'> & { total: number | undefined; isSearching: boolean }) => {
  const { data: colleagues = [] } = useColleagues()
  const narrowed = [...(view.term ? [`"${view.term}"`] : []), ...kindsInWords(view.kinds, colleagues)]
  return (
    <p role="status">
      <span css={unseen}>{isSearching ? 'Searching...' : total !== undefined && countLine(total, narrowed)}</span>
      {total !== undefined && <span aria-hidden>{inNumbers(total)}</span>}
    </p>
  )
}

/** The list that staff work through: the open leads of any time in rows, with filters, keys and the panel next to it. */
export const RowLayout = () => {
  useTitle('Leads dashboard')
  const { view, shown, step, adjust } = useView()
  const title = useRef<HTMLHeadingElement>(null)
  const toImport = useGoTo('/admin-import')
  const toSubmissions = useGoTo('/admin-submissions')
  const { data: summary, isLoading, error } = useLeadSummary(shown?.filter)
  const total = shown && !error ? summary?.total : undefined
  const exported = view.period !== 'all' && shown ? shown.filter : { term: view.term, kinds: view.kinds }
  return (
    <>
      <TopBar
        title="Leads"
        titleRef={title}
        note={<Count view={view} total={total} isSearching={isLoading && summary !== undefined} />}
        action={<AddLead />}
        menu={
          <>
            <LeadsExport query={leadQuery(exported, { sort: view.sort })} total={total ?? 0} />
            <ButtonLink look="quiet" {...toImport}>
              Import leads
            </ButtonLink>
            <ButtonLink look="quiet" {...toSubmissions}>
              Submissions
            </ButtonLink>
            <QuarantineLink />
          </>
        }
      >
        <LayoutSwitch layout="list" />
      </TopBar>
      <StalledBanner of="leads" />
      <FilterChips view={view} step={step} adjust={adjust} />
      {shown ? (
        <Found
          key={`${shown.range.first} ${shown.range.last}`}
          view={view}
          shown={shown}
          step={step}
          onFocusTitle={() => title.current?.focus()}
        />
      ) : (
        <UnknownWeek />
      )}
    </>
  )
}
