import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadCorrected } from '../../events/lead/correction.ts'
import { leadImportRequested, leadImportStreams, leadImportUndone } from '../../events/lead/import/import.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { erasureStreams, requestErasure } from '../../events/lead/person/erasure.ts'
import { sniffCsv } from '../../events/lead/store/csv.ts'
import {
  beginImport,
  beginUndo,
  findImport,
  readImportFile,
  removeOldImportFiles,
  rewrapImportKeys,
  storeImport,
} from '../../events/lead/store/imports.ts'
import { listLeads } from '../../events/lead/store/lead-list.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestKeys, TEST_DATA_KEY } from '../../events/testing/keys.ts'
import { longestTurn } from '../../events/testing/longest-turn.ts'
import { carryOutErasures } from '../erasure/erasures.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { carryOutImports, type Importing } from './imports.ts'

const SOON = { timeout: 10_000 }
const MAPPING = { name: 0, email: 1 }
const NEWER_KEY = Buffer.alloc(32, 'a newer key').toString('base64')

let service: TestService
let mail: TestDelivering
let staffId: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestDelivering(service)
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
const upload = async (rows: string[]) => {
  const id = randomUUID()
  const content = Buffer.from(`Name,Email\n${rows.join('\n')}\n`)
  await storeImport(mail.sql, { id, staffId, content, kind: sniffCsv(content), total: rows.length })
  return id
}
const begin = async (rows: string[], { isRequested = true, addsDuplicates = false } = {}) => {
  const id = await upload(rows)
  const asked = { by: staffId, mapping: MAPPING, addsDuplicates }
  if (isRequested) await note(id, leadImportRequested({ rows: rows.length, ...asked }))
  await beginImport(mail.sql, id, asked)
  return id
}
const carryOut = (log: Importing['log'] = mail.log) =>
  carryOutImports({ sql: mail.sql, log, signal: new AbortController().signal })
const sweep = async () => {
  await mail.viewOf(randomUUID())
  await carryOut()
}
const stateOf = async (id: string) => (await findImport(mail.sql, id))?.state

test('an undo that was noted and not begun is carried out', async () => {
  const id = await begin(['Ana,ana@example.com'])
  await note(id, leadImportUndone({ by: staffId }))
  await sweep()
  expect(await stateOf(id)).toBe('undoing')
  await sweep()
  expect(await stateOf(id)).toBe('undone')
})

test('an import that is not in the log ends, without its file', async () => {
  const id = await begin(['Ana,ana@example.com'], { isRequested: false })
  await sweep()
  expect(await stateOf(id)).toBe('failed')
  expect(await readImportFile(mail.sql, id)).toBeUndefined()
})

test('an import whose key cannot be opened lets others pass, and fails in the end', async () => {
  const id = await begin(['Ana,ana@example.com'])
  const next = await begin(['Ben,ben@example.com'])
  await mail.sql`update lead_import_keys set ring_key = 'lost' where import_id = ${id}`
  await expect(sweep()).rejects.toThrow('lacks the key lost')
  await sweep()
  expect([await stateOf(id), await stateOf(next)]).toEqual(['running', 'done'])
  await mail.sql`update lead_imports set retry_at = now(), tries = 29 where id = ${id}`
  await expect(sweep()).rejects.toThrow('lacks the key lost')
  expect(await stateOf(id)).toBe('failed')
  expect(await readImportFile(mail.sql, id)).toBeUndefined()
})

test('a file opens after DATA_KEY was changed', async () => {
  const id = await begin(['Ana,ana@example.com'])
  const { ring } = openTestKeys(`${NEWER_KEY},${TEST_DATA_KEY}`)
  await rewrapImportKeys(mail.sql, ring)
  const [row] = await mail.sql`select ring_key as key from lead_import_keys where import_id = ${id}`
  expect(row).toEqual({ key: ring.active.id })
})

test('a second import of the same people waits for the leads view, and adds none', async () => {
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

const enter = async (email: string) => {
  const leadId = randomUUID()
  const event = submitLead({ leadId, form: sampleLeadForm({ email }) })
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ id: leadId, ...event }] })
  return leadId
}
/** An owner has the person of a lead erased, and a worker carries it out. */
const erase = async (leadId: string) => {
  const asked = requestErasure({ chats: [], leads: [leadId], asOf: null, by: staffId })
  const events = asked.map((event) => ({ id: randomUUID(), ...event }))
  await mail.log.append({ stream: erasureStreams.of(leadId), expectedVersion: 'any', events })
  const bus = { publish: () => {} } as unknown as Bus
  while (await carryOutErasures({ sql: mail.sql, log: mail.log, bus, logger: { info: () => {} } }));
}
const listed = async () => {
  await mail.viewOf(randomUUID())
  return (await listLeads(mail.sql, { sort: 'desc' }, { limit: 10 })).map(({ email }) => email).sort()
}
const keysLeft = async () => {
  const [row] = await mail.sql<{ count: number }[]>`
    select (select count(*) from lead_import_keys)::int + (select count(*) from lead_import_erasures)::int as count`
  return row?.count
}

test('a person who was erased while the file waited is left out, however the address is written, and counts as skipped', async () => {
  const ana = await enter('ana@example.com')
  const id = await begin(['Ana,ANA@Example.com', 'Ben,ben@example.com'], { addsDuplicates: true })
  await erase(ana)
  await sweep()
  expect(await findImport(mail.sql, id)).toMatchObject({ state: 'done', done: 2, added: 1, skipped: 1, refused: 0 })
  expect(await listed()).toEqual(['ben@example.com'])
  expect(await keysLeft()).toBe(0)
})

test('an erased person is left out by the address they gave and by the one that staff corrected it to', async () => {
  const ana = await enter('typo@example.com')
  const corrected = leadCorrected({ by: staffId }, { subjectId: ana, personal: { email: 'ana@example.com' } })
  const events = [{ id: randomUUID(), ...corrected }]
  await mail.log.append({ stream: leadStreams.of(ana), expectedVersion: 1, events })
  const rows = ['Ana,ana@example.com', 'Ana,typo@example.com', 'Ben,ben@example.com']
  const id = await begin(rows, { addsDuplicates: true })
  await erase(ana)
  await sweep()
  expect(await findImport(mail.sql, id)).toMatchObject({ state: 'done', done: 3, added: 1, skipped: 2, refused: 0 })
  expect(await listed()).toEqual(['ben@example.com'])
})

test('a person who is erased between a row and its note is removed again; one erased before the upload is added', async () => {
  const ana = await enter('ana@example.com')
  const id = await begin(['Ana,ana@example.com', 'Ben,ben@example.com'], { addsDuplicates: true })
  await mail.viewOf(randomUUID())
  let isErased = false
  const append: Importing['log']['append'] = async (request) => {
    const stored = await mail.log.append(request)
    if (!isErased) {
      isErased = true
      await erase(ana)
    }
    return stored
  }
  await carryOut({ append })
  expect(await stateOf(id)).toBe('running')
  await sweep()
  expect(await findImport(mail.sql, id)).toMatchObject({ state: 'done', added: 1, skipped: 1 })
  expect(await listed()).toEqual(['ben@example.com'])
  await begin(['Ana,ana@example.com'])
  await sweep()
  expect(await listed()).toContain('ana@example.com')
})

test('the key of a file is not next to it, and is removed with it: when the import ends, is undone, or lasts for days', async () => {
  const ids = [
    await begin(['Ana,ana@example.com']),
    await begin(['Ben,ben@example.com']),
    await upload(['Cid,c@example.com']),
  ]
  await beginUndo(mail.sql, ids[0] ?? '')
  expect(await readImportFile(mail.sql, ids[0] ?? '')).toBeUndefined()
  expect(await keysLeft()).toBe(2)
  await mail.sql`update lead_imports set created_at = created_at - interval '73 hours'`
  await removeOldImportFiles(mail.sql)
  expect(await Promise.all(ids.map(stateOf))).toEqual(['undoing', 'failed', undefined])
  expect(await keysLeft()).toBe(0)
  expect(await mail.sql`select from lead_imports where content is not null`).toHaveLength(0)
})

test('an import whose key a restored backup lacks has failed, so that staff upload the file again', async () => {
  const id = await begin(['Ana,ana@example.com'])
  await mail.sql`delete from lead_import_keys`
  await sweep()
  expect(await stateOf(id)).toBe('failed')
})

test('the worker’s other work continues during an import, with rows that were only formatted', async () => {
  const people = Array.from({ length: 600 }, (_, n) => `Ana ${n},ana${n}@example.com`)
  const id = await begin([...people, ...Array<string>(60_000).fill(','), ...Array<string>(20_000).fill('"')])
  await mail.viewOf(randomUUID())
  expect(await longestTurn(() => carryOut())).toBeLessThan(100)
  expect(await findImport(mail.sql, id)).toMatchObject({ state: 'done', added: 600 })
})
