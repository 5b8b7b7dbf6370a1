import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Lead } from '../../events/lead/lead.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const LEAD = { email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
const NAMES = [
  'Ana Botha',
  'Bongani Dlamini',
  'Chris "Quote" Nel',
  '=HYPERLINK("https://elsewhere.example","prize")',
  '100% Cotton_Co',
  'Ümit Ünal',
  'Gugu, Zulu',
  '@SUM(A1)',
]

const submit = async (lead: object): Promise<Lead> => {
  const response = await nodes[0].post('/api/leads', lead)
  expect(response.status).toBe(201)
  return await response.json()
}

const get = (path: string, node = nodes[0]) => node.call(path, { headers: staff })
const list = async (query = ''): Promise<Lead[]> => (await get(`/api/leads${query}`)).json()
const patch = (id: string, change: unknown, node = nodes[0]) =>
  node.call(`/api/leads/${id}`, {
    method: 'PATCH',
    headers: { ...staff, 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
const namesOf = (leads: Lead[]) => leads.map(({ name }) => name)

const { nodes } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[0])
let submitted: Lead[]

beforeAll(async () => {
  submitted = []
  for (const name of NAMES) {
    submitted.push(await submit({ ...LEAD, name, company: name.startsWith('Bon') ? 'Dlamini & Sons' : null }))
    await delay(2) // so that no two have the same millisecond, and "newest" is certain
  }
  await eventually(async () => expect(await list()).toHaveLength(NAMES.length))
})

describe('the list of leads', () => {
  test('is for staff', async () => {
    for (const path of [
      '/api/leads',
      '/api/leads/stream',
      '/api/leads/export',
      `/api/leads/${submitted[0]?.id}/history`,
    ]) {
      const response = await nodes[0].call(path)
      expect(response.status, path).toBe(401)
      expect(await response.json()).toMatchObject({ status: 401, type: 'urn:problem:not-signed-in' })
    }
    const response = await nodes[0].call(`/api/leads/${submitted[0]?.id}`, { method: 'PATCH' })
    expect(response.status).toBe(401)
  })

  test('has every lead as it was returned, newest first, on both nodes', async () => {
    expect(await list()).toEqual(submitted.toReversed())
    expect(await (await get('/api/leads', nodes[1])).json()).toEqual(submitted.toReversed())
  })

  test('is stored by no cache', async () => {
    expect((await get('/api/leads')).headers.get('cache-control')).toBe('no-store')
  })

  test('sorts', async () => {
    expect(await list('?sort=asc')).toEqual(submitted)
    expect(await list('?sort=desc')).toEqual(submitted.toReversed())
  })

  test('bounds the time half-open', async () => {
    const [, from, , to] = submitted.map(({ timestamp }) => timestamp)
    expect(namesOf(await list(`?sort=asc&from=${from}&to=${to}`))).toEqual(NAMES.slice(1, 3))
    expect(await list(`?from=${to}&to=${from}`)).toEqual([])
  })

  test.each([
    ['dlamini', ['Bongani Dlamini']],
    ['DLAMINI %26 sons', ['Bongani Dlamini']],
    ['0% cotton_', ['100% Cotton_Co']],
    ['_', ['100% Cotton_Co']],
    ['ünal', ['Ümit Ünal']],
    ['%00', []],
    ['%5C', []],
    ['lead form', NAMES],
    ['555 01', NAMES],
    ['   ', NAMES],
  ])('searches for %j without regard to case', async (q, names) => {
    const query = q.replace('0% cotton_', '0%25%20cotton_').replaceAll(' ', '%20')
    expect(namesOf(await list(`?sort=asc&q=${query}`))).toEqual(names)
  })

  test.each(['asc', 'desc'])('is walked by cursor through every lead exactly once (%s)', async (sort) => {
    const walked: Lead[] = []
    let path: string | undefined = `/api/leads?limit=3&sort=${sort}&q=lead%20form`
    let pages = 0
    while (path !== undefined) {
      const response = await get(path)
      expect(response.status).toBe(200)
      walked.push(...(await response.json()))
      pages += 1
      const next = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
      if (next) expect(next).toMatch(`${nodes[0].url}/api/leads?`)
      path = next?.slice(nodes[0].url.length)
    }
    expect(pages).toBe(3)
    expect(walked).toEqual(sort === 'asc' ? submitted : submitted.toReversed())
  })

  test('is counted by day, in all and filtered as the list is', async () => {
    const summary = async (query = '') => (await get(`/api/leads/summary${query}`)).json()
    const [first] = submitted
    const day = new Date(Date.parse(first?.timestamp ?? '') + 2 * 3_600_000).toISOString().slice(0, 10)
    const all = await summary()
    expect(all.total).toBe((await list()).length)
    expect(all.days.at(-1).day).toBe(day)
    expect(await summary('?q=DLAMINI')).toEqual({ total: 1, days: [{ day, count: 1 }] })
    expect(await summary(`?to=${first?.timestamp}`)).toEqual({ total: 0, days: [] })
    expect((await get('/api/leads/summary?from=soon')).status).toBe(422)
  })

  test('is entered at any offset, with or without a page size', async () => {
    const all = await list('?sort=asc')
    expect(await list('?sort=asc&offset=2&limit=3')).toEqual(all.slice(2, 5))
    expect(await list('?sort=asc&offset=5')).toEqual(all.slice(5))
    expect(await list('?offset=1000&limit=3')).toEqual([])
    const link = (await get('/api/leads?sort=asc&offset=2&limit=3')).headers.get('link') ?? ''
    const next = /^<(.*)>/.exec(link)?.[1]?.slice(nodes[0].url.length) ?? ''
    expect(await (await get(next)).json()).toEqual(all.slice(5, 8))
  })

  test('is filtered by status, owner, source and package, in the list, its counts and its export', async () => {
    const { id: me } = await (await get('/api/me')).json()
    const contract = {
      leadSource: 'contract_premium',
      package: 'Premium - R1,499',
      businessName: 'Kloof',
      agreedToTerms: true,
    }
    const mine = await submit({ ...LEAD, ...contract, name: 'Mine' })
    const nobodys = await submit({ ...LEAD, ...contract, name: 'Nobody’s' })
    await patch(mine.id, { ownerId: me, followUpStatus: 'quoted' })
    const found = async (query: string) => {
      const { total } = await (await get(`/api/leads/summary?${query}`)).json()
      const names = namesOf(await list(`?sort=asc&${query}`))
      expect([query, total]).toEqual([query, names.length])
      expect((await get(`/api/leads/export?format=csv&${query}`)).headers.get('x-total-rows')).toBe(String(total))
      return names
    }
    await eventually(async () => expect(await found('owner=me')).toEqual(['Mine']))
    await eventually(async () => expect(await found('package=premium')).toEqual(['Mine', 'Nobody’s']))
    expect(await found(`owner=${me}&status=quoted`)).toEqual(['Mine'])
    expect(await found('owner=none&source=contract_premium')).toEqual(['Nobody’s'])
    expect(await found('owner=none&source=contract_premium&status=quoted')).toEqual([])
    expect(await found(`status=new&package=premium&from=${nobodys.timestamp}`)).toEqual(['Nobody’s'])
    expect(await found('source=contract_premium&q=nobody')).toEqual(['Nobody’s'])
    expect(await found('overdue=true')).toEqual([])
  })

  test('walks leads of one and the same instant without losing any', async () => {
    const { length: count } = await list()
    const q = '?q=same%20instant'
    await Promise.all(Array.from({ length: 12 }, (_, index) => submit({ ...LEAD, name: `Same Instant ${index}` })))
    await eventually(async () => expect(await list()).toHaveLength(count + 12))
    const walked: string[] = []
    let cursor = ''
    do {
      const response = await get(`/api/leads${q}&limit=1${cursor}`)
      walked.push(...namesOf(await response.json()))
      cursor = /cursor=[^&>]*/.exec(response.headers.get('link') ?? '')?.[0].replace(/^/, '&') ?? ''
    } while (cursor !== '')
    expect(walked).toEqual(namesOf(await list(q)))
    expect(new Set(walked).size).toBe(12)
  })

  test.each([
    'from=yesterday',
    'to=2026-02-30T00:00:00Z',
    'to=2026-13-01T00:00:00Z',
    'sort=up',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1001',
    'limit=',
    'offset=-1',
    'offset=1e3',
    'offset=10000001',
    'status=none',
    'owner=somebody',
    'source=',
    'package=large',
    'overdue=false',
    'nextAction=today',
    'cursor=nonsense',
    'cursor=%00',
    `q=${'q'.repeat(10_241)}`,
  ])('returns 422 for %s', async (query) => {
    const response = await get(`/api/leads?${query}`)
    expect(response.status).toBe(422)
    const problem = await response.json()
    expect(problem.errors[0].path).toMatch(new RegExp(`^${query.split('=')[0]}`))
    expect((await get(`/api/leads/export?${query}`)).status).toBe(422)
  })
})

describe('following up a lead', () => {
  let lead: Lead
  beforeEach(async () => {
    lead = await submit({ ...LEAD, name: 'Follow Up' })
  })

  test('returns the lead, shows it in the list, and adds to its history', async () => {
    const change = { followUpStatus: 'won', conversionDate: '2026-02-01T12:00:00+02:00', projectValue: 1499 }
    const response = await patch(lead.id, change)
    expect(response.status).toBe(200)
    const changed = {
      ...lead,
      ...change,
      conversionDate: '2026-02-01T10:00:00.000Z',
      answeredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      answeredBy: expect.any(String),
      version: 2,
    }
    expect(await response.json()).toEqual(changed)
    await eventually(async () => expect((await list()).find(({ id }) => id === lead.id)).toEqual(changed))

    const events = await (await get(`/api/leads/${lead.id}/history`, nodes[1])).json()
    expect(events).toMatchObject([
      { type: 'LeadSubmitted', version: 1, by: null, data: { name: 'Follow Up' } },
      { type: 'LeadFollowUpChanged', version: 2, by: 'thandi', data: { followUpStatus: 'won', projectValue: 1499 } },
    ])
  })

  test('returns a single lead, with its version, as soon as it is changed', async () => {
    const response = await get(`/api/leads/${lead.id}`)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual(lead)
    await patch(lead.id, { projectValue: 5 })
    const changed = await get(`/api/leads/${lead.id}`, nodes[1])
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(await changed.json()).toMatchObject({ projectValue: 5, version: 2 })
  })

  test('sets a staff member as owner, and a day for the next action', async () => {
    const me = await (await get('/api/me')).json()
    const change = { ownerId: me.id, nextActionDate: '2026-02-28' }
    expect(await (await patch(lead.id, change)).json()).toEqual({ ...lead, ...change, version: 2 })
    const refused = await patch(lead.id, { ownerId: '00000000-0000-4000-8000-000000000000' })
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors).toEqual([{ path: 'ownerId', message: 'Must be a staff member' }])
  })

  test('removes values again, and stores nothing if nothing changes', async () => {
    await patch(lead.id, { projectValue: 5, conversionDate: '2026-02-01T10:00:00Z' })
    const taken = { ...lead, version: 3 }
    expect(await (await patch(lead.id, { projectValue: null, conversionDate: null })).json()).toEqual(taken)
    expect(await (await patch(lead.id, { projectValue: null })).json()).toEqual(taken)
    expect(await (await patch(lead.id, {})).json()).toEqual(taken)
    expect(await (await get(`/api/leads/${lead.id}/history`)).json()).toHaveLength(3)
  })

  test('loses no change of two people at once on two nodes', async () => {
    const changes = [
      { followUpStatus: 'quoted' },
      { projectValue: 4999 },
      { conversionDate: '2026-03-01T00:00:00.000Z' },
    ]
    const answers = await Promise.all(changes.map((change, index) => patch(lead.id, change, nodes[index % 2])))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await eventually(async () =>
      expect((await list()).find(({ id }) => id === lead.id)).toEqual({
        ...lead,
        ...Object.assign({}, ...changes),
        answeredAt: expect.any(String),
        answeredBy: expect.any(String),
        version: 4,
      }),
    )
  })

  test.each([
    { followUpStatus: 'gone' },
    { followUpStatus: null },
    { projectValue: -1 },
    { projectValue: '12' },
    { projectValue: 1e12 },
    { conversionDate: 'soon' },
    { nextActionDate: '2026-02-29' },
    { nextActionDate: '2026-02-28T00:00:00Z' },
    { ownerId: 'thandi' },
    { conversionDate: '2026-02-30T00:00:00Z' },
    { name: 'Another Name' },
    [[]],
    null,
  ])('returns 422 for %j', async (change) => {
    const response = await patch(lead.id, change)
    expect(response.status).toBe(422)
    expect((await response.json()).errors.length).toBeGreaterThan(0)
    expect(await (await get(`/api/leads/${lead.id}/history`)).json()).toHaveLength(1)
  })

  test.each(['00000000-0000-4000-8000-000000000000', 'nobody', '%00', "'"])('returns 404 for the id %s', async (id) => {
    expect((await patch(id, { followUpStatus: 'won' })).status).toBe(404)
    expect((await get(`/api/leads/${id}/history`)).status).toBe(404)
    expect((await get(`/api/leads/${id}`)).status).toBe(404)
  })
})

describe('the stream of leads', () => {
  /** Opens the stream and reads until an event satisfies `isLast`. Returns all events up to it. */
  const openStream = async (node: TestNode, isLast: (lead: Lead) => boolean, headers: Record<string, string> = {}) => {
    const ending = new AbortController()
    const response = await node.call('/api/leads/stream', {
      headers: { ...staff, ...headers },
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(60_000)]),
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const opened = Promise.withResolvers<void>()
    const reading = (async () => {
      const events: { id: string; lead: Lead }[] = []
      let text = ''
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        opened.resolve()
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks.filter((part) => !/^(:|event: heartbeat)/.test(part))) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
          expect(fields.event).toBe('lead')
          events.push({ id: fields.id, lead: JSON.parse(fields.data) })
        }
        if (events.some(({ lead }) => isLast(lead))) break
      }
      ending.abort()
      return events
    })()
    await opened.promise
    return { events: reading }
  }

  test('sends each new and changed lead, and continues after the last event that was seen', async () => {
    const isNew = (name: string) => (lead: Lead) => lead.name === name
    const streams = await Promise.all(nodes.map((node) => openStream(node, isNew('Stream One'))))
    const lead = await submit({ ...LEAD, name: 'Stream One' })
    const [first, second] = await Promise.all(streams.map(async ({ events }) => (await events).at(-1)))
    expect(first?.lead).toEqual(lead)
    expect(second).toEqual(first)

    await submit({ ...LEAD, name: 'Stream Two' })
    await patch(lead.id, { followUpStatus: 'contacted' })
    const after = { 'last-event-id': first?.id ?? '' }
    const isChanged = ({ id, followUpStatus }: Lead) => id === lead.id && followUpStatus === 'contacted'
    const missed = await openStream(nodes[1], isChanged, after)
    expect((await missed.events).map((event) => [event.lead.name, event.lead.followUpStatus])).toEqual([
      ['Stream Two', 'new'],
      ['Stream One', 'contacted'],
    ])
  })
})
