import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import { ASSIGNEE_FILTERS, type AssigneeFilter } from '../../chat/console/console-pages.ts'
import { stored } from '../../client/stored.ts'
import { isToAnswer } from '../../staff/go-to.ts'

/** The assignees that a word of an address names. */
const filterNamed = (word: unknown): AssigneeFilter | undefined =>
  ASSIGNEE_FILTERS.find((assignees) => assignees === word)

/** The assignees whose chats this browser listed last. */
const storedFilter = stored('staff-chats-whose', 'device', filterNamed)

/** The assignees whose chats the list shows. */
export type ChatList = 'active' | 'ended'

/**
 * The chat and the list that the address names: `?session=<id>&list=ended&whose=mine`. Each choice of a chat is an
 * entry of the history. An address without `whose` uses the choice that this browser made last.
 */
export const useChosenChat = () => {
  const [params, setParams] = useSearchParams()
  const sessionId = params.get('session') ?? undefined
  const list: ChatList = params.get('list') === 'ended' ? 'ended' : 'active'
  const assignees = filterNamed(params.get('whose')) ?? storedFilter.read() ?? 'all'
  const first = useRef(sessionId)
  const { state } = useLocation()
  const how = useNavigationType()
  // not after Back or a reload: these open a chat to read it
  const hasMoved = useRef(isToAnswer(state) && how === NavigationType.Push)
  useEffect(() => {
    if (sessionId !== first.current) hasMoved.current = true
  }, [sessionId])
  const change = (name: 'session' | 'list' | 'whose', value: string | undefined, replace = false) =>
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
    assignees,
    /**
     * Whether the chat was chosen on this page, or in order to reply, and may take the focus; false for the chat that
     * the page was opened with.
     */
    isFresh: hasMoved.current || sessionId !== first.current,
    choose: (id: string | undefined) => {
      if (id !== sessionId) change('session', id)
    },
    filterBy: (next: AssigneeFilter) => {
      storedFilter.keep(next)
      change('whose', next, true)
    },
    show: (shown: ChatList) => change('list', shown === 'ended' ? shown : undefined, true),
  }
}
