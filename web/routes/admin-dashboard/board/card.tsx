import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { inRand } from '../../../../events/base/amount.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import type { Colleague } from '../../../../events/staff/wire.ts'
import { dayInBrief, dayOf } from '../../../staff/day.ts'
import { choicesOf, Select } from '../../../staff/forms/select.tsx'
import { leadAddress } from '../../../staff/leads/address.ts'
import { ReplyPromise } from '../../../staff/leads/clock/reply-promise.tsx'
import { hasValueField } from '../../../staff/leads/conversation/use-follow-up.ts'
import { leadTitle } from '../../../staff/leads/list/groups.ts'
import { useWayBack } from '../../../staff/leads/list/place.ts'
import { LeadName } from '../../../staff/leads/shown/lead-name.tsx'
import { rowId } from '../../../staff/list/list-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, radius, space, type } from '../../../ui/theme.ts'

/** The type under which a dragged card carries the id of its lead. */
export const LEAD_TYPE = 'text/x-lead'

const adjacentStage = (status: FollowUpStatus, by: number) =>
  FOLLOW_UP_STATUSES[FOLLOW_UP_STATUSES.indexOf(status) + by]

/** A lead on the board: dragged, or moved by its select of stages, or by Shift with an arrow. */
export const BoardCard = (props: {
  lead: Lead
  stage: FollowUpStatus
  colleagues: readonly Colleague[]
  onMove: (status: FollowUpStatus) => void
  onValue: () => void
}) => {
  const { lead, stage, colleagues, onMove, onValue } = props
  const { state, leave } = useWayBack(lead.id)
  const title = leadTitle(lead)
  const owner = colleagues.find(({ id }) => id === lead.ownerId)?.displayName
  const value = lead.projectValue === null ? 'Add value' : inRand(lead.projectValue)
  const onKey = (event: KeyboardEvent) => {
    if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    const next = adjacentStage(stage, event.key === 'ArrowLeft' ? -1 : 1)
    if (next) onMove(next)
  }
  return (
    <li
      data-row={lead.id}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(LEAD_TYPE, lead.id)
        dataTransfer.effectAllowed = 'move'
      }}
      css={{
        display: 'grid',
        gap: space.hair,
        padding: space.snug,
        border: `1px solid ${colour.line}`,
        borderRadius: radius.control,
        background: colour.sheet,
        fontSize: type.small,
        overflowWrap: 'anywhere',
        cursor: 'grab',
      }}
    >
      <Link
        id={rowId(lead.id)}
        to={leadAddress(lead.id)}
        state={state}
        onClick={leave}
        draggable={false}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onKeyDown={onKey}
        css={{
          fontWeight: 600,
          // as tall as a thumb
          '@media (pointer: coarse)': { margin: `-${space.snug} 0 -${space.tight}`, padding: `${space.snug} 0` },
        }}
      >
        <LeadName lead={lead} />
      </Link>
      <p css={{ color: colour.soft }}>
        {dayInBrief(dayOf(lead.timestamp))}
        {owner && `, ${owner}`}
      </p>
      {/* if five stages share a small window, a column is narrower than the clock's text */}
      <div css={{ ':empty': { display: 'none' }, '& > span': { whiteSpace: 'normal', textWrap: 'balance' } }}>
        <ReplyPromise lead={lead} />
      </div>
      <div
        css={{ display: 'flex', flexWrap: 'wrap', gap: space.hair, '& > select': { flex: '1 1 6rem', minWidth: 0 } }}
      >
        <Select
          aria-label={`Stage of ${title}`}
          value={stage}
          choices={choicesOf(FOLLOW_UP_STATUSES, STATUS_NAMES)}
          onChoose={(to) => onMove(to as FollowUpStatus)}
        />
        {hasValueField(stage, lead.projectValue) && (
          <Button look="quiet" onClick={onValue} aria-label={`${value}: value of ${title}`}>
            {value}
          </Button>
        )}
      </div>
    </li>
  )
}
