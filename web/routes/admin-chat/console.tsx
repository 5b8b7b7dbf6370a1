import { useEffect, useState, useSyncExternalStore } from 'react'
import { ConnectionLight } from '../../chat/connection-light.tsx'
import { openConsole } from '../../chat/console.ts'
import { leaveToSignIn } from '../../staff/app.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { ConversationPane } from './conversation-pane.tsx'
import { SessionList } from './session-list.tsx'

const Chats = ({ chat }: { chat: ReturnType<typeof openConsole> }) => {
  const state = useSyncExternalStore(chat.subscribe, chat.get)
  const active = state.sessions.filter(({ isActive }) => isActive).length
  return (
    <>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.tight} ${space.roomy}` }}>
        <h1 css={{ fontSize: type.heading }}>Live chat</h1>
        <ConnectionLight isConnected={state.isConnected} />
        <p css={{ color: colour.soft }}>Active Sessions: {active}</p>
      </div>
      <p role="status" css={{ minHeight: '1.6em', color: colour.soft }}>
        {!state.isConnected && 'Connecting to chat server...'}
      </p>
      <div
        css={{
          display: 'grid',
          gap: space.roomy,
          marginTop: space.tight,
          [from.large]: { gridTemplateColumns: '20rem 1fr', alignItems: 'start' },
        }}
      >
        <SessionList state={state} onSelect={chat.select} />
        <ConversationPane state={state} chat={chat} />
      </div>
    </>
  )
}

/** Where staff answer chats: a socket opens with the page and closes with it (specification, 2 and 4). */
export const Console = () => {
  const [chat, setChat] = useState<ReturnType<typeof openConsole>>()
  useEffect(() => {
    const opened = openConsole({ onSignedOut: leaveToSignIn })
    setChat(opened)
    return opened.close
  }, [])
  return chat ? <Chats chat={chat} /> : null
}
