import type { Day } from '../../staff/day.ts'
import { DayField } from '../../staff/forms/day-field.tsx'
import { Button } from '../../ui/button.tsx'
import { space, type } from '../../ui/theme.ts'
import { type OverviewRange, RANGES } from './range.ts'

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
    <div css={{ display: 'flex', alignItems: 'end', gap: space.tight }}>
      <DayField
        id="as-of"
        label="As of"
        day={asOf ?? today}
        today={today}
        latest={today}
        onPick={(day) => step({ asOf: day < today ? day : undefined })}
        css={{ width: '12rem' }}
      />
      {asOf && (
        <Button look="outline" onClick={() => step({ asOf: undefined })} css={{ paddingInline: space.snug }}>
          Today
        </Button>
      )}
    </div>
  </div>
)
