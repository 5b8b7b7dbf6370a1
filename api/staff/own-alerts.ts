import { type Context, Hono } from 'hono'
import { staffAlertsChanged } from '../../events/account-history.ts'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { readAlertSettings, saveAlertSettings } from '../../events/log/staff-alerts.ts'
import { type AlertChoice, type AlertSettings, alertForm } from '../../events/staff.ts'
import { readBody } from '../body.ts'
import type { ApiNode } from '../node.ts'
import { expectConfirmed } from './confirmation.ts'
import { requireStaff, type StaffEnv } from './staff.ts'
import { openTrail, type Trail } from './trail.ts'
import { whereFrom } from './where-from.ts'

const addressChange = (before: AlertChoice, after: AlertChoice) => {
  if (after.email === before.email) return 'kept'
  return after.email === null ? 'removed' : 'changed'
}

/** Changes what an account is told of and where, and writes that down; what stays as it is leaves no trace. */
const changeAlerts = (sql: Sql, accountId: string, chosen: AlertChoice, { by, from, note }: Trail): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await tx`select 1 from staff where id = ${accountId} for update`
    const before = await readAlertSettings(tx, accountId)
    const address = addressChange(before, chosen)
    const { onNew, onLate, onChats } = chosen
    const isSame = onNew === before.onNew && onLate === before.onLate && onChats === before.onChats
    if (address === 'kept' && isSame) return
    await saveAlertSettings(tx, accountId, chosen)
    await note(staffAlertsChanged({ accountId, by, from, address, onNew, onLate, onChats }))
  })

const answerAlerts = async ({ sql, config }: ApiNode, c: Context<StaffEnv>) => {
  const { reachesPeople } = config
  const chosen = await readAlertSettings(sql, c.get('staff').id)
  const isUnknown = reachesPeople === undefined
  return c.json({
    ...chosen,
    isPossible: reachesPeople ?? false,
    ...(isUnknown && { isUnknown }),
  } satisfies AlertSettings)
}

/** `/api/me/alerts`: what somebody is told of, and where. Another address has to be confirmed. */
export const ownAlertRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .get('/', requireStaff(node), (c) => answerAlerts(node, c))
    .post('/', requireStaff(node), async (c) => {
      const chosen = await readBody(c, alertForm)
      const { id } = c.get('staff')
      const before = await readAlertSettings(node.sql, id)
      if (chosen.email !== null && chosen.email !== before.email) expectConfirmed(c)
      const { onChats } = before
      await changeAlerts(
        node.sql,
        id,
        { onChats, ...chosen },
        openTrail(node.log, { by: id, from: whereFrom(node, c) }),
      )
      return c.body(null, 204)
    })
