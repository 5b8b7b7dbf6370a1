import { type ConsoleState, unreadOf } from '../../chat/console.ts'
import { badge } from '../../chat/conversation.ts'
import { timeOf } from '../../staff/lead-day.ts'
import { colour, radius, space, type, unseen } from '../../ui/theme.ts'

/** The chats that wait for an answer, and how much of each nobody has read. */
export const SessionList = ({ state, onSelect }: { state: ConsoleState; onSelect: (sessionId: string) => void }) => (
  <section
    aria-labelledby="active-chats"
    css={{
      overflow: 'hidden',
      border: `1px solid ${colour.line}`,
      borderRadius: radius.card,
      background: colour.sheet,
    }}
  >
    <h2 id="active-chats" css={{ padding: space.base, fontSize: type.body, letterSpacing: 0 }}>
      Active Chats
    </h2>
    {state.sessions.length === 0 && (
      <p css={{ padding: space.base, borderTop: `1px solid ${colour.line}`, color: colour.soft }}>
        No active chat sessions
      </p>
    )}
    <ul css={{ maxHeight: 540, overflowY: 'auto' }}>
      {state.sessions.map((session) => {
        const unread = unreadOf(state, session.sessionId)
        return (
          <li key={session.sessionId} css={{ borderTop: `1px solid ${colour.line}` }}>
            <button
              type="button"
              aria-pressed={session.sessionId === state.selected}
              onClick={() => onSelect(session.sessionId)}
              css={{
                display: 'grid',
                gridTemplateColumns: '1fr auto',
                gap: `0 ${space.tight}`,
                width: '100%',
                padding: `${space.snug} ${space.base}`,
                border: 0,
                background: 'transparent',
                textAlign: 'left',
                overflowWrap: 'anywhere',
                ':hover': { background: colour.sunk },
                ':focus-visible': { outlineOffset: -3 },
                '&[aria-pressed="true"]': { background: colour.accentWash },
              }}
            >
              <span css={{ fontWeight: unread ? 700 : 600 }}>{session.visitorName || 'Anonymous'}</span>
              {unread > 0 && (
                <span
                  css={{
                    minWidth: '1.5rem',
                    padding: '0 0.375rem',
                    borderRadius: radius.round,
                    background: colour.accent,
                    color: colour.onAccent,
                    fontSize: '0.8125rem',
                    fontWeight: 700,
                    alignSelf: 'start',
                    lineHeight: '1.5rem',
                    textAlign: 'center',
                  }}
                >
                  {badge(unread)}
                  <span css={unseen}> unread</span>
                </span>
              )}
              <span css={{ gridColumn: '1 / -1', color: colour.soft, fontSize: '0.8125rem' }}>
                {session.isActive ? 'Since' : 'Ended; since'} {timeOf(session.startTime)}
                {session.pageUrl && ` on ${session.pageUrl}`}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  </section>
)
