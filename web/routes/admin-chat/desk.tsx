import { useEffect, useRef, useState } from 'react'
import type { Console } from '../../chat/console.ts'
import { type ConsoleState, chatBeside, conversationOf, nextUnread } from '../../chat/console-state.ts'
import { HttpError } from '../../http.ts'
import { useMe } from '../../staff/account.ts'
import { FetchFailure } from '../../staff/notice.tsx'
import { Button } from '../../ui/button.tsx'
import { BackIcon } from '../../ui/icons.tsx'
import { from, space, unseen } from '../../ui/theme.ts'
import { ChatDetails } from './chat-details.tsx'
import { useChatRecord } from './chat-record.ts'
import { ConversationPane, EmptyPane } from './conversation-pane.tsx'
import { EndDialog } from './end-dialog.tsx'
import { type Command, onCommand } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import type { useChosenChat } from './use-chosen-chat.ts'

const WIDE = '@media (min-width: 80rem)'

/** The list, the chosen chat and what is known of it: side by side, on a phone one after the other. */
export const Desk = (props: {
  state: ConsoleState
  chat: Console
  chosen: ReturnType<typeof useChosenChat>
  onHelp: () => void
}) => {
  const { state, chat, chosen } = props
  const { sessionId } = chosen
  const { data: me } = useMe()
  const { data: record, error, mutate } = useChatRecord(sessionId)
  const [isEnding, setIsEnding] = useState(false)
  const [notice, setNotice] = useState('')
  const sidebar = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const left = useRef(sessionId)
  const isErasedNow = sessionId !== undefined && state.erased.includes(sessionId)
  const isErased = isErasedNow || record?.isErased === true
  const listed = state.sessions.find((one) => one.sessionId === sessionId)
  const hasEndedNow = listed?.isActive === false
  const known = listed ?? record?.session
  const session = isErased ? undefined : known
  const isActive = session?.isActive ?? false

  useEffect(() => {
    chat.select(sessionId)
    setIsEnding(false)
    setNotice('')
    // On a phone the chat takes the list's place, and the window; the list comes back to where one left it.
    if (sessionId && !sidebar.current?.offsetParent) column.current?.scrollIntoView()
    if (!sessionId && document.activeElement === document.body)
      sidebar.current?.querySelector<HTMLElement>(`[data-session="${left.current}"]`)?.focus()
    left.current = sessionId
  }, [chat, sessionId])

  // What happened to the chat while nothing was told, and who ended it; what is kept of a record goes with its chat.
  const { isConnected } = state
  const isStale = useRef(false)
  useEffect(() => {
    if (!isConnected || isErasedNow || hasEndedNow) isStale.current = true
    if (!isConnected || !isStale.current) return
    isStale.current = false
    mutate()
  }, [isConnected, isErasedNow, hasEndedNow, mutate])

  const act = (command: Command) => {
    // a key may come before the console is told what is shown
    const shown = { ...chat.get(), selected: sessionId }
    switch (command) {
      case 'next':
        return chosen.choose(chatBeside(shown, 1) ?? sessionId)
      case 'previous':
        return chosen.choose(chatBeside(shown, -1) ?? sessionId)
      case 'next-unread': {
        const unread = nextUnread(shown)
        setNotice(unread ? '' : 'No other unread chats')
        return unread && chosen.choose(unread)
      }
      case 'answer':
        return document.getElementById('answer')?.focus()
      case 'end':
        return isActive && state.isConnected && setIsEnding(true)
      case 'help':
        return props.onHelp()
      default:
        return command satisfies never
    }
  }
  const latest = useRef(act)
  latest.current = act
  useEffect(() => onCommand((command) => latest.current(command)), [])

  const messages = sessionId ? conversationOf(state, sessionId).messages : []
  const isUnknown = error instanceof HttpError && (error.status === 404 || error.status === 400)
  const onlyFrom = (isShown: boolean) => ({
    minWidth: 0,
    display: isShown ? 'grid' : 'none',
    [from.large]: { display: 'grid' },
  })
  return (
    <div
      css={{
        display: 'grid',
        alignItems: 'start',
        gap: space.roomy,
        marginTop: space.base,
        [from.large]: { gridTemplateColumns: '18rem minmax(0, 1fr)' },
        [WIDE]: { gridTemplateColumns: session ? '18rem minmax(0, 1fr) 16rem' : '18rem minmax(0, 1fr)' },
      }}
    >
      <div ref={sidebar} css={onlyFrom(!sessionId)}>
        <Sidebar state={state} myId={me?.id} chosen={chosen} onMore={chat.loadMore} />
      </div>
      <div
        ref={column}
        css={[
          onlyFrom(Boolean(sessionId)),
          { gridTemplateColumns: 'minmax(0, 1fr)', gap: space.snug, scrollMarginTop: space.tight },
          // The pane and what stands beside it are columns of the whole desk.
          { [WIDE]: { display: 'contents' } },
        ]}
      >
        <Button
          look="quiet"
          onClick={() => chosen.choose(undefined)}
          css={{ justifySelf: 'start', [from.large]: { display: 'none' } }}
        >
          <BackIcon /> All chats
        </Button>
        {session ? (
          <>
            <ConversationPane
              key={`${session.sessionId}-pane`}
              state={state}
              session={session}
              record={record}
              chat={chat}
              myId={me?.id}
              takesFocus={chosen.isFresh}
              onEnd={() => setIsEnding(true)}
            />
            <ChatDetails
              key={session.sessionId}
              session={session}
              messages={messages}
              record={record}
              failure={error}
              live={state.pages[session.sessionId] ?? []}
              onChange={() => mutate()}
            />
          </>
        ) : (
          <EmptyPane title={isErased ? 'Erased chat' : undefined} takesFocus={isErased}>
            {isErased && 'This conversation was erased.'}
            {!sessionId && 'No chat selected'}
            {isUnknown && 'Chat not found. Check the link.'}
            {error && !isUnknown && (
              <FetchFailure title="Error loading the chat" error={error} retry={() => mutate()} />
            )}
            {sessionId && !error && !isErased && 'Loading the chat...'}
          </EmptyPane>
        )}
      </div>
      {isEnding && session && (
        <EndDialog
          visitor={session.visitorName || 'Anonymous'}
          onClose={() => setIsEnding(false)}
          onEnd={() => {
            chat.end(session.sessionId)
            setIsEnding(false)
          }}
        />
      )}
      <p role="status" css={unseen}>
        {notice}
      </p>
    </div>
  )
}
