import { sessionIdOf } from '../../events/chat.ts'
import type { ChatNotification } from '../../events/log/chat-notifications.ts'
import type { ApiNode } from '../node.ts'
import { type Audience, openActivityUpdates } from './activity-updates.ts'
import type { ChatFact } from './chat-fact-reader.ts'
import type { Consoles } from './consoles.ts'
import type { Room } from './room.ts'
import type { RoomRegistry } from './room-registry.ts'
import { readSession } from './session-log.ts'
import { openSessionUpdates } from './session-updates.ts'
import { openStaffUpdates } from './staff-updates.ts'
import type { StaffWatch } from './staff-watch.ts'

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
  /** Tells staff whose accounts were removed since the last look. */
  tellRemovals: () => Promise<void>
}

/**
 * Opens the updates of a node's rooms. `onError` hears of what could not be told. Long, since it is two lists: a
 * line for each kind of notification, and for each type of event.
 */
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
  const sessions = openSessionUpdates({ registry, staff, watch })
  const about = openStaffUpdates({ node, staff, watch })
  const activity = openActivityUpdates({ registry, staff })

  const accept = (notification: ChatNotification, audience: Audience): void => {
    switch (notification.kind) {
      case 'started':
        sessions.begin(notification.session)
        break
      case 'posted':
        sessions.post(notification.message).catch(onError)
        break
      case 'ended':
        sessions.end(notification.sessionId).catch(onError)
        break
      case 'erased':
        sessions.erase(notification.sessionId).catch(onError)
        break
      case 'links_revoked':
        if (audience === 'visitors') sessions.revokeLinks(notification.sessionId).catch(onError)
        break
      case 'email_given':
        if (audience === 'staff') about.tellEmail(notification.sessionId).catch(onError)
        break
      case 'rated':
        if (audience === 'staff') about.tellRating(notification.sessionId).catch(onError)
        break
      case 'assigned':
        if (audience === 'staff') about.tellAssignment(notification.sessionId, notification.version).catch(onError)
        break
      case 'typing':
        activity.showTyping(notification, audience)
        break
      case 'receipt':
        activity.showReceipt(notification, audience)
        break
      case 'page':
        activity.showPage(notification, audience)
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
        if (session?.isActive) sessions.begin(session)
        return
      }
      case 'ChatMessagePosted':
        return await sessions.catchUpTo(sessionId, fact.version)
      case 'ChatEmailGiven':
        return await about.tellEmail(sessionId)
      case 'ChatRated':
        return await about.tellRating(sessionId)
      case 'ChatAssigned':
        return await about.tellAssignment(sessionId, fact.version)
      case 'ChatEnded':
        return await sessions.end(sessionId)
      case 'ChatErased':
        return await sessions.erase(sessionId)
      case 'ChatLinksRevoked':
        return await sessions.revokeLinks(sessionId)
      default: {
        fact.type satisfies never
      }
    }
  }

  return {
    accept,
    handleFact,
    tellEnd: sessions.tellEnd,
    tellAssignment: about.tellAssignment,
    tellRemovals: about.tellRemovals,
  }
}
