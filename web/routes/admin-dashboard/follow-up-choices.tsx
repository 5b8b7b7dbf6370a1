import { FOLLOW_UP_STATUSES, type FollowUp, type FollowUpStatus } from '../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import type { Choices } from '../../staff/forms/picker.tsx'
import { choicesOf, Select } from '../../staff/forms/select.tsx'
import { changeWithUndo, flagWithUndo } from '../../staff/leads/change/change-with-undo.ts'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { onPhone } from '../../ui/theme.ts'

const NO_OWNER = 'none'

const [STATUS_ID, OWNER_ID] = ['status-of-selected', 'owner-of-selected']

const focus = (id: string) => () => document.getElementById(id)?.focus()

export const FOCUS_CHOICES = { status: focus(STATUS_ID), assign: focus(OWNER_ID) }

/** A select that acts at once, and then shows its purpose again. */
const Act = (props: {
  id: string
  label: string
  choices: Choices
  isBusy: boolean
  onChoose: (value: string) => void
}) => (
  <Select
    id={props.id}
    aria-label={props.label}
    none={props.label}
    value=""
    choices={props.choices}
    aria-disabled={props.isBusy}
    onChoose={(value) => value && !props.isBusy && props.onChoose(value)}
    css={{ width: 'auto', [onPhone]: { order: 1, flex: '1 1 40%' } }}
  />
)

/** Changes leads at once, with an undo; `isBusy` until that is done. */
export const useActOnLeads = (leads: readonly Lead[], onDone: () => void) => {
  const { data: me } = useMe()
  const { isBusy, run } = useBusy('Not changed')
  return {
    isBusy,
    act: (change: FollowUp, done: string) => run(() => changeWithUndo(leads, change, { done, onDone, myId: me?.id })),
    flag: () => run(() => flagWithUndo(leads, onDone)),
  }
}

/** Sets the status of leads, or assigns them, with one choice. */
export const FollowUpChoices = ({ isBusy, act }: Pick<ReturnType<typeof useActOnLeads>, 'isBusy' | 'act'>) => {
  const { data: colleagues = [] } = useColleagues()
  const nameOfOwner = (owner: string) => colleagues.find(({ id }) => id === owner)?.displayName
  return (
    <>
      <Act
        id={STATUS_ID}
        label="Set status"
        choices={choicesOf(FOLLOW_UP_STATUSES, STATUS_NAMES)}
        isBusy={isBusy}
        onChoose={(status) =>
          act({ followUpStatus: status as FollowUpStatus }, `set to ${STATUS_NAMES[status as FollowUpStatus]}`)
        }
      />
      <Act
        id={OWNER_ID}
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
