import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestReceiver, type TestReceiver } from '../../events/testing/receiver.ts'
import { WEBHOOK_TOPICS, type WebhookTopic } from '../../events/webhook/form.ts'
import { dueWebhookDeliveries } from '../../events/webhook/store/deliveries.ts'
import { listWebhookDeliveries } from '../../events/webhook/store/log.ts'
import { insertWebhook } from '../../events/webhook/store/webhooks.ts'
import { WEBHOOK_RESENDS, webhookResendRequested } from '../../events/webhook/webhook.ts'
import { noteForWebhooks } from '../webhooks/note.ts'
import { sendDelivery } from '../webhooks/send.ts'
import { openTestDelivering, type TestDelivering } from './delivering.ts'

/** The first pause is 5 seconds, a fifth of it random. */
export const FIRST_PAUSE_MS = 6_000
/** How long one that hangs is waited for here. */
export const HANGS_MS = 2_000

/** Opens and closes what each test has: its own database, receiver and owner. */
const openEach = () => {
  let service: TestService
  // each test gets these before it begins
  const at = {} as { mail: TestDelivering; receiver: TestReceiver; owner: string }

  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service.close())

  beforeEach(async () => {
    at.mail = await openTestDelivering(service)
    at.receiver = await openTestReceiver()
    at.owner = randomUUID()
    await at.mail.sql`
      insert into staff (id, username, display_name, password_hash, role)
      values (${at.owner}, 'thandi', 'Thandi', '', 'owner')`
  })
  afterEach(async () => {
    await Promise.all([at.mail.close(), at.receiver.close()])
  })
  return at
}

/** The set-up of the webhook tests. */
export const openTestWebhooks = () => {
  const at = openEach()

  const ring = () => at.mail.sql.keys?.ring ?? expect.fail()

  const add = async (url = `${at.receiver.origin}/hook`, topics: WebhookTopic[] = [...WEBHOOK_TOPICS]) =>
    (await insertWebhook(at.mail.sql, ring(), { url, topics }, at.owner)) ?? expect.fail()

  const append = (stream: string, ...events: Parameters<TestDelivering['log']['append']>[0]['events']) =>
    at.mail.log.append({ stream, expectedVersion: 'any', events })

  const submit = async (fields: object = {}, spamSignals: 'trap'[] = []) => {
    const leadId = randomUUID()
    const form = { ...sampleLeadForm({ name: 'Ana Botha', email: 'ana@example.com' }), ...fields }
    const event = submitLead({ leadId, form }, { touches: { firstTouch: null, lastTouch: null }, spamSignals })
    await append(leadStreams.of(leadId), { id: leadId, ...event })
    return leadId
  }

  const change = (leadId: string, status: 'won' | 'quoted') =>
    append(leadStreams.of(leadId), {
      id: randomUUID(),
      ...leadFollowUpChanged({ by: at.owner, followUpStatus: status }),
    })

  const telling = (origins = [at.receiver.origin], timeoutMs?: number) => ({
    ...(timeoutMs && { timeoutMs }),
    sql: at.mail.sql,
    log: at.mail.log,
    logger: { warn: () => {} },
    config: { pushTestOrigins: origins, smtpUrl: 'smtp://localhost' },
    settings: at.mail.delivering.settings,
  })

  const note = async () => {
    while (await noteForWebhooks(at.mail.sql, { addDue: async () => {} }));
  }
  /** Sends everything that is due once. */
  const sendDue = async (origins?: string[], timeoutMs?: number) => {
    await note()
    for (
      let ids = await dueWebhookDeliveries(at.mail.sql);
      ids.length > 0;
      ids = await dueWebhookDeliveries(at.mail.sql)
    ) {
      await Promise.all(ids.map((id) => sendDelivery(telling(origins, timeoutMs), id)))
    }
  }
  /** Lets so much time pass that all tries are due, and those before count as older. */
  const wait = (hours: number) =>
    inTransaction(at.mail.sql, async (tx) => {
      await tx`update webhook_deliveries set due_at = now() where state = 'waiting'`
      await tx`update webhook_deliveries set first_tried_at = first_tried_at - ${hours} * interval '1 hour'`
      await tx`update webhooks set failing_since = failing_since - ${hours} * interval '1 hour'`
    })
  const list = async () =>
    (await listWebhookDeliveries(at.mail.sql, { webhookId: undefined, state: undefined, limit: 50, after: undefined }))
      .page
  const ask = (id: string) =>
    append(WEBHOOK_RESENDS, { id: randomUUID(), ...webhookResendRequested({ deliveryId: id, by: at.owner }) })

  return { at, ring, add, append, submit, change, telling, note, sendDue, wait, list, ask }
}
