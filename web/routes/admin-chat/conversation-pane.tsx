import type { ReactNode } from 'react'
import { SUPPORT_TEAM_NAME } from '../../../events/chat.ts'
import { type ConsoleState, conversationOf, type openConsole } from '../../chat/console.ts'
import { MessageForm } from '../../chat/message-form.tsx'
import { MessageList } from '../../chat/message-list.tsx'
import { momentOf, timeOf } from '../../staff/lead-day.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'

const PANE_HEIGHT_PX = 600

const Pane = ({ children }: { children: ReactNode }) => (
  <section
    aria-label="Conversation"
    css={{
      display: 'flex',
      flexDirection: 'column',
      minWidth: 0,
      height: PANE_HEIGHT_PX,
      overflow: 'hidden',
      border: `1px solid ${colour.line}`,
      borderRadius: radius.card,
      background: colour.sheet,
    }}
  >
    {children}
  </section>
)

const Header = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div
    css={{
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: space.base,
      padding: `${space.snug} ${space.base}`,
      borderBottom: `1px solid ${colour.line}`,
    }}
  >
    <h2 css={{ fontSize: type.body, letterSpacing: 0, lineHeight: 1.6, overflowWrap: 'anywhere' }}>{title}</h2>
    {children}
  </div>
)

/** The selected chat, 600 px high (specification, 2 and 9). */
export const ConversationPane = ({ state, chat }: { state: ConsoleState; chat: ReturnType<typeof openConsole> }) => {
  const session = state.sessions.find(({ sessionId }) => sessionId === state.selected)
  if (!session) {
    return (
      <Pane>
        <Header title="Select a chat session" />
        <p css={{ margin: 'auto', color: colour.soft }}>No chat selected</p>
      </Pane>
    )
  }
  const { sessionId, visitorName, visitorEmail, isActive } = session
  const visitor = visitorName || 'Anonymous'
  return (
    <Pane>
      <Header title={`Chat with ${visitor}`}>
        {isActive && (
          <Button look="quiet" onClick={() => chat.end(sessionId)}>
            End chat
          </Button>
        )}
      </Header>
      <p
        css={{
          padding: `${space.tight} ${space.base}`,
          borderBottom: `1px solid ${colour.line}`,
          color: colour.soft,
          fontSize: type.small,
          overflowWrap: 'anywhere',
        }}
      >
        Started {momentOf(session.startTime)}
        {visitorEmail && ` · ${visitorEmail}`}
      </p>
      <MessageList
        key={sessionId}
        label={`Messages with ${visitor}`}
        conversation={conversationOf(state, sessionId)}
        ownType="admin"
        ownName={SUPPORT_TEAM_NAME}
        timeOf={timeOf}
        typing={state.typing[sessionId] ? `${visitor} is typing` : undefined}
      />
      {isActive ? (
        <MessageForm
          key={`${sessionId}-form`}
          id="answer"
          placeholder="Type your response..."
          disabled={!state.isConnected}
          draft={state.drafts[sessionId] ?? ''}
          onDraft={chat.write}
          onSend={chat.send}
        />
      ) : (
        <p css={{ padding: space.base, borderTop: `1px solid ${colour.line}`, color: colour.soft }}>
          This chat has ended.
        </p>
      )}
    </Pane>
  )
}
