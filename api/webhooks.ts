import type { Context } from 'hono'
import * as v from 'valibot'
import { givenId } from '../events/base/text.ts'
import { keysOf } from '../events/chat/store/keys.ts'
import { handle } from '../events/log/handle.ts'
import type { Queryable } from '../events/log/read.ts'
import { isOutsideAddress } from '../events/process/public-address.ts'
import { webhookChanged } from '../events/staff/account-history.ts'
import { inTransaction } from '../events/stores/connection.ts'
import { webhookChange, webhookForm } from '../events/webhook/form.ts'
import { deliveryIdOf } from '../events/webhook/store/deliveries.ts'
import { isResendable, listWebhookDeliveries } from '../events/webhook/store/log.ts'
import {
  editWebhook,
  insertWebhook,
  isWebhook,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  renewWaiting,
  rotateSecret,
  webhookHost,
} from '../events/webhook/store/webhooks.ts'
import { WEBHOOK_RESENDS, webhookResendRequested } from '../events/webhook/webhook.ts'
import {
  madeWebhook,
  rotatedSecret,
  testedWebhook,
  WEBHOOK_DELIVERY_STATES,
  webhookDeliveries,
  webhooks,
} from '../events/webhook/wire.ts'
import { invalidField, RequestError } from './http/errors.ts'
import { A_CURSOR, linkNext } from './http/next-link.ts'
import { route } from './http/route.ts'
import { wholeNumber } from './http/whole-number.ts'
import type { ApiNode } from './node/node.ts'
import { expectConfirmed } from './staff/confirmation.ts'
import { holdOwners } from './staff/owners.ts'
import type { StaffEnv } from './staff/staff.ts'
import { trailOf } from './staff/trail.ts'

const PAGE_DELIVERIES = 25
const MAX_PAGE_DELIVERIES = 100
/** Names the last delivery of a page: `position_id`. */
const deliveryCursor = v.pipe(
  v.string(),
  v.transform((text) => {
    const [position = '', ...id] = text.split('_')
    return { position, id: id.join('_') }
  }),
  v.object({ position: wholeNumber(0, Number.MAX_SAFE_INTEGER, A_CURSOR), id: givenId(A_CURSOR) }),
)

/** The filter of the list of deliveries. */
const deliveryQuery = v.object({
  webhook: v.optional(givenId()),
  state: v.optional(v.picklist(WEBHOOK_DELIVERY_STATES, `Must be one of: ${WEBHOOK_DELIVERY_STATES.join(', ')}`)),
  limit: v.optional(wholeNumber(1, MAX_PAGE_DELIVERIES), String(PAGE_DELIVERIES)),
  cursor: v.optional(deliveryCursor),
})

type Particulars = Omit<Parameters<typeof webhookChanged>[0], 'webhookId' | 'host' | 'by' | 'from'>

const notFound = () => new RequestError('not_found', 'There is no webhook with this id')

const checkUrl = ({ config }: ApiNode, url: string | undefined) => {
  if (url !== undefined && !isOutsideAddress(url, config.pushTestOrigins))
    throw invalidField('url', 'Must be an HTTPS address on the internet')
}

/** Changes webhooks in a transaction, with an event that is stored before the commit. */
const openChange = (node: ApiNode, c: Context<StaffEnv>) => {
  const by = c.get('staff').id
  const { from, note } = trailOf(node, c)
  return {
    by,
    note: async (sql: Queryable, webhookId: string, particulars: Particulars, eventId?: string) => {
      const host = await webhookHost(sql, webhookId)
      await note(webhookChanged({ webhookId, ...particulars, ...(host && { host }), by, from }), eventId)
    },
    inTransaction: <T>(work: (tx: Queryable) => Promise<T>) =>
      inTransaction(node.sql, async (tx) => {
        await holdOwners(tx, by)
        return await work(tx)
      }),
  }
}

/** Owners set which other programs are notified of which events (events/webhook/webhook.ts). */
export const webhookRoutes = [
  route('GET', '/api/webhooks', {
    access: 'owners',
    summary: 'Lists webhooks',
    answer: webhooks,
    handler: ({ node }) => listWebhooks(node.sql),
  }),
  route('POST', '/api/webhooks', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Adds a webhook',
    body: webhookForm,
    answer: madeWebhook,
    status: 201,
    mayConflict: true,
    handler: async ({ node, c, body: form }) => {
      checkUrl(node, form.url)
      const change = openChange(node, c)
      const made = await change.inTransaction(async (tx) => {
        const inserted = await insertWebhook(tx, keysOf(node.sql).ring, form, change.by)
        if (inserted) await change.note(tx, inserted.id, { change: 'made', topics: form.topics })
        return inserted
      })
      if (!made) throw new RequestError('conflict', 'There are too many webhooks already: remove unused ones')
      return made
    },
  }),
  route('PATCH', '/api/webhooks/:id', {
    access: 'owners',
    // not for a pause
    isConfirmed: 'sometimes',
    summary: 'Changes, pauses or resumes a webhook',
    body: webhookChange,
    handler: async ({ node, c, params: { id }, body: { isPaused, ...edited } }) => {
      if (edited.url !== undefined || edited.topics || isPaused === false) expectConfirmed(c.get('staff'))
      checkUrl(node, edited.url)
      if (isPaused === false) await renewWaiting(node.sql, id)
      const change = openChange(node, c)
      await change.inTransaction(async (tx) => {
        if (!(await editWebhook(tx, id, edited))) throw notFound()
        const { url, topics } = edited
        if (url !== undefined || topics) await change.note(tx, id, { change: 'edited', ...(topics && { topics }) })
        if (isPaused !== undefined && (await pauseWebhook(tx, id, isPaused)))
          await change.note(tx, id, { change: isPaused ? 'paused' : 'resumed' })
      })
    },
  }),
  route('DELETE', '/api/webhooks/:id', {
    access: 'owners',
    summary: 'Removes a webhook',
    handler: async ({ node, c, params: { id } }) => {
      const change = openChange(node, c)
      await change.inTransaction(async (tx) => {
        if (!(await removeWebhook(tx, id))) throw notFound()
        await change.note(tx, id, { change: 'removed' })
      })
    },
  }),
  route('POST', '/api/webhooks/:id/secret', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Makes a new secret for a webhook',
    answer: rotatedSecret,
    handler: async ({ node, c, params: { id } }) => {
      const change = openChange(node, c)
      const secret = await change.inTransaction(async (tx) => {
        const fresh = await rotateSecret(tx, keysOf(node.sql).ring, id)
        if (fresh === undefined) throw notFound()
        await change.note(tx, id, { change: 'rotated' })
        return fresh
      })
      return { secret }
    },
  }),
  route('POST', '/api/webhooks/:id/test', {
    access: 'owners',
    summary: 'Sends a test to a webhook',
    answer: testedWebhook,
    status: 202,
    handler: async ({ node, c, params: { id } }) => {
      if (!(await isWebhook(node.sql, id))) throw notFound()
      // a worker sends the message that this event requests
      const eventId = crypto.randomUUID()
      await openChange(node, c).note(node.sql, id, { change: 'tested' }, eventId)
      return { deliveryId: deliveryIdOf(id, eventId, 'test') }
    },
  }),
  route('GET', '/api/webhook-deliveries', {
    access: 'staff',
    summary: 'Lists the messages to webhooks',
    query: deliveryQuery,
    answer: webhookDeliveries,
    isPaged: true,
    handler: async ({ node, c, query: { webhook: webhookId, state, limit, cursor: after } }) => {
      const { page, next } = await listWebhookDeliveries(node.reading, { webhookId, state, limit, after })
      if (next) linkNext(c, node.config, `${next.position}_${next.id}`)
      return page
    },
  }),
  route('POST', '/api/webhook-deliveries/:id/resend', {
    access: 'staff',
    summary: 'Sends a message to a webhook again',
    status: 202,
    handler: async ({ node, c, params: { id } }) => {
      if (!(await isResendable(node.sql, id)))
        throw new RequestError('not_found', 'There is no delivery with this id, or its webhook was removed')
      await handle(node.log, {
        read: () => ({ stream: WEBHOOK_RESENDS, version: 'any' as const }),
        decide: () => webhookResendRequested({ deliveryId: id, by: c.get('staff').id }),
      })
    },
  }),
]
