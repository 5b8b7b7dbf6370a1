import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PROJECTIONS } from '../consumers/registry.ts'
import { newLead, postMessage, startChat } from '../testing/fixtures/samples.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { prepareProjection, project, schemaOf } from './projection.ts'

const PEOPLE = 40

const { sql, log: appender } = await openOwnLog({ connections: 2 })

test("Postgres' statistics of the views hold no data of visitors", async () => {
  for (const projection of PROJECTIONS) await prepareProjection(sql, projection)
  for (let each = 0; each < PEOPLE; each += 1) {
    const email = `zanele${each % 7}@private.example`
    const fields = { name: 'Zanele Quagga', email, phone: `082 555 01${10 + (each % 7)}`, message: 'quagga wishes' }
    await appender.append(newLead(randomUUID(), fields))
    const sessionId = randomUUID()
    await appender.append(startChat(sessionId, 'Zanele Quagga', email))
    await appender.append(postMessage(sessionId, 'quagga wishes'))
  }
  for (const projection of PROJECTIONS) while ((await project(sql, projection)).hasMore);
  const tables = await sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name from pg_tables where schemaname in ${sql(PROJECTIONS.map(schemaOf))}`
  for (const { name } of tables) await sql.unsafe(`analyze ${name}`)
  const rows = await sql<{ text: string }[]>`
    select concat_ws(' ', s.attname, s.most_common_vals::text, s.histogram_bounds::text, s.most_common_elems::text) as text
    from pg_stats s where s.schemaname in ${sql(PROJECTIONS.map(schemaOf))}`
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/zanele|quagga|private\.example|825550/i)
})
