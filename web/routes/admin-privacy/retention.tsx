import { Link } from 'react-router'
import { inNumbers } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { type DueData, type DueKind, dueData } from '../../../events/privacy/wire.ts'
import { dayInBrief, dayInShort, dayOf } from '../../staff/day.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { colour, panel, space, type } from '../../ui/theme.ts'
import { personAddress } from './people.ts'

const NAMES: Record<DueKind, string> = {
  leads: 'Leads without a contract',
  chats: 'Chats',
  spam: 'Flagged leads',
  contracts: 'Contracts that ended',
}

const useDue = () => useGet('/api/privacy/retention', dueData, { revalidateIfStale: true })

const Kind = ({ due: { kind, count, isMore, listed } }: { due: DueData['kinds'][number] }) => (
  <details css={{ padding: `0 ${space.base}`, ...panel }}>
    <summary css={{ padding: `${space.snug} 0`, cursor: 'pointer', fontWeight: 600 }}>
      {nameOf(NAMES, kind)}{' '}
      <span css={{ color: colour.soft, fontWeight: 400 }}>
        {isMore && 'more than '}
        {inNumbers(count)}
      </span>
    </summary>
    <ul aria-label={nameOf(NAMES, kind)} css={{ paddingBottom: space.snug, fontSize: type.small }}>
      {listed.map(({ id, name, timestamp }) => (
        <li key={id} css={{ overflowWrap: 'anywhere' }}>
          <Link to={personAddress({ kind: kind === 'chats' ? 'chat' : 'lead', id })}>{name}</Link>,{' '}
          {dayInBrief(dayOf(timestamp))}
        </li>
      ))}
    </ul>
  </details>
)

/** The data that is erased within the next 30 days: a dry run. */
export const NextErasures = () => {
  const { data, error, mutate } = useDue()
  if (error && !data) return <FetchFailure title="Error finding old data" error={error} retry={() => mutate()} />
  if (!data) return <Placeholder title="Finding old data..." />
  const due = data.kinds.filter(({ count }) => count > 0)
  return (
    <section aria-labelledby="next-erasures" css={{ display: 'grid', gap: space.tight, maxWidth: '56rem' }}>
      <h2 id="next-erasures" css={{ fontSize: type.step }}>
        Erased in the next 30 days
      </h2>
      <p css={{ color: colour.soft, fontSize: type.small }}>
        Old data is erased each day, by the <Link to="/admin-settings/retention">periods that you set</Link>.{' '}
        {due.length === 0
          ? `Nothing is due by ${dayInShort(dayOf(data.until))}.`
          : 'Data of a person with a new contact, or a new note, stays.'}
      </p>
      {due.map((each) => (
        <Kind key={each.kind} due={each} />
      ))}
    </section>
  )
}
