import { Link } from 'react-router'
import type { ChatRecord } from '../../../events/chat/wire.ts'
import { briefMomentOf } from '../../staff/day.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { type } from '../../ui/theme.ts'

/** The newest other chats of the same visitor; nothing if there are none. */
export const EarlierChats = ({ chats }: { chats: NonNullable<ChatRecord['earlierChats']> }) =>
  chats.length === 0 ? null : (
    <ul aria-label={counted(chats.length, 'other chat')} css={{ fontSize: type.small }}>
      {chats.map(({ sessionId, startTime }) => (
        <li key={sessionId}>
          <Link to={`/admin-chat?session=${sessionId}`}>Chat of {briefMomentOf(startTime)}</Link>
        </li>
      ))}
    </ul>
  )
