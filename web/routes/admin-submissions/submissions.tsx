import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { LeadCard } from '../../staff/lead-card.tsx'
import { momentOf, type Sort, sortLeads } from '../../staff/lead-list.ts'
import { useLeads } from '../../staff/leads.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { QuarantineLink } from '../../staff/quarantine-link.tsx'
import { SortButtons } from '../../staff/sort-buttons.tsx'
import { space, type, unseen } from '../../ui/theme.ts'
import { Quarantine } from './quarantine.tsx'

const AllSubmissions = () => {
  const { data, error, mutate } = useLeads()
  const [sort, setSort] = useState<Sort>('desc')
  return (
    <>
      <h1 css={{ fontSize: type.heading }}>Form submissions</h1>
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: space.base,
          margin: `${space.base} 0 ${space.roomy}`,
        }}
      >
        <div css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.roomy}` }}>
          <Link to="/admin-dashboard">Search and group by day on the dashboard</Link>
          <QuarantineLink />
        </div>
        <SortButtons sort={sort} onSort={setSort} />
      </div>
      {error && <FetchFailure title="Error loading submissions" error={error} retry={() => mutate()} />}
      {!data && !error && <Notice title="Loading submissions..." />}
      {data?.length === 0 && <Notice title="No submissions found" />}
      <h2 css={unseen}>All submissions</h2>
      <ul css={{ display: 'grid', gap: space.snug, marginTop: space.base }}>
        {data &&
          sortLeads(data, sort).map((lead) => (
            <li key={lead.id}>
              <LeadCard lead={lead} when={momentOf(lead.timestamp)} />
            </li>
          ))}
      </ul>
    </>
  )
}

/** All leads in one list (specification, 2: simple submissions page), or with `?quarantine=true` the suspects. */
export const Submissions = () => {
  const [query] = useSearchParams()
  return query.get('quarantine') === 'true' ? <Quarantine /> : <AllSubmissions />
}
