import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DELIVERED, json, openTestService, type TestService, text } from '../../events/testing/email-service.ts'
import { ACTIVATION, openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { dispatch } from './dispatch.ts'

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

describe('staff who request it again', () => {
  const kindsOf = async (id: string) =>
    (await mail.sql<{ kind: string }[]>`select kind from delivery_tries where event_id = ${id} order by attempt`).map(
      ({ kind }) => kind,
    )

  test('get delivered emails again, once for each request', async () => {
    const id = await mail.submitContract()
    await mail.attempt(id)
    await mail.askAgain(id)
    expect(mail.queued).toEqual([id, id])
    expect((await mail.viewOf(id))?.emailStatus).toBe('pending')
    await mail.sql`delete from checkpoint_positions where consumer = 'dispatch'`
    await dispatch(mail.sql, mail.queue)
    await mail.attempt(id)
    await mail.sql`delete from checkpoint_positions where consumer = 'dispatch'`
    await dispatch(mail.sql, mail.queue)
    await mail.attempt(id)
    expect(service.submissions).toHaveLength(2)
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')
    expect(await kindsOf(id)).toEqual(['delivered', 'delivered'])
    const subjects = service.submissions.map(({ fields }) => Object.fromEntries(fields)._subject)
    expect(subjects[1]).toBe(`New contract: essential (reference ${id.slice(0, 8)})`)
  })

  test('get three more attempts for emails that were refused for good', async () => {
    service.reply(json({ success: 'false', message: 'Invalid' }))
    const id = await mail.submitContract()
    for (let count = 0; count < 4; count += 1) await mail.attempt(id)
    await mail.askAgain(id)
    for (let count = 0; count < 4; count += 1) await mail.attempt(id)
    expect(service.submissions).toHaveLength(6)
    expect((await mail.viewOf(id))?.emailStatus).toBe('rejected')
  })

  test('probe an address that waits for confirmation, and free the rest if it is confirmed', async () => {
    service.reply(ACTIVATION)
    const ids = [await mail.submitContract(), await mail.submitContract(), await mail.submitContract()]
    await mail.sql`update deliveries set state = 'needs_activation', due_at = now() + interval '10 minutes'`
    service.reply(DELIVERED)
    const [first = '', ...rest] = ids
    await mail.askAgain(first)
    await mail.attempt(first)
    expect(service.submissions).toHaveLength(1)
    expect((await mail.due()).toSorted()).toEqual(rest.toSorted())
  })

  test('are notified of the result of an attempt in progress', async () => {
    service.reply(text('<!DOCTYPE html>'))
    const id = await mail.submitContract()
    await mail.attempt(id)
    await mail.setBack(id)
    const answered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    service.reply(async (response, submission) => {
      asked.resolve()
      await answered.promise
      text('<!DOCTYPE html>')(response, submission)
    })
    const sending = mail.attempt(id)
    await asked.promise
    await mail.askAgain(id)
    await mail.attempt(id)
    expect((await mail.viewOf(id))?.emailStatus).toBe('pending')
    answered.resolve()
    await sending
    expect(service.submissions).toHaveLength(2)
    expect((await mail.viewOf(id))?.emailStatus).toBe('blocked')
  })

  test('get it sent by the next worker if the one that sent it has died', async () => {
    const id = await mail.submitContract()
    await mail.attempt(id)
    await mail.askAgain(id)
    await mail.sql`update deliveries set claimed_until = now() + interval '1 minute', attempts = 2 where event_id = ${id}`
    await mail.attempt(id)
    expect(service.submissions).toHaveLength(1)
    await mail.setBack(id)
    expect(await mail.due()).toEqual([id])
    await mail.attempt(id)
    expect(service.submissions).toHaveLength(2)
  })
})
