import { Link } from 'react-router'
import { type AccountEntry, accountHistory } from '../../../events/staff/account-history-wire.ts'
import { type Day, dayInWords, dayOf, timeOf } from '../../staff/day.ts'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { useGetPages } from '../../staff/requests/use-get.ts'
import { SettingsFrame } from '../../staff/settings/settings-frame.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { entryInWords } from './labels.ts'

const useAccountHistory = () => useGetPages('/api/accounts/history', accountHistory, { poll: 'watched' })

const Entry = ({ entry }: { entry: AccountEntry }) => {
  const { title, details, isWarning } = entryInWords(entry)
  return (
    <li
      css={{
        display: 'grid',
        gap: `${space.hair} ${space.base}`,
        padding: `${space.snug} ${space.base}`,
        borderTop: `1px solid ${colour.line}`,
        ':first-of-type': { borderTop: 0 },
        [from.medium]: { gridTemplateColumns: '3.5rem minmax(0, 1fr)', padding: `${space.snug} ${space.roomy}` },
      }}
    >
      <time
        dateTime={entry.timestamp}
        css={{ color: colour.soft, fontSize: type.small, fontVariantNumeric: 'tabular-nums', lineHeight: '1.5rem' }}
      >
        {timeOf(entry.timestamp)}
      </time>
      <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ fontWeight: 600, ...(isWarning && { color: colour.bad }) }}>{title}</p>
        {details.map((detail) => (
          <p key={detail} css={{ color: colour.soft, fontSize: type.small }}>
            {detail}
          </p>
        ))}
      </div>
    </li>
  )
}

const DayOfEntries = ({ day, entries }: { day: Day; entries: AccountEntry[] }) => (
  <section aria-labelledby={`day-${day}`} css={{ marginTop: space.roomy }}>
    <h2 id={`day-${day}`} css={{ marginBottom: space.snug, fontSize: type.body }}>
      {dayInWords(day)}
    </h2>
    <ul css={panel}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ul>
  </section>
)

/** Sign-ins, failed sign-ins and changes of accounts: for owners, newest first. */
export const AccountHistory = () => {
  useTitle('Sign-ins')
  const { items: entries, error, retry, hasMore, isLoadingMore, showMore } = useAccountHistory()
  const days = [...Map.groupBy(entries ?? [], ({ timestamp }) => dayOf(timestamp))]
  return (
    <SettingsFrame title="Sign-ins">
      <p css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.roomy}`, color: colour.soft }}>
        Who signed in, wrong passwords, and every change of an account. We keep only part of the network address. If you
        do not recognise something, set a new password for that account in the{' '}
        <Link to="/admin-settings/accounts">settings</Link>: it is then signed out everywhere.
      </p>
      <Pending what="the sign-ins" isLoading={!entries} error={error} retry={retry} />
      {entries?.length === 0 && <Placeholder title="Nothing has happened yet" />}
      <div css={{ maxWidth: '46rem' }}>
        {days.map(([day, ofDay]) => (
          <DayOfEntries key={day} day={day} entries={ofDay} />
        ))}
        {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
      </div>
    </SettingsFrame>
  )
}
