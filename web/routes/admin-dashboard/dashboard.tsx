import { useState } from 'react'
import { useMe } from '../../staff/account/account.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { leadQuery, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { useLiveWords } from '../../staff/leads/live/stream.ts'
import { QuarantineLink } from '../../staff/leads/quarantine/quarantine-link.tsx'
import { EmailBanner } from '../../staff/shell/email-banner.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { colour, from, onPhone, space, type, unseen } from '../../ui/theme.ts'
import { CardLayout } from './card-layout.tsx'
import { Controls } from './controls.tsx'
import { AddLead } from './entry-dialog.tsx'
import { Filters } from './filters.tsx'
import { folded } from './folded.ts'
import { LeadsExport } from './leads-export.tsx'
import { RowLayout } from './row-layout.tsx'
import { UnknownWeek } from './unknown-week.tsx'
import { useView } from './use-view.ts'
import { Views } from './views.tsx'

/** The part above the list. On a phone its parts are each on a line of their own. */
const above = {
  [onPhone]: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: space.tight,
    '& > *': { flex: '0 0 100%', minWidth: 0 },
  },
} as const

const head = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  justifyContent: 'space-between',
  gap: space.base,
  [onPhone]: { display: 'contents' },
} as const

const title = { [onPhone]: { flex: '1 1 0', minWidth: 'min-content' }, [from.medium]: { flex: '1 1 20rem' } } as const

/** On a phone its text is for screen readers only: its link is shown alone, large enough for a thumb. */
const subtitle = {
  marginTop: space.hair,
  color: colour.soft,
  fontSize: type.small,
  [onPhone]: { marginTop: 0, '& > a': { display: 'inline-block', paddingBlock: space.tight } },
} as const

const actions = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space.tight,
  [onPhone]: { display: 'contents' },
} as const

/** Import and export. On a phone they are under the title, once `Files` is pressed. */
const files = (isUnfolded: boolean) => [
  { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight } as const,
  { [onPhone]: { display: 'grid', flex: '0 0 100%', marginTop: space.tight } },
  folded(isUnfolded),
]

/** On a phone: shows and hides import and export. */
const FilesButton = ({ isUnfolded, onFold }: { isUnfolded: boolean; onFold: () => void }) => (
  <Button
    look="outline"
    aria-expanded={isUnfolded}
    onClick={onFold}
    css={{ paddingInline: space.tight, [from.medium]: { display: 'none' } }}
  >
    Files
  </Button>
)

/** The leads of a day, a week or a month, live, as specified. */
const SpecifiedDashboard = () => {
  useTitle('Leads dashboard')
  const { view, shown, step, adjust } = useView()
  const { data: summary } = useLeadSummary(shown?.filter)
  const total = (shown && summary?.total) ?? 0
  const [isUnfolded, setUnfolded] = useState(false)
  const [areFilesUnfolded, setFilesUnfolded] = useState(false)
  const toImport = useGoTo('/admin-import')
  const liveWords = useLiveWords()
  // an export of all dates has no date in its name
  const exported = view.period !== 'all' && shown ? shown.filter : { term: view.term, kinds: view.kinds }
  const query = leadQuery(exported, { sort: view.sort })
  return (
    <>
      <StalledBanner of="leads" />
      <EmailBanner />
      <div css={above}>
        <div css={head}>
          <div css={title}>
            <h1 css={{ fontSize: type.heading }}>Leads dashboard</h1>
            <p css={subtitle}>
              <span css={{ [onPhone]: unseen }}>
                Filter leads by date, search them, and export them to Excel. {liveWords}{' '}
              </span>
              <QuarantineLink />
            </p>
          </div>
          <div css={actions}>
            <AddLead />
            <FilesButton isUnfolded={areFilesUnfolded} onFold={() => setFilesUnfolded(!areFilesUnfolded)} />
            <div css={files(areFilesUnfolded)}>
              <ButtonLink look="quiet" {...toImport}>
                Import leads
              </ButtonLink>
              <LeadsExport query={query} total={total} />
            </div>
          </div>
        </div>
        <div css={{ display: 'flex', gap: space.tight, marginTop: space.tight, ':empty': { display: 'none' } }}>
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
      </div>
      {/* Another period is another list: results of one are never shown under the title of the other. */}
      {shown ? (
        <CardLayout
          key={`${shown.range.first} ${shown.range.last}`}
          view={view}
          shown={shown}
          step={step}
          isUnfolded={isUnfolded}
        />
      ) : (
        <UnknownWeek />
      )}
    </>
  )
}

/** The leads: as specified, or as the working list if the account has chosen that. */
export const Dashboard = () => {
  const { data: me } = useMe()
  return me?.leadsLayout === 'list' ? <RowLayout /> : <SpecifiedDashboard />
}
