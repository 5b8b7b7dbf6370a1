import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  addServerPassword,
  readServerPassword,
  rewrapServerPasswords,
} from '../../events/email/store/server-password.ts'
import { parseKeyRing } from '../../events/keys/key-ring.ts'
import type { EmailServer } from '../../events/settings/email-server.ts'
import type { Settings } from '../../events/settings/settings.ts'
import { json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { openTestDelivering, settingsOf, type TestDelivering } from '../testing/delivering.ts'
import { followServer, requeueEmail } from './email-sweeps.ts'

let service: TestService
let smtp: TestSmtp
let mail: TestDelivering
/** The server on loopback, as an owner sets it. */
let server: EmailServer

beforeEach(async () => {
  service = await openTestService()
  smtp = await openTestSmtp()
  mail = await openTestDelivering(service)
  const { hostname: host, port, origin } = new URL(smtp.url.replace(/^smtp:/, 'http:'))
  const passwordId = await addServerPassword(mail.sql, TEST_KEYS.ring, 'p@ss')
  server = { host, port: Number(port), username: 'site', passwordId, from: 'sender@agency.example' }
  mail.delivering.config = { ...mail.delivering.config, emailForwardUrl: undefined, emailFrom: undefined }
  mail.delivering.config.pushTestOrigins = [origin]
})

afterEach(async () => {
  await mail.close()
  await Promise.all([service.close(), smtp.close()])
})

const set = (emailServer: EmailServer | null) => {
  mail.delivering = { ...mail.delivering, settings: settingsOf({ emailServer }) }
}

test('emails wait in the outbox until a server is set, and then go out by themselves', async () => {
  const [id, erased, old] = [await mail.submitContract(), await mail.submitContract(), await mail.submitContract()]
  for (const each of [id, erased, old]) await mail.attempt(each)
  await mail.sql`update deliveries set is_erased = true where event_id = ${erased}`
  await mail.sql`update deliveries set recipient = 'visitor', asked_at = now() - interval '8 days' where event_id = ${old}`
  mail.queued.length = 0
  await requeueEmail(mail.delivering, mail.queue)
  expect(mail.queued).toEqual([])
  set(server)
  await requeueEmail(mail.delivering, mail.queue)
  expect(mail.queued).toEqual([id])
  await mail.attempt(id)
  expect(smtp.taken).toMatchObject([{ from: 'sender@agency.example', to: ['inbox@agency.example'] }])
  expect(await mail.outcomesOf(id)).toMatchObject([{ to: 'outbox' }, { to: 'smtp' }])
  expect(await mail.rowOf(old)).toMatchObject({ state: 'outbox' })
})

test('emails that a server has refused are tried as soon as another one is set', async () => {
  let change: (settings: Settings) => void = () => {}
  const id = await mail.submitContract()
  set({ ...server, passwordId: await addServerPassword(mail.sql, TEST_KEYS.ring, 'wrong') })
  await mail.attempt(id)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'blocked' })
  const { settings } = mail.delivering
  const following = {
    ...mail.delivering,
    settings: {
      ...settings,
      onChange: (to: typeof change) => {
        change = to
        return () => {}
      },
    },
  }
  onTestFinished(followServer(following, mail.queue))
  mail.queued.length = 0
  change({ ...settings.current, version: 2 })
  change({ ...settings.current, emailServer: server, version: 3 })
  await eventually(() => expect(mail.queued).toEqual([id]))
})

describe('the server', () => {
  const refusedFor = async (changed: Partial<EmailServer>) => {
    set({ ...server, ...changed })
    const id = await mail.submitContract()
    await mail.attempt(id)
    return await mail.rowOf(id)
  }

  test('of SMTP_URL goes before that of the settings, and EMAIL_FROM before its sender', async () => {
    const other = await openTestSmtp()
    onTestFinished(() => other.close())
    mail.delivering.config = { ...mail.delivering.config, smtpUrl: other.url, emailFrom: 'site@agency.example' }
    set(server)
    await mail.attempt(await mail.submitContract())
    expect([smtp.taken, other.taken]).toMatchObject([[], [{ from: 'site@agency.example' }]])
  })

  test('in the own network gets nothing, not even a connection', async () => {
    mail.delivering.config.pushTestOrigins = []
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await refusedFor({ host })).toMatchObject({
        state: 'blocked',
        last_answer: expect.stringContaining('not on the internet'),
      })
    }
    expect(smtp.signIns).toEqual([])
  })

  test('is not asked without its password', async () => {
    const passwordId = 'b0c1d2e3-4f56-4a78-9b90-1c2d3e4f5a6b'
    expect(await refusedFor({ passwordId })).toMatchObject({
      state: 'blocked',
      last_answer: expect.stringContaining('an owner enters it again'),
    })
    expect(smtp.signIns).toEqual([])
  })
})

test('a password survives a change of DATA_KEY, after which the old key opens nothing', async () => {
  const { sql } = mail
  const alone = parseKeyRing(Buffer.alloc(32, 'next').toString('base64')) ?? expect.fail()
  const both = { active: alone.active, byId: new Map([...alone.byId, ...TEST_KEYS.ring.byId]) }
  const id = server.passwordId ?? ''
  expect(await readServerPassword(sql, alone, id)).toBeUndefined()
  expect(await rewrapServerPasswords(sql, both)).toBe(false)
  expect(await readServerPassword(sql, alone, id)).toBe('p@ss')
  await sql`update server_passwords set ring_key = 'deadbeef'`
  expect(await rewrapServerPasswords(sql, both)).toBe(true)
})

test('a service that takes the agency’s email leaves contracts to it', async () => {
  service.reply(json({ success: 'true' }))
  mail.delivering.config = { ...mail.delivering.config, emailForwardUrl: service.url }
  set(server)
  await mail.attempt(await mail.submitContract())
  expect([service.submissions.length, smtp.taken.length]).toEqual([1, 0])
})
