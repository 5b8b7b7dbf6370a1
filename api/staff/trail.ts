import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { Appender } from '../../events/log/append.ts'
import { ACCOUNTS_STREAM, type From, type NewAccountEvent } from '../../events/staff/account-history.ts'
import type { ApiNode } from '../node/node.ts'
import { originOf } from './request-origin.ts'
import type { StaffEnv } from './staff.ts'

/** The actor of a change of accounts, and its log. `by` and `from` are null for the command line. */
export type Trail = {
  by: string | null
  from: From | null
  /**
   * Stores what is about to happen. A change waits for it before it is committed: none is left unrecorded. The two are
   * not one transaction. An append holds the lock of the whole log until its commit, in one call; in a transaction of
   * several calls, a node that hangs between them would delay every lead and message for up to 30 s. A crash between
   * the two therefore leaves an entry of a change that did not take effect. That is the safe side: the list of accounts
   * shows the actual state.
   */
  note: (event: NewAccountEvent, id?: string) => Promise<void>
}

/** Opens the trail of one call. */
export const openTrail = (log: Pick<Appender, 'append'>, { by, from }: Pick<Trail, 'by' | 'from'>): Trail => ({
  by,
  from,
  note: async (event, id = randomUUID()) => {
    const events = [{ id, ...event }]
    await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events })
  },
})

/** Opens the trail of a signed-in staff member's changes. */
export const trailOf = (node: ApiNode, c: Context<StaffEnv>): Trail =>
  openTrail(node.log, { by: c.get('staff').id, from: originOf(node, c) })
