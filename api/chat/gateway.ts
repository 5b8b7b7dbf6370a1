import { requestContext, runWith } from '../../events/process/context.ts'
import { openLoopQueue } from '../http/loop-queue.ts'
import type { ApiNode } from '../node/node.ts'
import { STAFF_CHANNEL } from '../staff/profile.ts'
import { watchOf } from '../staff/session-watch.ts'
import { openFrameHandler } from './handlers/frame-handler.ts'
import { Presence } from './presence/presence.ts'
import { ChatHub } from './room/hub.ts'
import type { ChatSocket } from './socket/chat-socket.ts'
import { openFrameLimit } from './socket/frame-limit.ts'
import { steadyRate } from './socket/handshake-limit.ts'
import { sendAway } from './socket/send-away.ts'

/** The longest delay after which a client reconnects that has reached a node about to stop. */
const RECONNECT_WITHIN_MS = 3_000
/** The status with which the socket of a staff member who has signed out is closed. */
const SIGNED_OUT = 4401

/** Connects sockets with the log. */
export type ChatGateway = {
  /** Whether a frame of this many bytes is to be handled. If not, the client is notified. */
  admits: (socket: ChatSocket, bytes: number) => boolean
  /**
   * Handles a frame of a client when its turn comes, then calls back. Never throws: the response to a frame that cannot
   * be served is `error`.
   */
  receive: (socket: ChatSocket, text: string, onHandled: () => void) => void
  connect: (socket: ChatSocket) => void
  disconnect: (socket: ChatSocket) => void
  /** Asks all clients to reconnect elsewhere, within 4 s whatever their number, and closes their sockets. */
  drain: () => Promise<void>
  /**
   * Stores the receipts that clients have reported, and notifies the other nodes that this one has no visitors or
   * viewers.
   */
  close: () => Promise<void>
}

/** The actor of a frame is the owner of the socket, as for its messages. */
const frameContext = ({ role, staff }: ChatSocket) =>
  role?.type === 'admin' && staff ? requestContext({ type: 'staff', id: staff.id }) : requestContext()

/** Opens the node's chat. */
export const openGateway = (node: ApiNode): ChatGateway => {
  const { bus, logger } = node
  const hub = new ChatHub(node, () => presence.changed())
  const presence = new Presence(node, () => hub.visited())
  const frames = openFrameHandler(node, { hub, presence })
  const limit = openFrameLimit()
  const turns = openLoopQueue()
  const watched = watchOf(node)
  const sockets = new Map<ChatSocket, () => void>()

  const refreshStaff = () => {
    hub.refreshStaff().catch((error) => logger.error({ err: error }, 'chat could not read the accounts of staff'))
  }
  bus.subscribe(STAFF_CHANNEL, refreshStaff)

  /** A console closes when its staff member has signed out; a visitor's socket with the cookie of staff stays open. */
  const watch = (socket: ChatSocket) => {
    if (!socket.staff) return () => {}
    const end = () => socket.role?.type === 'admin' && socket.close(SIGNED_OUT, 'Signed out')
    return watched.enter({ tokenHash: socket.staff.tokenHash, end })
  }

  const sendElsewhere = (socket: ChatSocket, afterMs: number) => {
    socket.send({ type: 'reconnect', afterMs })
    socket.close(1012, 'This node is about to stop')
  }

  return {
    admits: (socket, bytes) => limit.admits(socket, bytes, performance.now()),
    receive: (socket, text, onHandled) =>
      turns.take(() =>
        runWith(frameContext(socket), () => frames.answer(socket, text, onHandled), { socketId: socket.id }),
      ),
    connect: (socket) => {
      sockets.set(socket, watch(socket))
      if (node.isDraining) sendElsewhere(socket, Math.round(Math.random() * RECONNECT_WITHIN_MS))
    },
    disconnect: (socket) => {
      sockets.get(socket)?.()
      sockets.delete(socket)
      presence.leave(socket)
      frames.leave(socket)
    },
    drain: () => sendAway([...sockets.keys()], sendElsewhere, steadyRate(node.config.handshakesPerSecond)),
    close: async () => {
      for (const leave of sockets.values()) leave()
      bus.unsubscribe(STAFF_CHANNEL, refreshStaff)
      await Promise.all([hub.close(), presence.close(), frames.close()])
    },
  }
}
