import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { inRand } from '../../../events/base/amount.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES, sourceInWords } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import { dayInBrief, dayOf } from '../../staff/day.ts'
import { choicesOf, Select } from '../../staff/forms/select.tsx'
import { leadAddress } from '../../staff/leads/address.ts'
import { ReplyPromise } from '../../staff/leads/clock/reply-promise.tsx'
import { hasValueField } from '../../staff/leads/conversation/use-follow-up.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'

/** The type under which a dragged card carries the id of its lead. */
export const LEAD_TYPE = 'text/x-lead'

/** The card that keys have moved, and its new stage, while no other element has the focus. */
export type Followed = { leadId: string; stage: FollowUpStatus }

/** Focuses a card again once it is drawn in the stage that keys have moved it to. */
const useFocusAfterMove = (followed: RefObject<Followed | undefined>, { leadId, stage }: Followed) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const moved = followed.current
    if (moved?.leadId !== leadId || moved.stage !== stage) return
    link.current?.focus()
    // the card in the former stage, if it is still drawn, has cleared it
    followed.current = moved
  }, [followed, leadId, stage])
  return link
}

const adjacentStage = (status: FollowUpStatus, by: number) =>
  FOLLOW_UP_STATUSES[FOLLOW_UP_STATUSES.indexOf(status) + by]

/** A lead on the board: dragged, or moved by its select of stages, or by Shift with an arrow. */
export const PipelineCard = (props: {
  lead: Lead
  stage: FollowUpStatus
  colleagues: readonly Colleague[]
  followed: RefObject<Followed | undefined>
  onMove: (status: FollowUpStatus) => void
  onValue: () => void
}) => {
  const { lead, stage, colleagues, followed, onMove, onValue } = props
  const link = useFocusAfterMove(followed, { leadId: lead.id, stage })
  const { pathname, search } = useLocation()
  const title = leadTitle(lead)
  const owner = colleagues.find(({ id }) => id === lead.ownerId)?.displayName
  const value = lead.projectValue === null ? 'Add value' : inRand(lead.projectValue)
  const onKey = (event: KeyboardEvent) => {
    if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    const next = adjacentStage(stage, event.key === 'ArrowLeft' ? -1 : 1)
    if (!next) return
    followed.current = { leadId: lead.id, stage: next }
    onMove(next)
  }
  return (
    <li
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
        ref={link}
        to={leadAddress(lead.id)}
        state={{ list: pathname + search }}
        draggable={false}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onKeyDown={onKey}
        onBlur={() => {
          followed.current = undefined
        }}
        css={{ fontWeight: 600 }}
      >
        <LeadName lead={lead} />
      </Link>
      <p css={{ color: colour.soft }}>
        {sourceInWords(lead.leadSource)}, {dayInBrief(dayOf(lead.timestamp))}
        {owner && `, ${owner}`}
      </p>
      {/* if five stages share a small window, a column is narrower than the clock's text */}
      <div css={{ ':empty': { display: 'none' }, '& > span': { whiteSpace: 'normal', textWrap: 'balance' } }}>
        <ReplyPromise lead={lead} />
      </div>
      {hasValueField(stage, lead.projectValue) && (
        <div>
          <Button look="quiet" onClick={onValue} aria-label={`${value}: value of ${title}`}>
            {value}
          </Button>
        </div>
      )}
      <Select
        aria-label={`Stage of ${title}`}
        value={stage}
        choices={choicesOf(FOLLOW_UP_STATUSES, STATUS_NAMES)}
        onChoose={(to) => onMove(to as FollowUpStatus)}
      />
    </li>
  )
}
