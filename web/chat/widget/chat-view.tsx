import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { trayOf } from '../messaging/file-tray.ts'
import { FileButton } from '../parts/file-button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { FileTrayList } from '../parts/file-tray-list.tsx'
import { MessageForm } from '../parts/message-form.tsx'
import { MessageList } from '../parts/message-list.tsx'
import type { Session } from '../visitor/stored-chat.ts'
import {
  endChat,
  removeChat,
  retryMessage,
  sendFile,
  sendMessage,
  startOver,
  writeDraft,
} from '../visitor/visitor-actions.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import type { CanEmail } from './away-notice.tsx'
import type { ChatAction } from './chat-menu.tsx'
import { Connecting } from './connecting.tsx'
import { Question } from './question.tsx'
import { QuestionChips } from './question-chips.tsx'
import { Rating } from './rating.tsx'
import { withKeyboard } from './sheet.tsx'

// The visitor's own clock; staff see the agency's.
const timeOf = (timestamp: string) =>
  new Date(timestamp).toLocaleTimeString('en-ZA', { hour: '2-digit', minute: '2-digit', hour12: false })

const dayName = new Intl.DateTimeFormat('en-ZA', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const dayOf = (instant: string | Date) => dayName.format(new Date(instant))

const Ended = ({ chat }: { chat: VisitorChat }) => (
  <div
    css={{
      display: 'grid',
      justifyItems: 'center',
      gap: space.tight,
      minHeight: 0, // scrolls above a phone's keyboard
      overflowY: 'auto',
      padding: space.snug,
      borderTop: `1px solid ${colour.line}`,
    }}
  >
    <p css={{ color: colour.soft, fontSize: type.small }}>This chat has ended.</p>
    <Rating chat={chat} />
    <Button look="quiet" onClick={startOver}>
      Start a new chat
    </Button>
  </div>
)

/** The greeting that the visitor replied to, and the welcome to the chat. */
const openingOf = ({ greeting, welcome }: Session) => [
  ...(greeting ? [{ name: SUPPORT_TEAM_NAME, message: greeting }] : []),
  ...(welcome ? [{ name: SUPPORT_TEAM_NAME, ...welcome }] : []),
]

/** Nothing has been written or drafted yet. */
const isBlank = ({ conversation, draft }: VisitorChat) =>
  conversation.messages.length === 0 && conversation.unsent.length === 0 && draft === ''

const EndQuestion = ({ onAnswer }: { onAnswer: () => void }) => (
  <Question
    id="chat-end-question"
    title="End this chat?"
    safe="Keep chatting"
    onSafe={onAnswer}
    final="End chat"
    onFinal={() => {
      endChat()
      onAnswer()
    }}
  >
    <p>You can still read it here, but it no longer takes messages.</p>
  </Question>
)

const RemoveQuestion = ({ canAnswer, onKeep }: { canAnswer: boolean; onKeep: () => void }) => (
  <Question
    id="chat-delete-question"
    title="Delete this chat from this device?"
    safe="Keep it"
    onSafe={onKeep}
    final="Delete it"
    onFinal={removeChat}
  >
    <p>
      It goes from this browser with anything you have not sent, so that other people who use it cannot read it.{' '}
      {canAnswer ? 'Our team keeps the chat, and can answer by email.' : 'Our team keeps the chat.'}
    </p>
  </Question>
)

/** The second stage of the widget: the conversation. `canEmail` is whether a reply can come by email. */
export const Talk = (props: {
  chat: VisitorChat
  session: Session
  canEmail: CanEmail
  /** The action that the visitor is asked to confirm. */
  question: ChatAction | undefined
  onAnswer: () => void
}) => {
  const { chat, session, canEmail, question, onAnswer: cancel } = props
  const { sessionId = '', resumeToken } = session
  const canWrite = chat.isConnected && sessionId !== ''
  const store = { sessionId, resumeToken }
  const tray = trayOf(sessionId)
  const to = { store, onStored: (file: ChatFile) => sendFile(sessionId, file) }
  const addFiles = canWrite && !chat.hasEnded ? (files: File[]) => tray.add(files, to) : undefined
  if (question === 'end' && chat.isConnected && !chat.hasEnded) return <EndQuestion onAnswer={cancel} />
  if (question === 'remove')
    return <RemoveQuestion canAnswer={canEmail === true && session.visitorEmail !== ''} onKeep={cancel} />
  return (
    <FileDrop onFiles={addFiles}>
      <MessageList
        label="Conversation"
        conversation={chat.conversation}
        ownType="visitor"
        ownName={session.visitorName || 'You'}
        store={store}
        receipt={chat.receipts.admin}
        timeOf={timeOf}
        dayOf={dayOf}
        opening={openingOf(session)}
        typing={chat.isSupportTyping ? `${SUPPORT_TEAM_NAME} is typing` : undefined}
        onRetry={retryMessage}
      />
      <Connecting waiting={chat.isConnected ? chat.waiting : 'Connecting to chat...'} draft={chat.draft} />
      {chat.hasEnded ? (
        <Ended chat={chat} />
      ) : (
        <>
          {canWrite && session.welcome && isBlank(chat) && (
            <div css={{ flex: 'none', padding: `0 ${space.base} ${space.snug}`, [withKeyboard]: { display: 'none' } }}>
              <QuestionChips onChoose={sendMessage} />
            </div>
          )}
          <FileTrayList tray={tray} formId="chat-message" to={to} />
          <MessageForm
            id="chat-message"
            placeholder="Type your message..."
            isLocked={!canWrite} // disabled while disconnected
            draft={chat.draft}
            takesFocus={chat.takesFocus}
            aside={<FileButton formId="chat-message" disabled={!canWrite} onFiles={(files) => addFiles?.(files)} />}
            onFiles={addFiles}
            onDraft={writeDraft}
            onSend={sendMessage}
          />
        </>
      )}
    </FileDrop>
  )
}
