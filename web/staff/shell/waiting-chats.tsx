import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { mutate } from 'swr'
import { type WaitingChats, waitingChats } from '../../../events/chat/wire.ts'
import { get } from '../../client/get.ts'
import { useMe } from '../account/account.ts'
import { notifyOfHandedChats } from '../alerts/handed-chats.ts'
import { notifyOfNewChats, passOverChats } from '../alerts/new-chats.ts'
import { useGet } from '../requests/use-get.ts'
import { CountBadge } from './count-badge.tsx'
import { useTitleCount } from './title.ts'

const KEY = '/api/chats/waiting'
const CONSOLE_PATH = '/admin-chat'

/**
 * Reads the number of waiting visitors, which of their chats have no reply yet, and which chats colleagues have handed
 * over.
 */
export const readWaitingChats = () => get(KEY, waitingChats)

const warn = (error: unknown) => console.warn('Waiting chats could not be announced:', error)

/** Makes this browser notify of chats, each once; not on the console, which does so by itself. */
const useChatNotifications = ({ newest, handed }: Partial<WaitingChats>, isConsole: boolean) => {
  const navigate = useRef(useNavigate())
  const myId = useMe().data?.id
  const wasConsole = useRef(isConsole)
  if (isConsole) wasConsole.current = true
  useEffect(() => {
    if (!handed || !myId) return
    const open = (sessionId: string) => navigate.current(`${CONSOLE_PATH}?session=${sessionId}`)
    notifyOfHandedChats(myId, handed, { open, isOpen: () => false }).catch(warn)
  }, [handed, myId])
  useEffect(() => {
    if (!newest) return
    const open = (sessionId?: string) => navigate.current(`${CONSOLE_PATH}${sessionId ? `?session=${sessionId}` : ''}`)
    // the console has already notified of chats that came while it was open
    const showing = wasConsole.current ? passOverChats(newest) : notifyOfNewChats(newest, open)
    wasConsole.current = false
    showing.catch(warn)
  }, [newest])
}

/**
 * The number of visitors who wait for staff in the chat, next to the link to it and in front of the tab's title;
 * renders nothing for 0. Polled together with the chats without a reply and those that colleagues have handed over:
 * each is notified once. On the console it shows the console's own, more current count.
 */
export const WaitingBadge = () => {
  const isConsole = useLocation().pathname === CONSOLE_PATH
  const { data } = useGet(KEY, waitingChats, {
    poll: 'waiting',
    // a waiting visitor has to be noticed in any tab
    refreshWhenHidden: true,
    revalidateIfStale: !isConsole,
    isPaused: () => isConsole,
    // other requests of the screen report a lost session or server
    onError: () => {},
  })
  const wasConsole = useRef(isConsole)
  useEffect(() => {
    if (wasConsole.current && !isConsole) mutate(KEY)
    wasConsole.current = isConsole
  }, [isConsole])
  useChatNotifications(data ?? {}, isConsole)
  const count = data?.count ?? 0
  useTitleCount('chats', isConsole ? undefined : count)
  return <CountBadge count={count} label="waiting" tone="news" />
}

/** Makes the badge show the console's count; undefined, as long as it cannot count, leaves the last fetched one. */
export const useWaitingCount = (count: number | undefined) => {
  useEffect(() => {
    if (count !== undefined) mutate(KEY, { count }, { revalidate: false })
  }, [count])
}
