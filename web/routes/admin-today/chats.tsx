import { Link } from 'react-router'
import type { Today } from '../../../events/wire/today.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { shortMomentOf } from '../../staff/leads/day.ts'
import { visitorNameOf } from '../../staff/visitor-name.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { Row, Section } from './section.tsx'

const DAY_INTERVAL_MS = 60_000

const ChatRow = ({
  chat: { sessionId, visitorName, waitingSince, lastWords },
}: {
  chat: Today['chats']['chats'][number]
}) => {
  const address = `/admin-chat?session=${sessionId}`
  const name = visitorNameOf(visitorName)
  const now = useNow(DAY_INTERVAL_MS)
  return (
    <Row
      title={<Link to={address}>{name}</Link>}
      actions={
        <ButtonLink look="quiet" {...useGoTo(address)} aria-label={`Answer ${name}`}>
          Answer
        </ButtonLink>
      }
    >
      {waitingSince && <span>Waiting since {shortMomentOf(waitingSince, now)}</span>}
      {lastWords && (
        <span dir="auto" css={{ overflowWrap: 'anywhere' }}>
          {lastWords}
        </span>
      )}
    </Row>
  )
}

/** The visitors who wait in the chat; nothing where nobody does. */
export const ChatSection = ({ found: { count, chats } }: { found: Today['chats'] }) =>
  chats.length === 0 ? null : (
    <Section
      id="waiting-chats"
      title="Waiting chats"
      count={String(count)}
      all="/admin-chat"
      total={count}
      shown={chats.length}
    >
      {chats.map((chat) => (
        <ChatRow key={chat.sessionId} chat={chat} />
      ))}
    </Section>
  )
