import { lazy, type ReactNode, Suspense } from 'react'
import { dayInShort } from '../../staff/leads/day.ts'
import { PERIOD_NAMES, PERIODS, type Period } from '../../staff/leads/period.ts'
import { control } from '../../ui/form/control.ts'
import { from, space, type } from '../../ui/theme.ts'
import { SearchBox } from './search-box.tsx'
import type { View } from './use-view.ts'

// The calendar's library is large, and the list need not wait for it.
const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))

const Labelled = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <div css={{ display: 'grid', gap: '0.375rem', minWidth: 0 }}>
    <label htmlFor={id} css={{ fontSize: type.small, fontWeight: 600 }}>
      {label}
    </label>
    {children}
  </div>
)

/** A field that shows `30 September 2026` whole, and from which window on there is room for another one beside it. */
const LONGEST_DATE = '10.25rem'
const besideEachOther = '@media (min-width: 22rem)'

/** What the dashboard's list is about: day, period and search. */
export const Controls = ({ view, step, adjust }: Pick<View, 'view' | 'step' | 'adjust'>) => (
  <div
    css={{
      display: 'grid',
      gap: space.base,
      marginTop: space.roomy,
      alignItems: 'start',
      [besideEachOther]: {
        gridTemplateColumns: `minmax(${LONGEST_DATE}, 1fr) minmax(0, 1fr)`,
        columnGap: space.snug,
        '> :last-child': { gridColumn: '1 / -1' },
        '#date, #period': { paddingInline: space.tight },
      },
      [from.medium]: {
        gridTemplateColumns: '13rem 11rem 1fr',
        columnGap: space.base,
        '> :last-child': { gridColumn: 'auto' },
        '#date, #period': { paddingInline: space.snug },
      },
    }}
  >
    <Labelled id="date" label="Date">
      <Suspense fallback={<input id="date" css={control} readOnly value={dayInShort(view.day)} />}>
        <DayPicker
          id="date"
          day={view.day}
          today={view.today}
          onPick={(day) => step({ day, ...(view.period === 'all' && { period: 'day' }) })}
        />
      </Suspense>
    </Labelled>
    <Labelled id="period" label="Period">
      <select
        id="period"
        value={view.period}
        onChange={(event) => step({ period: event.target.value as Period })}
        css={control}
      >
        {/* all dates are what a search that found nothing leads to */}
        {PERIODS.filter((period) => period !== 'all' || view.period === 'all').map((period) => (
          <option key={period} value={period}>
            {PERIOD_NAMES[period]}
          </option>
        ))}
      </select>
    </Labelled>
    <Labelled id="search" label="Search">
      <SearchBox id="search" term={view.term} onSearch={(term) => adjust({ term })} />
    </Labelled>
  </div>
)
