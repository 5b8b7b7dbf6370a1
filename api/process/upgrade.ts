import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { RequestError } from '../http/errors.ts'

/** The path at which sockets are opened. */
export const SOCKET_PATH = '/ws'

/**
 * Whether Node upgrades a connection to a WebSocket. All others stay requests like any other, with their time-outs: a
 * connection that is upgraded to an unsupported protocol would stay open in silence for ever.
 */
export const isSocketUpgrade = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Refuses every Upgrade except that of a WebSocket at its path: on other paths the body of the response would not be
 * read.
 */
export const refuseUpgrade = (c: Context): void => {
  const upgrade = c.req.header('upgrade')
  if (upgrade !== undefined && !(upgrade.toLowerCase() === 'websocket' && c.req.path === SOCKET_PATH)) {
    c.header('Connection', 'close')
    throw new RequestError(
      'upgrade_not_offered',
      `Only Upgrade: websocket at ${SOCKET_PATH} is offered: leave the header out`,
    )
  }
}
