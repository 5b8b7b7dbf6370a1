import type { ReactElement } from 'react'
import { DAY_MS } from '../../../events/base/time.ts'
import { colour } from '../../ui/theme.ts'

/** An entry of a conversation, and its time if it is known. */
export type Entry = { key: string | undefined; at: string | undefined; shown: ReactElement }

/** The day of an instant in words. */
export type DayOf = (instant: string | Date) => string

const Separator = ({ children }: { children: string }) => (
  <li
    data-day=""
    css={{
      display: 'flex',
      alignItems: 'center',
      gap: '0.75rem',
      color: colour.soft,
      fontSize: '0.8125rem',
      '&::before, &::after': { content: '""', flex: 1, borderTop: `1px solid ${colour.line}` },
    }}
  >
    {children}
  </li>
)

/** Puts its day above the first entry of each day, unless all are from today. */
export const withDays = (entries: readonly Entry[], dayOf: DayOf, now: Date): ReactElement[] => {
  const names = new Map([
    [dayOf(new Date(now.getTime() - DAY_MS)), 'Yesterday'],
    [dayOf(now), 'Today'],
  ])
  let day = dayOf(now)
  return entries.flatMap(({ key, at, shown }, index) => {
    const when = at ?? entries.slice(index).find((later) => later.at !== undefined)?.at
    const before = day
    if (when !== undefined) day = dayOf(when)
    return day === before ? [shown] : [<Separator key={`day of ${key}`}>{names.get(day) ?? day}</Separator>, shown]
  })
}
