import type { From } from '../../events/staff/account-history.ts'
import { isValidSession } from '../../events/staff/store/valid-session.ts'
import { sessions } from '../../events/staff/wire.ts'
import { route } from '../http/route.ts'
import { originOf, shownOrigin } from './request-origin.ts'
import { notifySessionsEnded } from './session.ts'

/** The maximum number of sessions shown, newest first. They last seven days, so more than these are a program's. */
const MAX_SHOWN = 100

type Row = { id: string; begunAt: Date; begunFrom: From | null; isThis: boolean }

/** The sessions of a staff member, newest first. Ending one ends it on all nodes at once. */
export const ownSessionRoutes = [
  route('GET', '/api/me/sessions', {
    access: 'staff',
    summary: 'One’s own sessions',
    answer: sessions,
    handler: async ({ node, c }) => {
      const { id: staffId, tokenHash } = c.get('staff')
      const rows = await node.sql<Row[]>`
        select staff_sessions.id, begun_at as "begunAt", begun_from as "begunFrom", token_hash = ${tokenHash} as "isThis"
        from staff_sessions join staff on staff.id = staff_id
        where staff_id = ${staffId} and ${isValidSession(node.sql)} order by begun_at desc limit ${MAX_SHOWN}`
      const { place: ownPlace } = originOf(node, c)
      return rows.map(({ id, begunAt, begunFrom, isThis }) => ({
        id,
        begunAt: begunAt.toISOString(),
        from: begunFrom && shownOrigin(begunFrom, ownPlace),
        isThis,
      }))
    },
  }),
  route('DELETE', '/api/me/sessions/:id', {
    access: 'staff',
    summary: 'Ends one of one’s sessions',
    handler: async ({ node: { sql, bus }, c, params: { id } }) => {
      // one that is over, or belongs to another account, stays unchanged
      await sql`delete from staff_sessions where id = ${id} and staff_id = ${c.get('staff').id}`
      await notifySessionsEnded(bus)
    },
  }),
]
