import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { chatMessage } from '../../events/chat.ts'
import { chatDeskStream } from '../../events/chat-desk.ts'
import { type ChatEvent, type ChatSummary, evolveChat } from '../../events/chat-summary.ts'
import { leadForm } from '../../events/lead.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { readChat } from '../../events/log/read-chat.ts'
import { listChats } from '../../events/projections/chat-list.ts'
import { requiredEmail } from '../../events/text.ts'
import { readInput, validate } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import { cursorOf } from '../leads/query.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv, staffNames } from '../staff/staff.ts'
import { appendOnce, makeLead } from './chats-lead.ts'
import { chatQuery } from './chats-query.ts'

const PAGE_CHATS = 50

/** The `leadSource` of leads that staff make of chats, where they name no other. */
const LEAD_SOURCE = 'live_chat'

type KnownChat = ChatSummary & { events: ChatEvent[] }

const findChat = async ({ sql }: ApiNode, sessionId: string): Promise<KnownChat> => {
  const isId = v.is(v.pipe(v.string(), v.uuid()), sessionId)
  const { events } = isId ? await readChat(sql, sessionId) : { events: [] }
  const chat = events.reduce<ChatSummary | undefined>(evolveChat, undefined)
  if (!chat) throw new RequestError('not_found', 'There is no chat with this id')
  return { ...chat, events }
}

const answerList = async ({ sql, config }: ApiNode, c: Context) => {
  const { limit = PAGE_CHATS, cursor, ...filter } = validate(chatQuery, c.req.query())
  const found = await listChats(sql, filter, { limit: limit + 1, after: cursor })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) {
    const next = new URL(`${config.publicUrl}/api/chats`)
    next.search = new URL(c.req.url).search
    next.searchParams.set('cursor', cursorOf({ timestamp: last.startTime, id: last.sessionId }))
    c.header('Link', `<${next}>; rel="next"`)
  }
  return c.json(page)
}

const answerChat = async (node: ApiNode, { session, progress, events }: KnownChat) => {
  const names = await staffNames(node.sql)
  const firstPage = session.pageUrl === null ? [] : [{ pageUrl: session.pageUrl, timestamp: session.startTime }]
  const messages = events.flatMap((event) => (event.type === 'ChatMessagePosted' ? [chatMessage(event)] : []))
  return {
    session,
    messages: messages.map((message) => {
      const staffName = message.by && names.get(message.by)
      return staffName ? { ...message, staffName } : message
    }),
    pages: [
      ...firstPage,
      ...events.flatMap((event) =>
        event.type === 'ChatPageViewed' && event.personal
          ? [{ pageUrl: event.personal.pageUrl, timestamp: event.recordedAt.toISOString() }]
          : [],
      ),
    ],
    receipts: progress.receipts,
    leadId: progress.leadId,
    transcripts: events.flatMap((event) =>
      event.type === 'ChatTranscriptRequested'
        ? [{ timestamp: event.recordedAt.toISOString(), by: names.get(event.data.by) ?? null, upTo: event.data.upTo }]
        : [],
    ),
  }
}

/** Has the conversation so far sent to its visitor, once however often that is asked for. */
const requestTranscript = async (node: ApiNode, { session, progress }: KnownChat, staffId: string) => {
  const { sessionId, visitorEmail } = session
  const to = v.safeParse(requiredEmail('The visitor gave no e-mail address to send to'), visitorEmail)
  if (!to.success) throw invalidField('visitorEmail', to.issues[0].message)
  const upTo = progress.lastSequence
  if (upTo === 0) throw invalidField('upTo', 'Nothing has been said yet')
  const event = { type: 'ChatTranscriptRequested' as const, data: { upTo, by: staffId }, subjectId: sessionId }
  await appendOnce(node, {
    stream: chatDeskStream(sessionId),
    expectedVersion: 'any',
    events: [{ id: idFromKey('transcript', sessionId, String(upTo)), ...event, personal: { to: to.output } }],
  })
  return { upTo }
}

/** `/api/chats`: staff find chats, those that have ended too, read them, make leads of them and have them sent by e-mail. */
export const chatRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node))
    .get('/', (c) => answerList(node, c))
    .get('/:id', async (c) => c.json(await answerChat(node, await findChat(node, c.req.param('id')))))
    .post('/:id/lead', async (c) => {
      const input = (await readInput(c)) as object
      const { sessionId, pageUrl } = (await findChat(node, c.req.param('id'))).session
      const form = validate(leadForm, { leadSource: LEAD_SOURCE, pageUrl, ...input })
      return c.json(await makeLead(node, { sessionId, form, staffId: c.get('staff').id }), 201)
    })
    .post('/:id/transcript', async (c) => {
      const chat = await findChat(node, c.req.param('id'))
      return c.json(await requestTranscript(node, chat, c.get('staff').id), 202)
    })
