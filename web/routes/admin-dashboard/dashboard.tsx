import { useState } from 'react'
import { Link } from 'react-router'
import { EmailAlarm } from '../../staff/email-alarm.tsx'
import { LeadsExport } from '../../staff/export/leads-export.tsx'
import { leadQuery, useLeadSummary } from '../../staff/leads/leads.ts'
import { QuarantineLink } from '../../staff/leads/quarantine-link.tsx'
import { StalledAlarm } from '../../staff/stalled-alarm.tsx'
import { useTitle } from '../../staff/title.ts'
import { colour, from, onPhone, space, type } from '../../ui/theme.ts'
import { Controls } from './controls.tsx'
import { AddLead } from './entry-dialog.tsx'
import { Filters } from './filters.tsx'
import { folded } from './folded.ts'
import { Results } from './results.tsx'
import { useView } from './use-view.ts'
import { Views } from './views.tsx'

const subtitle = { marginTop: space.hair, color: colour.soft, [from.medium]: { fontSize: type.small } } as const

/** While the subtitle is folded on a phone only its last link shows, for a thumb, and only if there is one. */
const alone = { [onPhone]: { marginTop: 0, '& > a': { display: 'inline-block', paddingBlock: space.tight } } } as const

/** The leads of a day, a week or a month, live (specification, 2: advanced dashboard). */
export const Dashboard = () => {
  useTitle('Leads dashboard')
  const { view, range, filter, step, adjust } = useView()
  const { data: summary } = useLeadSummary(filter)
  const total = summary?.total ?? 0
  const [isUnfolded, setUnfolded] = useState(false)
  // an export of all dates is named after none
  const exported = view.period === 'all' ? { term: filter.term, kinds: filter.kinds } : filter
  const query = leadQuery(exported, { sort: view.sort })
  return (
    <>
      <StalledAlarm of="leads" />
      <EmailAlarm />
      <div
        css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: space.base }}
      >
        <div css={{ [from.medium]: { flex: '1 1 20rem' } }}>
          <h1 css={{ fontSize: type.heading }}>Leads dashboard</h1>
          <p css={[subtitle, !isUnfolded && alone]}>
            <span css={folded(isUnfolded)}>
              Filter leads by date, search them, and export them to Excel. Updates live.{' '}
              <Link to="/admin-import">Import leads</Link>{' '}
            </span>
            <QuarantineLink />
          </p>
        </div>
        <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
          <AddLead />
          <div css={folded(isUnfolded)}>
            <LeadsExport query={query} total={total} />
          </div>
        </div>
      </div>
      <div css={folded(isUnfolded)}>
        <Views />
      </div>
      <Controls
        view={view}
        step={step}
        adjust={adjust}
        isUnfolded={isUnfolded}
        onFold={() => setUnfolded(!isUnfolded)}
      />
      <Filters view={view} step={step} isUnfolded={isUnfolded} />
      {/* Another period is another list: what was found for the one is never shown under the title of the other. */}
      <Results
        key={`${range.first} ${range.last}`}
        view={view}
        range={range}
        filter={filter}
        step={step}
        isUnfolded={isUnfolded}
      />
    </>
  )
}
