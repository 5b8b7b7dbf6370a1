import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import useSWR, { useSWRConfig } from 'swr'
import * as v from 'valibot'
import { waitingChats } from '../../events/wire/chat.ts'
import { request } from '../http.ts'
import { tellOfHandedChats } from './alerts/handed-chats.ts'
import { CountBadge } from './count-badge.tsx'
import { useTitleCount } from './title.ts'

const KEY = '/api/chats/waiting'
const REFRESH_INTERVAL_MS = 10_000
const CONSOLE_PATH = '/admin-chat'

/** Reads how many visitors wait, and which chats colleagues have handed over. */
export const readWaitingChats = async () => v.parse(waitingChats, await (await request(KEY)).json())

/**
 * How many visitors wait for staff in the chat, beside the link to it and in front of the tab's title; nothing for none.
 * Fetched every 10 s in a tab that is in sight, with the chats that colleagues have handed over: each is told once. The console
 * knows better: there it shows what that says.
 */
export const WaitingBadge = () => {
  const isConsole = useLocation().pathname === CONSOLE_PATH
  const { data } = useSWR(KEY, readWaitingChats, {
    refreshInterval: REFRESH_INTERVAL_MS,
    revalidateIfStale: !isConsole,
    isPaused: () => isConsole,
    // what else the screen fetches tells that somebody is signed out, or the server is away
    onError: () => {},
  })
  const navigate = useRef(useNavigate())
  const handed = data?.handed
  useEffect(() => {
    if (!handed) return
    tellOfHandedChats(handed, (sessionId) => navigate.current(`${CONSOLE_PATH}?session=${sessionId}`)).catch((error) =>
      console.warn('Chats that were handed over could not be told of:', error),
    )
  }, [handed])
  const count = data?.count ?? 0
  useTitleCount('chats', isConsole ? undefined : count)
  return <CountBadge count={count} label="waiting" tone="news" />
}

/** Has the badge show what the console counts. */
export const useWaitingCount = (count: number) => {
  const { mutate } = useSWRConfig()
  useEffect(() => {
    mutate(KEY, { count }, { revalidate: false })
  }, [mutate, count])
}
