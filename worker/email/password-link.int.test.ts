import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEmail } from '../../events/email/store/compose.ts'
import { signingKeys } from '../../events/keys/signing-keys.ts'
import { passwordLinkRequested, passwordLinkStreams } from '../../events/staff/password-link.ts'
import { findResetAccount, isPasswordLink, openPasswordLink } from '../../events/staff/store/password-link.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { dispatch } from './dispatch.ts'

const KEYS = signingKeys(['a secret of the tests'])

let service: TestService
let smtp: TestSmtp
let mail: TestDelivering
let accountId: string

beforeAll(async () => {
  service = await openTestService()
  smtp = await openTestSmtp()
  mail = await openTestDelivering(service)
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
})
beforeEach(async () => {
  accountId = randomUUID()
  await mail.sql`
    insert into staff (id, username, display_name, password_hash) values (${accountId}, ${accountId}, 'Somebody', 'a hash')`
})
afterAll(async () => {
  await mail.close()
  await Promise.all([service.close(), smtp.close()])
})

const ask = async () => {
  const id = randomUUID()
  const event = passwordLinkRequested({ accountId }, { subjectId: id, personal: { to: 'own@agency.example' } })
  await openPasswordLink(mail.sql, accountId, { linkId: id, by: null })
  await mail.log.append({ stream: passwordLinkStreams.of(id), expectedVersion: 0, events: [{ id, ...event }] })
  await dispatch(mail.sql, mail.queue)
  return id
}
const tokenIn = (message: string) =>
  /password=3D([\w.-]+)/.exec(message.replaceAll('=\r\n', ''))?.[1] ?? /password=([\w.-]+)/.exec(message)?.[1] ?? ''

test('the email goes to the account’s address, with a link that works for an hour', async () => {
  const id = await ask()
  await mail.attempt(id)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered' })
  const [taken] = smtp.taken
  expect(taken?.to).toEqual(['own@agency.example'])
  const account = await findResetAccount(mail.sql, accountId)
  if (!account) throw new Error('The account is gone')
  const token = tokenIn(taken?.message ?? '')
  const isOneIn = (minutes: number) =>
    isPasswordLink(KEYS, token, { account, now: new Date(Date.now() + minutes * 60_000) })
  expect([isOneIn(0), isOneIn(59), isOneIn(61)]).toEqual([true, true, false])
})

test('a newer request closes the link of an older one, also of an email that is late', async () => {
  const ids = [await ask(), await ask()]
  const before = smtp.taken.length
  for (const id of ids) await mail.attempt(id)
  const account = await findResetAccount(mail.sql, accountId)
  if (!account) throw new Error('The account is gone')
  const isOpen = ({ message }: { message: string }) =>
    isPasswordLink(KEYS, tokenIn(message), { account, now: new Date() })
  expect(smtp.taken.slice(before).map(isOpen)).toEqual([false, true])
})

test('staff who read the email in the list do not see the link', async () => {
  const id = await ask()
  const email = await readEmail(mail.sql, id, {
    agencyName: '',
    agencyEmail: '',
    publicUrl: '',
    resumeUrl: async () => undefined,
    passwordUrl: async () => '(hidden)',
  })
  expect(email?.fields[0]?.[1]).toContain('(hidden)')
})

test('an account that was removed since then gets no email', async () => {
  const id = await ask()
  await mail.sql`update staff set removed_at = now() where id = ${accountId}`
  const before = smtp.taken.length
  await mail.attempt(id)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'rejected' })
  expect(smtp.taken).toHaveLength(before)
})

test('the link never goes through the service, in whose inbox others could read it', async () => {
  const id = await ask()
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: undefined }
  await mail.attempt(id)
  expect(service.submissions).toEqual([])
  expect(await mail.rowOf(id)).toMatchObject({
    state: 'rejected',
    last_answer: 'A link to choose a password goes out by SMTP alone',
  })
})
