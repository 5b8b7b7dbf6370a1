import { Link, useSearchParams } from 'react-router'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import { readView, withView } from '../../staff/leads/list/address.ts'
import { clampPage, pagesOf, useLeadPage, useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Pager } from '../../staff/leads/list/pager.tsx'
import { SearchBox } from '../../staff/leads/list/search-box.tsx'
import { useLeadRefresh } from '../../staff/leads/live/refresh.ts'
import { FlagReasons } from '../../staff/leads/quarantine/flag-reasons.tsx'
import { quarantinePath, SUSPECTS, UNDECIDED } from '../../staff/leads/quarantine/quarantine.ts'
import { ReleaseButton } from '../../staff/leads/quarantine/release-button.tsx'
import { SpamButton } from '../../staff/leads/quarantine/spam-button.tsx'
import { LeadCard } from '../../staff/leads/shown/card.tsx'
import { Words } from '../../staff/leads/shown/lead-message.tsx'
import { useListKeys } from '../../staff/list/list-keys.ts'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { colour, radius, space, type, unseen } from '../../ui/theme.ts'

type FlaggedProps = { lead: Lead; onChanged: () => void; onMarked: () => void; onReleased: () => void }

const Flagged = ({ lead, onChanged, onMarked, onReleased }: FlaggedProps) => (
  <li data-row={lead.id} css={{ display: 'grid', gap: space.tight }}>
    <LeadCard lead={lead} when={receivedMoment(lead)} />
    <div
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.snug,
        padding: `${space.snug} ${space.roomy}`,
        borderRadius: radius.card,
        background: colour.sunk,
        fontSize: type.small,
      }}
    >
      <div css={{ display: 'grid', gap: space.tight, minWidth: 0 }}>
        <p>
          <FlagReasons lead={lead} />
        </p>
        {lead.message && <Words lead={lead} />}
      </div>
      {!isErased(lead) && (
        <div css={{ display: 'flex', gap: space.tight }}>
          {lead.followUpStatus === 'new' && <SpamButton lead={lead} onChanged={onChanged} onMarked={onMarked} />}
          <ReleaseButton lead={lead} onReleased={onReleased} />
        </div>
      )}
    </div>
  </li>
)

const nothingInWords = (term: string, showsDecided: boolean) => {
  if (term) return `Nothing in quarantine matches "${term}"`
  return showsDecided ? 'Nothing is in quarantine' : 'Nothing in quarantine is left to decide'
}

/** Links to the leads that staff have marked as spam, perhaps by mistake; nothing if there are none. */
const SpamLink = ({ term, count = 0 }: { term: string; count: number | undefined }) =>
  count > 0 && <Link to={quarantinePath({ isAll: true, term })}>Look through the {count} marked as spam</Link>

/** The submissions that may be spam: left out of all lists and emails until staff release them. */
export const Quarantine = () => {
  useTitle('Quarantine')
  const [query, setQuery] = useSearchParams()
  const showsDecided = query.get('decided') === 'true'
  const { term, page: wanted } = readView(query)
  const [ofUndecided, ofAll] = [
    { ...UNDECIDED, term },
    { ...SUSPECTS, term },
  ]
  const [undecided, all] = [useLeadSummary(ofUndecided), useLeadSummary(ofAll)]
  const summary = showsDecided ? all : undecided
  const page = clampPage(wanted, summary.data?.total)
  const { data, error, mutate } = useLeadPage(showsDecided ? ofAll : ofUndecided, { sort: 'desc', page })
  const refresh = () => {
    undecided.mutate()
    all.mutate()
    mutate()
  }
  useLeadRefresh(refresh, { onQuarantine: () => true })
  useListKeys()
  /** Removes a lead from the cached lists: the view follows the log a moment later. */
  const removeFromCache = (lead: Lead, counts: readonly (typeof summary)[]) => {
    mutate((known) => known?.filter(({ id }) => id !== lead.id), { revalidate: false })
    for (const count of counts)
      count.mutate((known) => known && { ...known, total: known.total - 1 }, { revalidate: false })
  }
  return (
    <>
      <TopBar title="Quarantine" />
      <StalledBanner of="leads" />
      <p css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.base}`, color: colour.soft }}>
        We think these are spam, and sent no email about them. Press <strong>Not spam</strong> for real ones.
      </p>
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.roomy}`, marginBottom: space.roomy }}>
        <Link to="/admin-submissions">Back to all submissions</Link>
        {showsDecided ? (
          <Link to={quarantinePath({ term })}>Hide spam</Link>
        ) : (
          <Link to={quarantinePath({ isAll: true, term })}>Show spam too</Link>
        )}
      </p>
      <div css={{ maxWidth: '24rem', marginBottom: space.roomy }}>
        <label htmlFor="search" css={unseen}>
          Search the quarantine
        </label>
        <SearchBox term={term} onSearch={(next) => setQuery(withView(query, { term: next }), { replace: true })} />
      </div>
      <Pending what="submissions" isLoading={!data} error={error} retry={refresh} />
      {data?.length === 0 && (
        <Placeholder title={nothingInWords(term, showsDecided)}>
          {!showsDecided && <SpamLink term={term} count={all.data?.total} />}
        </Placeholder>
      )}
      <h2 css={unseen}>Flagged leads</h2>
      <ul aria-label="Flagged leads" css={{ display: 'grid', gap: space.roomy }}>
        {data?.map((lead) => (
          <Flagged
            key={lead.id}
            lead={lead}
            onChanged={refresh}
            onMarked={() => !showsDecided && removeFromCache(lead, [undecided])}
            onReleased={() => removeFromCache(lead, lead.followUpStatus === 'new' ? [undecided, all] : [all])}
          />
        ))}
      </ul>
      <Pager
        page={page}
        pages={pagesOf(summary.data?.total ?? 0)}
        onPage={(target) => setQuery(withView(query, { page: target }))}
      />
    </>
  )
}
