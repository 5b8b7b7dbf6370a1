import type * as v from 'valibot'
import { type ChatSession, chatList, chatRecord } from '../../../events/chat/wire.ts'
import { get, getPage } from '../../client/get.ts'
import type { Whose } from './console-assignments.ts'

const PAGE_SIZE = 50

/** A page of the open chats, newest first, and the cursor of the next page. */
export type ActivePage = { sessions: v.InferOutput<typeof chatList>; next: string | undefined }

/** The path of the chats after those that the socket sent. */
export const activePageAfter = (cursor: string) =>
  `/api/chats?${new URLSearchParams({ state: 'active', limit: String(PAGE_SIZE), cursor })}`

const ASSIGNED = { all: undefined, mine: 'me', unassigned: 'none' } as const

/** The query that limits the chats to this filter. */
export const assignedFor = (whose: Whose) => {
  const assigned = ASSIGNED[whose]
  return assigned && { assigned }
}

/** The path of the newest chats that are mine or unassigned. */
export const firstPageOf = (whose: Whose) =>
  `/api/chats?${new URLSearchParams({ state: 'active', limit: String(PAGE_SIZE), ...assignedFor(whose) })}`

/** Fetches a page of the open chats. */
export const fetchActivePage = async (path: string): Promise<ActivePage> => {
  const { items, next } = await getPage(path, chatList)
  return { sessions: items, next }
}

/** Fetches a session by its id. */
export const fetchSession = async (sessionId: string): Promise<ChatSession> =>
  (await get(['/api/chats', encodeURIComponent(sessionId)], chatRecord)).session
