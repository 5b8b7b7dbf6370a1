import { useSearchParams } from 'react-router'
import { useMe } from '../../staff/account/account.ts'
import { dayOf } from '../../staff/day.ts'
import { type LeadView, readView, withView } from '../../staff/leads/list/address.ts'
import { KIND_NAMES } from '../../staff/leads/list/kinds.ts'
import { endsToday, instantsOf, rangeOf } from '../../staff/leads/list/period.ts'
import { useWeekStart } from '../../staff/settings/settings.ts'
import { useNow } from '../../ui/now.ts'

export const LIST_TITLE = 'period-title'

/** The selection with which the working list opens: all that is still open. */
export const WORK: Pick<LeadView, 'period' | 'day' | 'until' | 'term' | 'kinds'> = {
  period: 'all',
  day: undefined,
  until: undefined,
  term: '',
  kinds: { status: 'open' },
}

/** Whether a view is the one with which the working list opens, whatever its order. */
export const isOfWork = ({ period, term, kinds }: LeadView) =>
  period === 'all' && term === '' && kinds.status === 'open' && Object.keys(kinds).length === 1

const STATED = ['period', 'date', 'until', 'q', ...KIND_NAMES]

const isBare = (query: URLSearchParams) => !STATED.some((name) => query.has(name))

/**
 * The selection that a layout of the leads shows, read from its address, and the functions that change it. An address
 * without one is today's leads as specified, and in the working list and on the board the open ones.
 */
export const useView = (layout?: 'board') => {
  const { data: me } = useMe()
  const [query, setQuery] = useSearchParams()
  const today = dayOf(useNow())
  const isWorking = layout === 'board' || me?.leadsLayout === 'list'
  const requested = { ...readView(query), ...(isWorking && isBare(query) && WORK) }
  const changed = (change: Partial<LeadView>) => {
    const next = withView(query, { ...requested, page: 1, ...change })
    if (!isWorking) return next
    // an address without a selection is that of the open leads, and of no other selection
    if (isBare(next)) next.set('period', 'day')
    else if (isOfWork(readView(next))) for (const name of STATED) next.delete(name)
    return next
  }
  const day = endsToday(requested.period) ? today : (requested.day ?? today)
  const until = requested.until ?? today
  const range = rangeOf(requested.period, day, useWeekStart(), until)
  return {
    view: { ...requested, day, until, today },
    /** The days that it shows, and the filter of their leads; undefined until the first day of a week is known. */
    shown: range && { range, filter: { ...instantsOf(range), term: requested.term, kinds: requested.kinds } },
    /** A deliberate step: Back undoes it. */
    step: (change: Partial<LeadView>) => setQuery(changed(change), { preventScrollReset: true }),
    /** A step that Back skips, such as half a word. */
    adjust: (change: Partial<LeadView>) => setQuery(changed(change), { preventScrollReset: true, replace: true }),
  }
}

export type View = ReturnType<typeof useView>

export type Shown = NonNullable<View['shown']>
