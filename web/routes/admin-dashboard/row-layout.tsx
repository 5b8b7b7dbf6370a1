import { useState } from 'react'
import { inNumbers } from '../../../events/base/amount.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { pagesOf, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { FlaggedMatches } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { focusTitle } from '../../staff/list/list-keys.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { Empty } from './empty.tsx'
import { LeadsBar } from './leads-bar.tsx'
import { Rows } from './rows.tsx'
import { UnknownWeek } from './unknown-week.tsx'
import { LIST_LEADS, useResults } from './use-results.ts'
import { type Shown, useView, type View } from './use-view.ts'

/** So many leads are read at first, and more as the end of the list comes near. */
const FIRST_LEADS = 200

const Found = ({ view, step, shown: { filter } }: Pick<View, 'view' | 'step'> & { shown: Shown }) => {
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
              focusTitle()
            }}
          />
        </div>
      )}
    </>
  )
}

/** The list that staff work through: the open leads of any time in rows, with filters, keys and the panel next to it. */
export const RowLayout = () => {
  useTitle('Leads dashboard')
  const { view, shown, step, adjust } = useView()
  const { data: summary, isLoading, error } = useLeadSummary(shown?.filter)
  return (
    <>
      <LeadsBar
        layout="list"
        {...{ view, shown, step, adjust }}
        total={shown && !error ? summary?.total : undefined}
        isSearching={isLoading && summary !== undefined}
      />
      {shown ? (
        <Found key={`${shown.range.first} ${shown.range.last}`} view={view} shown={shown} step={step} />
      ) : (
        <UnknownWeek />
      )}
    </>
  )
}
