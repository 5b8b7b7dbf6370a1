import type { ApiNode } from '../../node/node.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { FrameError } from '../socket/frame.ts'
import { openFairQueue } from './fair-queue.ts'

/**
 * The number of visitors that a node admits at a time: enough to use its connections to Postgres fully, and few enough
 * that requests of visitors in a chat wait for only a handful of statements.
 */
const ENTERING_AT_ONCE = 8
/** The longest wait of a visitor, in milliseconds. Then the page is asked to retry on the same socket. */
const LONGEST_WAIT_MS = 20_000
const laterPlease = () => new FrameError('unavailable', 'Many visitors are joining: try again')

/** Runs a visitor's entry when their turn comes. Does nothing if they have left by then. */
export type InTurn = <T>(socket: ChatSocket, work: () => Promise<T>) => Promise<T>

/** Opens the queue of entering visitors. A socket is in it once: its frames are handled one by one. */
export const openEntryTurns = ({ metrics }: Pick<ApiNode, 'metrics'>): InTurn => {
  const queue = openFairQueue({ places: ENTERING_AT_ONCE, waitMs: LONGEST_WAIT_MS })

  return async <T>(socket: ChatSocket, work: () => Promise<T>): Promise<T> => {
    // the response to a page's ping follows its join: this shows earlier that the connection is alive
    const isTurn = queue.wait(socket.address, () => socket.send({ type: 'pong' }))
    metrics.waiting.set(queue.waiting)
    if (!(await isTurn)) {
      metrics.waitedTooLong.inc()
      throw laterPlease()
    }
    try {
      if (!socket.isOpen) throw laterPlease()
      return await work()
    } finally {
      queue.leave()
      metrics.waiting.set(queue.waiting)
    }
  }
}
