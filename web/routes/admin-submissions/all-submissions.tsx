import { Link, useSearchParams } from 'react-router'
import { isListed, type Lead } from '../../../events/lead/wire.ts'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { useLeadKeys } from '../../staff/leads/keys/lead-keys.tsx'
import { type LeadView, readView, withView } from '../../staff/leads/list/address.ts'
import { clampPage, pagesOf, useLeadPage, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { useReturnToList } from '../../staff/leads/list/place.ts'
import { SortButtons } from '../../staff/leads/list/sort-buttons.tsx'
import { useLiveLeads } from '../../staff/leads/live/live.ts'
import { QuarantineLink } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { LeadCard } from '../../staff/leads/shown/card.tsx'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { space, unseen } from '../../ui/theme.ts'

const ALL = { term: '' }

const Cards = (props: { leads: readonly Lead[]; onChanged: () => void }) => {
  useReturnToList()
  const choices = useLeadKeys(props)
  return (
    <>
      {choices}
      <ul css={{ display: 'grid', gap: space.snug, marginTop: space.base }}>
        {props.leads.map((lead) => (
          <li key={lead.id} data-row={lead.id}>
            <LeadCard lead={lead} when={receivedMoment(lead)} />
          </li>
        ))}
      </ul>
    </>
  )
}

export const AllSubmissions = () => {
  useTitle('Form submissions')
  const [query, setQuery] = useSearchParams()
  const view = readView(query)
  const step = (change: Partial<LeadView>) => setQuery(withView(query, change))
  const summary = useLeadSummary(ALL)
  const page = clampPage(view.page, summary.data?.total)
  const fetched = useLeadPage(ALL, { sort: view.sort, page })
  const refresh = () => {
    summary.mutate()
    fetched.mutate()
  }
  const { leads } = useLiveLeads(fetched.data, { belongs: isListed, refresh })
  useLoggedContacts(refresh)
  const error = summary.error ?? fetched.error
  const isEmpty = summary.data?.total === 0
  return (
    <>
      <TopBar title="Form submissions">
        <SortButtons sort={view.sort} onSort={(sort) => step({ sort })} />
        <Link to="/admin-dashboard">Search and group by day on the dashboard</Link>
        <QuarantineLink />
      </TopBar>
      <StalledBanner of="leads" />
      <Pending what="submissions" isLoading={!isEmpty && !(leads && summary.data)} error={error} retry={refresh} />
      {isEmpty && <Placeholder title="No submissions found" />}
      <h2 css={unseen}>All submissions</h2>
      {leads && <Cards leads={leads} onChanged={refresh} />}
      <Pager page={page} pages={pagesOf(summary.data?.total ?? 0)} onPage={(target) => step({ page: target })} />
    </>
  )
}
