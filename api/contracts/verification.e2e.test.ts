import { expect, test } from 'vitest'
import { referenceOf } from '../../events/base/reference.ts'
import { contractStreams } from '../../events/contract/signed-copy.ts'
import { sha256Of } from '../../events/contract/store/terms.ts'
import { contractEvidence } from '../../events/contract/wire.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { openErasures } from '../testing/erasures.ts'

const CONTRACT = {
  name: 'Zoë Botha',
  email: 'zoe@example.com',
  phone: '+27 82 555 0199',
  businessName: 'Botha Bakery',
  leadSource: 'contract_premium',
  agreedToTerms: true,
  termsVersion: '1',
}

const { node, sql } = await startProduct()
const owner = await signIn(node)

type Signed = { id: string; contractCopy: string }

const sign = async (email = CONTRACT.email): Promise<Signed> => {
  const response = await node.post('/api/leads', { ...CONTRACT, email })
  expect(response.status).toBe(201)
  return await response.json()
}

/** What the page shows: its state, and its text. */
const verified = async (reference: string) => {
  const response = await node.call(`/contract/verify/${reference}`)
  const page = await response.text()
  const [, state] = /data-check="(\w+)"/.exec(page) ?? []
  return { status: response.status, state, page }
}

test('a contract is downloaded by its private link, and the public page confirms it without personal details', async () => {
  const signedAt = Date.now()
  const { id, contractCopy } = await sign()
  const copy = await node.call(contractCopy)
  expect(copy.status).toBe(200)
  // 2 s on a machine without other tests (the bench); it is far from the 5 s after which the download gives up
  expect(Date.now() - signedAt).toBeLessThan(5_000)
  expect(copy.headers.get('content-type')).toBe('application/pdf')
  expect(copy.headers.get('content-disposition')).toBe(`attachment; filename="contract-${referenceOf(id)}.pdf"`)
  const sha256 = sha256Of(Buffer.from(await copy.arrayBuffer()))

  const { status, state, page } = await verified(referenceOf(id))
  expect([status, state]).toEqual([200, 'unbroken'])
  for (const fact of ['Premium', referenceOf(id), sha256, 'Version 1, SHA-256', 'SAST']) expect(page).toContain(fact)
  expect(page).not.toMatch(/Zoë|Botha|zoe@|555 0199/)
  expect(page).not.toContain(id)
  expect((await verified(referenceOf(id).toLowerCase().replace('-', ''))).state).toBe('unbroken')

  const answer = await (await node.call(`/api/leads/${id}/contract`, { headers: owner })).json()
  expect(exactly(contractEvidence, answer)).toMatchObject({
    terms: { version: 1, isNamed: true },
    evidence: { signature: 'Zoë Botha' },
    copySha256: sha256,
  })
  const staffCopy = await node.call(`/api/leads/${id}/contract/copy`, { headers: owner })
  expect(sha256Of(Buffer.from(await staffCopy.arrayBuffer()))).toBe(sha256)
})

test('a foreign key, a forged reference and another lead’s link lead to nothing', async () => {
  const [first, second] = [await sign(), await sign()]
  const key = new URL(first.contractCopy, node.url).searchParams.get('key')
  expect((await node.call(`/api/contracts/${second.id}/copy?key=${key}`)).status).toBe(404)
  expect((await node.call(`/api/contracts/${first.id}/copy?key=x`)).status).toBe(404)
  expect((await node.call(`/api/leads/${first.id}/contract`)).status).toBe(401)
  for (const reference of ['0000-0000', 'nonsense', '%E0%A4%A', '<script>']) {
    const { status, state, page } = await verified(reference)
    expect([status, state]).toEqual([404, 'missing'])
    expect(page).not.toContain('<script>.')
  }
  const { id } = await (await node.post('/api/leads', { ...CONTRACT, leadSource: 'hero_form' })).json()
  expect((await verified(referenceOf(id))).state).toBe('missing')
  expect((await node.call('/contract/verify')).status).toBe(200)
  const asked = await node.call(`/contract/verify?reference=+3f9a-2c1b`, { redirect: 'manual' })
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/contract/verify/3f9a-2c1b'])
})

test('a link of an erased person’s contract leads nowhere, and the page says what remains', async () => {
  const { id, contractCopy } = await sign('gone@example.com')
  expect((await node.call(contractCopy)).status).toBe(200)
  expect((await openErasures({ node, sql }, owner).erase(id)).status).toBeLessThan(300)
  await eventually(async () => expect((await node.call(contractCopy)).status).toBe(404))
  const { state, page } = await verified(referenceOf(id))
  expect(state).toBe('unbroken')
  expect(page).toContain('The personal data was erased since then')
})

test('a contract whose person was erased before the copy was made has none, and its link leads nowhere at once', async () => {
  const flagged = await node.post('/api/leads', { ...CONTRACT, email: 'early@example.com', openMs: 1 })
  const { id, contractCopy }: Signed = await flagged.json()
  expect((await openErasures({ node, sql }, owner).erase(id)).status).toBeLessThan(300)
  await eventually(async () => expect((await node.call(contractCopy)).status).toBe(404))
  expect((await verified(referenceOf(id))).page).toContain('There is none')
})

const setData = (stream: string, path: string, value: string) => sql`
  update events set data = jsonb_set(data::jsonb, ${`{${path}}`}::text[], ${value}::jsonb)::json
  where stream = ${stream} and version = 1`

test.each([
  ['the version of the terms', (id: string) => setData(leadStreams.of(id), 'terms,version', '7')],
  ['the kind of the event', (id: string) => setData(leadStreams.of(id), 'isContract', 'false')],
  [
    'the encrypted part',
    (id: string) => sql`update events set personal = 'x' where stream = ${leadStreams.of(id)} and version = 1`,
  ],
  ['the hash of the copy', (id: string) => setData(contractStreams.of(id), 'sha256', '"00"')],
  ['the whole of the terms', () => sql`update events set data = 'null' where stream = 'terms-premium' and version = 1`],
  ['the text of the terms', () => setData('terms-premium', 'text', '"{}"')],
])('a row that is changed by hand in Postgres is reported: %s', async (_, damage) => {
  const { id, contractCopy } = await sign()
  await node.call(contractCopy)
  expect((await verified(referenceOf(id))).state).toBe('unbroken')
  const rows = await sql<{ position: number; data: string; personal: Buffer | null }[]>`
    select position, data::text as data, personal from events
    where version = 1 and stream in (${leadStreams.of(id)}, ${contractStreams.of(id)}, 'terms-premium')`
  await damage(id)
  expect((await verified(referenceOf(id))).state).toBe('broken')
  for (const { position, data, personal } of rows) {
    await sql`update events set data = ${data}::text::json, personal = ${personal} where position = ${position}`
  }
})
