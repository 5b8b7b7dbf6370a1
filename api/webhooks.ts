import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { webhookChanged } from '../events/account-history.ts'
import { inTransaction } from '../events/log/connection.ts'
import { handle } from '../events/log/handle.ts'
import { KeyError } from '../events/log/key-ring.ts'
import type { Queryable } from '../events/log/read.ts'
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
} from '../events/log/webhooks.ts'
import { isOutsideAddress } from '../events/process/public-address.ts'
import { deliveryIdOf } from '../events/projections/webhook-deliveries.ts'
import { isResendable, listWebhookDeliveries } from '../events/projections/webhook-log.ts'
import { givenId } from '../events/text.ts'
import { WEBHOOK_RESENDS, webhookResendRequested } from '../events/webhook.ts'
import { webhookChange, webhookForm } from '../events/webhook-form.ts'
import {
  type madeWebhook,
  type rotatedSecret,
  type testedWebhook,
  WEBHOOK_DELIVERY_STATES,
  type webhookDeliveries,
  type webhooks,
} from '../events/wire/webhook.ts'
import type { Sent } from '../events/wire/word.ts'
import { readBody, validate } from './body.ts'
import { invalidField, RequestError } from './errors.ts'
import { A_CURSOR, linkNext } from './next-link.ts'
import type { ApiNode } from './node.ts'
import { expectConfirmed, requireConfirmed } from './staff/confirmation.ts'
import { holdOwners } from './staff/owners.ts'
import { requireOwner, requireStaff, type StaffEnv } from './staff/staff.ts'
import { openTrail } from './staff/trail.ts'
import { whereFrom } from './staff/where-from.ts'
import { wholeNumber } from './whole-number.ts'

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

/** Which deliveries are listed; the query of `GET /api/webhook-deliveries`. */
export const deliveryQuery = v.object({
  webhook: v.optional(givenId()),
  state: v.optional(v.picklist(WEBHOOK_DELIVERY_STATES, `Must be one of: ${WEBHOOK_DELIVERY_STATES.join(', ')}`)),
  limit: v.optional(wholeNumber(1, MAX_PAGE_DELIVERIES), String(PAGE_DELIVERIES)),
  cursor: v.optional(deliveryCursor),
})

type Ctx = Context<StaffEnv>
type Particulars = Omit<Parameters<typeof webhookChanged>[0], 'webhookId' | 'host' | 'by' | 'from'>

const notFound = () => new RequestError('not_found', 'There is no webhook with this id')

const ringOf = ({ sql }: ApiNode) => {
  if (sql.keys) return sql.keys.ring
  throw new KeyError('Webhooks take a connection with keys')
}

const checkUrl = ({ config }: ApiNode, url: string | undefined) => {
  if (url !== undefined && !isOutsideAddress(url, config.pushTestOrigins))
    throw invalidField('url', 'Must be an HTTPS address on the internet')
}

/** Changes webhooks in a transaction, with an event that says so before it is committed. */
const openChange = (node: ApiNode, c: Ctx) => {
  const by = c.get('staff').id
  const from = whereFrom(node, c)
  const { note } = openTrail(node.log, { by, from })
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

const make = async (node: ApiNode, c: Ctx) => {
  const form = await readBody(c, webhookForm)
  checkUrl(node, form.url)
  const change = openChange(node, c)
  const made = await change.inTransaction(async (tx) => {
    const inserted = await insertWebhook(tx, ringOf(node), form, change.by)
    if (inserted) await change.note(tx, inserted.id, { change: 'made', topics: form.topics })
    return inserted
  })
  if (!made) throw new RequestError('conflict', 'There are many webhooks already: remove those that nobody uses')
  return c.json(made satisfies Sent<typeof madeWebhook>, 201)
}

const edit = async (node: ApiNode, c: Ctx, id: string) => {
  const { isPaused, ...edited } = await readBody(c, webhookChange)
  if (edited.url !== undefined || edited.topics || isPaused === false) expectConfirmed(c)
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
  return c.body(null, 204)
}

const rotate = async (node: ApiNode, c: Ctx, id: string) => {
  const change = openChange(node, c)
  const secret = await change.inTransaction(async (tx) => {
    const fresh = await rotateSecret(tx, ringOf(node), id)
    if (fresh === undefined) throw notFound()
    await change.note(tx, id, { change: 'rotated' })
    return fresh
  })
  return c.json({ secret } satisfies Sent<typeof rotatedSecret>)
}

const remove = async (node: ApiNode, c: Ctx, id: string) => {
  const change = openChange(node, c)
  await change.inTransaction(async (tx) => {
    if (!(await removeWebhook(tx, id))) throw notFound()
    await change.note(tx, id, { change: 'removed' })
  })
  return c.body(null, 204)
}

/** A worker sends the message that the event asks for. */
const test = async (node: ApiNode, c: Ctx, id: string) => {
  if (!(await isWebhook(node.sql, id))) throw notFound()
  const eventId = crypto.randomUUID()
  await openChange(node, c).note(node.sql, id, { change: 'tested' }, eventId)
  return c.json({ deliveryId: deliveryIdOf(id, eventId, 'test') } satisfies Sent<typeof testedWebhook>, 202)
}

/** `/api/webhooks`: owners say what other programs are told of, and where (events/webhook.ts). */
export const webhookRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node), requireOwner)
    .get('/', async (c) => c.json((await listWebhooks(node.sql)) satisfies Sent<typeof webhooks>))
    .post('/', requireConfirmed, (c) => make(node, c))
    .patch('/:id', (c) => edit(node, c, c.req.param('id')))
    .post('/:id/secret', requireConfirmed, (c) => rotate(node, c, c.req.param('id')))
    .post('/:id/test', (c) => test(node, c, c.req.param('id')))
    .delete('/:id', (c) => remove(node, c, c.req.param('id')))

const answerDeliveries = async (node: ApiNode, c: Ctx) => {
  const { webhook: webhookId, state, limit, cursor: after } = validate(deliveryQuery, c.req.query())
  const { page, next } = await listWebhookDeliveries(node.reading, { webhookId, state, limit, after })
  if (next) linkNext(c, node.config, `${next.position}_${next.id}`)
  return c.json(page satisfies Sent<typeof webhookDeliveries>)
}

const resend = async (node: ApiNode, c: Ctx, id: string) => {
  if (!(await isResendable(node.sql, id)))
    throw new RequestError('not_found', 'There is no delivery with this id, or its webhook was removed')
  await handle(node.log, {
    read: () => ({ stream: WEBHOOK_RESENDS, version: 'any' as const }),
    decide: () => webhookResendRequested({ deliveryId: id, by: c.get('staff').id }),
  })
  return c.body(null, 202)
}

/** `/api/webhook-deliveries`: what went to other programs and what they answered, for staff, who may send it again. */
export const webhookDeliveryRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node))
    .get('/', (c) => answerDeliveries(node, c))
    .post('/:id/resend', (c) => resend(node, c, c.req.param('id')))
