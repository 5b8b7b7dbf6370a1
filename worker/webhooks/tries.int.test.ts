import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { destroyKeys } from '../../events/keys/subject-keys.ts'
import { leadErased, leadStreams } from '../../events/lead/lead.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { listWebhooks, pauseWebhook } from '../../events/webhook/store/webhooks.ts'
import { FIRST_PAUSE_MS, openTestWebhooks } from '../testing/webhooks.ts'
import { pauseAfter } from './send.ts'

const { at, add, append, submit, sendDue, wait, list, ask } = openTestWebhooks()

test('a message with a 500 response is retried later each time, for a day; then it is given up and the webhook paused, once', async () => {
  const { id } = await add()
  at.receiver.reply((_, response) => response.writeHead(500).end('out of order\0'))
  await submit()
  await sendDue()
  await sendDue()
  expect(at.receiver.taken).toHaveLength(1)
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    answer: 'out of order�',
    tries: [{ status: 500 }],
  })
  await wait(12)
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'waiting', attempts: 2 })
  await wait(12)
  await Promise.all([sendDue(), sendDue()])
  expect((await list())[0]).toMatchObject({ state: 'given_up', attempts: 3, dueAt: null })
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ id, isPaused: true, isFailed: true, isGone: false })
  const events = await at.mail.sql`select data from events where type = 'WebhookChanged'`
  expect(events.map(({ data }) => data)).toEqual([
    { webhookId: id, change: 'failed', host: new URL(at.receiver.origin).host, by: null, from: null },
  ])
  const ids = new Set(at.receiver.taken.map(({ headers }) => headers['webhook-id']))
  expect(ids.size).toBe(1)
  // events during that time wait until an owner resumes it
  await submit()
  await sendDue()
  expect(at.receiver.taken).toHaveLength(3)
  at.receiver.reply((_, response) => response.writeHead(200).end('ok'))
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  await sendDue()
  expect((await list()).map(({ state }) => state)).toEqual(['delivered', 'given_up'])
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: false, isFailed: false, failingSince: null })
})

test('a webhook that accepts a message in between is not paused', async () => {
  await add()
  at.receiver.reply((_, response) => response.writeHead(503).end())
  await submit()
  await sendDue()
  await wait(20)
  at.receiver.reply((_, response) => response.writeHead(200).end())
  await submit()
  await sendDue()
  at.receiver.reply((_, response) => response.writeHead(503).end())
  await submit()
  await sendDue()
  await wait(20)
  await sendDue()
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: false })
})

test('messages that waited while a webhook was paused are tried for a day again, from the shortest pause on', async () => {
  const { id } = await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await wait(12)
  await submit()
  await sendDue()
  await wait(12)
  // else its failure may pause the webhook before the older one is tried
  const [newest] = await list()
  await at.mail.sql`update webhook_deliveries set due_at = now() + interval '1 hour' where id = ${newest?.id ?? ''}`
  await sendDue()
  expect((await list()).map(({ state }) => state)).toEqual(['waiting', 'given_up'])
  await wait(13)
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  await sendDue()
  const [first] = await list()
  expect(first).toMatchObject({ state: 'waiting', attempts: 2 })
  expect(Date.parse(first?.dueAt ?? '') - Date.now()).toBeLessThan(FIRST_PAUSE_MS)
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ isPaused: false })
})

test('an attempt in progress when its webhook is resumed counts as the first', async () => {
  const { id } = await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await wait(20)
  at.receiver.reply(async (_, response) => {
    await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, true))
    await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
    response.writeHead(500).end()
  })
  await sendDue()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await wait(12)
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'waiting', attempts: 3 })
})

test('a message that is sent again is tried for a day again, from the shortest pause on', async () => {
  await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  for (let tries = 0; tries < 5; tries += 1) {
    await sendDue()
    await wait(1)
  }
  await wait(20)
  await ask((await list())[0]?.id ?? '')
  await sendDue()
  const [first] = await list()
  expect(first).toMatchObject({ state: 'waiting', attempts: 6 })
  expect(Date.parse(first?.dueAt ?? '') - Date.now()).toBeLessThan(FIRST_PAUSE_MS)
})

test('a webhook no longer fails once all messages that it did not accept are dropped', async () => {
  await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  const leads = [await submit(), await submit()]
  await sendDue()
  const erase = async (leadId = '') => {
    await append(leadStreams.of(leadId), { id: randomUUID(), ...leadErased({ by: at.owner }) })
    await destroyKeys(at.mail.sql, at.mail.sql.keys ?? expect.fail(), [leadId])
    await wait(0)
    await sendDue()
  }
  await erase(leads[0])
  expect((await listWebhooks(at.mail.sql))[0]?.failingSince).not.toBeNull()
  await erase(leads[1])
  expect((await listWebhooks(at.mail.sql))[0]?.failingSince).toBeNull()
})

test('pauses grow from seconds to hours, and end after a day', () => {
  for (const [index, longestS] of [5, 20, 80, 320, 1280, 5120, 14_400, 14_400, 14_400].entries()) {
    const pauseS = (pauseAfter(index + 1, 0) ?? 0) / 1000
    expect(pauseS).toBeLessThanOrEqual(longestS)
    expect(pauseS).toBeGreaterThanOrEqual(0.8 * longestS)
  }
  expect(pauseAfter(9, 24 * 60 * 60 * 1000)).toBeNull()
})
