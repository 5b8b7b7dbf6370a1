import type { ApiNode } from '../node.ts'
import { onSessionsEnded, standingSessions } from '../staff/session.ts'
import type { ChatSocket } from './chat-socket.ts'

const SESSION_CHECK_MS = 5_000
/** The status with which a socket of somebody who has signed out is closed. */
const SIGNED_OUT = 4401

/** Cuts off staff whose session has ended, wherever they signed out: at once by the bus, else within five seconds. */
export const keepStaffSignedIn = (node: ApiNode, sockets: ReadonlySet<ChatSocket>): { stop: () => void } => {
  const check = async () => {
    const signedIn = [...sockets].flatMap((socket) => (socket.staff ? [{ socket, staff: socket.staff }] : []))
    if (signedIn.length === 0) return
    const standing = await standingSessions(
      node,
      signedIn.map(({ staff }) => staff.tokenHash),
    )
    for (const { socket, staff } of signedIn) {
      const isSignedOut = !standing.has(staff.tokenHash.toString('hex'))
      if (isSignedOut && socket.role?.type === 'admin') socket.close(SIGNED_OUT, 'Signed out')
    }
  }
  const look = () => {
    check().catch((error) => node.logger.error({ err: error }, 'staff sessions could not be checked'))
  }
  const timer = setInterval(look, SESSION_CHECK_MS)
  const stopListening = onSessionsEnded(node.bus, look)
  return {
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}
