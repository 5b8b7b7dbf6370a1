import { requestContext, runWith } from '../../events/process/context.ts'
import { openLoopTurns } from '../http/loop-turns.ts'
import type { ApiNode } from '../node/node.ts'
import { STAFF_CHANNEL } from '../staff/profile.ts'
import { watchSessions } from '../staff/session-watch.ts'
import { openFrameHandler } from './handlers/frame-handler.ts'
import { Presence } from './presence/presence.ts'
import { ChatHub } from './room/hub.ts'
import type { ChatSocket } from './socket/chat-socket.ts'
import { openFrameLimit } from './socket/frame-limit.ts'
import { steadyRate } from './socket/handshake-limit.ts'
import { sendAway } from './socket/send-away.ts'

/** When a client comes back that has reached a node which is about to stop, at most. */
const RECONNECT_WITHIN_MS = 3_000
/** The status with which a socket of somebody who has signed out is closed. */
const SIGNED_OUT = 4401

/** Where sockets meet the log. */
export type ChatGateway = {
  /** Whether a frame of this many bytes is to be handled. Sees to it that the client is told where it is not. */
  admits: (socket: ChatSocket, bytes: number) => boolean
  /**
   * Handles a frame of a client, once there is time for it. Never throws: a frame that cannot be served is answered with
   * `error`.
   */
  receive: (socket: ChatSocket, text: string) => Promise<void>
  connect: (socket: ChatSocket) => void
  disconnect: (socket: ChatSocket) => void
  /** Tells all clients to come back elsewhere, within 4 s however many they are, and closes their sockets. */
  drain: () => Promise<void>
  /** Stores what clients have reported, and tells the other nodes that nobody is here any more. */
  close: () => Promise<void>
}

/** Who acts is who the socket is, as for the messages that it sends. */
const frameContext = ({ role, staff }: ChatSocket) =>
  role?.type === 'admin' && staff ? requestContext({ type: 'staff', id: staff.id }) : requestContext()

/** Opens the node's chat. */
export const openGateway = (node: ApiNode): ChatGateway => {
  const { bus, logger } = node
  const hub = new ChatHub(node, () => presence.changed())
  const presence = new Presence(node, () => hub.visited())
  const frames = openFrameHandler(node, { hub, presence })
  const limit = openFrameLimit()
  const turns = openLoopTurns()
  const sockets = new Set<ChatSocket>()

  const lookForStaff = () => {
    hub.lookForStaff().catch((error) => logger.error({ err: error }, 'chat could not read the accounts of staff'))
  }
  bus.subscribe(STAFF_CHANNEL, lookForStaff)

  const staffCheck = watchSessions(node, () =>
    [...sockets].flatMap((socket) => {
      if (!socket.staff || socket.role?.type !== 'admin') return []
      return [{ tokenHash: socket.staff.tokenHash, end: () => socket.close(SIGNED_OUT, 'Signed out') }]
    }),
  )

  const sendElsewhere = (socket: ChatSocket, afterMs: number) => {
    socket.send({ type: 'reconnect', afterMs })
    socket.close(1012, 'This node is about to stop')
  }

  return {
    admits: (socket, bytes) => limit.admits(socket, bytes, performance.now()),
    receive: (socket, text) =>
      turns.run(() => runWith(frameContext(socket), () => frames.answer(socket, text), { socketId: socket.id })),
    connect: (socket) => {
      sockets.add(socket)
      if (node.isDraining) sendElsewhere(socket, Math.round(Math.random() * RECONNECT_WITHIN_MS))
    },
    disconnect: (socket) => {
      sockets.delete(socket)
      presence.leave(socket)
      frames.leave(socket)
    },
    drain: () => sendAway([...sockets], sendElsewhere, steadyRate(node.config.handshakesPerSecond)),
    close: async () => {
      staffCheck.stop()
      bus.unsubscribe(STAFF_CHANNEL, lookForStaff)
      await Promise.all([hub.close(), presence.close(), frames.close()])
    },
  }
}
