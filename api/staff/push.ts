import { type Context, Hono } from 'hono'
import { KeyError } from '../../events/log/key-ring.ts'
import { readPublicPushKey } from '../../events/log/push-keys.ts'
import { endPushSubscription, savePushSubscription } from '../../events/log/push-subscriptions.ts'
import { isOutsideAddress } from '../../events/process/public-address.ts'
import { endedPush, pushSubscription } from '../../events/process/push.ts'
import type { pushKey } from '../../events/wire/staff.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { invalidField } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv } from './staff.ts'

const answerKey = async ({ sql }: ApiNode, c: Context) => {
  if (!sql.keys) throw new KeyError('Notifications take a connection with keys')
  const publicKey = await readPublicPushKey(sql, sql.keys.ring)
  return c.json({ publicKey } satisfies Sent<typeof pushKey>)
}

/** `/api/me/push`: the devices on which somebody is told of leads, also while no page is open. */
export const pushRoutes = (node: ApiNode) => {
  const staff = requireStaff(node)
  return new Hono<StaffEnv>()
    .get('/', staff, (c) => answerKey(node, c))
    .post('/', staff, async (c) => {
      const subscription = await readBody(c, pushSubscription)
      if (!isOutsideAddress(subscription.endpoint, node.config.pushTestOrigins))
        throw invalidField('endpoint', 'Must be an HTTPS address on the internet')
      await savePushSubscription(node.sql, c.get('staff'), subscription)
      return c.body(null, 204)
    })
    .delete('/', staff, async (c) => {
      const { endpoint } = await readBody(c, endedPush)
      await endPushSubscription(node.sql, c.get('staff').id, endpoint)
      return c.body(null, 204)
    })
}
