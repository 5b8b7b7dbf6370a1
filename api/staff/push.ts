import { KeyError } from '../../events/keys/key-ring.ts'
import { isOutsideAddress } from '../../events/process/public-address.ts'
import { endedPush, pushSubscription } from '../../events/process/push.ts'
import { readPublicPushKey } from '../../events/staff/store/push-keys.ts'
import { endPushSubscription, savePushSubscription } from '../../events/staff/store/push-subscriptions.ts'
import { pushKey } from '../../events/staff/wire.ts'
import { invalidField } from '../http/errors.ts'
import { route } from '../http/route.ts'

/** The devices on which a staff member gets notifications about leads, even while no page is open. */
export const pushRoutes = [
  route('GET', '/api/me/push', {
    access: 'staff',
    summary: 'The key that browsers subscribe to notifications with',
    answer: pushKey,
    handler: async ({ node: { sql } }) => {
      if (!sql.keys) throw new KeyError('Notifications require a connection with keys')
      return { publicKey: await readPublicPushKey(sql, sql.keys.ring) }
    },
  }),
  route('POST', '/api/me/push', {
    access: 'staff',
    summary: 'Subscribes this device to notifications about leads',
    body: pushSubscription,
    handler: async ({ node, c, body: subscription }) => {
      if (!isOutsideAddress(subscription.endpoint, node.config.pushTestOrigins))
        throw invalidField('endpoint', 'Must be an HTTPS address on the internet')
      await savePushSubscription(node.sql, c.get('staff'), subscription)
    },
  }),
  route('DELETE', '/api/me/push', {
    access: 'staff',
    summary: 'Unsubscribes this device from notifications',
    body: endedPush,
    handler: ({ node, c, body: { endpoint } }) => endPushSubscription(node.sql, c.get('staff').id, endpoint),
  }),
]
