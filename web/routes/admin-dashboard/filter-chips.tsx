import { LEAD_PACKAGES, LEAD_SOURCES } from '../../../events/lead/form/kind.ts'
import { PACKAGE_NAMES, SOURCE_NAMES } from '../../../events/lead/labels.ts'
import { useMe } from '../../staff/account/account.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { DayField } from '../../staff/forms/day-field.tsx'
import type { Choices } from '../../staff/forms/picker.tsx'
import { choicesOf } from '../../staff/forms/select.tsx'
import { type LeadKinds, LISTED_STATUS_NAMES, LISTED_STATUSES, ownerInWords } from '../../staff/leads/list/kinds.ts'
import { PERIOD_NAMES, PERIODS, type Period } from '../../staff/leads/list/period.ts'
import { SearchBox } from '../../staff/leads/list/search-box.tsx'
import { FilterChip } from '../../staff/list/filter-chip.tsx'
import { Button } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { colour, onPhone, space, unseen } from '../../ui/theme.ts'
import { hasNoDay } from './controls.tsx'
import { isOfWork, type View, WORK } from './use-view.ts'
import { Views } from './views.tsx'

const ANY = 'any'

const PERIOD_CHOICES: Choices = [
  ['all', 'Any time'],
  ...PERIODS.filter((period) => period !== 'all').map((period) => [period, PERIOD_NAMES[period]] as const),
]

/** The filters that stand behind `+ Filter` until they are set. */
const MORE = {
  source: { heading: 'Source', choices: choicesOf(LEAD_SOURCES, SOURCE_NAMES) },
  package: { heading: 'Package', choices: choicesOf(LEAD_PACKAGES, PACKAGE_NAMES) },
  overdue: { heading: 'Due', choices: [['true', 'Overdue']] },
  nextAction: { heading: 'Due', choices: [['due', 'Next action due']] },
} satisfies { [name in keyof LeadKinds]: { heading: string; choices: Choices } }

type More = keyof typeof MORE

const MORE_NAMES = Object.keys(MORE) as More[]

const chosenName = (choices: Choices, value: string | undefined) =>
  choices.find(([each]) => each === value)?.[1] ?? value

const OwnerChip = ({
  owner,
  onChoose,
}: {
  owner: string | undefined
  onChoose: (owner: string | undefined) => void
}) => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  const others = colleagues.filter(({ id }) => id !== me?.id).map(({ id, displayName }) => [id, displayName] as const)
  return (
    <FilterChip
      name="Assigned to"
      value={owner ? ownerInWords(owner, colleagues) : 'Anyone'}
      isSet={owner !== undefined}
      chosen={owner ?? ANY}
      groups={[{ choices: [[ANY, 'Anyone'], ['me', 'My leads'], ['none', 'Unassigned'], ...others] }]}
      onChoose={(value) => onChoose(value === ANY ? undefined : value)}
    />
  )
}

const PeriodChip = ({ view, step }: Pick<View, 'view' | 'step'>) => {
  const { period, day, until, today } = view
  const isRange = period === 'range'
  return (
    <>
      <FilterChip
        name="Period"
        value={chosenName(PERIOD_CHOICES, period)}
        isSet={period !== 'all'}
        chosen={period}
        groups={[{ choices: PERIOD_CHOICES }]}
        onChoose={(value) => step({ period: value as Period })}
      />
      {!hasNoDay(period) && (
        <DayField
          id="date"
          label={isRange ? 'From' : 'Date'}
          day={day}
          today={today}
          css={{ width: '9.5rem', '& > label': unseen }}
          onPick={(next) => step({ day: next })}
        />
      )}
      {isRange && (
        <DayField
          id="until"
          label="Until"
          day={until}
          today={today}
          css={{ width: '9.5rem', '& > label': unseen }}
          onPick={(next) => step({ until: next, day })}
        />
      )}
    </>
  )
}

/** The chips; on a phone they are one line, which scrolls. */
const chips = {
  display: 'flex',
  flex: '1 1 0',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space.tight,
  minWidth: 0,
  [onPhone]: { flex: '0 0 100%', flexWrap: 'nowrap', overflowX: 'auto', '& > *': { flex: 'none' } },
} as const

/**
 * The filters of the leads, one chip each, and the search. `hasStages`: the statuses are the columns of a board, and no
 * filter.
 */
export const FilterChips = ({
  view,
  step,
  adjust,
  hasStages,
}: Pick<View, 'view' | 'step' | 'adjust'> & { hasStages: boolean }) => {
  const { kinds } = view
  const choose = (name: keyof LeadKinds, value: string | undefined) => {
    const { [name]: _, ...others } = kinds
    step({ kinds: value === undefined ? others : ({ ...others, [name]: value } as LeadKinds) })
  }
  const unset = MORE_NAMES.filter((name) => kinds[name] === undefined)
  return (
    <fieldset
      aria-label="Filters"
      css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight, marginBottom: space.tight }}
    >
      <div css={chips}>
        {!hasStages && (
          <FilterChip
            name="Status"
            value={kinds.status ? LISTED_STATUS_NAMES[kinds.status] : 'Any status'}
            isSet={kinds.status !== undefined}
            chosen={kinds.status ?? ANY}
            groups={[{ choices: [[ANY, 'Any status'], ...choicesOf(LISTED_STATUSES, LISTED_STATUS_NAMES)] }]}
            onChoose={(value) => choose('status', value === ANY ? undefined : value)}
          />
        )}
        <PeriodChip view={view} step={step} />
        <OwnerChip owner={kinds.owner} onChoose={(value) => choose('owner', value)} />
        {MORE_NAMES.filter((name) => kinds[name] !== undefined).map((name) => {
          const { heading, choices } = MORE[name]
          const value = chosenName(choices, kinds[name])
          return choices.length > 1 ? (
            <FilterChip
              key={name}
              name={heading}
              value={value}
              isSet
              chosen={kinds[name]}
              groups={[{ choices: [[ANY, `Any ${heading.toLowerCase()}`], ...choices] }]}
              onChoose={(next) => choose(name, next === ANY ? undefined : next)}
            />
          ) : (
            <Button
              key={name}
              look="quiet"
              aria-label={`Without this filter: ${value}`}
              onClick={() => choose(name, undefined)}
              css={{ '&&': { borderColor: colour.accent, background: colour.accentWash, fontWeight: 500 } }}
            >
              {value} <CloseIcon />
            </Button>
          )
        })}
        {unset.length > 0 && (
          <FilterChip
            name="Add a filter"
            value="+ Filter"
            isSet={false}
            groups={unset.map((name) => ({
              heading: MORE[name].heading,
              choices: MORE[name].choices.map(([value, words]) => [`${name}:${value}`, words] as const),
            }))}
            onChoose={(value) => {
              const [name, ...rest] = value.split(':')
              choose(name as More, rest.join(':'))
            }}
          />
        )}
        {!isOfWork(view) && (
          <Button look="quiet" onClick={() => step(WORK)} css={{ borderColor: 'transparent' }}>
            Clear filters
          </Button>
        )}
        <Views isPlain={isOfWork(view)} />
      </div>
      <div css={{ width: '16rem', [onPhone]: { width: '100%' } }}>
        <label htmlFor="search" css={unseen}>
          Search
        </label>
        <SearchBox term={view.term} onSearch={(term) => adjust({ term })} />
      </div>
    </fieldset>
  )
}
