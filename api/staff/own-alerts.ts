import { isDeepStrictEqual } from 'node:util'
import { staffAlertsChanged } from '../../events/staff/account-history.ts'
import { type AlertForm, alertForm } from '../../events/staff/staff.ts'
import { readAlertSettings, saveAlertSettings } from '../../events/staff/store/alerts.ts'
import { alertSettings } from '../../events/staff/wire.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { waysOf } from '../email/ways.ts'
import { route } from '../http/route.ts'
import { expectConfirmed } from './confirmation.ts'
import { type Trail, trailOf } from './trail.ts'

const addressChange = (before: AlertForm, after: AlertForm) => {
  if (after.email === before.email) return 'kept'
  return after.email === null ? 'removed' : 'changed'
}

/** Changes the notifications of an account and their address, with an event, unless nothing changes. */
const changeAlerts = (sql: Sql, accountId: string, chosen: AlertForm, { by, from, note }: Trail): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await tx`select 1 from staff where id = ${accountId} for update`
    const before = await readAlertSettings(tx, accountId)
    const address = addressChange(before, chosen)
    const { alerts } = chosen
    if (address === 'kept' && isDeepStrictEqual(alerts, before.alerts)) return
    await saveAlertSettings(tx, accountId, chosen)
    await note(staffAlertsChanged({ accountId, by, from, address, alerts }))
  })

/** The notifications that a staff member gets, and their address. */
export const ownAlertRoutes = [
  route('GET', '/api/me/alerts', {
    access: 'staff',
    summary: 'The alerts that one gets, and their address',
    answer: alertSettings,
    handler: async ({ node, c }) => {
      const { reachesPeople } = waysOf(node)
      const chosen = await readAlertSettings(node.sql, c.get('staff').id)
      const isUnknown = reachesPeople === undefined
      return { ...chosen, isPossible: reachesPeople ?? false, ...(isUnknown && { isUnknown }) }
    },
  }),
  route('POST', '/api/me/alerts', {
    access: 'staff',
    // for another address: links to choose a new password are sent to it
    isConfirmed: 'sometimes',
    summary: 'Chooses the alerts that one gets, and their address',
    body: alertForm,
    handler: async ({ node, c, body: chosen }) => {
      const { id } = c.get('staff')
      const before = await readAlertSettings(node.sql, id)
      if (chosen.email !== null && chosen.email !== before.email) expectConfirmed(c.get('staff'))
      await changeAlerts(node.sql, id, chosen, trailOf(node, c))
    },
  }),
]
