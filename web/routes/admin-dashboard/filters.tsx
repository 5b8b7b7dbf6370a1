import { LEAD_PACKAGES, LEAD_SOURCES } from '../../../events/lead/form/kind.ts'
import { PACKAGE_NAMES, SOURCE_NAMES } from '../../../events/lead/labels.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { useMe } from '../../staff/account/account.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import type { Choices } from '../../staff/forms/picker.tsx'
import { choicesOf, Select } from '../../staff/forms/select.tsx'
import { isAnyKind, type LeadKinds, LISTED_STATUS_NAMES, LISTED_STATUSES } from '../../staff/leads/list/kinds.ts'
import { Button } from '../../ui/button.tsx'
import { colour, from, space } from '../../ui/theme.ts'
import { folded } from './folded.ts'
import type { View } from './use-view.ts'

/** A select that needs no label: `Any status`. One that narrows the list is highlighted. */
const Filter = (props: {
  label: string
  any: string
  value: string | undefined
  choices: Choices
  onChoose: (value: string | undefined) => void
}) => (
  <Select
    aria-label={props.label}
    none={props.any}
    value={props.value ?? ''}
    choices={props.choices}
    onChoose={(value) => props.onChoose(value || undefined)}
    css={[
      { minWidth: 0, textOverflow: 'ellipsis' },
      props.value !== undefined && { borderColor: colour.accent, background: colour.accentWash, fontWeight: 600 },
    ]}
  />
)

const useOwners = (chosen: string | undefined): Choices => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  const others = colleagues.filter(({ id }) => id !== me?.id).map(({ id, displayName }) => [id, displayName] as const)
  const ownChoices: Choices = [['me', 'My leads'], ['none', 'Unassigned'], ...others]
  // a link may name a colleague who has left, or one's own account
  const isListed = chosen === undefined || ownChoices.some(([value]) => value === chosen)
  return isListed ? ownChoices : [...ownChoices, [chosen, chosen === me?.id ? me.displayName : FORMER_COLLEAGUE]]
}

type Choose = (name: keyof LeadKinds) => (value: string | undefined) => void

const KindFilters = ({ kinds, choose }: { kinds: LeadKinds; choose: Choose }) => {
  const owners = useOwners(kinds.owner)
  return (
    <>
      <Filter
        label="Status"
        any="Any status"
        value={kinds.status}
        choices={choicesOf(LISTED_STATUSES, LISTED_STATUS_NAMES)}
        onChoose={choose('status')}
      />
      <Filter label="Assigned to" any="Anyone" value={kinds.owner} choices={owners} onChoose={choose('owner')} />
      <Filter
        label="Source"
        any="Any source"
        value={kinds.source}
        choices={choicesOf(LEAD_SOURCES, SOURCE_NAMES)}
        onChoose={choose('source')}
      />
      <Filter
        label="Package"
        any="Any package"
        value={kinds.package}
        choices={choicesOf(LEAD_PACKAGES, PACKAGE_NAMES)}
        onChoose={choose('package')}
      />
    </>
  )
}

export const Filters = ({ view, step, isUnfolded }: Pick<View, 'view' | 'step'> & { isUnfolded: boolean }) => {
  const { kinds } = view
  // the chosen value is one of the options
  const choose = (name: keyof LeadKinds) => (value: string | undefined) => {
    const { [name]: _, ...others } = kinds
    step({ kinds: value === undefined ? others : ({ ...others, [name]: value } as LeadKinds) })
  }
  return (
    <fieldset
      aria-label="Filters"
      css={[
        {
          display: 'grid',
          gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
          gap: space.tight,
          marginTop: space.base,
          [from.medium]: {
            gridTemplateColumns: `repeat(4, minmax(0, 1fr)) auto${isAnyKind(kinds) ? ' auto' : ''}`,
            gap: space.snug,
            marginTop: space.snug,
          },
        },
        folded(isUnfolded),
      ]}
    >
      <KindFilters kinds={kinds} choose={choose} />
      <Button
        look="quiet"
        aria-pressed={kinds.overdue !== undefined}
        onClick={() => choose('overdue')(kinds.overdue ? undefined : 'true')}
      >
        Only overdue
      </Button>
      {kinds.nextAction && (
        <Button look="quiet" aria-pressed onClick={() => choose('nextAction')(undefined)}>
          Next action due
        </Button>
      )}
      {isAnyKind(kinds) && (
        <Button look="quiet" onClick={() => step({ kinds: {} })}>
          Clear filters
        </Button>
      )}
    </fieldset>
  )
}
