import { lazy, Suspense } from 'react'
import { type Day, dayInShort } from '../../staff/day.ts'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { space, type } from '../../ui/theme.ts'
import { type OverviewRange, RANGES } from './range.ts'

const DayPicker = lazy(async () => ({ default: (await import('../../staff/forms/day-picker.tsx')).DayPicker }))

/** The number of days and the last of them. */
export const Controls = ({
  range: { days, asOf },
  today,
  step,
}: {
  range: OverviewRange
  today: Day
  step: (change: Partial<OverviewRange>) => void
}) => (
  <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: `${space.base} ${space.wide}` }}>
    <fieldset>
      <legend css={{ marginBottom: '0.375rem', padding: 0, fontSize: type.small, fontWeight: 600 }}>Range</legend>
      <div css={{ display: 'flex', gap: space.tight }}>
        {RANGES.map((range) => (
          <Button
            key={range.days}
            look="quiet"
            aria-pressed={range.days === days}
            onClick={() => step({ days: range.days })}
          >
            {range.label}
          </Button>
        ))}
      </div>
    </fieldset>
    <div css={{ display: 'grid', gap: '0.375rem' }}>
      <label htmlFor="as-of" css={{ fontSize: type.small, fontWeight: 600 }}>
        As of
      </label>
      <div css={{ display: 'flex', alignItems: 'start', gap: space.tight }}>
        <div css={{ width: '12rem' }}>
          <Suspense fallback={<input id="as-of" css={control} readOnly value={dayInShort(asOf ?? today)} />}>
            <DayPicker
              id="as-of"
              day={asOf ?? today}
              today={today}
              latest={today}
              onPick={(day) => step({ asOf: day < today ? day : undefined })}
            />
          </Suspense>
        </div>
        {asOf && (
          <Button look="outline" onClick={() => step({ asOf: undefined })} css={{ paddingInline: space.snug }}>
            Today
          </Button>
        )}
      </div>
    </div>
  </div>
)
