import { type ChatMessage, type ChatSession, sessionIdOf } from '../../events/chat.ts'
import type { ChatNotification } from '../../events/log/chat-notifications.ts'
import { isErased } from '../../events/log/read-chat.ts'
import type { ApiNode } from '../node.ts'
import { readAssignmentChange } from './assignments.ts'
import type { Consoles } from './consoles.ts'
import type { KnownAssignments } from './known-assignments.ts'
import type { ChatFact } from './log-reader.ts'
import { readRating } from './rating.ts'
import type { Recent } from './recent.ts'
import type { Room } from './room.ts'
import type { RoomRegistry } from './room-registry.ts'
import { readSession } from './session-log.ts'

/** Whom notifications of a channel concern. */
export type Audience = 'visitors' | 'staff'

/**
 * What staff on this node have been told: `isOn` while there are any, here or about to be. `begun` and `ended` are the
 * sessions whose beginning, and whose end, they know, so that what comes late does not tell them again; so are `assignments`.
 */
export type StaffWatch = { readonly isOn: boolean; begun: Recent; ended: Recent; assignments: KnownAssignments }

/** Brings what happens in sessions to those on this node who take part: once, whether Redis tells it, the log, or both. */
export type RoomUpdates = {
  /** Takes a notification of another node. What it leads to and fails is reported; the log is read again later. */
  accept: (notification: ChatNotification, audience: Audience) => void
  /** Takes what the log holds, and Redis may have lost. Rejects where it cannot be read. */
  handleFact: (fact: ChatFact) => Promise<void>
  /** Tells those in a room that its chat has ended. */
  tellEnd: (room: Room) => Promise<void>
  /** Tells staff whose chat it is, where this version of the assignment is news to them. */
  tellAssignment: (sessionId: string, version: number) => Promise<void>
}

/** Opens the updates of a node's rooms. `onError` hears of what could not be told. */
export const openRoomUpdates = ({
  node,
  registry,
  staff,
  watch,
  onError,
}: {
  node: Pick<ApiNode, 'sql'>
  registry: RoomRegistry
  staff: Consoles
  watch: StaffWatch
  onError: (error: unknown) => void
}): RoomUpdates => {
  const { sql } = node
  let emailTold: Promise<void> = Promise.resolve()

  const begin = (session: ChatSession) => {
    const { sessionId } = session
    if (!watch.isOn || watch.begun.has(sessionId) || watch.ended.has(sessionId)) return
    watch.begun.add(sessionId)
    staff.tell({ type: 'new_chat_session', ...session })
  }

  /** What was said before the end comes first, even where its notification is late. */
  const tellEnd = async (room: Room) => {
    const { sessionId } = room.feed
    await room.feed.catchUp()
    // from here on without a pause: those who enter meanwhile either hear of it or are told as they enter
    room.feed.isEnded = true
    if (watch.isOn) watch.ended.add(sessionId)
    for (const socket of room.visitors.keys()) socket.push({ type: 'chat_ended', sessionId })
    staff.tell({ type: 'chat_ended', sessionId })
  }

  /** The room in which something has happened; undefined where nobody on this node wants to hear of it. */
  const roomFor = async (sessionId: string) =>
    registry.get(sessionId) || registry.isOpening(sessionId) || (staff.size > 0 && !watch.ended.has(sessionId))
      ? await registry.find(sessionId)
      : undefined

  const end = async (sessionId: string) => {
    const room = await roomFor(sessionId)
    if (!room || room.feed.isEnded) return
    room.ending ??= tellEnd(room).finally(() => {
      room.ending = undefined
    })
    await room.ending
    registry.closeIfEmpty(sessionId)
  }

  /** Visitors are told once: they may be in another chat before the log is read. */
  const erase = async (sessionId: string) => {
    await end(sessionId)
    const visitors = registry.get(sessionId)?.visitors
    for (const socket of visitors?.keys() ?? []) socket.push({ type: 'chat_ended', sessionId, isErased: true })
    visitors?.clear()
    staff.tell({ type: 'chat_ended', sessionId, isErased: true })
    registry.closeIfEmpty(sessionId)
  }

  /** A visitor who comes in meanwhile is not told: their own entry checks the links. */
  const revokeLinks = async (sessionId: string) => {
    const visitors = [...(registry.get(sessionId)?.visitors.keys() ?? [])]
    await Promise.all(visitors.map((socket) => socket.onLinksRevoked?.()))
  }

  const readAndTellEmail = async (sessionId: string) => {
    if (staff.size === 0) return
    const session = await readSession(node, sessionId)
    if (!session?.visitorEmail || (!session.isActive && (await isErased(sql, sessionId)))) return
    staff.tell({ type: 'visitor_email', sessionId, visitorEmail: session.visitorEmail })
  }

  /** Tells staff the address that answers go to, as the log has it: one after the other, so that the latest comes last. */
  const tellEmail = (sessionId: string) => {
    const told = emailTold.then(() => readAndTellEmail(sessionId))
    emailTold = told.catch(() => {})
    return told
  }

  const tellAssignment = async (sessionId: string, version: number) => {
    if (staff.size === 0 || !watch.assignments.isNews(sessionId, version)) return
    const change = await readAssignmentChange(sql, sessionId)
    if (!change || !watch.assignments.isNews(sessionId, change.version)) return
    watch.assignments.note(sessionId, change)
    staff.tell({ type: 'chat_assigned', sessionId, ...change })
  }

  const tellRating = async (sessionId: string) => {
    const rating = staff.size > 0 ? await readRating(sql, sessionId) : null
    if (rating) staff.tell({ type: 'chat_rated', sessionId, score: rating.score })
  }

  const post = async (message: ChatMessage) => {
    const room = registry.get(message.sessionId)
    if (room && !registry.isOpening(message.sessionId)) room.feed.accept(message)
    else await (await roomFor(message.sessionId))?.feed.catchUp()
  }

  const showTyping = ({ kind: _, ...typing }: ChatNotification & { kind: 'typing' }, audience: Audience) => {
    if (audience === 'staff' && typing.senderType === 'visitor') staff.tell({ type: 'typing', ...typing })
    if (audience === 'visitors' && typing.senderType === 'admin') {
      for (const socket of registry.get(typing.sessionId)?.visitors.keys() ?? [])
        socket.push({ type: 'typing', ...typing })
    }
  }

  /** What is around the messages; where there is no room, only staff want to know it. */
  const showReceipt = ({ kind: _, ...receipt }: ChatNotification & { kind: 'receipt' }, audience: Audience) => {
    const room = registry.get(receipt.sessionId)
    if (room) room.activity.acceptReceipt(receipt.party, receipt)
    else if (audience === 'staff') staff.tell({ type: 'receipt', ...receipt })
  }

  const showPage = ({ sessionId, ...page }: ChatNotification & { kind: 'page' }, audience: Audience) => {
    const { pageUrl, timestamp } = page
    const room = registry.get(sessionId)
    if (room) room.activity.acceptPage(page)
    else if (audience === 'staff') staff.tell({ type: 'page_viewed', sessionId, pageUrl, timestamp })
  }

  const accept = (notification: ChatNotification, audience: Audience): void => {
    switch (notification.kind) {
      case 'started':
        begin(notification.session)
        break
      case 'posted':
        post(notification.message).catch(onError)
        break
      case 'ended':
        end(notification.sessionId).catch(onError)
        break
      case 'erased':
        erase(notification.sessionId).catch(onError)
        break
      case 'links_revoked':
        if (audience === 'visitors') revokeLinks(notification.sessionId).catch(onError)
        break
      case 'email_given':
        if (audience === 'staff') tellEmail(notification.sessionId).catch(onError)
        break
      case 'rated':
        if (audience === 'staff') tellRating(notification.sessionId).catch(onError)
        break
      case 'assigned':
        if (audience === 'staff') tellAssignment(notification.sessionId, notification.version).catch(onError)
        break
      case 'typing':
        showTyping(notification, audience)
        break
      case 'receipt':
        showReceipt(notification, audience)
        break
      case 'page':
        showPage(notification, audience)
        break
      default:
        notification satisfies never
    }
  }

  /** Tells what the log holds and the bus may have lost. */
  const handleFact = async (fact: ChatFact) => {
    const sessionId = sessionIdOf(fact.stream)
    switch (fact.type) {
      case 'ChatStarted': {
        if (staff.size === 0 || watch.begun.has(sessionId) || watch.ended.has(sessionId)) return
        const session = await readSession(node, sessionId)
        if (session?.isActive) begin(session)
        return
      }
      case 'ChatMessagePosted': {
        const room = await roomFor(sessionId)
        if (room && room.feed.last < fact.version) await room.feed.catchUp()
        return
      }
      case 'ChatEmailGiven':
        return await tellEmail(sessionId)
      case 'ChatRated':
        return await tellRating(sessionId)
      case 'ChatAssigned':
        return await tellAssignment(sessionId, fact.version)
      case 'ChatEnded':
        return await end(sessionId)
      case 'ChatErased':
        return await erase(sessionId)
      case 'ChatLinksRevoked':
        return await revokeLinks(sessionId)
      default: {
        fact.type satisfies never
      }
    }
  }

  return { accept, handleFact, tellEnd, tellAssignment }
}
