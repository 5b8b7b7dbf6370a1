import type * as v from 'valibot'
import { type ChatSession, chatList, chatRecord } from '../../../events/chat/wire.ts'
import { get, getPage } from '../../client/get.ts'
import type { Whose } from './console-assignments.ts'

const PAGE_SIZE = 50

/** A page of the chats that go on, newest first, and where the one after it is. */
export type ActivePage = { sessions: v.InferOutput<typeof chatList>; next: string | undefined }

/** Where the chats are that come after those that the socket told of. */
export const activePageAfter = (cursor: string) =>
  `/api/chats?${new URLSearchParams({ state: 'active', limit: String(PAGE_SIZE), cursor })}`

const ASSIGNED = { all: undefined, mine: 'me', unassigned: 'none' } as const

/** What asks the API for the chats of these alone. */
export const assignedFor = (whose: Whose) => {
  const assigned = ASSIGNED[whose]
  return assigned && { assigned }
}

/** Where the newest of the chats are that are mine, or nobody's. */
export const firstPageOf = (whose: Whose) =>
  `/api/chats?${new URLSearchParams({ state: 'active', limit: String(PAGE_SIZE), ...assignedFor(whose) })}`

/** Fetches a page of the chats that go on. */
export const fetchActivePage = async (path: string): Promise<ActivePage> => {
  const { items, next } = await getPage(path, chatList)
  return { sessions: items, next }
}

/** Fetches a session by its id. */
export const fetchSession = async (sessionId: string): Promise<ChatSession> =>
  (await get(['/api/chats', encodeURIComponent(sessionId)], chatRecord)).session
