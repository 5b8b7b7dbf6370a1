import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatSession } from '../../../events/chat/wire.ts'
import type { Console } from '../../chat/console/console.ts'
import { type ConsoleState, type LiveChat, longestWaiting } from '../../chat/console/console-state.ts'
import { useMe } from '../../staff/account/account.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { BackIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { from, space, unseen } from '../../ui/theme.ts'
import { ChatDetails } from './chat-details.tsx'
import { ConversationPane, EmptyPane } from './conversation-pane.tsx'
import { HandoverDialog } from './handover-dialog.tsx'
import { OfferedChat } from './offered-chat.tsx'
import { Sidebar } from './sidebar.tsx'
import { type Assigning, useAssigning } from './use-assigning.ts'
import type { useChosenChat } from './use-chosen-chat.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { type ShownChat, useShownChat } from './use-shown-chat.ts'

/** Asks before a chat is ended, which cannot be undone. */
const EndDialog = (props: { visitor: string; onEnd: () => void; onClose: () => void }) => (
  <Dialog title="End this chat?" onClose={props.onClose}>
    <p>{props.visitor} can still read the chat, but it will be closed. This cannot be undone.</p>
    <DialogActions>
      <Button onClick={props.onEnd}>End chat</Button>
      <Button ref={firstFocus} look="outline" onClick={props.onClose}>
        Keep chatting
      </Button>
    </DialogActions>
  </Dialog>
)

const WIDE = '@media (min-width: 80rem)'

type LayoutProps = {
  state: ConsoleState
  chat: Console
  chosen: ReturnType<typeof useChosenChat>
  onHelp: () => void
}

/** Removes the drafts about a visitor who was erased while this browser had no connection. */
const useDiscardErased = (chat: Console, erasedId: string | undefined) => {
  useEffect(() => {
    if (erasedId === undefined) return
    chat.keep(erasedId, { draft: '' })
    chat.keep(erasedId, { handoverNote: '' })
  }, [chat, erasedId])
}

/** Shows the chosen chat in the console, and manages the focus and the scroll position. */
const useSelection = (chat: Console, sessionId: string | undefined, onChange: () => void) => {
  const sidebar = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const left = useRef(sessionId)
  useEffect(() => {
    chat.select(sessionId)
    onChange()
    // On a phone the chat takes the place of the list, and the window; the list comes back at its earlier scroll
    // position. A screen that opens with a chat opens at its top.
    if (sessionId !== left.current && sessionId && !sidebar.current?.offsetParent) column.current?.scrollIntoView()
    if (!sessionId && document.activeElement === document.body)
      sidebar.current?.querySelector<HTMLElement>(`[data-session="${left.current}"]`)?.focus()
    left.current = sessionId
  }, [chat, sessionId, onChange])
  return { sidebar, column }
}

type NoChatProps = {
  sessionId: string | undefined
  shown: ShownChat
  offered: LiveChat | undefined
  onOpen: (sessionId: string) => void
}

const NoChat = ({ sessionId, shown: { isErased, isUnknown, error, refresh }, offered, onOpen }: NoChatProps) => (
  <EmptyPane title={isErased ? 'Erased chat' : undefined} takesFocus={isErased}>
    {isErased && 'This conversation was erased.'}
    {!sessionId && <p>No chat selected</p>}
    {!sessionId && offered?.session && <OfferedChat session={offered.session} onOpen={onOpen} />}
    {isUnknown && 'Chat not found. Check the link.'}
    {error && !isUnknown && <FetchFailure title="Error loading the chat" error={error} retry={refresh} />}
    {sessionId && !error && !isErased && 'Loading the chat...'}
  </EmptyPane>
)

const onlyFrom = (isShown: boolean) => ({
  minWidth: 0,
  display: isShown ? 'grid' : 'none',
  [from.large]: { display: 'grid' },
})

type OneChatProps = {
  isConnected: boolean
  chat: Console
  session: ChatSession
  shown: ShownChat
  assigning: Assigning
  myId: string | undefined
  takesFocus: boolean
  onEnd: () => void
}

const OneChat = ({ isConnected, chat, session, shown, assigning, myId, takesFocus, onEnd }: OneChatProps) => (
  <>
    <ConversationPane
      key={`${session.sessionId}-pane`}
      isConnected={isConnected}
      live={shown.live}
      session={session}
      record={shown.record}
      chat={chat}
      assignment={shown.assignment}
      assigning={assigning}
      myId={myId}
      takesFocus={takesFocus}
      onEnd={onEnd}
      onChange={shown.refresh}
    />
    <ChatDetails
      key={session.sessionId}
      session={session}
      messages={shown.live.messages}
      record={shown.record}
      failure={shown.error}
      live={shown.live.pages}
      onChange={shown.refresh}
    />
  </>
)

const sideBySide = (hasDetails: boolean) => ({
  display: 'grid',
  alignItems: 'start',
  gap: space.base,
  [from.large]: { gridTemplateColumns: '17.5rem minmax(0, 1fr)' },
  [WIDE]: { gridTemplateColumns: hasDetails ? '17.5rem minmax(0, 1fr) 18.75rem' : '17.5rem minmax(0, 1fr)' },
})

const BackToList = ({ onPress }: { onPress: () => void }) => (
  <Button look="quiet" onClick={onPress} css={{ justifySelf: 'start', [from.large]: { display: 'none' } }}>
    <BackIcon /> All chats
  </Button>
)

/** The list, the chosen chat and the facts about it: side by side, on a phone one after the other. */
export const ConsoleLayout = ({ state, chat, chosen, onHelp }: LayoutProps) => {
  const { sessionId, assignees } = chosen
  const { data: me } = useMe()
  const shown = useShownChat(state, sessionId)
  const { session, assignment } = shown
  const now = useNow()
  useDiscardErased(chat, shown.isErased ? sessionId : undefined)
  const [isEnding, setIsEnding] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const assigning = useAssigning(sessionId ?? '', assignment, me?.id)
  const { closeHandover, clearError } = assigning
  const onChange = useCallback(() => {
    setIsEnding(false)
    closeHandover()
    clearError()
    setAnnouncement('')
  }, [closeHandover, clearError])
  const { sidebar, column } = useSelection(chat, sessionId, onChange)
  useEffect(() => chat.show(assignees), [chat, assignees])
  const isActive = session?.isActive ?? false
  const end = () => setIsEnding(true)
  useShortcuts({ chat, chosen, assigning, isActive, onEnd: end, onHelp, announce: setAnnouncement })
  return (
    <div css={sideBySide(session !== undefined)}>
      <div ref={sidebar} css={onlyFrom(!sessionId)}>
        <Sidebar state={state} myId={me?.id} chosen={chosen} onMore={chat.loadMore} />
      </div>
      <div
        ref={column}
        css={[
          onlyFrom(Boolean(sessionId)),
          { gridTemplateColumns: 'minmax(0, 1fr)', gap: space.snug, scrollMarginTop: space.tight },
          // The pane and the content next to it are columns of the whole layout.
          { [WIDE]: { display: 'contents' } },
        ]}
      >
        <BackToList onPress={() => chosen.choose(undefined)} />
        {session ? (
          <OneChat
            isConnected={state.isConnected}
            chat={chat}
            session={session}
            shown={shown}
            assigning={assigning}
            myId={me?.id}
            takesFocus={chosen.isFresh}
            onEnd={end}
          />
        ) : (
          <NoChat sessionId={sessionId} shown={shown} offered={longestWaiting(state, now)} onOpen={chosen.choose} />
        )}
      </div>
      {assigning.handover && session && (
        <HandoverDialog
          sessionId={session.sessionId}
          leadId={shown.record?.leadId ?? undefined}
          assignment={assigning.handover}
          chats={state.chats}
          myId={me?.id}
          note={shown.live.handoverNote}
          onNote={(handoverNote) => chat.keep(session.sessionId, { handoverNote })}
          onClose={closeHandover}
        />
      )}
      {isEnding && session && (
        <EndDialog
          visitor={visitorNameOf(session.visitorName)}
          onClose={() => setIsEnding(false)}
          onEnd={() => {
            chat.end(session.sessionId)
            setIsEnding(false)
          }}
        />
      )}
      <p role="status" css={unseen}>
        {announcement}
      </p>
    </div>
  )
}
