import { type ChatMessage, forVisitor } from '../../events/chat.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Feed, openFeed } from './feed.ts'
import { openRoomActivity, type RoomActivity, type RoomActivityState } from './room-activity.ts'
import type { SessionState } from './session-log.ts'

/**
 * A session on one node. Each visitor is kept with the sequence number up to which a history has given them the
 * messages.
 */
export type Room = {
  feed: Feed
  activity: RoomActivity
  visitors: Map<ChatSocket, number>
  /** Settles once those who are here have been told that the chat has ended. */
  ending: Promise<void> | undefined
}

/** Whether a frame is news to somebody who has a session's messages up to a sequence number. */
export const isAfter = (sessionId: string, sequence: number) => (frame: ServerFrame) =>
  frame.type !== 'new_message' || frame.sessionId !== sessionId || frame.sequence > sequence

const visitorsFrame = (frame: ServerFrame): ServerFrame =>
  frame.type === 'new_message' ? { type: frame.type, ...forVisitor(frame) } : frame

/** Opens a session's room with what is stored of it. `tellStaff` tells those of this node. */
export const openRoom = ({
  sessionId,
  state,
  known,
  tellStaff,
  readAfter,
  onError,
}: {
  sessionId: string
  state: SessionState
  known: RoomActivityState
  tellStaff: (frame: ServerFrame) => void
  readAfter: (sequence: number) => Promise<ChatMessage[]>
  onError: (error: unknown) => void
}): Room => {
  const visitors: Room['visitors'] = new Map()
  const tellVisitors = (frame: ServerFrame) => {
    const shown = visitorsFrame(frame)
    // the log may be read before the bus brings what is in it
    for (const [socket, had] of visitors) if (isAfter(sessionId, had)(frame)) socket.push(shown)
  }
  const tellAll = (frame: ServerFrame) => {
    tellVisitors(frame)
    tellStaff(frame)
  }
  const { lastSequence, isEnded } = state
  return {
    feed: openFeed({ sessionId, last: lastSequence, isEnded, readAfter, deliver: tellAll, onError }),
    activity: openRoomActivity(sessionId, known, (frame, to) => (to === 'all' ? tellAll(frame) : tellStaff(frame))),
    visitors,
    ending: undefined,
  }
}
