import { inNumbers } from '../../../events/base/amount.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { kindsInWords, type LeadKinds } from '../../staff/leads/list/kinds.ts'
import { LayoutSwitch } from '../../staff/leads/list/layout-switch.tsx'
import { leadQuery } from '../../staff/leads/list/leads.ts'
import { QuarantineLink } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { unseen } from '../../ui/theme.ts'
import { countLine } from './card-layout.tsx'
import { AddLead } from './entry-dialog.tsx'
import { FilterChips } from './filter-chips.tsx'
import { LeadsExport } from './leads-export.tsx'
import type { View } from './use-view.ts'

/** The number of leads, and for screen readers by which conditions. */
const Count = (props: { term: string; kinds: LeadKinds; total: number | undefined; isSearching: boolean }) => {
  const { term, kinds, total, isSearching } = props
  const { data: colleagues = [] } = useColleagues()
  const narrowed = [...(term ? [`"${term}"`] : []), ...kindsInWords(kinds, colleagues)]
  return (
    <p role="status">
      <span css={unseen}>{isSearching ? 'Searching...' : total !== undefined && countLine(total, narrowed)}</span>
      {total !== undefined && <span aria-hidden>{inNumbers(total)}</span>}
    </p>
  )
}

/** The head of the open leads in rows or on the board: their number, the layouts, a new lead, files and filters. */
export const LeadsBar = (
  props: View & {
    layout: 'list' | 'board'
    /** Undefined as long as it is unknown. */
    total: number | undefined
    isSearching: boolean
  },
) => {
  const { layout, view, shown, step, adjust, total, isSearching } = props
  const toImport = useGoTo('/admin-import')
  const toSubmissions = useGoTo('/admin-submissions')
  const { term, sort, period } = view
  const { status, ...others } = view.kinds
  // the statuses are the columns of the board
  const kinds = layout === 'board' || !status ? others : { ...others, status }
  const exported = period !== 'all' && shown ? { ...shown.filter, kinds } : { term, kinds }
  return (
    <>
      <TopBar
        title="Leads"
        note={<Count term={term} kinds={kinds} total={total} isSearching={isSearching} />}
        action={<AddLead />}
        menu={
          <>
            <LeadsExport query={leadQuery(exported, { sort })} total={total ?? 0} />
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
        <LayoutSwitch layout={layout} />
      </TopBar>
      <StalledBanner of="leads" />
      <FilterChips view={view} step={step} adjust={adjust} hasStages={layout === 'board'} />
    </>
  )
}
