import { hoursInWords } from '../../../events/settings/support-hours.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { dayInShort } from '../../staff/day.ts'

/** The support hours with their closures, read-only. */
export const HoursSummary = ({ hours }: { hours: Settings['supportHours'] }) => (
  <>
    <p>{hoursInWords(hours)}</p>
    <ul>
      {hours.closures?.map(({ from, until, word }) => (
        <li key={`${from} ${until} ${word}`}>
          Closed {dayInShort(from)}
          {until !== from && ` to ${dayInShort(until)}`}
          {word && `: ${word}`}
        </li>
      ))}
    </ul>
  </>
)
