import { useState } from 'react'
import { FOLLOW_UP_STATUSES, type FollowUp, type FollowUpStatus } from '../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { changeWithUndo, flagWithUndo } from '../../staff/leads/change/change-with-undo.ts'
import { control } from '../../ui/form/control.ts'
import { onPhone } from '../../ui/theme.ts'

const NO_OWNER = 'none'

/** A select that acts at once, and then shows its purpose again. */
const Act = (props: {
  label: string
  choices: readonly (readonly [value: string, label: string])[]
  isBusy: boolean
  onChoose: (value: string) => void
}) => (
  <select
    aria-label={props.label}
    value=""
    aria-disabled={props.isBusy}
    onChange={({ target }) => target.value && !props.isBusy && props.onChoose(target.value)}
    css={[control, { width: 'auto', [onPhone]: { order: 1, flex: '1 1 40%' } }]}
  >
    <option value="">{props.label}</option>
    {props.choices.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
)

/** Changes leads at once, with an undo; `isBusy` until that is done. */
export const useActOnLeads = (leads: readonly Lead[], onDone: () => void) => {
  const { data: me } = useMe()
  const [isBusy, setBusy] = useState(false)
  const busyWith = async (work: Promise<unknown>) => {
    setBusy(true)
    await work
    setBusy(false)
  }
  return {
    isBusy,
    act: (change: FollowUp, done: string) => busyWith(changeWithUndo(leads, change, { done, onDone, myId: me?.id })),
    flag: () => busyWith(flagWithUndo(leads, onDone)),
  }
}

/** Sets the status of leads, or assigns them, with one choice. */
export const FollowUpChoices = ({ isBusy, act }: Pick<ReturnType<typeof useActOnLeads>, 'isBusy' | 'act'>) => {
  const { data: colleagues = [] } = useColleagues()
  const nameOfOwner = (owner: string) => colleagues.find(({ id }) => id === owner)?.displayName
  return (
    <>
      <Act
        label="Set status"
        choices={FOLLOW_UP_STATUSES.map((status) => [status, STATUS_NAMES[status]] as const)}
        isBusy={isBusy}
        onChoose={(status) =>
          act({ followUpStatus: status as FollowUpStatus }, `set to ${STATUS_NAMES[status as FollowUpStatus]}`)
        }
      />
      <Act
        label="Assign to"
        choices={[[NO_OWNER, 'Unassigned'], ...colleagues.map(({ id, displayName }) => [id, displayName] as const)]}
        isBusy={isBusy}
        onChoose={(owner) =>
          owner === NO_OWNER
            ? act({ ownerId: null }, 'unassigned')
            : act({ ownerId: owner }, `assigned to ${nameOfOwner(owner)}`)
        }
      />
    </>
  )
}
