import { Link } from 'react-router'
import type { AssignmentChange } from '../../../events/chat/wire.ts'
import type { Today } from '../../../events/lead/screens/today-wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { presentName, useColleagues } from '../../staff/account/colleagues.ts'
import { holderInWords } from '../../staff/chat/chat-assignee.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { Chip } from '../../staff/chip.tsx'
import { TO_ANSWER, useGoTo } from '../../staff/go-to.ts'
import { chatWaitInWords } from '../../staff/leads/clock/clock.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChatIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { colour } from '../../ui/theme.ts'
import { Row } from './section.tsx'

/** The assignee of the chat, the staff member who handed it over, and their note; nothing if that is not known. */
const Holder = ({ assigned }: { assigned: AssignmentChange | null | undefined }) => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  if (assigned === undefined || !me) return null
  if (!assigned?.to) return <span>Unassigned</span>
  const { to, by, note } = assigned
  const isMine = to.staffId === me.id
  const assignedBy = by.staffId === me.id ? 'you' : presentName(by, colleagues)
  return (
    <>
      <span css={{ color: colour.ink, ...(isMine && { fontWeight: 600 }) }}>
        {holderInWords(assigned, { myId: me.id, colleagues })}
        {by.staffId !== to.staffId && ` by ${assignedBy}`}
      </span>
      {note && (
        <span dir="auto" css={{ color: colour.ink }}>
          Note: {note}
        </span>
      )}
    </>
  )
}

export const ChatRow = ({
  chat: { sessionId, visitorName, waitingSince, lastWords, assigned },
}: {
  chat: Today['chats']['chats'][number]
}) => {
  const address = `/admin-chat?session=${sessionId}`
  const name = visitorNameOf(visitorName)
  const now = useNow()
  return (
    <Row
      id={sessionId}
      title={<Link to={address}>{name}</Link>}
      actions={
        <ButtonLink look="quiet" {...useGoTo(address, TO_ANSWER)} aria-label={`Answer ${name}`}>
          Answer
        </ButtonLink>
      }
      due={
        waitingSince && (
          <Chip tone="fresh">
            <ChatIcon />
            {chatWaitInWords(waitingSince, now)}
          </Chip>
        )
      }
    >
      <Holder assigned={assigned} />
      {lastWords && <span dir="auto">{lastWords}</span>}
    </Row>
  )
}
