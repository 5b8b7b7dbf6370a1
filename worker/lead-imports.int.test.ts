import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadImportRequested, leadImportStreams, leadImportUndone } from '../events/lead-import.ts'
import { openTestService, type TestService } from '../events/local/test-email-service.ts'
import { openTestKeys, TEST_DATA_KEY } from '../events/local/test-keys.ts'
import { sniffCsv } from '../events/log/csv.ts'
import { beginImport, findImport, readImportFile, rewrapImportKeys, storeImport } from '../events/log/lead-imports.ts'
import { openTestForwarding, type TestForwarding } from './email/test-forwarding.ts'
import { carryOutImports } from './lead-imports.ts'

const SOON = { timeout: 10_000 }
const MAPPING = { name: 0, email: 1 }
const NEWER_KEY = Buffer.alloc(32, 'a newer key').toString('base64')

let service: TestService
let mail: TestForwarding
let staffId: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestForwarding(service)
  staffId = randomUUID()
})

afterAll(async () => {
  await mail.close()
  await service.close()
})

const note = async (id: string, event: ReturnType<typeof leadImportRequested | typeof leadImportUndone>) => {
  const events = [{ id: randomUUID(), ...event }]
  await mail.log.append({ stream: leadImportStreams.of(id), expectedVersion: 'any', events })
}
const begin = async (rows: string[], { isRequested = true } = {}) => {
  const id = randomUUID()
  const content = Buffer.from(`Name,Email\n${rows.join('\n')}\n`)
  await storeImport(mail.sql, { id, staffId, content, kind: sniffCsv(content), total: rows.length })
  const asked = { by: staffId, mapping: MAPPING, addsDuplicates: false }
  if (isRequested) await note(id, leadImportRequested({ rows: rows.length, ...asked }))
  await beginImport(mail.sql, id, asked)
  return id
}
const carryOut = () => carryOutImports({ sql: mail.sql, log: mail.log, signal: new AbortController().signal })
const round = async () => {
  await mail.viewOf(randomUUID())
  await carryOut()
}
const stateOf = async (id: string) => (await findImport(mail.sql, id))?.state

test('an undo that was noted and not begun is carried out', async () => {
  const id = await begin(['Ana,ana@example.com'])
  await note(id, leadImportUndone({ by: staffId }))
  await round()
  expect(await stateOf(id)).toBe('undoing')
  await round()
  expect(await stateOf(id)).toBe('undone')
})

test('an import of which the log knows nothing ends, without its file', async () => {
  const id = await begin(['Ana,ana@example.com'], { isRequested: false })
  await round()
  expect(await stateOf(id)).toBe('failed')
  expect(await readImportFile(mail.sql, id)).toBeUndefined()
})

test('an import whose key cannot be opened lets others pass, and fails in the end', async () => {
  const id = await begin(['Ana,ana@example.com'])
  const next = await begin(['Ben,ben@example.com'])
  await mail.sql`update lead_imports set ring_key = 'lost' where id = ${id}`
  await expect(round()).rejects.toThrow('lacks the key lost')
  await round()
  expect([await stateOf(id), await stateOf(next)]).toEqual(['running', 'done'])
  await mail.sql`update lead_imports set retry_at = now(), tries = 29 where id = ${id}`
  await expect(round()).rejects.toThrow('lacks the key lost')
  expect(await stateOf(id)).toBe('failed')
  expect(await readImportFile(mail.sql, id)).toBeUndefined()
})

test('a file opens after DATA_KEY was changed', async () => {
  const id = await begin(['Ana,ana@example.com'])
  const { ring } = openTestKeys(`${NEWER_KEY},${TEST_DATA_KEY}`)
  await rewrapImportKeys(mail.sql, ring)
  const [row] = await mail.sql`select ring_key as key from lead_imports where id = ${id}`
  expect(row).toEqual({ key: ring.active.id })
})

test('a second import of the same people waits for the leads view, and adds nobody', async () => {
  const rows = ['Ana,ana@example.com', 'Ben,ben@example.com']
  const [first, second] = [await begin(rows), await begin(rows)]
  await mail.viewOf(randomUUID())
  const work = Promise.all([carryOut(), carryOut()])
  await expect
    .poll(async () => {
      const [row] =
        await mail.sql`select claim is not null or state = 'done' as begun from lead_imports where id = ${second}`
      return row?.begun
    }, SOON)
    .toBe(true)
  expect(await findImport(mail.sql, first)).toMatchObject({ state: 'done', added: 2 })
  await mail.viewOf(randomUUID())
  await work
  expect(await findImport(mail.sql, second)).toMatchObject({ state: 'done', added: 0, skipped: 2 })
})
