import { expect, test } from 'vitest'
import { composeEmail, needlessBecause, type Sender } from '../../events/email/store/compose.ts'
import { requestedEmailOf } from '../../events/email/store/requested-deliveries.ts'
import { readEvent } from '../../events/log/read.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { openTestReceiver } from '../../events/testing/receiver.ts'
import { AT_ONCE, dueWebhookDeliveries } from '../../events/webhook/store/deliveries.ts'
import { listWebhooks, pauseWebhook } from '../../events/webhook/store/webhooks.ts'
import { HANGS_MS, openTestWebhooks } from '../testing/webhooks.ts'
import { sendDelivery } from './send.ts'

const { at, add, submit, telling, note, sendDue, list } = openTestWebhooks()

test.each([
  ['https://127.0.0.1/hook'],
  ['https://[::1]/hook'],
  ['https://[::ffff:10.0.0.1]/hook'],
  ['https://169.254.169.254/latest/meta-data'],
  ['https://192.168.1.1/'],
  ['https://[fd00::1]/'],
  ['https://[fe80::1]/'],
  ['https://localhost/'],
  ['https://127.1/'],
  ['https://2130706433/'],
  ['https://db.internal/'],
  ['http://example.com/'],
  ['https://somebody:word@example.com/'],
])('%s gets nothing', async (url) => {
  await add(url)
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    tries: [{ status: null, problem: expect.stringMatching('^Refused') }],
  })
})

test('a redirect is not followed, also not to this machine', async () => {
  const inside = await openTestReceiver()
  await add()
  at.receiver.reply((_, response) => response.writeHead(307, { location: `${inside.origin}/inside` }).end())
  await submit()
  await sendDue([at.receiver.origin, inside.origin])
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    tries: [{ status: 307, problem: 'It redirects, which is not followed' }],
  })
  expect(inside.taken).toEqual([])
  await inside.close()
})

test('a receiver may ask for a longer pause, of 4 hours at most; one that is gone is paused at once', async () => {
  const { id } = await add()
  const waitsMs = async () => Date.parse((await list())[0]?.dueAt ?? '') - Date.now()
  for (const [asked, expectedMs] of [
    ['900', 900_000],
    ['999999', 4 * 60 * 60 * 1_000],
  ] as const) {
    at.receiver.reply((_, response) => response.writeHead(429, { 'retry-after': asked }).end())
    await submit()
    await sendDue()
    expect(await waitsMs()).toBeGreaterThan(expectedMs - 60_000)
    expect(await waitsMs()).toBeLessThanOrEqual(expectedMs)
  }
  await at.mail.sql`update staff set alert_email = 'thandi@agency.example'`
  at.receiver.reply((_, response) => response.writeHead(410).end())
  await submit()
  await Promise.all([sendDue(), sendDue()])
  expect((await listWebhooks(at.mail.sql))[0]).toMatchObject({ id, isPaused: true, isFailed: true, isGone: true })
  expect((await list())[0]).toMatchObject({ state: 'waiting', tries: [{ status: 410 }] })
  expect(await at.mail.sql`select 1 from events where type = 'WebhookChanged'`).toHaveLength(1)
  const asked = await at.mail.sql`select id, data from events where type = 'WebhookAlertRequested'`
  const host = new URL(at.receiver.origin).host
  expect(asked.map(({ data }) => data)).toEqual([{ webhookId: id, accountId: at.owner, host, isGone: true }])
  const event = (await readEvent(at.mail.sql, asked[0]?.id)) ?? expect.fail()
  expect(requestedEmailOf(event)).toBe(event.id)
  const sender = { publicUrl: 'https://www.agency.example' } as Sender
  expect(await composeEmail(at.mail.sql, event, sender)).toMatchObject({
    to: 'thandi@agency.example',
    subject: `The webhook to ${host} is paused`,
    fields: [['message', expect.stringContaining('because its receiver said that it is gone (status 410).')]],
  })
  expect(await needlessBecause(at.mail.sql, event)).toBeUndefined()
  // asked for, and not yet paused: the worker died before its commit
  await at.mail.sql`update webhooks set paused_at = null, paused_by_failures = false where id = ${id}`
  expect(await needlessBecause(at.mail.sql, event)).toBeUndefined()
  await at.mail.sql`update webhooks set paused_at = now(), paused_by_failures = true where id = ${id}`
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect(await needlessBecause(at.mail.sql, event)).toMatchObject({ reason: 'The webhook has resumed' })
})

test('only the beginning of an endless response is read; one that hangs after its status counts', async () => {
  await add(undefined, ['lead.created'])
  let written = 0
  at.receiver.reply((_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const write = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
      response.once('drain', write)
    }
    write()
  })
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'delivered', answer: 'x'.repeat(500) })
  expect(written).toBeLessThan(64 * 1024 * 1024)
  at.receiver.reply((_, response) => response.writeHead(202).write('half'))
  await submit()
  await sendDue(undefined, HANGS_MS)
  expect((await list())[0]).toMatchObject({ state: 'delivered', answer: 'half' })
})

test('a receiver that hangs is abandoned after its time, and delays no other', async () => {
  const quick = await openTestReceiver()
  await add()
  await add(`${quick.origin}/quick`)
  at.receiver.reply(() => {})
  for (let leads = 0; leads <= AT_ONCE; leads += 1) await submit()
  await note()
  const due = await dueWebhookDeliveries(at.mail.sql)
  // of each no more than may be sent at once: one more waits
  expect(due).toHaveLength(2 * AT_ONCE)
  const begun = performance.now()
  const quickEnds: number[] = []
  quick.reply((_, response) => {
    quickEnds.push(performance.now() - begun)
    response.writeHead(204).end()
  })
  await Promise.all(due.map((id) => sendDelivery(telling([at.receiver.origin, quick.origin], HANGS_MS), id)))
  expect(quickEnds).toHaveLength(AT_ONCE)
  expect(Math.max(...quickEnds)).toBeLessThan(HANGS_MS)
  const hung = (await list()).filter(({ state, attempts }) => state === 'waiting' && attempts === 1)
  expect(hung.map(({ tries: [first] }) => first?.problem)).toEqual(Array(AT_ONCE).fill('No answer within 2 seconds'))
  await quick.close()
})

test('a receiver that cannot be reached, or speaks no HTTP, is retried', async () => {
  await add()
  at.receiver.reply((_, response) => response.socket?.end('nonsense\r\n\r\n'))
  await submit()
  await sendDue()
  expect((await list())[0]?.tries[0]).toMatchObject({ status: null, problem: expect.stringMatching('^No connection') })
  const { origin } = at.receiver
  await at.receiver.close()
  await submit()
  await sendDue([origin])
  expect((await list())[0]?.tries[0]).toMatchObject({ problem: 'No connection (ECONNREFUSED)' })
  at.receiver = await openTestReceiver()
})
