import type { CSSObject } from '@emotion/react'
import { DayField } from '../../staff/forms/day-field.tsx'
import { choicesOf, Select } from '../../staff/forms/select.tsx'
import { KIND_NAMES } from '../../staff/leads/list/kinds.ts'
import { endsToday, PERIOD_NAMES, PERIODS, type Period } from '../../staff/leads/list/period.ts'
import { SearchBox } from '../../staff/leads/list/search-box.tsx'
import { CountBadge } from '../../staff/shell/count-badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Labelled } from '../../ui/form/field.tsx'
import { from, onPhone, space, type, unseen } from '../../ui/theme.ts'
import { folded } from './folded.ts'
import type { View } from './use-view.ts'

/** Whether a period needs no day to be chosen. */
export const hasNoDay = (period: Period) => period === 'all' || endsToday(period)

/** The number of choices that narrow the list besides the visible search: the kinds, and days other than today. */
const activeCount = ({ kinds, period, day, today }: View['view']) =>
  KIND_NAMES.filter((name) => kinds[name] !== undefined).length + (period !== 'day' || day !== today ? 1 : 0)

/** On a phone: shows and hides all filters, and shows how many there are. */
const FoldButton = ({ count, isUnfolded, onFold }: { count: number; isUnfolded: boolean; onFold: () => void }) => (
  <Button
    look="outline"
    aria-expanded={isUnfolded}
    onClick={onFold}
    css={{ flex: 'none', paddingInline: space.base, [from.medium]: { display: 'none' } }}
  >
    Filters <CountBadge count={count} label="active" tone="news" />
  </Button>
)

/** A field that shows `30 September 2026` in full, and the window width from which another one fits next to it. */
const LONGEST_DATE = '10.25rem'
const inOneRow = '@media (min-width: 22rem)'

const layout = (isRange: boolean): CSSObject => ({
  display: 'grid',
  gap: space.base,
  marginTop: space.base,
  alignItems: 'start',
  [onPhone]: {
    // the search and the button of the filters come first
    '[data-search]': { order: -1, label: unseen },
  },
  [inOneRow]: {
    gridTemplateColumns: `minmax(${LONGEST_DATE}, 1fr) minmax(0, 1fr)`,
    columnGap: space.snug,
    '[data-search]': { gridColumn: '1 / -1' },
    '#date, #until, #period': { paddingInline: space.tight },
  },
  [from.medium]: {
    marginTop: space.snug,
    // one day needs no label, like the filters below; two days need one to say which is which
    ...(!isRange && { '& label': unseen }),
    gridTemplateColumns: isRange ? '1fr 1fr 11rem' : '13rem 11rem 1fr',
    columnGap: space.base,
    '#date, #until, #period': { paddingInline: space.snug },
    '[data-search]': { gridColumn: isRange ? '1 / -1' : 'auto' },
  },
  [from.large]: {
    gridTemplateColumns: isRange ? '13rem 13rem 11rem 1fr' : '13rem 11rem 1fr',
    '[data-search]': { gridColumn: 'auto' },
  },
})

type Folding = { isUnfolded: boolean; onFold: () => void }

/** The selection of the dashboard's list: day or days, period and search. */
export const Controls = ({
  view,
  step,
  adjust,
  isUnfolded,
  onFold,
}: Pick<View, 'view' | 'step' | 'adjust'> & Folding) => {
  const isRange = view.period === 'range'
  const style = { minWidth: 0, ...folded(isUnfolded) }
  return (
    <div css={layout(isRange)}>
      <DayField
        id="date"
        label={isRange ? 'From' : 'Date'}
        day={view.period === 'all' ? undefined : view.day}
        today={view.today}
        placeholder={PERIOD_NAMES.all}
        css={style}
        onPick={(day) => step({ day, ...(hasNoDay(view.period) && { period: 'day' }) })}
      />
      {isRange && (
        <DayField
          id="until"
          label="Until"
          day={view.until}
          today={view.today}
          css={style}
          onPick={(until) => step({ until, day: view.day })}
        />
      )}
      <Labelled id="period" label="Period" css={style}>
        <Select
          id="period"
          value={view.period}
          choices={choicesOf(PERIODS, PERIOD_NAMES)}
          onChoose={(period) => step({ period: period as Period })}
        />
      </Labelled>
      <div data-search="" css={{ display: 'grid', gap: '0.375rem', minWidth: 0 }}>
        <label htmlFor="search" css={{ fontSize: type.small, fontWeight: 600 }}>
          Search
        </label>
        <div css={{ display: 'flex', gap: space.tight }}>
          <SearchBox term={view.term} onSearch={(term) => adjust({ term })} />
          <FoldButton count={activeCount(view)} isUnfolded={isUnfolded} onFold={onFold} />
        </div>
      </div>
    </div>
  )
}
