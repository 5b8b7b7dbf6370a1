import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalText } from '../../events/contract/terms.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { readStream } from '../../events/log/read.ts'
import { DEFAULT_PACKAGES, filledTerms } from '../../events/settings/packages.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const PERSON = {
  name: '  Zoë Botha ',
  email: 'zoe@example.com',
  phone: '+27 82 555 0199',
  businessName: 'Botha Bakery',
}
const ESSENTIAL = { ...PERSON, leadSource: 'contract_essential', agreedToTerms: true }
const OWN = {
  ...DEFAULT_PACKAGES.professional,
  forWhom: 'For bakeries.',
  features: ['3 pages'],
  delivery: 'Within 5 days',
  summary: 'A site for a bakery.',
  included: ['3 pages'],
  notIncluded: [],
  terms: ['Half is paid to start.'],
}

const { nodes, sql } = await startProduct({ nodes: 2, worker: 'never', env: { TRUST_PROXY: '1' } })
const owner = await signIn(nodes[0])

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const termsText = (packageId: string, version: number) =>
  nodes[1].call(`/api/contract-terms/text?package=${packageId}&version=${version}`)
const submissionOf = async (leadId: string) => {
  const [event] = await readStream(sql, leadStreams.of(leadId))
  if (event?.type !== 'LeadSubmitted') throw new Error('No lead was submitted')
  return event
}

const setTexts = async (packages: object) => {
  const settings = await nodes[0].call('/api/settings', { headers: owner })
  const response = await nodes[0].call('/api/settings/packages', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': settings.headers.get('etag') ?? '', ...owner },
    body: JSON.stringify({ packages }),
  })
  expect(response.status).toBe(200)
}

test('a contract names the version of its terms, and its event holds the evidence of the signature', async () => {
  const sentAt = Date.now()
  const response = await nodes[0].post(
    '/api/leads',
    { ...ESSENTIAL, termsVersion: '1', openedBeforeMs: 60_000, tickedBeforeMs: 5_000 },
    { 'user-agent': 'A browser', 'x-forwarded-for': '198.51.100.9, 203.0.113.7' },
  )
  expect(response.status).toBe(201)
  const { id } = await response.json()
  const { data, personal } = await submissionOf(id)
  const current = await (await nodes[1].call('/api/contract-terms')).json()
  expect(current.essential).toEqual({ version: 1, sha256: data.terms?.sha256 })
  const agreement = 'I have read the terms on this page and agree to them: Essential - R999.'
  expect(data.terms).toEqual({ version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), isNamed: true, agreement })
  const { evidence, ...form } = personal ?? {}
  const terms = { version: 1, sha256: data.terms?.sha256, agreement }
  expect(evidence).toEqual({
    signature: '  Zoë Botha ',
    clientAddress: '203.0.113.7',
    userAgent: 'A browser',
    openedAt: expect.any(String),
    tickedAt: expect.any(String),
    contractSha256: sha256(canonicalText({ id, form, terms })),
  })
  const minute = new Date(evidence?.openedAt ?? 0).getTime() + 60_000
  expect(minute).toBeGreaterThanOrEqual(sentAt)
  expect(new Date(evidence?.tickedAt ?? 0).getTime() + 5_000).toBe(minute)
  const [row] = await sql<{ text: string }[]>`select e::text as text from events e where stream = ${leadStreams.of(id)}`
  expect(row?.text).not.toMatch(/Zoë|203\.0\.113|A browser/)
})

test('a contract that is sent twice at once, by two nodes, is signed once', async () => {
  const key = { 'idempotency-key': 'pressed twice' }
  const answers = await Promise.all(
    nodes.map((node) => node.post('/api/leads', { ...ESSENTIAL, termsVersion: '1' }, key)),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const [first, second] = await Promise.all(answers.map((answer) => answer.json()))
  expect(second).toEqual(first)
  expect(await readStream(sql, leadStreams.of(first.id))).toHaveLength(1)
})

test('white space around a name that no person types is no part of the signature', async () => {
  const { id } = await (await nodes[0].post('/api/leads', { ...ESSENTIAL, name: `Zoë${'\n'.repeat(30_000)}` })).json()
  expect((await submissionOf(id)).personal?.evidence?.signature).toBe('Zoë')
})

test('JSON without a version is taken, and the event says that it named none', async () => {
  const response = await nodes[0].post('/api/leads', ESSENTIAL)
  expect(response.status).toBe(201)
  const { data, personal } = await submissionOf((await response.json()).id)
  expect(data.terms).toMatchObject({ version: 1, isNamed: false })
  expect(personal?.evidence).toMatchObject({ openedAt: null, tickedAt: null })
})

test.each([
  ['no version', {}],
  ['a version that does not exist', { termsVersion: '99' }],
  ['a version that is no number', { termsVersion: 'newest' }],
])('a form with %s is refused with 422 and a sentence', async (_, sent) => {
  const { agreedToTerms: __, ...rest } = ESSENTIAL
  const body = new URLSearchParams({ ...rest, agreedToTerms: 'on', ...sent })
  const response = await nodes[0].call('/api/leads', { method: 'POST', body })
  expect(response.status).toBe(422)
  const { errors } = await response.json()
  expect(errors).toEqual([{ path: 'termsVersion', message: expect.stringMatching(/version of the terms/i) }])
})

test('terms that change while a page is open are shown with the difference, and old ones stay byte for byte', async () => {
  const before = await (await termsText('professional', 1)).text()
  const contract = { ...ESSENTIAL, leadSource: 'contract_professional', termsVersion: '1' }
  const key = { 'idempotency-key': 'signed before the change' }
  const first = await (await nodes[0].post('/api/leads', contract, key)).json()

  await setTexts({ professional: OWN })
  const refused = await nodes[1].post('/api/leads', contract)
  expect(refused.status).toBe(409)
  const problem = await refused.json()
  expect(problem).toMatchObject({
    type: 'urn:problem:terms-changed',
    terms: { version: 2, package: 'professional', line: 'Professional - R1,499 + R299/month' },
  })
  expect(problem.terms.changes).toContainEqual({
    part: 'Terms',
    removed: filledTerms(DEFAULT_PACKAGES.professional),
    added: ['Half is paid to start.'],
  })
  await eventually(async () => {
    for (const node of nodes) expect(await (await node.call('/contract/professional')).text()).toContain('value="2"')
  })
  // Premium includes Professional, Essential does not
  expect(await (await nodes[0].call('/contract/essential')).text()).toContain('name="termsVersion" value="1"')

  const agreed = await nodes[1].post('/api/leads', { ...contract, termsVersion: '2' })
  expect(agreed.status).toBe(201)
  expect((await submissionOf((await agreed.json()).id)).data.terms).toMatchObject({
    version: 2,
    sha256: problem.terms.sha256,
  })
  expect(await (await nodes[1].post('/api/leads', contract, key)).json()).toEqual(first)

  const after = await (await termsText('professional', 1)).text()
  expect(after).toBe(before)
  expect((await submissionOf(first.id)).data.terms?.sha256).toBe(sha256(after))
  expect(canonicalText(JSON.parse(after))).toBe(after)
  expect((await termsText('professional', 3)).status).toBe(404)

  await setTexts({})
  await eventually(async () => {
    const current = await (await nodes[1].call('/api/contract-terms')).json()
    expect(current.professional).toEqual({ version: 1, sha256: sha256(before) })
  })
})

test('a page without script shows the changes, keeps what was typed and asks to agree again', async () => {
  const premium = { ...OWN, name: 'Premium', monthly: 499, terms: ['<b>Half</b> is paid to start.'] }
  await setTexts({ premium })
  const { agreedToTerms: _, ...rest } = { ...ESSENTIAL, leadSource: 'contract_premium', message: '"quoted" & <i>' }
  const post = (fields: Record<string, string>) =>
    nodes[1].call('/api/leads', {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ ...rest, ...fields }),
      redirect: 'manual',
    })
  const refused = await post({ agreedToTerms: 'on', termsVersion: '1' })
  expect(refused.status).toBe(409)
  const page = await refused.text()
  expect(page).toContain('<ins>&lt;b&gt;Half&lt;/b&gt; is paid to start.</ins>')
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
    name,
    value?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ])
  expect(Object.fromEntries(fields)).toEqual({ ...rest, package: 'Premium - R1,499 + R499/month', termsVersion: '3' })
  expect((await post({ ...Object.fromEntries(fields), agreedToTerms: 'on' })).status).toBe(303)
})
