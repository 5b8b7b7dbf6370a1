import type { Context } from 'hono'
import type { From } from '../../events/account-history.ts'
import { isStandingSession } from '../../events/log/standing-session.ts'
import type { sessions } from '../../events/wire/staff.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { tellSessionsEnded } from './session.ts'
import type { StaffEnv } from './staff.ts'
import { whereFrom } from './where-from.ts'

/** The newest of somebody's sessions that are shown. They go on for seven days, so that more are a program's. */
const MAX_SHOWN = 100

type Row = { id: string; begunAt: Date; begunFrom: From | null; isThis: boolean }

/** Answers where somebody is signed in, newest first. */
export const answerOwnSessions = async (node: ApiNode, c: Context<StaffEnv>) => {
  const { id, tokenHash } = c.get('staff')
  const rows = await node.sql<Row[]>`
    select staff_sessions.id, begun_at as "begunAt", begun_from as "begunFrom", token_hash = ${tokenHash} as "isThis"
    from staff_sessions join staff on staff.id = staff_id
    where staff_id = ${id} and ${isStandingSession(node.sql)} order by begun_at desc limit ${MAX_SHOWN}`
  const { place: here } = whereFrom(node, c)
  const shown = rows.map(({ id, begunAt, begunFrom, isThis }) => ({
    id,
    begunAt: begunAt.toISOString(),
    from: begunFrom && {
      network: begunFrom.network,
      browser: begunFrom.browser,
      system: begunFrom.system,
      isHere: begunFrom.place === here,
    },
    isThis,
  }))
  return c.json(shown satisfies Sent<typeof sessions>)
}

/**
 * Ends one of somebody's own sessions, on all nodes at once. One that is over already, or somebody else's, stays as it
 * is.
 */
export const endOwnSession = async ({ sql, bus }: ApiNode, c: Context<StaffEnv>, sessionId: string) => {
  await sql`delete from staff_sessions where id = ${sessionId} and staff_id = ${c.get('staff').id}`
  await tellSessionsEnded(bus)
  return c.body(null, 204)
}
