import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { leadStreams } from '../../events/lead/lead.ts'
import { readHead, readLog, readStream } from '../../events/log/read.ts'
import { startProduct } from '../../events/testing/product.ts'

const LEAD = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
const CONTRACT = { ...LEAD, leadSource: 'contract_essential', businessName: 'Botha Bakery', agreedToTerms: true }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const { nodes, sql } = await startProduct({ nodes: 2, worker: 'never' })

const countEvents = async () => {
  const [row] = await sql<{ events: number }[]>`select last_position as events from log_head`
  return row?.events
}

/** Checks that a response is a problem document, and that nothing was stored during that time. */
const expectProblem = async (refused: () => Promise<Response>, status: number) => {
  const before = await countEvents()
  const response = await refused()
  const problem = await response.json()
  expect(problem).toMatchObject({
    type: expect.stringMatching(/^urn:problem:/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
  })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await countEvents()).toBe(before)
  return problem
}

const postRaw = (body: BodyInit, contentType: string, headers: Record<string, string> = {}) =>
  nodes[0].call('/api/leads', { method: 'POST', body, headers: { 'content-type': contentType, ...headers } })

describe('submitting a lead', () => {
  test('returns 201 and the lead as stored', async () => {
    const response = await nodes[0].post('/api/leads', {
      ...LEAD,
      name: '  Ana Botha ',
      company: '',
      message: 'Hi\n🙂',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const lead = await response.json()
    expect(lead).toEqual({
      ...LEAD,
      phoneLinks: expect.objectContaining({ call: expect.stringMatching(/^tel:\+27/) }),
      id: expect.stringMatching(UUID),
      company: null,
      businessName: null,
      industry: null,
      package: null,
      message: 'Hi\n🙂',
      timeline: null,
      pageUrl: null,
      agreedToTerms: null,
      firstTouch: null,
      lastTouch: null,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      followUpStatus: 'new',
      conversionDate: null,
      projectValue: null,
      ownerId: null,
      nextActionDate: null,
      answeredAt: null,
      answeredBy: null,
      givenAnswers: [],
      version: 1,
      emailStatus: null,
    })
    const [event] = await readStream(sql, leadStreams.of(String(lead.id)))
    expect(event).toMatchObject({ type: 'LeadSubmitted', personal: { name: 'Ana Botha', company: null } })
    const [row] = await sql`select e::text as text from events e where stream = ${leadStreams.of(String(lead.id))}`
    expect(row?.text).not.toContain('Ana')
  })

  test('takes a form without script and sends the visitor on to the thank-you page', async () => {
    const form = new URLSearchParams({ ...CONTRACT, agreedToTerms: 'on', name: 'Form Person', termsVersion: '1' })
    const response = await postRaw(form, 'application/x-www-form-urlencoded')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/thanks')
    const { position } = await readHead(sql)
    const [event] = await readLog(sql, position - 1, 1)
    expect(event).toMatchObject({
      data: { source: 'contract_essential', isContract: true },
      personal: { name: 'Form Person', agreedToTerms: true, leadSource: 'contract_essential' },
    })
  })

  test('takes a multipart form', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries(LEAD)) form.append(name, value)
    const response = await nodes[0].call('/api/leads', { method: 'POST', body: form })
    expect(response.status).toBe(303)
  })

  test('refuses a form whose box is not ticked', async () => {
    const { agreedToTerms: _, ...form } = CONTRACT
    await expectProblem(
      () => postRaw(new URLSearchParams({ ...form, termsVersion: '1' }), 'application/x-www-form-urlencoded'),
      422,
    )
  })

  test('marks the email of a contract as pending', async () => {
    const response = await nodes[0].post('/api/leads', CONTRACT)
    expect(await response.json()).toMatchObject({ emailStatus: 'pending', businessName: 'Botha Bakery' })
  })
})

test('a browser whose form is refused shows the error, as text, and links back', async () => {
  const response = await nodes[0].call('/api/leads', {
    method: 'POST',
    headers: { accept: 'text/html,*/*;q=0.8', referer: `${nodes[0].url}//contract/premium?utm_source=x` },
    body: new URLSearchParams({ ...LEAD, name: 'A', email: '<b>' }),
  })
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'unsafe-inline'")
  const page = await response.text()
  expect(page).toContain('<li>Name must be at least 2 characters</li>')
  expect(page).toContain('<li>Please enter a valid email address</li>')
  expect(page).toContain('<a href="/contract/premium">open the page again</a>')
  expect(page).toMatch(/<a href="tel:\+\d+"[^>]*>\+?[\d ]+<\/a>/)
})

describe('an Idempotency-Key', () => {
  test('returns the same lead for the same key on either node, and stores one', async () => {
    const before = await countEvents()
    const headers = { 'idempotency-key': 'key-1' }
    const first = await nodes[0].post('/api/leads', LEAD, headers)
    const second = await nodes[1].post('/api/leads', LEAD, headers)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
    expect(await countEvents()).toBe((before ?? 0) + 1)
  })

  test('stores one lead for twenty requests at once over both nodes', async () => {
    const before = await countEvents()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const node = nodes[index % 2] ?? nodes[0]
        const response = await node.post('/api/leads', LEAD, { 'idempotency-key': 'key-2' })
        return { status: response.status, text: await response.text() }
      }),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await countEvents()).toBe((before ?? 0) + 1)
  })

  test('refuses the same key with another body', async () => {
    const headers = { 'idempotency-key': 'key-3' }
    expect((await nodes[0].post('/api/leads', LEAD, headers)).status).toBe(201)
    const again = () => nodes[1].post('/api/leads', { ...LEAD, name: 'Somebody Else' }, headers)
    expect((await expectProblem(again, 422)).type).toBe('urn:problem:idempotency-key-reused')
  })

  test('accepts a later retry, which no longer counts as too fast', async () => {
    const headers = { 'idempotency-key': 'key-4' }
    const first = await nodes[0].post('/api/leads', { ...LEAD, openMs: 10 }, headers)
    const second = await nodes[1].post('/api/leads', { ...LEAD, openMs: 60_000 }, headers)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
  })

  test.each(['', 'k'.repeat(256)])('has from 1 to 255 characters', async (key) => {
    await expectProblem(() => nodes[0].post('/api/leads', LEAD, { 'idempotency-key': key }), 422)
  })
})

describe('the rules of the forms', () => {
  const refusals: [name: string, body: object, errors: Record<string, string>][] = [
    [
      'nothing at all',
      {},
      {
        name: 'Name must be at least 2 characters',
        email: 'Please enter a valid email address',
        phone: 'Please enter a valid phone number',
        leadSource: 'Lead source is required',
      },
    ],
    ['a short name', { ...LEAD, name: ' A ' }, { name: 'Name must be at least 2 characters' }],
    ['a bad address', { ...LEAD, email: 'ana@' }, { email: 'Please enter a valid email address' }],
    ['a short phone number', { ...LEAD, phone: '082 555' }, { phone: 'Please enter a valid phone number' }],
    [
      'a contract without its own fields',
      { ...LEAD, leadSource: 'contract_premium' },
      {
        businessName: 'Business name is required',
        agreedToTerms: 'You must agree to the terms and conditions',
      },
    ],
    [
      'a contract not agreed to',
      { ...CONTRACT, agreedToTerms: false },
      { agreedToTerms: 'You must agree to the terms and conditions' },
    ],
    ['a short business name', { ...CONTRACT, businessName: 'B' }, { businessName: 'Business name is required' }],
  ]

  test.each(refusals)('refuse %s with the messages of the specification', async (_, body, errors) => {
    const problem = await expectProblem(() => nodes[0].post('/api/leads', body), 422)
    const given = problem.errors.map(({ path, message }: { path: string; message: string }) => [path, message])
    expect(Object.fromEntries(given)).toEqual(errors)
  })
})

describe('bad input', () => {
  test.each(['{"name": "Ana"', '', 'name=Ana', '{"a": 1,}', '\u0000'])(
    'returns 400 for malformed JSON: %j',
    async (body) => {
      await expectProblem(() => postRaw(body, 'application/json'), 400)
    },
  )

  test.each(['[]', '"text"', 'null', '7', 'true', '{"name": ["x"], "email": {}, "phone": 1, "leadSource": null}'])(
    'returns 422 for JSON of the wrong shape: %s',
    async (body) => {
      const problem = await expectProblem(() => postRaw(body, 'application/json'), 422)
      expect(problem.errors.length).toBeGreaterThan(0)
    },
  )

  test.each([
    ['U+0000', { ...LEAD, name: 'Ana\u0000Botha' }],
    ['a lone surrogate', { ...LEAD, message: 'half \ud83d' }],
    ['a lone surrogate in the source', { ...LEAD, leadSource: 'x\udc00' }],
    ['an over-long name', { ...LEAD, name: 'n'.repeat(201) }],
    ['an over-long address', { ...LEAD, email: `${'e'.repeat(250)}@example.com` }],
    ['an over-long phone number', { ...LEAD, phone: '1'.repeat(41) }],
    ['an over-long message', { ...LEAD, message: 'm'.repeat(5_001) }],
    ['an over-long source', { ...LEAD, leadSource: 's'.repeat(101) }],
    ['a box that is not a boolean', { ...CONTRACT, agreedToTerms: 'yes' }],
  ])('returns 422 for %s', async (_, body) => {
    const problem = await expectProblem(() => nodes[0].post('/api/leads', body), 422)
    expect(problem.errors).toHaveLength(1)
  })

  test('refuses JSON nested 30,000 deep', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    const refused = await postRaw(`{"name": ${deep}}`, 'application/json')
    expect([400, 422]).toContain(refused.status)
    const ignored = await postRaw(JSON.stringify(LEAD).replace('{', `{"unknown": ${deep},`), 'application/json')
    expect([201, 400]).toContain(ignored.status)
  })

  test('drops fields that it does not know, whatever they are called', async () => {
    const body = JSON.stringify(LEAD).replace('{', '{"id": "mine", "followUpStatus": "won", "__proto__": {"x": 1},')
    const response = await postRaw(body, 'application/json')
    expect(response.status).toBe(201)
    const lead = await response.json()
    expect(lead).toMatchObject({ followUpStatus: 'new', id: expect.stringMatching(UUID) })
    expect(lead).not.toHaveProperty('x')
  })

  test('returns 413 for a body over 64 KiB, by its length', async () => {
    const body = JSON.stringify({ ...LEAD, message: 'm'.repeat(65 * 1024) })
    await expectProblem(() => postRaw(body, 'application/json'), 413)
  })

  test.each(['application/json', 'application/x-www-form-urlencoded'])(
    'returns 413 for a chunked body over 64 KiB without a length (%s)',
    async (contentType) => {
      const { status, length } = await new Promise<{ status: number | undefined; length: unknown }>(
        (resolve, reject) => {
          const sent = request(`${nodes[0].url}/api/leads`, {
            method: 'POST',
            headers: { 'content-type': contentType },
          })
          sent.once('response', (response) => {
            response.resume()
            resolve({ status: response.statusCode, length: sent.getHeader('content-length') })
          })
          sent.once('error', reject)
          for (let kib = 0; kib < 65; kib += 1) sent.write('x'.repeat(1024))
          sent.end()
        },
      )
      expect({ status, length }).toEqual({ status: 413, length: undefined })
    },
  )

  test('takes a body of just under 64 KiB', async () => {
    const padding = ' '.repeat(64 * 1024 - JSON.stringify(LEAD).length)
    expect((await postRaw(JSON.stringify(LEAD) + padding, 'application/json')).status).toBe(201)
  })

  test.each(['text/plain', 'application/xml', ''])('returns 415 for the media type %j', async (contentType) => {
    await expectProblem(() => postRaw(JSON.stringify(LEAD), contentType), 415)
  })

  test('returns 400 for a multipart body without its boundary', async () => {
    await expectProblem(() => postRaw('garbage', 'multipart/form-data'), 400)
  })

  test.each(['https://elsewhere.example', 'null', 'http://127.0.0.1', ''])(
    'returns 403 for the foreign origin %j',
    async (origin) => {
      const refused = () => nodes[0].post('/api/leads', LEAD, { origin })
      await expectProblem(refused, 403)
    },
  )

  test('takes a call of no browser, which names no origin', async () => {
    const response = await fetch(`${nodes[0].url}/api/leads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(LEAD),
    })
    expect(response.status).toBe(201)
  })

  test.each([
    ['GET', '/api/nothing'],
    ['POST', '/api'],
    ['DELETE', '/api/leads'],
    ['PUT', '/api/login'],
    ['GET', '/api/leads/%00/x/y'],
  ])('returns 404 for the unknown call %s %s', async (method, path) => {
    await expectProblem(() => nodes[0].call(path, { method }), 404)
  })

  test('never has the node log a failed request', () => {
    expect(nodes.map((node) => node.printed()).join('\n')).not.toContain('request failed')
  })
})
