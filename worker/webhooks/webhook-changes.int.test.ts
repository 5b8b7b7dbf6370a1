import { expect, test } from 'vitest'
import { parseKeyRing } from '../../events/keys/key-ring.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { isSignedBy } from '../../events/testing/receiver.ts'
import { deleteOldDeliveries } from '../../events/webhook/store/deliveries.ts'
import { listWebhookDeliveries } from '../../events/webhook/store/log.ts'
import {
  editWebhook,
  listWebhooks,
  pauseWebhook,
  readReceiver,
  removeWebhook,
  renewWaiting,
  rewrapWebhookSecrets,
  rotateSecret,
} from '../../events/webhook/store/webhooks.ts'
import { openTestWebhooks } from '../testing/webhooks.ts'

const { at, ring, add, submit, note, sendDue, wait, list } = openTestWebhooks()

test('after a rotation both secrets sign for a day; removal destroys them, and waiting messages are not sent', async () => {
  const { id, secret } = await add()
  const fresh = await inTransaction(at.mail.sql, (tx) => rotateSecret(tx, ring(), id))
  await submit()
  await sendDue()
  const [first] = at.receiver.taken
  expect([secret, fresh ?? ''].map((each) => first && isSignedBy(first, each))).toEqual([true, true])
  await at.mail.sql`update webhook_secrets set ends_at = now() where ends_at is not null`
  await submit()
  await sendDue()
  const second = at.receiver.taken[1] ?? expect.fail()
  expect([secret, fresh ?? ''].map((each) => isSignedBy(second, each))).toEqual([false, true])
  expect(JSON.stringify(await at.mail.sql`select * from webhook_secrets`)).not.toContain(secret.slice(6))
  await submit()
  await note()
  await inTransaction(at.mail.sql, (tx) => removeWebhook(tx, id))
  await sendDue()
  expect(at.receiver.taken).toHaveLength(2)
  expect(await at.mail.sql`select 1 from webhook_secrets`).toHaveLength(0)
  expect((await at.mail.sql`select url from webhooks`)[0]?.url).toBe(at.receiver.origin)
  expect((await list())[0]).toMatchObject({ state: 'dropped', isResendable: false })
})

test('another DATA_KEY opens secrets only after a rewrap, which names those that it does not open', async () => {
  const { id } = await add()
  const known = await readReceiver(at.mail.sql, ring(), id)
  const alone = parseKeyRing(Buffer.alloc(32, 'next').toString('base64')) ?? expect.fail()
  expect((await readReceiver(at.mail.sql, alone, id))?.secrets).toEqual([])
  const both = { active: alone.active, byId: new Map([...alone.byId, ...ring().byId]) }
  const closed = await add('https://b.example/hook')
  await at.mail.sql`update webhook_secrets set ring_key = 'deadbeef' where webhook_id = ${closed.id}`
  expect(await rewrapWebhookSecrets(at.mail.sql, both)).toEqual(['b.example'])
  expect(await readReceiver(at.mail.sql, alone, id)).toEqual(known)
})

test('a new address clears the failures of the old one; topics change from now on', async () => {
  const { id } = await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await inTransaction(at.mail.sql, (tx) =>
    editWebhook(tx, id, { url: `${at.receiver.origin}/new`, topics: ['lead.won'] }),
  )
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ topics: ['lead.won'], failingSince: null, waiting: 1 })
  at.receiver.reply((_, response) => response.writeHead(204).end())
  await wait(0)
  await submit()
  await sendDue()
  expect(at.receiver.taken.map(({ path }) => path)).toEqual(['/hook', '/new'])
})

test('a secret that DATA_KEY does not open fails with instructions, until there is a new one', async () => {
  const { id } = await add()
  await at.mail.sql`update webhook_secrets set ring_key = 'deadbeef'`
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    tries: [{ status: null, problem: 'Its secret cannot be opened: make a new one' }],
  })
  expect((await listWebhooks(at.mail.sql))[0]?.failingSince).not.toBeNull()
  const secret = await inTransaction(at.mail.sql, (tx) => rotateSecret(tx, ring(), id))
  expect(await at.mail.sql`select 1 from webhook_secrets`).toHaveLength(1)
  await wait(0)
  await sendDue()
  expect(at.receiver.taken.map((message) => isSignedBy(message, secret ?? ''))).toEqual([true])
  expect((await list())[0]).toMatchObject({ state: 'delivered' })
})

test('an attempt that fails as its webhook is removed waits for nothing; messages that arrived have arrived', async () => {
  const { id } = await add(undefined, ['lead.created'])
  const { id: taking } = await add(`${at.receiver.origin}/taking`, ['lead.created'])
  at.receiver.reply(async ({ path }, response) => {
    const isTaking = path === '/taking'
    await inTransaction(at.mail.sql, (tx) => removeWebhook(tx, isTaking ? taking : id))
    response.writeHead(isTaking ? 204 : 500).end()
  })
  await submit()
  await sendDue()
  const states = new Map((await list()).map(({ webhookId, state }) => [webhookId, state]))
  expect([states.get(id), states.get(taking)]).toEqual(['dropped', 'delivered'])
})

/** Has so many messages wait that were never tried. */
const letWait = (id: string, count: number) => at.mail.sql`
  insert into webhook_deliveries (id, webhook_id, event_id, event_position, topic, happened_at)
  select gen_random_uuid(), ${id}, gen_random_uuid(), n, 'lead.created', now() from generate_series(1, ${count}::int) n`

test('a removal does not change the waiting messages, which show as dropped; tidying drops them, some at a time', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await letWait(id, 10_001)
  const countWaiting = async () => (await at.mail.sql`select 1 from webhook_deliveries where state = 'waiting'`).length
  const page = async (state: 'waiting' | 'dropped' | undefined) =>
    (await listWebhookDeliveries(at.mail.sql, { webhookId: id, state, limit: 2, after: undefined })).page
  await inTransaction(at.mail.sql, (tx) => removeWebhook(tx, id))
  expect(await countWaiting()).toBe(10_001)
  expect((await page(undefined)).map(({ state, dueAt }) => [state, dueAt])).toEqual(Array(2).fill(['dropped', null]))
  expect(await page('waiting')).toEqual([])
  await sendDue()
  expect(at.receiver.taken).toEqual([])
  await deleteOldDeliveries(at.mail.sql)
  expect(await countWaiting()).toBe(1)
  await deleteOldDeliveries(at.mail.sql)
  expect(await countWaiting()).toBe(0)
  expect(await page('dropped')).toHaveLength(2)
})

const places = () => at.mail.sql`select id, ctid::text from webhook_deliveries order by id`

test('a resumption does not change messages that were never tried', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, true))
  await letWait(id, 3)
  const before = await places()
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect(await places()).toEqual(before)
})

test('tried messages are renewed some at a time while their webhook is paused, so that a resumption changes none of them', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await letWait(id, 5_001)
  await at.mail
    .sql`update webhook_deliveries set attempts = 3, first_tried_at = now(), due_at = now() + interval '1 hour'`
  const initially = await places()
  await renewWaiting(at.mail.sql, id)
  expect(await places()).toEqual(initially)
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, true))
  await renewWaiting(at.mail.sql, id)
  const [{ changes } = { changes: 0 }] = await at.mail.sql`
    select count(distinct xmin::text)::integer as changes from webhook_deliveries`
  expect(changes).toBe(2)
  const before = await places()
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect(await places()).toEqual(before)
  const isNew = at.mail.sql`due_at <= now() and first_tried_at is null and attempts_before = 3`
  expect(await at.mail.sql`select 1 from webhook_deliveries where ${isNew}`).toHaveLength(5_001)
})

test('a resumed webhook no longer has the reason of its pause', async () => {
  const { id } = await add()
  await at.mail.sql`update webhooks set paused_at = now(), paused_by_restore = true`
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: true, isPausedByRestore: true })
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: false, isPausedByRestore: false })
})
