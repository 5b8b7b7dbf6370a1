import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Console as OpenConsole } from '../../chat/console/console.ts'
import type { MissedMessage } from '../../chat/console/console-evolution.ts'
import { activeCount, totalUnread, waitingCount } from '../../chat/console/console-state.ts'
import { ConnectionLight } from '../../chat/parts/connection-light.tsx'
import { checkSessionSoon, useMe } from '../../staff/account/account.ts'
import { alerts } from '../../staff/alerts/alerts.ts'
import { noteOpenConsole } from '../../staff/alerts/console-lock.ts'
import { openHandedChats } from '../../staff/alerts/handed-chats.ts'
import { refreshChatRecord } from '../../staff/chat/chat-record.ts'
import { type KeyGroup, openKeyHelp, useKeysInHelp } from '../../staff/list/key-help.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { useTitle, useTitleCount } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { readWaitingChats, useWaitingCount } from '../../staff/shell/waiting-chats.tsx'
import { useNow } from '../../ui/now.ts'
import { onPhone, space } from '../../ui/theme.ts'
import { ConsoleLayout } from './layout.tsx'
import { SHORTCUTS } from './shortcuts.ts'
import { useChosenChat } from './use-chosen-chat.ts'

const CHAT_KEYS: KeyGroup = { title: 'In the chat', keys: SHORTCUTS }

const Chats = ({ chat, chosen }: { chat: OpenConsole; chosen: ReturnType<typeof useChosenChat> }) => {
  const state = useSyncExternalStore(chat.store.subscribe, chat.store.get)
  useKeysInHelp(CHAT_KEYS)
  useTitle('Chat')
  useTitleCount('chats', totalUnread(state))
  const now = useNow()
  useWaitingCount(state.isListed ? waitingCount(state, now) : undefined)
  return (
    <>
      <TopBar
        title="Chat"
        note={
          <div
            css={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: space.base,
              // two lines, so that the menu stays next to them
              [onPhone]: { maxWidth: '8.5rem' },
            }}
          >
            <ConnectionLight isConnected={state.isConnected} />
            <p>Active Sessions: {state.isListed ? activeCount(state) : '…'}</p>
            <p role="status">
              {!state.isConnected && 'Connecting to chat server...'}
              {state.isWaiting && 'The chats are being prepared. They appear here in a moment.'}
            </p>
          </div>
        }
      />
      <ConsoleLayout state={state} chat={chat} chosen={chosen} onHelp={openKeyHelp} />
    </>
  )
}

/** The screen on which staff reply to chats. A socket opens with the page and closes with it. */
export const Console = () => {
  const { data: me, error, mutate } = useMe()
  const staffId = me?.id
  const chosen = useChosenChat()
  const shown = useRef(chosen)
  shown.current = chosen
  const [chat, setChat] = useState<OpenConsole>()
  useEffect(() => {
    if (!staffId) return
    const onMissed = ({ sessionId, senderName, message }: MissedMessage) =>
      alerts.tell('message', {
        title: `New message from ${senderName}`,
        body: message,
        tag: sessionId,
        onOpen: () => shown.current.choose(sessionId),
      })
    const chats = openHandedChats({
      accountId: staffId,
      read: async () => (await readWaitingChats()).handed ?? [],
      open: (sessionId) => shown.current.choose(sessionId),
      isOpen: (sessionId) => shown.current.sessionId === sessionId,
    })
    const opened = new OpenConsole(staffId, {
      onSignedOut: checkSessionSoon,
      onMissed,
      onJoined: chats.joined,
      onHandedOver: chats.handed,
      onRecordChanged: refreshChatRecord,
    })
    setChat(opened)
    const noteClosed = noteOpenConsole()
    return () => {
      noteClosed()
      opened.close()
    }
  }, [staffId])
  if (error && !me) return <FetchFailure title="Error loading the chats" error={error} retry={() => mutate()} />
  return chat ? <Chats chat={chat} chosen={chosen} /> : null
}
