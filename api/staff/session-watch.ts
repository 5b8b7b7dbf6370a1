import { type ApiNode, perNode } from '../node/node.ts'
import { findValidSessions, SESSIONS_CHANNEL } from './session.ts'

const SESSION_CHECK_MS = 5_000

/** A connection that lasts as long as its session, or its program's token: `end` is called when that has ended. */
export type WatchedSession = { tokenHash: Buffer; end: () => void }

/**
 * Watches connections that come and go: `enter` adds one, and returns the function that removes it. Connections whose
 * session or token has ended, on any node, are ended: at once by the bus, else within five seconds. One query checks all
 * of them, and nothing is checked while there is none.
 */
const openSessionWatch = (node: ApiNode): { enter: (session: WatchedSession) => () => void } => {
  const sessions = new Set<WatchedSession>()
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    const all = [...sessions]
    if (all.length === 0) return
    const valid = await findValidSessions(
      node,
      all.map(({ tokenHash }) => tokenHash),
    )
    for (const { tokenHash, end } of all) if (!valid.has(tokenHash.toString('hex'))) end()
  }
  const look = () => {
    check().catch((error) => node.logger.error({ err: error }, 'staff sessions could not be checked'))
  }
  node.bus.subscribe(SESSIONS_CHANNEL, look)
  return {
    enter: (session) => {
      sessions.add(session)
      timer ??= setInterval(look, SESSION_CHECK_MS)
      return () => {
        sessions.delete(session)
        if (sessions.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

export type SessionWatch = ReturnType<typeof openSessionWatch>

/** The watch of a node, over the connections of all its routes. */
export const watchOf = perNode(openSessionWatch)
