import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DISPATCH } from '../../events/consumers/acting-consumers.ts'
import { activationStreams, emailActivationRequested } from '../../events/email/email.ts'
import {
  type ConsumerKey,
  prepareActingConsumer,
  prepareCheckpoint,
  readPosition,
  removeCheckpoint,
  resetCheckpoint,
} from '../../events/log/checkpoints.ts'
import { readHead } from '../../events/log/read.ts'
import { retireSuperseded } from '../../events/projections/unused-tables.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { appendRaw } from '../../events/testing/raw-event.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { dispatch } from './dispatch.ts'

const OLDER: ConsumerKey = { ...DISPATCH, version: DISPATCH.version - 1 }

let service: TestService
let mail: TestDelivering

beforeAll(async () => {
  service = await openTestService()
})
beforeEach(async () => {
  mail = await openTestDelivering(service)
  return () => mail.close()
})
afterAll(() => service.close())

const ask = async () => {
  const id = randomUUID()
  const events = [{ id, ...emailActivationRequested({}) }]
  await mail.log.append({ stream: activationStreams.of(id), expectedVersion: 0, events })
  return id
}

/** Puts the checkpoint of a version somewhere, as workers of that version would. */
const drive = async (key: ConsumerKey, position: number) => {
  await prepareCheckpoint(mail.sql, key, { isFilled: true })
  await resetCheckpoint(mail.sql, key, { epoch: (await readHead(mail.sql)).epoch, position })
}
/** Removes the checkpoint of a version, as if it had never run. */
const forgetVersion = (key: ConsumerKey) => removeCheckpoint(mail.sql, key)
const head = async () => (await readHead(mail.sql)).position
const dispatchAll = async () => {
  while (await dispatch(mail.sql, mail.queue));
}

test('an older worker that passes over a type takes nothing from the newer one', async () => {
  const id = await ask()
  await drive(OLDER, await head())
  await dispatchAll()
  expect(mail.queued).toEqual([id])
})

test('a version begins at the position of the one before it, even if a newer one has run', async () => {
  await ask()
  const before = await head()
  await forgetVersion(DISPATCH)
  await drive(OLDER, before)
  await drive({ ...DISPATCH, version: DISPATCH.version + 1 }, 0)
  await prepareActingConsumer(mail.sql, DISPATCH)
  const next = await ask()
  await dispatchAll()
  expect(mail.queued).toEqual([next])
})

test('after a rollback to a version that has never run here it begins at the position of the newest one', async () => {
  await ask()
  await forgetVersion(DISPATCH)
  await drive({ ...DISPATCH, version: DISPATCH.version + 1 }, await head())
  await prepareActingConsumer(mail.sql, DISPATCH)
  expect(await readPosition(mail.sql, DISPATCH)).toBe(await head())
})

test('without any version before it, it begins at the beginning of the log', async () => {
  const id = await ask()
  await forgetVersion(DISPATCH)
  await Promise.all([1, 2, 3].map(() => prepareActingConsumer(mail.sql, DISPATCH)))
  await dispatchAll()
  expect(mail.queued).toEqual([id])
})

test('a version that begins further back queues open emails again, and no sent ones', async () => {
  const sent = await ask()
  await dispatchAll()
  await mail.attempt(sent)
  const open = await ask()
  await dispatchAll()
  await drive(DISPATCH, 0)
  mail.queued.length = 0
  await dispatchAll()
  expect(mail.queued).toEqual([open])
  await mail.attempt(open)
  await mail.attempt(sent)
  expect(service.submissions).toHaveLength(2)
})

test('the previous version is kept up to date, so that a rollback repeats nothing and its checkpoint is not removed', async () => {
  await drive(OLDER, 0)
  await ask()
  await dispatchAll()
  expect(await readPosition(mail.sql, OLDER)).toBe(await head())
  await mail.sql`update events set recorded_at = recorded_at - interval '1 day'`
  await mail.sql`update checkpoint_positions set reached_at = reached_at - interval '1 day'`
  expect(await retireSuperseded(mail.sql)).not.toContainEqual(OLDER)
})

test('a worker that does not know the type of an email’s event leaves it to a newer one, and counts no attempt', async () => {
  const id = await ask()
  await dispatchAll()
  await appendRaw(mail.sql, { stream: activationStreams.of(id), type: 'EmailPainted', schemaVersion: 1, data: {} })
  const [painted] = await mail.sql<{ id: string }[]>`select id from events where type = 'EmailPainted'`
  await mail.sql`update deliveries set event_id = ${painted?.id ?? null}`
  await expect(mail.attempt(painted?.id ?? '')).rejects.toThrow('run newer code')
  const [row] = await mail.sql`
    select state, attempts, uncertain_tries as "uncertainTries", claimed_until as "claimedUntil", due_at > now() as waits
    from deliveries`
  expect(row).toEqual({ state: 'pending', attempts: 0, uncertainTries: 0, claimedUntil: null, waits: true })
})
