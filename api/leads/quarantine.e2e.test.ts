import { expect, test } from 'vitest'
import { type Lead, leadStreams } from '../../events/lead.ts'
import { readStream } from '../../events/log/read.ts'
import { MIN_OPEN_MS } from '../../events/spam-signals.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const PERSON = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }
const CONTRACT = {
  ...PERSON,
  leadSource: 'contract_premium',
  businessName: 'Botha Bakery',
  agreedToTerms: true,
}
const ANSWERS = {
  websiteType: 'Business landing page',
  businessName: 'Botha Bakery',
  targetAudience: 'local community members',
  designStyle: 'Warm',
  brandColorsSelect: 'Terracotta',
  businessDescription: 'Sourdough since 1998',
  primaryProducts: 'Bread',
  businessAddress: '1 Long Street, Cape Town',
  phoneNumber: '+27 21 555 0100',
  email: 'ana@bakery.example',
}
const TOUCH = {
  source: 'newsletter',
  medium: 'email',
  campaign: 'spring',
  term: null,
  content: null,
  referrer: 'mail.example',
  landingPage: '/contract/premium',
}

const { node, sql } = await startProduct()
const staff = await signIn(node)

const list = async (query = ''): Promise<Lead[]> =>
  await (await node.call(`/api/leads${query}`, { headers: staff })).json()
const idsOf = (leads: Lead[]) => leads.map(({ id }) => id)
const outbox = async (): Promise<{ fields: [string, string][] }[]> =>
  await (await node.call('/api/outbox', { headers: staff })).json()
const submit = async (lead: object): Promise<Lead> => {
  const response = await node.post('/api/leads', lead)
  expect(response.status).toBe(201)
  return await response.json()
}
const release = (id: string, headers: Record<string, string> = staff) =>
  node.post(`/api/leads/${id}/release`, {}, headers)

/** Waits until the view has all that was submitted: a lead submitted now comes after it. */
const caughtUp = async () => {
  const { id } = await submit(PERSON)
  await eventually(async () => expect(idsOf(await list())).toContain(id))
}

test.each([
  ['a visitor who fills in the hidden field', { quartz: 'https://cheap.example' }, ['trap']],
  ['a visitor who is faster than anybody', { openMs: MIN_OPEN_MS - 1 }, ['too_fast']],
  ['a visitor who does both', { quartz: 'x', openMs: 0 }, ['trap', 'too_fast']],
  ['a visitor who sends no text in the hidden field', { quartz: { a: 1 } }, ['trap']],
])('%s is answered as anybody, and lies in quarantine', async (_, signs, reasons) => {
  const lead = await submit({ ...PERSON, ...signs })
  const { id: _id, timestamp: _timestamp, ...told } = lead
  const { id: _other, timestamp: _when, ...toldToAnybody } = await submit(PERSON)
  expect(told).toEqual(toldToAnybody)
  await caughtUp()
  expect(idsOf(await list())).not.toContain(lead.id)
  const found = (await list('?quarantine=true')).find(({ id }) => id === lead.id)
  expect(found).toEqual({ ...lead, suspicion: reasons })
})

test.each([
  ['sends neither field', {}],
  ['took the time', { quartz: '', openMs: MIN_OPEN_MS }],
  ['sends null', { quartz: null, openMs: null }],
  ['sends what is no time', { openMs: 'soon' }],
])('a visitor who %s is not flagged', async (_, signs) => {
  const { id } = await submit({ ...PERSON, ...signs })
  await eventually(async () => expect(idsOf(await list())).toContain(id))
  expect(idsOf(await list('?quarantine=true'))).not.toContain(id)
})

test('a form without script is caught by its hidden field, and sent on as anybody is', async () => {
  const email = 'machine@example.com'
  const response = await node.call('/api/leads', {
    method: 'POST',
    body: new URLSearchParams({ ...PERSON, email, quartz: 'x', openMs: '' }),
  })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/thanks'])
  await caughtUp()
  expect((await list()).map((lead) => lead.email)).not.toContain(email)
  expect((await list('?quarantine=true')).map((lead) => lead.email)).toContain(email)
})

test('a flagged questionnaire lies in quarantine too', async () => {
  const response = await node.post('/api/submit-website-info', { ...ANSWERS, openMs: 10, lastTouch: TOUCH })
  const { success, leadId } = (await response.json()) as { success: boolean; leadId: string }
  expect([response.status, success]).toEqual([201, true])
  await caughtUp()
  expect(idsOf(await list())).not.toContain(leadId)
  const found = (await list('?quarantine=true')).find(({ id }) => id === leadId)
  expect(found).toMatchObject({ suspicion: ['too_fast'], firstTouch: null, lastTouch: TOUCH })
})

test('a flagged contract goes out by email once staff release it, and only once', async () => {
  const { id } = await submit({ ...CONTRACT, quartz: 'x', firstTouch: TOUCH })
  const { id: honest } = await submit({ ...CONTRACT, businessName: 'Honest Bakery' })
  await eventually(async () =>
    expect((await list()).find((lead) => lead.id === honest)).toMatchObject({ forwardStatus: 'outbox' }),
  )
  const businesses = async () =>
    (await outbox()).map(({ fields }) => fields.find(([name]) => name === 'businessName')?.[1])
  expect(await businesses()).toEqual(['Honest Bakery'])
  expect((await release(id, {})).status).toBe(401)
  expect((await release('00000000-0000-4000-8000-000000000000')).status).toBe(404)

  const answers = await Promise.all([release(id), release(id)])
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    const released = await answer.json()
    expect(released).toMatchObject({ id, firstTouch: TOUCH })
    expect(released).not.toHaveProperty('suspicion')
  }
  await eventually(async () =>
    expect((await list()).find((lead) => lead.id === id)).toMatchObject({ forwardStatus: 'outbox', firstTouch: TOUCH }),
  )
  expect(idsOf(await list('?quarantine=true'))).not.toContain(id)
  expect(await businesses()).toHaveLength(2)
  expect((await outbox()).flatMap(({ fields }) => fields.filter(([name]) => /touch|suspicion/i.test(name)))).toEqual([])
  const history = await (await node.call(`/api/leads/${id}/history`, { headers: staff })).json()
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['LeadSubmitted', 'LeadReleased', 'EmailForwarded'])
})

test('a contract that was taken for spam waits for its answer as a new one once it is released', async () => {
  const { id } = await submit({ ...CONTRACT, quartz: 'x' })
  const send = (method: string, path: string, body: object = {}) =>
    node.call(path, { method, headers: { ...staff, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  expect((await send('PATCH', `/api/leads/${id}`, { followUpStatus: 'lost' })).status).toBe(200)
  const answers = await Promise.all([release(id), release(id)])
  for (const answer of answers) {
    expect(await answer.json()).toMatchObject({ id, followUpStatus: 'new', answeredAt: null })
  }
  await eventually(async () => {
    const { fresh } = await (await node.call('/api/today', { headers: staff })).json()
    expect(idsOf(fresh.leads)).toContain(id)
    const waiting = await (await node.call('/api/leads/waiting', { headers: staff })).json()
    expect(waiting.newest.map((lead: Lead) => lead.id)).toContain(id)
    const lead = (await list()).find((each) => each.id === id)
    expect(lead).toMatchObject({ followUpStatus: 'new', answeredAt: null, forwardStatus: 'outbox' })
  })
  const history = await (await node.call(`/api/leads/${id}/history`, { headers: staff })).json()
  expect(history.map(({ type, by }: { type: string; by: string }) => [type, by]).slice(0, 4)).toEqual([
    ['LeadSubmitted', null],
    ['LeadFollowUpChanged', 'thandi'],
    ['LeadReleased', 'thandi'],
    ['LeadFollowUpChanged', 'thandi'],
  ])
})

test('the stream tells of a flagged lead only once it is released, and before that the quarantine changed', async () => {
  const closed = new AbortController()
  const response = await node.call('/api/leads/stream', { headers: staff, signal: closed.signal })
  const { id: flagged } = await submit({ ...PERSON, quartz: 'x' })
  await caughtUp()
  await release(flagged)
  const { id: last } = await submit(PERSON)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(last)) break
  }
  closed.abort()
  const told = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Lead)
  expect(text.slice(0, text.indexOf(flagged))).toContain('event: quarantine')
  expect(told.filter(({ id }) => id === flagged)).toEqual([
    expect.not.objectContaining({ suspicion: expect.anything() }),
  ])
})

test('a retry with the same key is one lead, in quarantine or out of it', async () => {
  const headers = { 'idempotency-key': 'twice' }
  const first = await (await node.post('/api/leads', { ...PERSON, openMs: 5 }, headers)).json()
  const second = await (await node.post('/api/leads', { ...PERSON, openMs: 5 }, headers)).json()
  expect(second).toEqual(first)
})

test('how the visitor came travels with the lead, cut to its limits, and never costs one', async () => {
  const long = 'x'.repeat(5_000)
  const lead = await submit({
    ...PERSON,
    firstTouch: { ...TOUCH, campaign: long, term: 'a\0b', content: 7, landingPage: `/${long}`, extra: 1 },
    lastTouch: 'nonsense',
  })
  expect(lead).toMatchObject({
    firstTouch: {
      ...TOUCH,
      campaign: 'x'.repeat(150),
      term: 'a\u{FFFD}b',
      content: null,
      landingPage: `/${'x'.repeat(299)}`,
    },
    lastTouch: null,
  })
  expect(lead.firstTouch).not.toHaveProperty('extra')
  const [row] = await readStream(sql, leadStreams.of(lead.id))
  expect(row?.data).not.toHaveProperty('firstTouch')
  expect(row?.personal).toHaveProperty('firstTouch')
  expect(row?.personal).not.toHaveProperty('lastTouch')
})
