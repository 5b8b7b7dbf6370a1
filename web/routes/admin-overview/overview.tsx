import { useSearchParams } from 'react-router'
import { inRand } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { PACKAGE_NAMES, SOURCE_NAMES } from '../../../events/lead/labels.ts'
import { type Overview as OverviewFigures, overview } from '../../../events/lead/screens/overview-wire.ts'
import { type Day, dayInShort, dayOf, monthInWords } from '../../staff/day.ts'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { colour, from, space } from '../../ui/theme.ts'
import { Card } from './card.tsx'
import { Controls } from './controls.tsx'
import { ConversionChart } from './conversion-chart.tsx'
import { LeadsChart } from './leads-chart.tsx'
import { RandBars } from './rand-bars.tsx'
import { type OverviewRange, rangeInWords, readRange, withRange } from './range.ts'
import { RatingChart } from './rating-chart.tsx'
import { ReplyChart } from './reply-chart.tsx'
import { WonChart } from './won-chart.tsx'

/** The monthly fees that ran at the end of each month of the range, if there were any. */
const RecurringChart = ({ overview: { recurring } }: { overview: OverviewFigures }) => {
  const rows = recurring.map(({ day, monthly }) => ({ title: monthInWords(day), monthly }))
  const latest = rows.at(-1)?.monthly ?? 0
  return (
    <Card
      topic="Recurring revenue by month"
      finding={`${inRand(latest)} a month from contracts that are live`}
      numbers={{ columns: ['Month', 'Monthly fees'], rows: rows.map(({ title, monthly }) => [title, inRand(monthly)]) }}
    >
      <RandBars
        bars={rows.map(({ title, monthly }) => ({ label: title, title, value: monthly, tip: inRand(monthly) }))}
      />
    </Card>
  )
}

/**
 * The agency's figures of a number of days up to `asOf`; undefined is today, whose figures are polled. While another
 * range loads, the last one stays.
 */
const useOverview = ({ days, asOf }: { days: number; asOf: Day | undefined }) =>
  useGet(`/api/overview?days=${days}${asOf ? `&asOf=${asOf}` : ''}`, overview, {
    keepPreviousData: true,
    revalidateIfStale: true,
    poll: asOf ? 'never' : 'seldom',
  })

const A_YEAR = 365

const Charts = ({ overview }: { overview: OverviewFigures }) => (
  <div css={{ display: 'grid', gap: space.roomy, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <LeadsChart overview={overview} />
    <div
      css={{
        display: 'grid',
        gap: space.roomy,
        gridTemplateColumns: 'minmax(0, 1fr)',
        [from.large]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <ReplyChart overview={overview} />
      <WonChart overview={overview} />
      <ConversionChart
        dimension="package"
        rows={overview.packages.map((row) => ({ ...row, name: nameOf(PACKAGE_NAMES, row.package) }))}
      />
      <ConversionChart
        dimension="source"
        rows={overview.sources.map((row) => ({ ...row, name: nameOf(SOURCE_NAMES, row.source) }))}
      />
    </div>
  </div>
)

const Nothing = ({ days, onLonger }: { days: number; onLonger: () => void }) => (
  <Placeholder title={`No leads ${rangeInWords(days)}`}>
    <p>The charts begin with the first lead: where it came from, how soon it was answered, what it was worth.</p>
    {days < A_YEAR && (
      <Button look="quiet" onClick={onLonger} css={{ marginTop: space.base }}>
        Show last 12 months
      </Button>
    )}
  </Placeholder>
)

const Figures = ({ range, step }: { range: OverviewRange; step: (change: Partial<OverviewRange>) => void }) => {
  const { data, error, isLoading, mutate } = useOverview(range)
  if (error || !data) return <Pending what="the overview" isLoading error={error} retry={() => mutate()} />
  const isEmpty = data.leads === 0 && data.won.leads === 0
  return (
    <div
      aria-busy={isLoading}
      css={{
        display: 'grid',
        gap: space.roomy,
        gridTemplateColumns: 'minmax(0, 1fr)',
        transition: 'opacity 150ms',
        opacity: isLoading ? 0.5 : 1,
      }}
    >
      {isEmpty ? <Nothing days={range.days} onLonger={() => step({ days: A_YEAR })} /> : <Charts overview={data} />}
      {data.recurring.some(({ monthly }) => monthly > 0) && <RecurringChart overview={data} />}
      <RatingChart overview={data} />
    </div>
  )
}

const asOfText = (asOf: Day | undefined) =>
  asOf ? `Snapshot of ${dayInShort(asOf)}: what came later is left out.` : 'Live figures. Pick a date for a snapshot.'

/** The results of the leads as of the end of any day: from the log, which stores all events. */
export const Overview = () => {
  useTitle('Overview')
  const [query, setQuery] = useSearchParams()
  const today = dayOf(useNow())
  const range = readRange(query, today)
  const step = (change: Partial<OverviewRange>) =>
    setQuery(withRange(query, change, today), { preventScrollReset: true })
  return (
    <>
      <TopBar title="Overview" />
      <StalledBanner of="overview" />
      <p role="status" css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.roomy}`, color: colour.soft }}>
        {asOfText(range.asOf)}
      </p>
      <Controls range={range} today={today} step={step} />
      <div css={{ marginTop: space.roomy }}>
        <Figures range={range} step={step} />
      </div>
    </>
  )
}
