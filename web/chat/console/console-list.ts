import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import type { Whose } from './console-assignments.ts'
import type { ConsoleCore } from './console-core.ts'
import { withPage, withSession } from './console-evolution.ts'
import { fetchActivePage, fetchSession } from './console-fetch.ts'
import { listedChats, nextPageOf } from './console-state.ts'

/** The list of open chats: the pages that a console fetches, besides the chats that the socket sends. */
export const openConsoleList = ({ store, staffId }: Pick<ConsoleCore, 'store' | 'staffId'>) => {
  const meeting = new Set<string>()
  const isListed = (sessionId: string) => store.get().sessions.some((session) => session.sessionId === sessionId)

  const loadMore = async () => {
    const { isLoadingMore, shownFor } = store.get()
    const next = nextPageOf(store.get())
    if (!next || isLoadingMore) return
    store.set({ isLoadingMore: true })
    try {
      const page = await fetchActivePage(next)
      const isWanted = nextPageOf({ ...store.get(), shownFor }) === next
      if (isWanted) store.set(withPage(store.get(), page, shownFor.whose))
    } catch (error) {
      console.warn('More chats could not be fetched', error)
    }
    store.set({ isLoadingMore: false })
    if (store.get().shownFor.whose !== shownFor.whose) fetchShown()
  }

  const fetchShown = () => {
    const { next, nextOf, shownFor } = store.get()
    if (next !== undefined && shownFor.whose !== 'all' && nextOf[shownFor.whose] === undefined) loadMore()
  }

  return {
    hasRoom: (sessionId: string) =>
      isListed(sessionId) ||
      meeting.has(sessionId) ||
      sessionId === store.get().selected ||
      listedChats(store.get()).length + meeting.size < MAX_LISTED_SESSIONS,
    /** Adds an open session to the list if it is on none of the fetched pages. */
    meet: async (sessionId: string) => {
      if (meeting.has(sessionId) || isListed(sessionId)) return
      meeting.add(sessionId)
      try {
        const session = await fetchSession(sessionId)
        const { sessions, erased } = store.get()
        const isWanted = session.isActive && !isListed(sessionId) && !erased.includes(sessionId)
        if (isWanted) store.set({ sessions: withSession(sessions, session) })
      } catch (error) {
        // added with its next message
        console.warn('A chat could not be fetched', error)
      } finally {
        meeting.delete(sessionId)
      }
    },
    /** Adds the next page of open sessions to the list. */
    loadMore,
    /** Fetches the first of the shown chats, if the newest of all do not include them. */
    fetchShown,
    /** Filters the list: my chats, unassigned chats, or all. */
    show: (whose: Whose) => {
      store.set({ shownFor: { whose, staffId } })
      fetchShown()
    },
  }
}

export type ConsoleList = ReturnType<typeof openConsoleList>
