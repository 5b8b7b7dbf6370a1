import { expect, test } from 'vitest'
import { inTransaction } from '../../events/log/connection.ts'
import { parseKeyRing } from '../../events/log/key-ring.ts'
import {
  editWebhook,
  listWebhooks,
  pauseWebhook,
  readReceiver,
  removeWebhook,
  rewrapWebhookSecrets,
  rotateSecret,
} from '../../events/log/webhooks.ts'
import { tidyWebhookDeliveries } from '../../events/projections/webhook-deliveries.ts'
import { isSignedBy } from '../../events/testing/receiver.ts'
import { openTestWebhooks } from './test-webhooks.ts'

const { at, ring, add, submit, note, sendDue, wait, list } = openTestWebhooks()

test('after a rotation both secrets sign for a day; removal destroys them, and what waits is not sent', async () => {
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

test('a new address forgets how the old one failed; topics change from now on', async () => {
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

test('a secret that DATA_KEY does not open fails with words that say what to do, until there is a new one', async () => {
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

test('a try that fails as its webhook is removed waits for nothing; what arrived has arrived', async () => {
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

test('what a removed webhook still got is dropped with the next tidying', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await submit()
  await note()
  await at.mail.sql`update webhooks set removed_at = now() where id = ${id}`
  await tidyWebhookDeliveries(at.mail.sql)
  expect((await list()).map(({ state }) => state)).toEqual(['dropped'])
})

test('a resumed webhook forgets why it was paused', async () => {
  const { id } = await add()
  await at.mail.sql`update webhooks set paused_at = now(), paused_by_restore = true`
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: true, isPausedByRestore: true })
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: false, isPausedByRestore: false })
})
