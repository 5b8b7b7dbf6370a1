import * as v from 'valibot'
import { requiredEmail } from '../../../events/base/text.ts'
import { DAY_MS } from '../../../events/base/time.ts'
import type { Sent } from '../../../events/base/word.ts'
import { chatActivityStreams, chatTranscriptRequested } from '../../../events/chat/activity.ts'
import { assignmentForm, chatAssignmentStreams, UNASSIGNED } from '../../../events/chat/assignment.ts'
import { chatStreams, RESUME_DAYS } from '../../../events/chat/chat.ts'
import { chatLinksRevoked, chatLinksStreams } from '../../../events/chat/links.ts'
import type { ChatSummary } from '../../../events/chat/progress.ts'
import { publishNotification } from '../../../events/chat/store/chat-notifications.ts'
import { linkOf } from '../../../events/chat/store/links.ts'
import { activeChatsOf, countWaitingChats, listChats, unansweredChatsFor } from '../../../events/chat/store/list.ts'
import { readPages } from '../../../events/chat/store/pages.ts'
import { isErased, readChat } from '../../../events/chat/store/read-chat.ts'
import { readReceiptsOf } from '../../../events/chat/store/receipts.ts'
import * as wire from '../../../events/chat/wire.ts'
import { eraseChat } from '../../../events/erasure/append-erasures.ts'
import { chatLeadForm } from '../../../events/lead/entry.ts'
import { lead } from '../../../events/lead/wire.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { handle } from '../../../events/log/handle.ts'
import { readNewest } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import { invalidField, RequestError } from '../../http/errors.ts'
import { cursorOf, pageOf } from '../../http/next-link.ts'
import { route } from '../../http/route.ts'
import type { ApiNode } from '../../node/node.ts'
import type { Caller } from '../../staff/caller.ts'
import { staffNames } from '../../staff/staff.ts'
import { assignChat, changeOf, readAssignments, readHanded } from '../log/assignments.ts'
import { readPageBefore } from '../log/history.ts'
import { readRating } from '../log/rating.ts'
import { readArrivals, readPlaces, type SentPlace } from '../presence/presence-store.ts'
import { waitingAt } from '../presence/waiting-at.ts'
import { makeLead } from './chats-lead.ts'
import { chatQuery, recordQuery } from './chats-query.ts'
import { leadsOfVisitor } from './visitor-leads.ts'

const PAGE_CHATS = 50
/** The maximum number of transcript requests in a chat's record, newest first. */
const MAX_TRANSCRIPTS = 1_000
/** The maximum number of link revocations in a chat's record, newest first. */
const MAX_REVOCATIONS = 100
/** The maximum number of assignment changes in a record, newest first. */
const MAX_ASSIGNMENTS = 50

/** The maximum number of visitors waiting for a first reply that are named, newest first. */
const NEWEST_UNANSWERED = 20

/** A chat, with the version up to which its activity stream was read. */
const findChat = async (
  { sql }: Pick<ApiNode, 'sql'>,
  sessionId: string,
): Promise<ChatSummary & { activity: number }> => {
  const { chat, activity } = await readChat(sql, sessionId)
  if (!chat) throw new RequestError('not_found', 'There is no chat with this id')
  return { ...chat, activity }
}

/** The owner whose chats are requested; a program has no chats of its own. */
const holderOf = (assigned: 'me' | 'none' | undefined, caller: Caller) => {
  if (assigned === undefined) return undefined
  if (assigned === 'none') return null
  if (caller.isProgram) throw invalidField('assigned', 'Only staff who are signed in have chats of their own')
  return caller.id
}

/** The connected visitors of these chats, by session id; undefined while Redis is unavailable. */
const readVisitors = async (node: ApiNode, sessionIds: string[]): Promise<Map<string, SentPlace> | undefined> => {
  const arrivals = await readArrivals(node, sessionIds).catch(() => undefined)
  return arrivals && (await readPlaces(node.reading, arrivals))
}

/**
 * The number of waiting visitors, those who wait for a first reply, and the waiting chats that colleagues have handed
 * to the caller.
 */
const listWaitingChats = async (node: ApiNode, caller: Caller): Promise<Sent<typeof wire.waitingChats>> => {
  const { reading } = node
  const at = await waitingAt(node)
  if (caller.isProgram) return { count: await countWaitingChats(reading, at) }
  const [count, newest, mine] = await Promise.all([
    countWaitingChats(reading, at),
    unansweredChatsFor(reading, caller.id, NEWEST_UNANSWERED, at),
    activeChatsOf(reading, caller.id, PAGE_CHATS),
  ])
  return { count, newest, handed: await readHanded(reading, caller.id, mine) }
}

/**
 * The parts of a chat's record besides its summary: the newest messages, or those before a sequence number, and the
 * newest entries of everything else.
 */
const readRecord = async (sql: Sql, sessionId: string, before: number | undefined) => {
  const activity = chatActivityStreams.of(sessionId)
  const [messages, pages, receipts, transcripts, revocations, assignments, rating, endings, hasBeenErased] =
    await Promise.all([
      readPageBefore(sql, sessionId, { before }),
      readPages(sql, sessionId),
      readReceiptsOf(sql, sessionId),
      readNewest(sql, activity, { limit: MAX_TRANSCRIPTS, types: ['ChatTranscriptRequested'] }),
      readNewest(sql, chatLinksStreams.of(sessionId), { limit: MAX_REVOCATIONS }),
      readNewest(sql, chatAssignmentStreams.of(sessionId), { limit: MAX_ASSIGNMENTS }),
      readRating(sql, sessionId),
      readNewest(sql, chatStreams.of(sessionId), { limit: 1, types: ['ChatEnded'] }),
      isErased(sql, sessionId),
    ])
  return {
    isErased: hasBeenErased,
    messages,
    endedBy: endings[0]?.data.endedBy ?? null,
    pages: pages.map(({ pageUrl, timestamp }) => ({ pageUrl, timestamp })),
    receipts,
    transcripts: transcripts.map(({ recordedAt, data: { by, upTo } }) => ({
      timestamp: recordedAt.toISOString(),
      by,
      upTo,
    })),
    linkRevocations: revocations.map(({ recordedAt, data: { by } }) => ({ timestamp: recordedAt.toISOString(), by })),
    linkGeneration: revocations.at(-1)?.version ?? 0,
    assignments,
    rating,
  }
}

/** Whether the visitor of a chat can still come back to it. */
const canResume = ({ progress }: ChatSummary) =>
  !progress.isErased && Date.now() - Date.parse(progress.lastActivity) <= RESUME_DAYS * DAY_MS

const answerChat = async (
  node: ApiNode,
  chat: ChatSummary,
  { before, isProgram }: { before: number | undefined; isProgram: boolean },
): Promise<Sent<typeof wire.chatRecord>> => {
  const { session, progress } = chat
  const hasLink = before === undefined && !isProgram && canResume(chat)
  const [names, record, found] = await Promise.all([
    staffNames(node.reading),
    readRecord(node.reading, session.sessionId, before),
    // no screen shows them next to older messages
    before === undefined ? leadsOfVisitor(node, chat) : {},
  ])
  const firstPage = session.pageUrl === null ? [] : [{ pageUrl: session.pageUrl, timestamp: session.startTime }]
  return {
    session,
    endedBy: record.endedBy,
    isErased: record.isErased,
    messages: record.messages.map((message) => {
      const staffName = message.by && names.get(message.by)
      return staffName ? { ...message, staffName } : message
    }),
    hasEarlierMessages: (record.messages[0]?.sequence ?? 1) > 1,
    pages: [...firstPage, ...record.pages],
    receipts: record.receipts,
    leadId: progress.leadId,
    ...found,
    ...(hasLink && { link: linkOf(node.config, session.sessionId, record.linkGeneration) }),
    transcripts: record.transcripts.map((asked) => ({ ...asked, by: names.get(asked.by) ?? null })),
    linkRevocations: record.linkRevocations.map((revoked) => ({ ...revoked, by: names.get(revoked.by) ?? null })),
    assignments: record.assignments.map((change) => changeOf(change, names)),
    rating: record.rating,
  }
}

/** Sends the conversation so far to its visitor, once however often it is requested. */
const requestTranscript = async (
  node: ApiNode,
  id: string,
  staffId: string,
): Promise<Sent<typeof wire.sentTranscript>> => {
  const { known, appended } = await handle(node.log, {
    read: async () => {
      const chat = await findChat(node, id)
      return { ...chat, stream: chatActivityStreams.of(chat.session.sessionId), version: chat.activity }
    },
    decide: ({ session: { sessionId, visitorEmail }, progress: { lastSequence: upTo } }) => {
      const to = v.safeParse(requiredEmail('The visitor gave no email address to send to'), visitorEmail)
      if (!to.success) throw invalidField('visitorEmail', to.issues[0].message)
      if (upTo === 0) throw invalidField('upTo', 'This chat has no messages yet')
      const about = { subjectId: sessionId, personal: { to: to.output } }
      return {
        id: deterministicUuid('transcript', sessionId, String(upTo)),
        ...chatTranscriptRequested({ upTo, by: staffId }, about),
      }
    },
    isOnce: true,
  })
  const { session, progress } = known
  if (appended) node.logger.info({ sessionId: session.sessionId, eventId: appended.id }, 'transcript requested')
  return { upTo: progress.lastSequence }
}

/** Revokes the links to a chat that were sent before; the visitor's own device keeps the chat. */
const revokeLinks = async (node: ApiNode, id: string, by: string) => {
  const { sessionId } = (await findChat(node, id)).session
  const { appended } = await handle(node.log, {
    read: () => ({ stream: chatLinksStreams.of(sessionId), version: 'any' }),
    decide: () => chatLinksRevoked({ by }),
  })
  if (!appended) return
  node.logger.info({ sessionId, eventId: appended.id }, 'links to a chat revoked')
  await publishNotification(node.bus, appended)
}

/**
 * Staff find chats, read them, make leads of them, request them by email, and revoke their links; owners erase them.
 * Programs read them with a token.
 */
export const chatRoutes = [
  route('GET', '/api/chats', {
    access: 'staff',
    scope: 'chats:read',
    summary: 'Lists chats',
    query: chatQuery,
    answer: wire.chatList,
    isPaged: true,
    handler: async ({ node, c, query: { limit = PAGE_CHATS, cursor, assigned, ...filter } }) => {
      const { reading, config } = node
      const wanted = { ...filter, assignedTo: holderOf(assigned, c.get('caller')) }
      const found = await listChats(reading, wanted, { limit: limit + 1, after: cursor })
      const listed = pageOf(c, config, { found, limit }, ({ startTime: timestamp, sessionId: id }) =>
        cursorOf({ timestamp, id }),
      )
      const ids = (chats: typeof listed) => chats.map(({ sessionId }) => sessionId)
      const [assignments, visitors] = await Promise.all([
        readAssignments(reading, ids(listed)),
        readVisitors(node, ids(listed.filter(({ isActive }) => isActive))),
      ])
      return listed.map((chat) => ({
        ...chat,
        assigned: assignments.get(chat.sessionId) ?? UNASSIGNED,
        ...(chat.isActive && visitors && { here: visitors.get(chat.sessionId) ?? null }),
      }))
    },
  }),
  route('GET', '/api/chats/waiting', {
    access: 'staff',
    scope: 'chats:read',
    summary: 'Counts visitors who wait for an answer',
    answer: wire.waitingChats,
    handler: ({ node, c }) => listWaitingChats(node, c.get('caller')),
  }),
  route('GET', '/api/chats/:id', {
    access: 'staff',
    scope: 'chats:read',
    summary: 'One chat, with a page of its messages',
    query: recordQuery,
    answer: wire.chatRecord,
    handler: async ({ node, c, params: { id }, query: { before } }) => {
      const { isProgram } = c.get('caller')
      return await answerChat(node, await findChat({ sql: node.reading }, id), { before, isProgram })
    },
  }),
  route('POST', '/api/chats/:id/lead', {
    access: 'staff',
    summary: 'Makes a lead of a chat',
    body: chatLeadForm,
    answer: lead,
    status: 201,
    handler: async ({ node, c, params: { id }, body }) => {
      const { session, progress } = await findChat(node, id)
      const form = { ...body, pageUrl: body.pageUrl ?? session.pageUrl }
      const isAnswered = progress.lastAnswer !== null
      return await makeLead(node, { sessionId: session.sessionId, isAnswered, form, staffId: c.get('staff').id })
    },
  }),
  route('POST', '/api/chats/:id/transcript', {
    access: 'staff',
    summary: 'Sends the conversation to its visitor',
    answer: wire.sentTranscript,
    status: 202,
    handler: ({ node, c, params: { id } }) => requestTranscript(node, id, c.get('staff').id),
  }),
  route('POST', '/api/chats/:id/assign', {
    access: 'staff',
    summary: 'Assigns a chat, or unassigns it',
    body: assignmentForm,
    answer: wire.madeAssignment,
    mayConflict: true,
    handler: async ({ node, c, params: { id }, body }) => {
      const { sessionId } = (await findChat(node, id)).session
      const { version, event } = await assignChat(node, sessionId, { ...body, by: c.get('staff').id })
      if (event) await publishNotification(node.bus, event)
      return { version }
    },
  }),
  route('POST', '/api/chats/:id/revoke-links', {
    access: 'staff',
    summary: 'Ends the links to a chat that were sent',
    handler: ({ node, c, params: { id } }) => revokeLinks(node, id, c.get('staff').id),
  }),
  route('POST', '/api/chats/:id/erase', {
    access: 'owners',
    summary: 'Erases a chat for good',
    handler: async ({ node, c, params: { id } }) => {
      const { session } = await findChat(node, id)
      await eraseChat(node, session.sessionId, c.get('staff').id)
    },
  }),
]
