import useSWR from 'swr'
import * as v from 'valibot'
import type { ChatMessage } from '../../../events/chat.ts'
import type { LeadForm } from '../../../events/lead.ts'
import { postJson, request } from '../../http.ts'

/** So many messages of a chat's beginning come in one page, however long each is. */
const BEGINNING_MESSAGES = 50

const text = v.nullable(v.string())

/** A session as the API answers it. */
export const chatSession = v.object({
  sessionId: v.string(),
  visitorName: v.string(),
  visitorEmail: text,
  pageUrl: text,
  userAgent: text,
  isActive: v.boolean(),
  startTime: v.string(),
  endTime: text,
})

const chatRecord = v.object({
  session: chatSession,
  endedBy: v.nullable(v.picklist(['visitor', 'admin', 'idle'])),
  isErased: v.boolean(),
  pages: v.array(v.object({ pageUrl: v.string(), timestamp: v.string() })),
  leadId: text,
  transcripts: v.array(v.object({ timestamp: v.string(), by: text, upTo: v.number() })),
})

/** What is known of a session beside its messages. `by` is a staff member's name, `upTo` a sequence number. */
export type ChatRecord = v.InferOutput<typeof chatRecord>

const keyOf = (sessionId: string) => `/api/chats/${encodeURIComponent(sessionId)}`

/** The record of a session, fetched anew whenever the session is chosen. */
export const useChatRecord = (sessionId: string | undefined) =>
  useSWR<ChatRecord>(
    sessionId === undefined ? null : keyOf(sessionId),
    async (key: string) => v.parse(chatRecord, await (await request(key)).json()),
    { revalidateIfStale: true },
  )

const message = v.object({
  id: v.string(),
  sequence: v.number(),
  sessionId: v.string(),
  clientMessageId: v.exactOptional(v.string()),
  senderType: v.picklist(['visitor', 'admin']),
  senderName: v.string(),
  message: v.string(),
  timestamp: v.string(),
  by: v.exactOptional(v.string()),
  staffName: v.exactOptional(v.string()),
})

/** What was said before a sequence number, oldest first: a part of it that ends right there. */
export const readEarlier = async (sessionId: string, before: number): Promise<ChatMessage[]> => {
  const answer = await (await request(`${keyOf(sessionId)}?before=${before}`)).json()
  return v.parse(v.object({ messages: v.array(message) }), answer).messages
}

/** The first messages of a session, oldest first; nothing is fetched without one. */
export const useBeginning = (sessionId: string | undefined) =>
  useSWR<ChatMessage[]>(sessionId === undefined ? null : `${keyOf(sessionId)}/beginning`, () =>
    readEarlier(sessionId ?? '', BEGINNING_MESSAGES + 1),
  )

/** Has the conversation sent to the visitor's address. */
export const sendTranscript = (sessionId: string) => postJson(`${keyOf(sessionId)}/transcript`, {})

const madeLead = v.object({ id: v.string() })

/** Makes a lead of a chat, and answers its id. */
export const makeLead = async (sessionId: string, form: LeadForm) =>
  v.parse(madeLead, await (await postJson(`${keyOf(sessionId)}/lead`, form)).json()).id
