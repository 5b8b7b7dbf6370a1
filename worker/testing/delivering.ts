import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { PROJECTIONS, prepareConsumers } from '../../events/consumers/registry.ts'
import { emailResendRequested } from '../../events/email/email.ts'
import { type ReadyDelivery, readyDeliveries } from '../../events/email/store/ready-deliveries.ts'
import { signingKeys } from '../../events/keys/signing-keys.ts'
import { type Lead, leadStreams, submitLead } from '../../events/lead/lead.ts'
import { listLeads } from '../../events/lead/store/lead-list.ts'
import { openAppender } from '../../events/log/append.ts'
import { project } from '../../events/projections/projection.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../events/settings/settings.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase } from '../../events/testing/database.ts'
import { DELIVERED, json, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { type Delivering, deliver } from '../email/deliver.ts'
import { dispatch } from '../email/dispatch.ts'
import type { EmailLanes } from '../email/lanes.ts'
import type { Config } from '../process/config.ts'

/** The service's response about an address that waits for confirmation. */
export const ACTIVATION = json({ success: 'false', message: 'This form needs Activation.' })

/** A worker's part in email, one step at a time, on a database of its own. */
export type TestDelivering = Awaited<ReturnType<typeof openTestDelivering>>

const configFor = (databaseUrl: string, emailForwardUrl: string): Config => ({
  databaseUrl,
  directUrl: databaseUrl,
  keysDatabaseUrl: undefined,
  keyRing: TEST_KEYS.ring,
  redisUrl: '',
  publicUrl: 'https://www.agency.example',
  signingKeys: signingKeys(['a secret of the tests']),
  emailForwardUrl,
  smtpUrl: undefined,
  emailLanes: { service: { perMinute: 60, concurrency: 1 }, smtp: { perMinute: 600, concurrency: 3 } },
  emailFrom: 'site@agency.example',
  agencyEmail: 'inbox@agency.example',
  agencyName: 'Karoo Web Studio',
  pushTestOrigins: [],
  port: 0,
  logLevel: 'silent',
})

const readOutcomes = async (sql: Sql, leadId: string) => {
  const rows = await sql<{ type: string; data: object }[]>`
    select type, data from events where stream = ${leadStreams.of(leadId)} and version > 1 order by version`
  return rows.map(({ type, data }) => ({ type, ...data }))
}

const readDelivery = async (sql: Sql, id: string) => {
  const [row] = await sql`
    select state, attempts, last_answer, claimed_until, outcome, extract(epoch from due_at - updated_at)::float8 as pause
    from deliveries where event_id = ${id}`
  return row
}

/** The settings as a worker follows them; nothing changes by itself. */
export const settingsOf = (changed: Partial<Settings> = {}): Delivering['settings'] => ({
  current: { ...DEFAULT_SETTINGS, ...changed },
  onChange: () => () => {},
})

/** Lets time pass until the next try of one that is tried again by itself; one that waits for the service waits on. */
const setDue = (sql: Sql, id: string) => sql`
  update deliveries set due_at = now() where event_id = ${id} and state in ('retrying', 'blocked', 'needs_activation')`

const readView = async (sql: Sql, leadId: string): Promise<Lead | undefined> => {
  for (const projection of PROJECTIONS) while ((await project(sql, projection)).hasMore);
  return (await listLeads(sql, { sort: 'desc' }, { limit: 10 })).find((lead) => lead.id === leadId)
}

/** Opens it with an empty log and a service that delivers. */
export const openTestDelivering = async (service: TestService) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await prepareConsumers(sql)
  service.reply(DELIVERED)
  service.submissions.length = 0
  const queued: string[] = []
  const add = async (deliveries: ReadyDelivery[]) => {
    queued.push(...deliveries.map(({ eventId }) => eventId))
  }
  const queue: EmailLanes = { perShare: 1, add, close: async () => {} }
  const logger = pino({ level: 'silent' })
  const config = configFor(database.url, service.url)
  const delivering: Delivering = { sql, log, logger, config, settings: settingsOf() }

  const mail = {
    sql,
    log,
    /** Tests change it as settings and the environment do. */
    delivering,
    /** The ids that the queue was given, in order. */
    queued,
    queue,
    submitContract: async (fields: object = {}) => {
      const id = randomUUID()
      const form = sampleLeadForm({
        name: 'Ana Botha',
        email: 'ana@example.com',
        phone: '0825550199',
        businessName: 'Botha Bakery',
        leadSource: 'contract_essential',
        agreedToTerms: true,
      })
      await log.append({
        stream: leadStreams.of(id),
        expectedVersion: 0,
        events: [{ id, ...submitLead({ leadId: id, form: { ...form, ...fields } }) }],
      })
      await dispatch(sql, mail.queue)
      return id
    },
    /** Staff ask for it again. */
    askAgain: async (id: string) => {
      const event = { id: randomUUID(), ...emailResendRequested({ emailId: id, by: randomUUID() }) }
      await log.append({ stream: leadStreams.of(id), expectedVersion: 'any', events: [event] })
      await dispatch(sql, mail.queue)
    },
    /** Makes an email due and sends it once. Returns after how many milliseconds it is retried soon. */
    attempt: async (id: string) => {
      await setDue(sql, id)
      await deliver(mail.delivering, id)
      const [row] = await sql<{ ms: number }[]>`
        select round(extract(epoch from due_at - updated_at) * 1000)::float8 as ms from deliveries
        where event_id = ${id} and state in ('pending', 'retrying') and due_at > now()`
      return row?.ms
    },
    /** The ids of those that may be sent now. */
    due: async () => (await readyDeliveries(sql, { perShare: 1 })).map(({ eventId }) => eventId),
    outcomesOf: (leadId: string) => readOutcomes(sql, leadId),
    rowOf: (id: string) => readDelivery(sql, id),
    viewOf: (leadId: string) => readView(sql, leadId),
    /** Lets so much time pass for a delivery that its claim runs out. */
    setBack: (id: string) => sql`
      update deliveries set claimed_until = now() - interval '1 second', due_at = now(),
        updated_at = now() - interval '2 minutes' where event_id = ${id}`,
    close: async () => {
      await log.close()
      await sql.end()
      await database.drop()
    },
  }
  return mail
}
