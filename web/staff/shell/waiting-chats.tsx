import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSWRConfig } from 'swr'
import { type WaitingChats, waitingChats } from '../../../events/chat/wire.ts'
import { get } from '../../client/get.ts'
import { useMe } from '../account.ts'
import { tellOfHandedChats } from '../alerts/handed-chats.ts'
import { passOverChats, tellOfNewChats } from '../alerts/new-chats.ts'
import { useGet } from '../use-get.ts'
import { CountBadge } from './count-badge.tsx'
import { useTitleCount } from './title.ts'

const KEY = '/api/chats/waiting'
const CONSOLE_PATH = '/admin-chat'

/**
 * Reads how many visitors wait, which of their chats nobody has answered yet, and which chats colleagues have handed
 * over.
 */
export const readWaitingChats = () => get(KEY, waitingChats)

const warn = (error: unknown) => console.warn('Chats could not be told of:', error)

/** Has this browser tell of chats, each once; not on the console, which tells by itself. */
const useTellOfChats = ({ newest, handed }: Partial<WaitingChats>, isConsole: boolean) => {
  const navigate = useRef(useNavigate())
  const myId = useMe().data?.id
  const wasConsole = useRef(isConsole)
  if (isConsole) wasConsole.current = true
  useEffect(() => {
    if (!handed || !myId) return
    const open = (sessionId: string) => navigate.current(`${CONSOLE_PATH}?session=${sessionId}`)
    tellOfHandedChats(myId, handed, { open, isOpen: () => false }).catch(warn)
  }, [handed, myId])
  useEffect(() => {
    if (!newest) return
    const open = (sessionId?: string) => navigate.current(`${CONSOLE_PATH}${sessionId ? `?session=${sessionId}` : ''}`)
    // what has come while the console was open was told there
    const telling = wasConsole.current ? passOverChats(newest) : tellOfNewChats(newest, open)
    wasConsole.current = false
    telling.catch(warn)
  }, [newest])
}

/**
 * How many visitors wait for staff in the chat, beside the link to it and in front of the tab's title; nothing for none.
 * Polled with the chats that nobody has answered yet and those that colleagues have handed over: each is told
 * once. The console knows better: there it shows what that says.
 */
export const WaitingBadge = () => {
  const isConsole = useLocation().pathname === CONSOLE_PATH
  const { data, mutate } = useGet(KEY, waitingChats, {
    poll: 'waiting',
    // a visitor who waits has to be noticed in any tab
    refreshWhenHidden: true,
    revalidateIfStale: !isConsole,
    isPaused: () => isConsole,
    // what else the screen fetches tells that somebody is signed out, or the server is away
    onError: () => {},
  })
  const wasConsole = useRef(isConsole)
  useEffect(() => {
    if (wasConsole.current && !isConsole) mutate()
    wasConsole.current = isConsole
  }, [isConsole, mutate])
  useTellOfChats(data ?? {}, isConsole)
  const count = data?.count ?? 0
  useTitleCount('chats', isConsole ? undefined : count)
  return <CountBadge count={count} label="waiting" tone="news" />
}

/** Has the badge show what the console counts; undefined, as long as it cannot count, leaves what was fetched last. */
export const useWaitingCount = (count: number | undefined) => {
  const { mutate } = useSWRConfig()
  useEffect(() => {
    if (count !== undefined) mutate(KEY, { count }, { revalidate: false })
  }, [mutate, count])
}
