import { useState } from 'react'
import { FOLLOW_UP_STATUSES, type FollowUp, type FollowUpStatus } from '../../../events/follow-up.ts'
import { STATUS_NAMES } from '../../../events/lead-labels.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { changeWithUndo } from '../../staff/leads/change-with-undo.ts'
import { MergeDialog } from '../../staff/leads/merge-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { onPhone, panel, shadow, space, type } from '../../ui/theme.ts'

const UNASSIGNED = 'none'

/** How much of the window it takes at most: rows are scrolled to above it. */
export const PICKED_HEIGHT = '8rem'

/** A choice that acts at once, and then says again what it is for. */
const Act = (props: {
  label: string
  choices: readonly (readonly [value: string, label: string])[]
  disabled: boolean
  onChoose: (value: string) => void
}) => (
  <select
    aria-label={props.label}
    value=""
    disabled={props.disabled}
    onChange={({ target }) => target.value && props.onChoose(target.value)}
    css={[control, { width: 'auto', minHeight: '2.5rem', [onPhone]: { order: 1, flex: '1 1 40%' } }]}
  >
    <option value="">{props.label}</option>
    {props.choices.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
)

/**
 * What can be done with the leads that are selected: give all of them a status, or an owner, and merge two. All of it
 * can be undone. It stands below the rows, at the window's foot while they go on: no row moves as it comes and goes.
 */
export const PickedBar = (props: { picked: readonly Lead[]; onDone: () => void; onClear: () => void }) => {
  const { picked, onDone, onClear } = props
  const { data: colleagues = [] } = useColleagues()
  const [isBusy, setBusy] = useState(false)
  const [merging, setMerging] = useState<readonly [string, string]>()
  const [first, second, ...more] = picked
  const act = async (what: FollowUp, done: string) => {
    setBusy(true)
    await changeWithUndo(picked, what, { done, onDone })
    setBusy(false)
  }
  return (
    <fieldset
      aria-label="Selected leads"
      data-foot=""
      css={{
        position: 'sticky',
        bottom: `calc(var(--bar, 0px) + var(--preview) + ${space.tight})`,
        zIndex: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.snug,
        marginTop: space.base,
        padding: space.snug,
        ...panel,
        boxShadow: shadow.floating,
        fontSize: type.small,
      }}
    >
      <strong role="status">{isBusy ? 'Saving...' : `${picked.length} selected`}</strong>
      <Act
        label="Set status"
        choices={FOLLOW_UP_STATUSES.map((status) => [status, STATUS_NAMES[status]] as const)}
        disabled={isBusy}
        onChoose={(status) =>
          act({ followUpStatus: status as FollowUpStatus }, `set to ${STATUS_NAMES[status as FollowUpStatus]}`)
        }
      />
      <Act
        label="Set owner"
        choices={[[UNASSIGNED, 'Unassigned'], ...colleagues.map(({ id, displayName }) => [id, displayName] as const)]}
        disabled={isBusy}
        onChoose={(owner) =>
          owner === UNASSIGNED
            ? act({ ownerId: null }, 'unassigned')
            : act({ ownerId: owner }, `assigned to ${colleagues.find(({ id }) => id === owner)?.displayName}`)
        }
      />
      {first && second && more.length === 0 && (
        <Button
          look="quiet"
          disabled={isBusy}
          onClick={() => setMerging([first.id, second.id])}
          css={{ minHeight: '2.5rem' }}
        >
          Merge
        </Button>
      )}
      {merging && (
        <MergeDialog
          ids={merging}
          onMerged={() => {
            setMerging(undefined)
            onClear()
            onDone()
          }}
          onClose={() => setMerging(undefined)}
        />
      )}
      <Button look="quiet" disabled={isBusy} onClick={onClear} css={{ minHeight: '2.5rem' }}>
        Clear selection
      </Button>
    </fieldset>
  )
}
