import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatActivityStreams, chatErased } from '../chat/activity.ts'
import { readCopies, readCopy } from '../contract/store/signed-copies.ts'
import { publishTerms } from '../contract/store/terms.ts'
import { termsOf } from '../contract/terms.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadErased, leadStreams, submitLead } from '../lead/lead.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { privacyExportRequested, privacyExportStreams } from '../privacy/export.ts'
import { addExport, findExport } from '../privacy/store/exports.ts'
import { NO_COMPANY } from '../settings/company.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { type BackupMeans, findText, type TestBackup } from './backup.ts'
import { runTestCli } from './cli.ts'
import { asRuntimeUser, createTestDatabase, testRedisUrl } from './database.ts'
import { DELIVERED, json, openTestService, type TestService } from './email-service.ts'
import { postMessage, sampleLeadForm, startChat } from './fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from './keys.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestStores } from './node.ts'
import { runTestProcess } from './process.ts'

const MARKER = 'Zebedee Quagga'
const SERVING_MS = 60_000

let folder: string
const command = (databaseUrl: string, args: string[], env: Record<string, string> = {}) =>
  runTestCli('events/restore/log.cli.ts', args, {
    DATABASE_URL: asRuntimeUser(databaseUrl),
    MIGRATIONS_DATABASE_URL: databaseUrl,
    DATA_KEY: TEST_DATA_KEY,
    ...env,
  })

/** Runs a command of the log that has to succeed. Returns its output. */
const succeed = async (databaseUrl: string, args: string[]) => {
  const { status, out, err } = await command(databaseUrl, args)
  expect([status, err]).toEqual([0, ''])
  return out
}

/** The log and its keys in files, as `export` and `keys export` write them. */
export const FILES: BackupMeans = {
  name: 'an export of log and keys',
  take: async (databaseUrl) => {
    const [log, keys] = ['log', 'keys'].map((name) => join(folder, `${name}-${randomUUID()}`)) as [string, string]
    await succeed(databaseUrl, ['export', log])
    await succeed(databaseUrl, ['keys', 'export', keys])
    return {
      restore: async () => {
        const fresh = await createTestDatabase()
        await succeed(fresh.url, ['import', log])
        await succeed(fresh.url, ['keys', 'import', keys])
        return fresh
      },
      drop: async () => {},
    }
  },
}

/** The data keys in a separate file, next to a backup that has none. */
export const withKeyFile = ({ name, take }: BackupMeans): BackupMeans => ({
  name: `${name} with a file of keys`,
  take: async (databaseUrl) => {
    const keys = join(folder, `keys-${randomUUID()}`)
    await succeed(databaseUrl, ['keys', 'export', keys])
    const { restore, drop } = await take(databaseUrl)
    return {
      restore: async () => {
        const fresh = await restore()
        await succeed(fresh.url, ['keys', 'import', keys])
        return fresh
      },
      drop,
    }
  },
})

const contract = { leadSource: 'contract_premium', agreedToTerms: true }

/** Evidence of a signature, by which workers make a signed copy. */
const signingOf = async (sql: Sql, log: Appender, name: string) => {
  const terms = await publishTerms({ sql, log }, termsOf('premium', { packages: {}, company: NO_COMPANY }))
  const { version, sha256 } = terms
  return {
    terms: { version, sha256, isNamed: true, agreement: terms.terms.agreement },
    evidence: {
      signature: name,
      clientAddress: '203.0.113.7',
      userAgent: name,
      openedAt: null,
      tickedAt: null,
      contractSha256: '5c'.repeat(32),
    },
  }
}

const submitContract = async (log: Appender, name: string, signing?: Awaited<ReturnType<typeof signingOf>>) => {
  const leadId = randomUUID()
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals: [], signing }
  const form = sampleLeadForm({ name, businessName: `${name}'s shop`, message: `I am ${name}`, ...contract })
  await log.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 0,
    events: [{ id: leadId, ...submitLead({ leadId, form }, context) }],
  })
  return leadId
}

/** An owner asks for an export of all that is held about the person of a lead, and a worker makes it. */
const exportPerson = async (sql: Sql, log: Appender, leadId: string) => {
  const [id, by] = [randomUUID(), randomUUID()]
  const asked = privacyExportRequested(
    { exportId: id, kind: 'lead', hasNotes: false, by },
    { subjectId: leadId, personal: { reason: `${MARKER} asked` } },
  )
  const events = [{ id: randomUUID(), ...asked }]
  await log.append({ stream: privacyExportStreams.of(leadId), expectedVersion: 'any', events })
  await addExport(sql, { id, subject: { kind: 'lead', id: leadId }, madeBy: by, hasNotes: false })
  await eventually(async () => expect((await findExport(sql, id))?.state).toBe('ready'), SERVING_MS)
}

const isSent = (sql: Sql, id: string, state = 'delivered') =>
  eventually(async () => {
    const [row] = await sql<{ state: string }[]>`select state from deliveries where event_id = ${id}`
    expect(row?.state).toBe(state)
  }, SERVING_MS)

/**
 * Tests of each way to back a log up: subjects that were erased after the backup stay erased, and no email goes out
 * twice.
 */
export const testRestores = (means: BackupMeans[]) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restore-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  describe.each(means)('a backup by $name, taken before a person was erased', ({ take }) => {
    let service: TestService
    let stores: TestStores
    let original: Awaited<ReturnType<typeof createTestDatabase>>
    let backup: TestBackup
    let restored: Awaited<ReturnType<TestBackup['restore']>>
    let erased: { lead: string; chat: string }
    let kept: { lead: string; open: string }
    const ledger = () => join(folder, 'ledger')
    const mail = () => ({ EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' })

    const withLog = async (url: string, work: (sql: Sql, log: Appender) => Promise<void>) => {
      const sql = connect(url, { max: 2, name: 'test', keys: TEST_KEYS })
      const log = openAppender(url, { keys: TEST_KEYS })
      await work(sql, log).finally(async () => {
        await log.close()
        await sql.end()
      })
    }

    /**
     * A day of the product: a signed contract with its copy and an export, another contract and a chat, whose emails are
     * out, and a contract whose email was refused.
     */
    const live = async (sql: Sql, log: Appender) => {
      const worker = await startTestWorker(stores, mail())
      erased = { lead: await submitContract(log, MARKER, await signingOf(sql, log, MARKER)), chat: randomUUID() }
      await log.append(startChat(erased.chat, MARKER))
      const message = postMessage(erased.chat, `${MARKER} is my name`)
      await log.append({
        ...message,
        events: message.events.map((event) => ({ ...event, subjectId: erased.chat })) as never,
      })
      kept = { lead: await submitContract(log, 'Naledi'), open: '' }
      for (const id of [erased.lead, kept.lead]) await isSent(sql, id)
      expect((await readCopy(sql, erased.lead))?.pdf).not.toBeNull()
      await exportPerson(sql, log, erased.lead)
      await sql`update delivery_tries set answer = ${`thank you, ${MARKER}`} where event_id = ${erased.lead}`
      service.reply(json({ success: 'false' }, 429, { 'retry-after': '1' }))
      kept.open = await submitContract(log, 'Sipho')
      await isSent(sql, kept.open, 'retrying')
      await worker.stop()
      service.reply(DELIVERED)
    }

    beforeAll(async () => {
      service = await openTestService()
      original = await createTestDatabase()
      stores = { databaseUrl: original.url, redisUrl: await testRedisUrl() }
      await withLog(original.url, live)
      backup = await take(original.url)
      await withLog(original.url, async (sql, log) => {
        const by = randomUUID()
        await log.append({
          stream: leadStreams.of(erased.lead),
          expectedVersion: 'any',
          events: [{ id: randomUUID(), ...leadErased({ by }) }],
        })
        await log.append({
          stream: chatActivityStreams.of(erased.chat),
          expectedVersion: 'any',
          events: [{ id: randomUUID(), ...chatErased({ by }) }],
        })
        await destroyKeys(sql, TEST_KEYS, [erased.lead, erased.chat])
      })
      expect(await succeed(original.url, ['ledger', 'export', ledger()])).toBe('Exported 2 erasures\n')
      restored = await backup.restore()
    })

    afterAll(async () => {
      await service.close()
      await backup.drop()
      await restored.drop()
      await original.drop()
    })

    test('is not served before it was made ready', async () => {
      const { databaseUrl: _, ...rest } = stores
      const env = {
        DATABASE_URL: asRuntimeUser(restored.url),
        REDIS_URL: rest.redisUrl,
        DATA_KEY: TEST_DATA_KEY,
        SESSION_SECRET: 'a secret of the tests',
        STAFF_PASSWORD: 'a long enough password',
        NODES: '1',
        PORT: '1',
      }
      for (const script of ['api/process/main.ts', 'worker/main.ts']) {
        const { status, printed } = await runTestProcess(script, env)
        expect(status).toBe(1)
        expect(printed).toMatch(
          /^DATABASE_URL: this log was restored from a backup, and nothing may serve it yet: .*\n$/,
        )
      }
    })

    test('is made ready by one command, which can be repeated', async () => {
      for (const lost of [2, 0]) {
        const out = await succeed(restored.url, ['restore', '--ledger', ledger()])
        expect(out).toContain(
          `Erased are 2 data subjects; ${lost} leads and chats of theirs were in the backup as if not\n`,
        )
      }
      expect(await succeed(restored.url, ['verify'])).toMatch(/^The log is whole: \d+ events/)
    })

    test('then shows nothing of them, and sends the remaining emails', async () => {
      const before = service.submissions.length
      const at = { ...stores, databaseUrl: restored.url }
      const [node, worker] = await Promise.all([startTestNode(at), startTestWorker(at, mail())])
      await withLog(restored.url, async (sql, log) => {
        const isNew = await submitContract(log, 'Lindiwe')
        for (const id of [kept.open, isNew]) await isSent(sql, id)
      })
      const headers = await signIn(node)
      const read = async (path: string) => {
        const response = await node.call(path, { headers })
        const text = await response.text()
        expect([path, response.status, text]).toEqual([path, 200, text])
        return text
      }
      const answers = await eventually(async () => {
        const paths = [
          '/api/leads',
          `/api/leads/${erased.lead}`,
          `/api/leads/${erased.lead}/history`,
          `/api/leads/${kept.lead}`,
          '/api/chats',
          `/api/chats/${erased.chat}`,
          '/api/emails',
        ]
        const texts = await Promise.all(paths.map(read))
        expect(texts[0]).toContain('Lindiwe')
        return texts.join('\n')
      })
      expect(answers).toContain('Naledi')
      expect(answers).not.toContain(MARKER)
      expect(answers).toContain('Erased')
      await withLog(restored.url, async (sql) => {
        await eventually(async () => expect(await sql`select from privacy_exports`).toEqual([]))
        expect(await sql`select from privacy_export_parts`).toEqual([])
        expect(await readCopies(sql, erased.lead)).toMatchObject([{ pdf: null }])
      })
      await Promise.all([node.stop(), worker.stop()])
      for (const { printed } of [node, worker]) expect(printed()).not.toContain(MARKER)
      expect(await findText(restored.url, MARKER)).toEqual([])
      expect(await findText(restored.url, 'Naledi')).not.toEqual([])
      expect(await succeed(restored.url, ['verify'])).toMatch(/^The log is whole: \d+ events/)
      const names = service.submissions.slice(before).map(({ fields }) => Object.fromEntries(fields).name)
      expect(names.toSorted()).toEqual(['Lindiwe', 'Sipho'])
    })
  })
}
