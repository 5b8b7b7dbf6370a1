import { type ApiNode, perNode } from '../node/node.ts'
import { findValidSessions, onSessionsEnded } from './session.ts'

const SESSION_CHECK_MS = 5_000

/** A connection that lasts as long as its session, or its program's token: `end` is called when that has ended. */
export type WatchedSession = { tokenHash: Buffer; end: () => void }

/**
 * Ends connections whose session or token has ended, on any node: at once by the bus, else within five seconds. One
 * query checks all of them.
 */
export const watchSessions = (node: ApiNode, watched: () => WatchedSession[]): { stop: () => void } => {
  const check = async () => {
    const all = watched()
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
  const timer = setInterval(look, SESSION_CHECK_MS)
  const stopListening = onSessionsEnded(node.bus, look)
  return {
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}

/**
 * Watches connections that come and go: `enter` adds one, and returns the function that removes it. Nothing is checked
 * while there is none.
 */
const openSessionWatch = (node: ApiNode): { enter: (session: WatchedSession) => () => void } => {
  const sessions = new Set<WatchedSession>()
  let watching: { stop: () => void } | undefined
  return {
    enter: (session) => {
      sessions.add(session)
      watching ??= watchSessions(node, () => [...sessions])
      return () => {
        sessions.delete(session)
        if (sessions.size > 0) return
        watching?.stop()
        watching = undefined
      }
    },
  }
}

export type SessionWatch = ReturnType<typeof openSessionWatch>

/** The watch of a node, over the connections of all its routes. */
export const watchOf = perNode(openSessionWatch)
