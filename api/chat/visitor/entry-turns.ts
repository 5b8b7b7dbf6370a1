import type { ApiNode } from '../../process/node.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { FrameError } from '../socket/frame.ts'
import { openLine } from './line.ts'

/**
 * How many visitors a node lets in at a time: enough to keep its connections to Postgres at work, and so few that what is
 * asked for by those who are in a chat waits for a handful of statements.
 */
const ENTERING_AT_ONCE = 8
/** How long a visitor stands in line at most, in milliseconds. Then they are told to ask again, on the same socket. */
const STAND_IN_LINE_MS = 20_000
const laterPlease = () => new FrameError('unavailable', 'Many people come in just now: try again')

/**
 * Does what a visitor's coming in reads and writes once it is their turn. Nothing is done for one who has gone
 * meanwhile.
 */
export type InTurn = <T>(socket: ChatSocket, work: () => Promise<T>) => Promise<T>

/** Opens the line in which visitors come in. A socket stands in it once: its frames come one by one. */
export const openEntryTurns = ({ metrics }: Pick<ApiNode, 'metrics'>): InTurn => {
  const line = openLine({ places: ENTERING_AT_ONCE, waitMs: STAND_IN_LINE_MS })

  return async <T>(socket: ChatSocket, work: () => Promise<T>): Promise<T> => {
    // a page that asks whether its connection is alive is answered behind its join: this tells it before
    const standing = line.stand(socket.address, () => socket.send({ type: 'pong' }))
    metrics.waiting.set(line.waiting)
    if (!(await standing)) {
      metrics.waitedTooLong.inc()
      throw laterPlease()
    }
    try {
      if (!socket.isOpen) throw laterPlease()
      return await work()
    } finally {
      line.leave()
      metrics.waiting.set(line.waiting)
    }
  }
}
