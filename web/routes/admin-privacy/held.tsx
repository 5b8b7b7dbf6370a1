import { Link } from 'react-router'
import { inNumbers } from '../../../events/base/amount.ts'
import type { HeldGroupOfPerson } from '../../../events/privacy/wire.ts'
import { dayInBrief, dayOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { colour, from, panel, space, type } from '../../ui/theme.ts'

type Entry = HeldGroupOfPerson['entries'][number]

/** The link to the screen on which staff work on an entry. */
const Origin = ({ entry: { leadId, sessionId, source } }: { entry: Entry }) => {
  const to = leadId ? leadAddress(leadId) : sessionId ? `/admin-chat?session=${encodeURIComponent(sessionId)}` : null
  return (
    <span css={{ color: colour.soft, fontSize: type.small }}>
      {source}
      {to && (
        <>
          {' · '}
          <Link to={to}>{leadId ? 'Open the lead' : 'Open the chat'}</Link>
        </>
      )}
    </span>
  )
}

const HeldEntry = ({ entry }: { entry: Entry }) => (
  <li
    css={{
      display: 'grid',
      gap: `${space.hair} ${space.base}`,
      padding: `${space.snug} 0`,
      borderTop: `1px solid ${colour.line}`,
      [from.medium]: { gridTemplateColumns: '6rem minmax(0, 1fr)' },
    }}
  >
    <time dateTime={entry.timestamp} css={{ color: colour.soft, fontSize: type.small, whiteSpace: 'nowrap' }}>
      {dayInBrief(dayOf(entry.timestamp))}
    </time>
    <div css={{ display: 'grid', gap: space.hair, minWidth: 0, overflowWrap: 'anywhere' }}>
      <p>
        <b css={{ fontWeight: 600 }}>{entry.title}</b> <Origin entry={entry} />
      </p>
      {entry.lines.length > 0 && (
        <dl
          css={{
            display: 'grid',
            gap: `0 ${space.snug}`,
            fontSize: type.small,
            [from.medium]: { gridTemplateColumns: '9rem minmax(0, 1fr)' },
          }}
        >
          {entry.lines.map(({ label, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a stored entry stay where they are
            <div key={index} css={{ display: 'contents' }}>
              <dt css={{ color: colour.soft }}>{label}</dt>
              <dd css={{ margin: 0, whiteSpace: 'pre-line' }}>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  </li>
)

/** One kind of a person's data, with the reason to store it; folded until it is opened. */
export const HeldGroup = ({ group: { group, title, reason, count, entries } }: { group: HeldGroupOfPerson }) => (
  <details css={{ padding: `0 ${space.base}`, ...panel }}>
    <summary css={{ padding: `${space.snug} 0`, cursor: 'pointer', fontWeight: 600 }}>
      {title} <span css={{ color: colour.soft, fontWeight: 400 }}>{inNumbers(count)}</span>
      <span css={{ display: 'block', color: colour.soft, fontSize: type.small, fontWeight: 400 }}>{reason}</span>
    </summary>
    <ul aria-label={title}>
      {entries.map((entry) => (
        <HeldEntry key={`${group} ${entry.id}`} entry={entry} />
      ))}
    </ul>
    {count > entries.length && (
      <p css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}`, color: colour.soft }}>
        And {counted(count - entries.length, 'older entry', 'older entries')}: an export has all of them.
      </p>
    )}
  </details>
)
