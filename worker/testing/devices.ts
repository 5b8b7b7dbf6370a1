import { randomBytes } from 'node:crypto'
import type { PushSubscription } from '../../events/process/push.ts'
import { savePushSubscription } from '../../events/staff/store/push-subscriptions.ts'
import type { TestService } from '../../events/testing/email-service.ts'
import { openTestPushService } from '../../events/testing/push-service.ts'
import { repairPushKeys } from '../push/pushes.ts'
import { openTestDelivering } from './delivering.ts'

/** A worker's part in notifications on a database of its own, and devices of staff that get them. */
export const openTestDevices = async (service: TestService) => {
  const mail = await openTestDelivering(service)
  const push = await openTestPushService()
  await repairPushKeys({ sql: mail.sql, logger: { warn: () => {} } })

  /** A session of a staff member, on one device. */
  const signIn = async (staffId: string) => {
    const tokenHash = randomBytes(32)
    await mail.sql`
      insert into staff_sessions (token_hash, staff_id, expires_at) values (${tokenHash}, ${staffId}, now() + interval '1 day')`
    return tokenHash
  }

  const subscribe = async (staffId: string, device: PushSubscription, tokenHash?: Buffer) => {
    const session = { id: staffId, tokenHash: tokenHash ?? (await signIn(staffId)) }
    await savePushSubscription(mail.sql, session, { endpoint: device.endpoint, keys: device.keys })
  }

  return {
    mail,
    push,
    signIn,
    subscribe,
    /** Adds a device of a staff member. */
    give: async (staffId: string) => {
      const device = push.device()
      await subscribe(staffId, device)
      return device
    },
    close: () => Promise.all([mail.close(), push.close()]),
  }
}

export type TestDevices = Awaited<ReturnType<typeof openTestDevices>>
