import type { MouseEvent } from 'react'
import type { AssignmentChange, ChatAssignment } from '../../../events/chat/wire.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { StaffFace } from '../../staff/account/staff-face.tsx'
import { holderInWords } from '../../staff/chat/chat-assignee.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { folded } from './facts.tsx'
import type { Assigning } from './use-assigning.ts'

/** Ignores the second click of a double click: it is not meant for the control that the first one has put there. */
const once = (act: () => unknown) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

const Handover = ({ change, myId }: { change: AssignmentChange; myId: string | undefined }) => (
  <figure
    css={{
      padding: `${space.tight} ${space.snug}`,
      borderRadius: radius.control,
      background: colour.sunk,
      color: colour.ink,
    }}
  >
    <figcaption css={{ color: colour.soft }}>
      Note from {change.by.staffId === myId ? 'you' : change.by.name}, {shortMomentOf(change.timestamp)} · only staff
      see it
    </figcaption>
    <blockquote
      dir="auto"
      css={{
        margin: 0,
        maxHeight: '4.5rem',
        overflowY: 'auto',
        whiteSpace: 'pre-wrap',
        // it scrolls with the folded content
        [folded]: { maxHeight: 'none' },
      }}
    >
      {change.note}
    </blockquote>
  </figure>
)

/**
 * The assignee of a chat, the note of the colleague who handed it over, and the actions of assignment while the chat is
 * active.
 */
export const AssignmentBar = (props: {
  assignment: ChatAssignment
  /** The change that assigned the chat to its current assignee, if it came with a note. */
  handover: AssignmentChange | undefined
  assigning: Assigning
  myId: string | undefined
  isActive: boolean
}) => {
  const { assignment, handover, assigning, myId } = props
  const { isMine, isBusy } = assigning
  const { data: colleagues } = useColleagues()
  return (
    <div css={{ display: 'grid', gap: space.tight, paddingTop: space.hair }}>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
        <StaffFace id={assignment.to?.staffId} sizePx={24} />
        <strong role="status" css={{ marginRight: 'auto', color: colour.ink, fontWeight: 600 }}>
          {holderInWords(assignment, { myId, colleagues })}
        </strong>
        {props.isActive && (
          <div css={{ display: 'flex', gap: space.tight, marginLeft: 'auto' }}>
            <Button
              look="quiet"
              aria-disabled={isBusy}
              aria-keyshortcuts={isMine ? undefined : 'Alt+T'}
              onClick={once(isMine ? assigning.release : assigning.take)}
            >
              {isMine ? 'Unassign' : assignment.to ? 'Take over' : 'Take chat'}
            </Button>
            <Button look="quiet" aria-keyshortcuts="Alt+H" onClick={assigning.openHandover}>
              Hand over
            </Button>
          </div>
        )}
      </div>
      <p role="alert" css={{ color: colour.bad, fontWeight: 600, ':empty': { display: 'none' } }}>
        {assigning.error !== undefined && reasonOf(assigning.error)}
      </p>
      {handover && <Handover change={handover} myId={myId} />}
    </div>
  )
}
