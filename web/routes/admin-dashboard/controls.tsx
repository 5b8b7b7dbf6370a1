import { lazy, type ReactNode, Suspense } from 'react'
import { type Day, dayInShort } from '../../staff/leads/day.ts'
import { PERIOD_NAMES, PERIODS, type Period } from '../../staff/leads/period.ts'
import { control } from '../../ui/form/control.ts'
import { from, space, type } from '../../ui/theme.ts'
import { SearchBox } from './search-box.tsx'
import type { View } from './use-view.ts'

// The calendar's library is large, and the list need not wait for it.
const DayPicker = lazy(async () => ({ default: (await import('../../staff/day-picker.tsx')).DayPicker }))

const Labelled = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <div css={{ display: 'grid', gap: '0.375rem', minWidth: 0 }}>
    <label htmlFor={id} css={{ fontSize: type.small, fontWeight: 600 }}>
      {label}
    </label>
    {children}
  </div>
)

const DayField = (props: { id: string; label: string; day: Day; today: Day; onPick: (day: Day) => void }) => (
  <Labelled id={props.id} label={props.label}>
    <Suspense fallback={<input id={props.id} css={control} readOnly value={dayInShort(props.day)} />}>
      <DayPicker id={props.id} day={props.day} today={props.today} onPick={props.onPick} />
    </Suspense>
  </Labelled>
)

/** A field that shows `30 September 2026` whole, and from which window on there is room for another one beside it. */
const LONGEST_DATE = '10.25rem'
const besideEachOther = '@media (min-width: 22rem)'

/** What the dashboard's list is about: day or days, period and search. */
export const Controls = ({ view, step, adjust }: Pick<View, 'view' | 'step' | 'adjust'>) => {
  const isRange = view.period === 'range'
  return (
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
          '#date, #until, #period': { paddingInline: space.tight },
        },
        [from.medium]: {
          gridTemplateColumns: isRange ? '1fr 1fr 11rem' : '13rem 11rem 1fr',
          columnGap: space.base,
          '> :last-child': { gridColumn: isRange ? '1 / -1' : 'auto' },
          '#date, #until, #period': { paddingInline: space.snug },
        },
        [from.large]: {
          gridTemplateColumns: isRange ? '13rem 13rem 11rem 1fr' : '13rem 11rem 1fr',
          '> :last-child': { gridColumn: 'auto' },
        },
      }}
    >
      <DayField
        id="date"
        label={isRange ? 'From' : 'Date'}
        day={view.day}
        today={view.today}
        onPick={(day) => step({ day, ...(view.period === 'all' && { period: 'day' }) })}
      />
      {isRange && (
        <DayField
          id="until"
          label="Until"
          day={view.until}
          today={view.today}
          onPick={(until) => step({ until, day: view.day })}
        />
      )}
      <Labelled id="period" label="Period">
        <select
          id="period"
          value={view.period}
          onChange={(event) => step({ period: event.target.value as Period })}
          css={control}
        >
          {PERIODS.map((period) => (
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
}
