import { useSearchParams } from 'react-router'
import { dayOf } from '../../staff/day.ts'
import { type LeadView, readView, withView } from '../../staff/leads/list/address.ts'
import { endsToday, instantsOf, rangeOf } from '../../staff/leads/list/period.ts'
import { useWeekStart } from '../../staff/settings.ts'
import { useNow } from '../../ui/now.ts'

/** The id of the heading of the list. */
export const LIST_TITLE = 'period-title'

const DAY_INTERVAL_MS = 15_000

/** The selection that the dashboard shows, read from its address, and the function that changes it. */
export const useView = () => {
  const [query, setQuery] = useSearchParams()
  const today = dayOf(useNow(DAY_INTERVAL_MS))
  const requested = readView(query)
  const day = endsToday(requested.period) ? today : (requested.day ?? today)
  const until = requested.until ?? today
  const range = rangeOf(requested.period, day, useWeekStart(), until)
  return {
    view: { ...requested, day, until, today },
    /**
     * The days that it shows, and the filter of their leads; undefined while it is unknown on which day a week begins.
     */
    shown: range && { range, filter: { ...instantsOf(range), term: requested.term, kinds: requested.kinds } },
    /** A deliberate step: Back undoes it. */
    step: (change: Partial<LeadView>) => setQuery(withView(query, change), { preventScrollReset: true }),
    /** A step that Back skips, such as half a word. */
    adjust: (change: Partial<LeadView>) =>
      setQuery(withView(query, change), { preventScrollReset: true, replace: true }),
  }
}

export type View = ReturnType<typeof useView>

export type Shown = NonNullable<View['shown']>
