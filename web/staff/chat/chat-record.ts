import { mutate } from 'swr'
import type { AssignmentForm } from '../../../events/chat/assignment.ts'
import { type ChatMessage, chatRecord } from '../../../events/chat/wire.ts'
import type { LeadForm } from '../../../events/lead/form/form.ts'
import { lead } from '../../../events/lead/wire.ts'
import { get, read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { FRESH, useGet } from '../requests/use-get.ts'

/** This many messages of a chat's beginning come in one page, however long each is. */
const BEGINNING_MESSAGES = 50

const keyOf = (sessionId: string) => `/api/chats/${encodeURIComponent(sessionId)}`

const earlierThan = (sessionId: string, before: number) => `${keyOf(sessionId)}?before=${before}`

/** The record of a session, fetched again whenever the session is chosen, however recently it was fetched. */
export const useChatRecord = (sessionId: string | undefined) =>
  useGet(sessionId === undefined ? undefined : keyOf(sessionId), chatRecord, FRESH)

/** Fetches the record of a session again if it is shown. */
export const refreshChatRecord = (sessionId: string) => void mutate(keyOf(sessionId))

/** The messages before a sequence number, oldest first: a slice that ends right there. */
export const readEarlier = async (sessionId: string, before: number): Promise<ChatMessage[]> =>
  (await get(earlierThan(sessionId, before), chatRecord)).messages

/** The record of a session with its first messages, oldest first; nothing is fetched without one. */
export const useBeginning = (sessionId: string | undefined) =>
  useGet(sessionId === undefined ? undefined : earlierThan(sessionId, BEGINNING_MESSAGES + 1), chatRecord)

export const sendTranscript = (sessionId: string) => send('POST', `${keyOf(sessionId)}/transcript`, {})

/** Assigns a chat to a colleague or to oneself, or unassigns it, if it is still at `version`. */
export const assignChat = (sessionId: string, form: AssignmentForm) => send('POST', `${keyOf(sessionId)}/assign`, form)

export const revokeLinks = (sessionId: string) => send('POST', `${keyOf(sessionId)}/revoke-links`, {})

/** Erases a chat for good, but not a lead made from it. Owners only. */
export const eraseChat = (sessionId: string) => send('POST', `${keyOf(sessionId)}/erase`, {})

export const makeLead = async (sessionId: string, form: LeadForm) =>
  (await send('POST', `${keyOf(sessionId)}/lead`, form).then(read(lead))).id
