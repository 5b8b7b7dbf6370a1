import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** Which chats the list shows. */
export type ChatList = 'active' | 'ended'

/** The chat and the list that the address names: `?session=<id>&list=ended`. Each choice is a step for Back. */
export const useChosenChat = () => {
  const [params, setParams] = useSearchParams()
  const sessionId = params.get('session') ?? undefined
  const list: ChatList = params.get('list') === 'ended' ? 'ended' : 'active'
  const first = useRef(sessionId)
  const hasMoved = useRef(false)
  useEffect(() => {
    if (sessionId !== first.current) hasMoved.current = true
  }, [sessionId])
  const change = (name: 'session' | 'list', value: string | undefined, replace = false) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value) after.set(name, value)
        else after.delete(name)
        return after
      },
      { replace, preventScrollReset: true },
    )
  return {
    sessionId,
    list,
    /** Whether the chat was chosen on this page, and may take the focus; not what the page was opened with. */
    isFresh: hasMoved.current || sessionId !== first.current,
    choose: (id: string | undefined) => {
      if (id !== sessionId) change('session', id)
    },
    show: (shown: ChatList) => change('list', shown === 'ended' ? shown : undefined, true),
  }
}
