import { useState } from 'react'
import type { Lead } from '../../../events/lead.ts'
import { LeadCard } from '../../staff/lead-card.tsx'
import { groupByDay, type Sort, searchLeads } from '../../staff/lead-list.ts'
import { useLeads } from '../../staff/leads.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { QuarantineLink } from '../../staff/quarantine-link.tsx'
import { SortButtons } from '../../staff/sort-buttons.tsx'
import { control } from '../../ui/form/control.ts'
import { colour, space, type, unseen } from '../../ui/theme.ts'

const Days = ({ leads, sort }: { leads: Lead[]; sort: Sort }) =>
  groupByDay(leads, sort).map(({ day, title, leads: ofDay }) => (
    <section key={day} aria-labelledby={`day-${day}`} css={{ marginTop: space.wide }}>
      <h2
        id={`day-${day}`}
        css={{
          display: 'flex',
          alignItems: 'baseline',
          gap: space.snug,
          marginBottom: space.base,
          fontSize: type.step,
        }}
      >
        {title}
        <span css={{ color: colour.soft, fontSize: type.small, fontWeight: 400, letterSpacing: 0 }}>
          {ofDay.length}
        </span>
      </h2>
      <ul css={{ display: 'grid', gap: space.snug }}>
        {ofDay.map((lead) => (
          <li key={lead.id}>
            <LeadCard lead={lead} />
          </li>
        ))}
      </ul>
    </section>
  ))

/** The leads by day, live (specification, 2: advanced dashboard; date and period controls are not there yet). */
export const Dashboard = () => {
  const { data, error, mutate } = useLeads()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>('desc')
  const term = search.trim()
  const found = data && searchLeads(data, term)
  return (
    <>
      <h1 css={{ fontSize: type.heading }}>Leads</h1>
      <p css={{ maxWidth: '38rem', marginTop: space.tight, color: colour.soft }}>
        Every submission by day, the newest at the top. New ones appear by themselves. <QuarantineLink />
      </p>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.base, marginTop: space.roomy }}>
        <label css={{ flex: '1 1 18rem' }}>
          <span css={unseen}>Search</span>
          <input
            type="search"
            placeholder="Name, email, phone, company..."
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            css={control}
          />
        </label>
        <SortButtons sort={sort} onSort={setSort} />
      </div>
      {found && (
        <p role="status" css={{ marginTop: space.base, color: colour.soft }}>
          {found.length} submissions found{term && ` (filtered by "${term}")`}
        </p>
      )}
      <div css={{ marginTop: space.base }}>
        {error && <FetchFailure title="Error loading submissions" error={error} retry={() => mutate()} />}
        {!found && !error && <Notice title="Loading submissions..." />}
        {found?.length === 0 && (
          <Notice title="No submissions found">
            {term
              ? `No submissions match your search "${term}" for the selected period.`
              : 'No form submissions for the selected period.'}
          </Notice>
        )}
        {found && <Days leads={found} sort={sort} />}
      </div>
    </>
  )
}
