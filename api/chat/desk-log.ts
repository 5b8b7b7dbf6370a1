import { randomUUID } from 'node:crypto'
import { type ChatSession, sessionIdOf } from '../../events/chat.ts'
import {
  advanceReceipt,
  type ChatDeskEvent,
  chatDeskStream,
  type Party,
  type Receipt,
  type ViewedPage,
} from '../../events/chat-desk.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { whileLate } from '../../events/log/while-late.ts'
import type { ApiNode } from '../node.ts'
import type { Desk } from './desk.ts'
import { readSessionStates } from './session-log.ts'

/** What happened around sessions' messages after a version of each one's desk stream, by session id, in order. */
export const readDesks = async (
  { sql }: Pick<ApiNode, 'sql'>,
  after: ReadonlyMap<string, number>,
): Promise<Map<string, ChatDeskEvent[]>> => {
  const streams = [...after.keys()].map(chatDeskStream)
  // the inner order keeps the planner to one look-up by index a stream
  const rows = await sql<(ChatDeskEvent & { stream: string })[]>`
    select e.* from unnest(${streams}::text[], ${[...after.values()]}::integer[]) as s (stream, after)
    cross join lateral (
      select position, id, stream, version, type, schema_version as "schemaVersion", data,
        subject_id as "subjectId", personal, recorded_at as "recordedAt"
      from events where stream = s.stream and version > s.after order by version
    ) e`
  return Map.groupBy(rows, ({ stream }) => sessionIdOf(stream))
}

/**
 * Notes how far a party has got, never past what the log holds. Answers where it stands then, or undefined where the log
 * knew as much before: so nodes that are told the same at once note it once.
 */
export const noteReceipt = async (
  node: Pick<ApiNode, 'sql' | 'log'>,
  desk: Desk,
  party: Party,
  reported: Receipt,
): Promise<Receipt | undefined> => {
  const { sessionId } = desk
  return await whileLate(async () => {
    const [desks, states] = await Promise.all([
      readDesks(node, new Map([[sessionId, desk.version]])),
      readSessionStates(node, [sessionId]),
    ])
    desk.acceptLogged(desks.get(sessionId) ?? [])
    const receipt = advanceReceipt(desk.receipts[party], reported, states.get(sessionId)?.lastSequence ?? 0)
    if (!receipt) return undefined
    const data = { party, ...receipt }
    const event = { id: randomUUID(), type: 'ChatReceiptNoted' as const, data, subjectId: null, personal: null }
    await node.log.append({ stream: chatDeskStream(sessionId), expectedVersion: desk.version, events: [event] })
    return receipt
  })
}

/**
 * Notes that a visitor is at a page now, once however many of their tabs say so. Undefined where it is the page of
 * before, or there is none, or the chat has been erased.
 */
export const notePage = async (
  node: Pick<ApiNode, 'sql' | 'log'>,
  session: Pick<ChatSession, 'sessionId' | 'pageUrl'>,
  pageUrl: string | null,
): Promise<ViewedPage | undefined> => {
  if (pageUrl === null) return undefined
  const { sessionId, pageUrl: firstPage } = session
  return await whileLate(async () => {
    const desk = (await readDesks(node, new Map([[sessionId, 0]]))).get(sessionId) ?? []
    const last = desk.findLast((event) => event.type === 'ChatPageViewed')
    if (pageUrl === (last ? last.personal?.pageUrl : firstPage)) return undefined
    if (desk.some(({ type }) => type === 'ChatErased')) return undefined
    const id = idFromKey('page viewed', sessionId, String(last?.version ?? 0), pageUrl)
    const event = { id, type: 'ChatPageViewed' as const, data: {}, subjectId: sessionId, personal: { pageUrl } }
    const request = { stream: chatDeskStream(sessionId), expectedVersion: desk.at(-1)?.version ?? 0, events: [event] }
    const { events, isKnown } = await node.log.append(request)
    const [stored] = events
    if (!stored || isKnown) return undefined
    return { version: stored.version, pageUrl, timestamp: stored.recordedAt.toISOString() }
  })
}
