import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import { erasureStreams } from '../../events/lead/person/erasure.ts'
import { openAppender } from '../../events/log/append.ts'
import { newLead, startChat } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { openErasures } from '../testing/erasures.ts'

const product = await startProduct({ nodes: 2 })
const { database, sql, startWorker } = product
const [node, otherNode] = product.nodes
let { worker } = product
const owner = await signIn(node)

const { submit, get, askToErase, erase, hinderErasure, allTexts } = openErasures(product, owner)

test('a flood of leads is erased without a further request though the worker is killed, and later leads stay', async () => {
  const LEADS = 301
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  const ids = Array.from({ length: LEADS }, () => randomUUID())
  const fields = { name: 'Flooded', email: 'flooded@example.com', phone: '000 000 0000' }
  await Promise.all(ids.map((id) => appender.append(newLead(id, fields))))
  await appender.close()
  const [victim = ''] = ids
  const { leads, asOf } = await eventually(async () => {
    const shown = await get(`/api/leads/${victim}/erase`)
    expect(shown.leads).toHaveLength(LEADS)
    return shown
  })
  expect(leads.map(({ id }: Lead) => id).sort()).toEqual(ids.toSorted())
  const relent = await hinderErasure(victim, { sleepS: 0.005 })
  const twice = await Promise.all([node, otherNode].map((on) => askToErase(victim, { asOf }, owner, on)))
  for (const response of twice) {
    expect(response.status).toBe(202)
    const { left } = await response.json()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(LEADS)
  }
  const late = await submit({ ...fields, name: 'Comes Later' })
  const countErased = async () => {
    const streams = ids.map(leadStreams.of)
    return (await sql`select from events where stream = any(${streams}) and type = 'LeadErased'`).length
  }
  await eventually(async () => expect(await countErased()).toBeGreaterThan(0))
  worker.kill('SIGKILL')
  await worker.ended
  // the lead from which all are found is erased last
  expect(await get(`/api/leads/${victim}`)).toMatchObject({ name: 'Flooded' })
  await relent()

  worker = await startWorker()
  const second = await startWorker()
  onTestFinished(() => second.stop())
  await eventually(async () => expect(await countErased()).toBe(LEADS), 60_000)
  await eventually(async () => expect(await allTexts()).not.toMatch(/\bFlooded\b/))
  expect((await erase(victim, owner, { asOf })).status).toBe(204)
  expect(await get(`/api/leads/${late.id}`)).toEqual(late)
})

test('a flood of leads and chats under one address is listed in a response that grows only with their sum', async () => {
  const email = 'both@flooded.example'
  const leadIds = Array.from({ length: 300 }, () => randomUUID())
  const chatIds = Array.from({ length: 300 }, () => randomUUID())
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await Promise.all(leadIds.map((id) => appender.append(newLead(id, { email, phone: '000 000 0000' }))))
  await Promise.all(chatIds.map((id) => appender.append(startChat(id, 'Guest', email))))
  await appender.close()
  const [victim = ''] = leadIds
  const { size, asOf } = await eventually(async () => {
    const text = await (await node.call(`/api/leads/${victim}/erase`, { headers: owner })).text()
    const shown = JSON.parse(text)
    expect([shown.leads.length, shown.chats.length]).toEqual([leadIds.length, chatIds.length])
    return { size: text.length, asOf: shown.asOf }
  })
  expect(size).toBeLessThan((leadIds.length + chatIds.length) * 500)
  expect([202, 204]).toContain((await askToErase(victim, { asOf, chosenIds: [] })).status)
  const asked = await sql<{ chats: string[] }[]>`
    select data::jsonb -> 'chats' as chats from events where stream = ${erasureStreams.of(victim)}`
  expect(asked.flatMap(({ chats }) => chats).sort()).toEqual(chatIds.toSorted())
})

test('an owner chooses thousands of leads, and as many stay', async () => {
  const some = () => Array.from({ length: 1_800 }, () => randomUUID())
  const [going, staying] = [some(), some()]
  const fields = { name: 'Legion', email: 'legion@example.com', phone: '082 555 0205' }
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await Promise.all([...going, ...staying].map((id) => appender.append(newLead(id, fields))))
  await appender.close()
  const [victim = '', ...chosenIds] = going
  const { asOf } = await eventually(async () => {
    const shown = await get(`/api/leads/${victim}/erase`)
    expect(shown.leads).toHaveLength(going.length + staying.length)
    return shown
  }, 60_000)
  // longer than the body of any other call
  expect(JSON.stringify({ asOf, chosenIds }).length).toBeGreaterThan(64 * 1024)
  const requested = await askToErase(victim, { asOf, chosenIds })
  expect([202, 204]).toContain(requested.status)
  const asked = await sql<{ leads: string[] }[]>`
    select data::jsonb -> 'leads' as leads from events where stream = ${erasureStreams.of(victim)}`
  expect(asked.flatMap(({ leads }) => leads).sort()).toEqual(going.toSorted())
  expect(await get(`/api/leads/${staying[0]}`)).toMatchObject({ name: 'Legion' })

  const status = await new Promise((resolve, reject) => {
    const headers = { ...owner, 'content-type': 'application/json', 'content-length': 4 * 1024 * 1024 }
    const sent = request(`${node.url}/api/leads/${victim}/erase`, { method: 'POST', headers })
    sent.once('error', reject).once('response', (response) => {
      resolve(response.statusCode)
      sent.destroy()
    })
    sent.flushHeaders()
  })
  expect(status).toBe(413)
}, 120_000)
