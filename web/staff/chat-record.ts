import useSWR from 'swr'
import * as v from 'valibot'
import type { AssignmentForm } from '../../events/chat-assignment.ts'
import type { LeadForm } from '../../events/lead-form.ts'
import { type ChatMessage, type ChatRecord, chatRecord } from '../../events/wire/chat.ts'
import { lead } from '../../events/wire/lead.ts'
import { postJson } from '../http.ts'
import { loader } from '../load.ts'

/** This many messages of a chat's beginning come in one page, however long each is. */
const BEGINNING_MESSAGES = 50

const keyOf = (sessionId: string) => `/api/chats/${encodeURIComponent(sessionId)}`

/** The record of a session, fetched again whenever the session is chosen, however lately it was. */
export const useChatRecord = (sessionId: string | undefined) =>
  useSWR<ChatRecord>(sessionId === undefined ? null : keyOf(sessionId), loader(chatRecord), {
    revalidateIfStale: true,
    dedupingInterval: 0,
  })

/** What was said before a sequence number, oldest first: a part of it that ends right there. */
export const readEarlier = async (sessionId: string, before: number): Promise<ChatMessage[]> =>
  (await loader(chatRecord)(`${keyOf(sessionId)}?before=${before}`)).messages

/** The first messages of a session, oldest first; nothing is fetched without one. */
export const useBeginning = (sessionId: string | undefined) =>
  useSWR<ChatMessage[]>(sessionId === undefined ? null : `${keyOf(sessionId)}/beginning`, () =>
    readEarlier(sessionId ?? '', BEGINNING_MESSAGES + 1),
  )

/** Has the conversation sent to the visitor's address. */
export const sendTranscript = (sessionId: string) => postJson(`${keyOf(sessionId)}/transcript`, {})

/** Makes a chat a colleague's, one's own, or nobody's, as far as it is still as `version` says. */
export const assignChat = (sessionId: string, asked: AssignmentForm) => postJson(`${keyOf(sessionId)}/assign`, asked)

/** Has the links to a chat that were sent before lead nowhere. */
export const revokeLinks = (sessionId: string) => postJson(`${keyOf(sessionId)}/revoke-links`, {})

/** Erases a chat for good, a lead that was made of it not. Owners alone may. */
export const eraseChat = (sessionId: string) => postJson(`${keyOf(sessionId)}/erase`, {})

/** Makes a lead of a chat, and answers its id. */
export const makeLead = async (sessionId: string, form: LeadForm) =>
  v.parse(lead, await (await postJson(`${keyOf(sessionId)}/lead`, form)).json()).id
