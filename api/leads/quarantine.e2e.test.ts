import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MIN_OPEN_MS } from '../../events/lead/form/spam-signals.ts'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import { readStream } from '../../events/log/read.ts'
import type { Account } from '../../events/staff/staff.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import type { TimelineEntry } from '../../events/timeline.ts'

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
])('%s gets the same response as any visitor, and is in quarantine', async (_, signs, reasons) => {
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

test('a form without script is caught by its hidden field, and redirected like any other', async () => {
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

test('a flagged contract is sent by email when staff release it, and only once', async () => {
  const { id } = await submit({ ...CONTRACT, quartz: 'x', firstTouch: TOUCH })
  const { id: honest } = await submit({ ...CONTRACT, businessName: 'Honest Bakery' })
  await eventually(async () =>
    expect((await list()).find((lead) => lead.id === honest)).toMatchObject({ emailStatus: 'outbox' }),
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
    expect((await list()).find((lead) => lead.id === id)).toMatchObject({ emailStatus: 'outbox', firstTouch: TOUCH }),
  )
  expect(idsOf(await list('?quarantine=true'))).not.toContain(id)
  expect(await businesses()).toHaveLength(2)
  expect((await outbox()).flatMap(({ fields }) => fields.filter(([name]) => /touch|suspicion/i.test(name)))).toEqual([])
  const history = await (await node.call(`/api/leads/${id}/history`, { headers: staff })).json()
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['LeadSubmitted', 'LeadReleased', 'EmailSent'])
})

test('a contract that was taken for spam waits for its reply like a new one after its release', async () => {
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
    expect(lead).toMatchObject({ followUpStatus: 'new', answeredAt: null, emailStatus: 'outbox' })
  })
  const history = await (await node.call(`/api/leads/${id}/history`, { headers: staff })).json()
  expect(history.map(({ type, by }: { type: string; by: string }) => [type, by]).slice(0, 4)).toEqual([
    ['LeadSubmitted', null],
    ['LeadFollowUpChanged', 'thandi'],
    ['LeadReleased', 'thandi'],
    ['LeadFollowUpChanged', 'thandi'],
  ])
})

test('the stream sends a flagged lead only after its release, and before that a change of the quarantine', async () => {
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

describe('a lead that staff call spam', () => {
  const PASSWORD = 'the password of an account'

  const owner = staff
  let people = 0

  const send = (method: string, path: string, body: object = {}, headers: object = owner) =>
    node.call(path, {
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })

  const submit = async (fields: object = {}): Promise<Lead> => {
    people += 1
    const person = { name: 'Crypto King', email: `king${people}@example.com`, phone: `082 720 ${1000 + people}` }
    const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, {})
    expect(response.status).toBe(201)
    return await response.json()
  }

  const flag = ({ id }: Lead, by: object = owner) => send('POST', `/api/leads/${id}/flag`, {}, by)
  const release = ({ id }: Lead) => send('POST', `/api/leads/${id}/release`)
  const undo = ({ id }: Lead, eventId: string | null) => send('POST', `/api/leads/${id}/undo`, { eventId })
  const patch = ({ id }: Lead, change: object) => send('PATCH', `/api/leads/${id}`, change)
  const read = async ({ id }: Lead): Promise<Lead> => (await send('GET', `/api/leads/${id}`)).json()
  const listed = async (query = ''): Promise<string[]> =>
    (await (await send('GET', `/api/leads${query}`)).json()).map(({ id }: Lead) => id)
  const waiting = async (): Promise<string[]> =>
    (await (await send('GET', '/api/leads/waiting')).json()).newest.map(({ id }: Lead) => id)
  const contracts = async (business: string): Promise<number> =>
    (await (await send('GET', '/api/outbox')).json()).filter(({ fields }: { fields: [string, string][] }) =>
      fields.some(([, value]) => value === business),
    ).length

  let agent: { cookie: string }
  let ben: Account

  beforeAll(async () => {
    const account = { username: 'ben', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
    ben = await (await send('POST', '/api/accounts', account)).json()
    const response = await node.post('/api/login', { username: ben.username, password: PASSWORD })
    agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  })

  test('a lead that an agent calls spam does not wait and is in quarantine as decided, until that is undone', async () => {
    const lead = await submit()
    await eventually(async () => expect(await waiting()).toContain(lead.id))
    const flagged = await flag(lead, agent)
    expect(flagged.status).toBe(200)
    expect(await flagged.json()).toMatchObject({ suspicion: ['staff'], flaggedBy: ben.id, followUpStatus: 'lost' })
    await eventually(async () => expect(await listed('?quarantine=true')).toContain(lead.id))
    expect(await listed('?quarantine=true&status=new')).not.toContain(lead.id)
    expect(await listed()).not.toContain(lead.id)
    // the view that counts waiting leads may be a moment behind
    await eventually(async () => expect(await waiting()).not.toContain(lead.id))

    const undone = await undo(lead, flagged.headers.get('event-id'))
    expect(undone.status).toBe(200)
    const back: Lead = await undone.json()
    expect(back).toMatchObject({ followUpStatus: 'new', answeredAt: null })
    expect([back.suspicion, back.flaggedBy]).toEqual([undefined, undefined])
    await eventually(async () => expect(await waiting()).toContain(lead.id))
    expect(await listed('?quarantine=true')).not.toContain(lead.id)
    expect((await undo(lead, flagged.headers.get('event-id'))).status).toBe(200)
  })

  test('a release restores a lead’s status, and its contract is still sent once', async () => {
    const business = 'Flagged Bakery'
    const lead = await submit({ leadSource: 'contract_premium', businessName: business, agreedToTerms: true })
    await eventually(async () => expect(await read(lead)).toMatchObject({ emailStatus: 'outbox' }))
    const quoted: Lead = await (await patch(lead, { followUpStatus: 'quoted' })).json()
    await flag(lead)
    const released: Lead = await (await release(lead)).json()
    expect(released).toMatchObject({
      followUpStatus: 'quoted',
      answeredAt: quoted.answeredAt,
      emailStatus: 'outbox',
    })
    const last = await submit({ leadSource: 'contract_premium', businessName: 'Last Bakery', agreedToTerms: true })
    await eventually(async () => expect(await read(last)).toMatchObject({ emailStatus: 'outbox' }))
    expect(await contracts(business)).toBe(1)
  })

  test('open lists are notified that a lead has left them', async () => {
    const lead = await submit()
    await eventually(async () => expect(await listed()).toContain(lead.id))
    const closed = new AbortController()
    const response = await node.call('/api/leads/stream', { headers: owner, signal: closed.signal })
    await flag(lead)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.includes('event: withdrawn') && text.includes('event: quarantine')) break
    }
    closed.abort()
    expect(text).not.toContain(lead.email)
  })

  describe('is refused', () => {
    test('for a lead that is won', async () => {
      const lead = await submit()
      await patch(lead, { followUpStatus: 'won' })
      const refused = await flag(lead)
      expect([refused.status, (await refused.json()).detail]).toEqual([409, 'This lead is won: it cannot be spam'])
    })

    test('for a lead that was merged into another one', async () => {
      const [staying, gone] = [await submit(), await submit()]
      const headers = { ...owner, 'if-match': `"${staying.version}"` }
      const body = { mergedId: gone.id, mergedVersion: gone.version, takes: [] }
      expect((await send('POST', `/api/leads/${staying.id}/merge`, body, headers)).status).toBe(200)
      expect((await flag(gone)).status).toBe(409)
    })

    test('for an erased person', async () => {
      const lead = await submit()
      await eventually(async () => expect(await listed()).toContain(lead.id))
      const { asOf } = await (await send('GET', `/api/leads/${lead.id}/erase`)).json()
      await eventually(async () =>
        expect((await send('POST', `/api/leads/${lead.id}/erase`, { asOf })).status).toBe(204),
      )
      expect((await flag(lead)).status).toBe(409)
    })

    test('and one that is flagged already stays so, without an event', async () => {
      const lead = await submit({ quartz: 'https://cheap.example' })
      const answer = await flag(lead)
      expect([answer.status, answer.headers.get('event-id')]).toEqual([200, null])
      expect(await answer.json()).toMatchObject({ suspicion: ['trap'], followUpStatus: 'new' })
    })
  })
})

describe('a correction', () => {
  const PASSWORD = 'the password of an account'

  const owner = staff
  let people = 0

  const send = (method: string, path: string, body?: unknown, headers: object = owner) =>
    node.call(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const submit = async (fields: object = {}): Promise<Lead> => {
    people += 1
    const person = { name: 'Ana Botha', email: `typo${people}@example.com`, phone: `082 710 ${1000 + people}` }
    const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, {})
    expect(response.status).toBe(201)
    return await response.json()
  }

  const correct = ({ id }: Lead, correction: object, headers: object = {}, staff: object = owner) =>
    send('PATCH', `/api/leads/${id}/contact`, correction, { ...staff, ...headers })
  const undo = ({ id }: Lead, eventId: string | null) => send('POST', `/api/leads/${id}/undo`, { eventId })
  const read = async ({ id }: Lead): Promise<Lead> => (await send('GET', `/api/leads/${id}`)).json()
  const personOf = async ({ id }: Lead): Promise<{ leads: Lead[]; timeline: TimelineEntry[] }> =>
    (await send('GET', `/api/leads/${id}/person`)).json()
  const correctionsOf = async (lead: Lead) => (await personOf(lead)).timeline.filter(({ kind }) => kind === 'corrected')
  const history = async ({ id }: Lead) => (await send('GET', `/api/leads/${id}/history`)).text()
  const listed = async (q: string): Promise<string[]> =>
    (await (await send('GET', `/api/leads?q=${encodeURIComponent(q)}`)).json()).map(({ id }: Lead) => id)
  const isListed = (q: string, ids: string[]) => eventually(async () => expect(await listed(q)).toEqual(ids))

  let agent: { cookie: string }

  beforeAll(async () => {
    const account = { username: 'cleo', displayName: 'Ben Dube', password: PASSWORD, role: 'agent' }
    const made: Account = await (await send('POST', '/api/accounts', account)).json()
    const response = await node.post('/api/login', { username: made.username, password: PASSWORD })
    agent = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  })

  let lead: Lead
  beforeEach(async () => {
    lead = await submit()
  })

  test('a corrected lead is shown and found with the new values, belongs to that person, and has the old values in its timeline', async () => {
    const right = `right${people}@example.com`
    const other = await submit({ email: right })
    await isListed(lead.email, [lead.id])
    const response = await correct(lead, { email: ` ${right} `, company: 'Botha & Co' }, {}, agent)
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"2"'])
    expect(await response.json()).toMatchObject({ name: 'Ana Botha', email: right, company: 'Botha & Co', version: 2 })
    await isListed(right, [other.id, lead.id])
    await isListed(lead.email, [])
    expect((await personOf(other)).leads.map(({ id }) => id)).toEqual([lead.id, other.id])
    expect(await correctionsOf(lead)).toMatchObject([
      {
        id: response.headers.get('event-id'),
        by: 'Ben Dube',
        leadId: lead.id,
        isUndoable: true,
        data: { email: right, company: 'Botha & Co', was: { email: lead.email, company: null } },
      },
    ])
  })

  test('a correction is undone, and its undo too', async () => {
    const eventId = (await correct(lead, { phone: '082 999 0000' })).headers.get('event-id')
    expect(await (await undo(lead, eventId)).json()).toMatchObject({ phone: lead.phone, version: 3 })
    expect((await undo(lead, eventId)).status).toBe(200)
    const [first, second] = await correctionsOf(lead)
    expect([first?.isUndone, first?.isUndoable, second?.isUndoable]).toEqual([true, false, true])
    expect(await (await undo(lead, second?.id ?? '')).json()).toMatchObject({ phone: '082 999 0000' })
    expect((await undo(lead, second?.id ?? '')).status).toBe(200)
  })

  test('a correction that was already made returns no event', async () => {
    const response = await correct(lead, { email: lead.email })
    expect([response.status, response.headers.get('event-id')]).toEqual([200, null])
  })

  describe('refusals', () => {
    test.each([
      [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
      [{ phone: '12' }, 'phone', 'Please enter a valid phone number'],
      [{ email: '', phone: '' }, 'email', 'Enter an email address or a phone number'],
      [{ message: 'x' }, 'message', expect.any(String)],
    ])('%j returns 422 at its field', async (correction, path, message) => {
      const response = await correct(lead, correction)
      expect(response.status).toBe(422)
      expect((await response.json()).errors).toEqual([{ path, message }])
    })

    test('the last way to reach the person stays, even if a correction would be undone', async () => {
      await correct(lead, { email: '' })
      expect((await correct(lead, { phone: '' })).status).toBe(422)
      const added = (await correct(lead, { email: 'again@example.com' })).headers.get('event-id')
      expect((await correct(lead, { phone: '' })).status).toBe(200)
      expect((await undo(lead, added)).status).toBe(409)
      expect(await read(lead)).toMatchObject({ email: 'again@example.com', phone: '' })
    })

    test('the second of two on the same field sees the first one’s correction; other fields are merged', async () => {
      await correct(lead, { email: 'one@example.com' }, { 'if-match': '"1"' }, agent)
      const refused = await correct(lead, { email: 'two@example.com' }, { 'if-match': '"1"' })
      expect(refused.status).toBe(409)
      expect(await refused.json()).toMatchObject({
        lead: { email: 'one@example.com', version: 2 },
        changes: [{ by: 'Ben Dube', data: { email: 'one@example.com' } }],
      })
      expect((await correct(lead, { phone: '082 999 0001' }, { 'if-match': '"1"' })).status).toBe(200)
      expect(await read(lead)).toMatchObject({ email: 'one@example.com', phone: '082 999 0001' })
    })

    test('a lead that was merged into another one, and its data that the remaining one shows', async () => {
      const gone = await submit()
      const body = { mergedId: gone.id, mergedVersion: gone.version, takes: ['email'] }
      expect((await send('POST', `/api/leads/${lead.id}/merge`, body, { ...owner, 'if-match': '"1"' })).status).toBe(
        200,
      )
      expect((await correct(gone, { email: 'right@example.com' })).status).toBe(409)
      await eventually(async () => expect((await read(lead)).email).toBe(gone.email))
      const refused = await correct(lead, { email: 'right@example.com' })
      expect([refused.status, (await refused.json()).detail]).toEqual([409, expect.stringContaining('unmerge them')])
      expect(await (await correct(lead, { phone: '082 999 0002' })).json()).toMatchObject({
        email: gone.email,
        phone: '082 999 0002',
      })
    })

    test('an erased person; their corrections can no longer be read', async () => {
      const eventId = (await correct(lead, { name: 'Anna Hidden' })).headers.get('event-id')
      await isListed('Anna Hidden', [lead.id])
      const erasable = await (await send('GET', `/api/leads/${lead.id}/erase`)).json()
      await eventually(async () =>
        expect((await send('POST', `/api/leads/${lead.id}/erase`, { asOf: erasable.asOf })).status).toBe(204),
      )
      expect((await correct(lead, { name: 'Anna' })).status).toBe(409)
      expect((await undo(lead, eventId)).status).toBe(409)
      const told = `${await history(lead)}${JSON.stringify(await personOf(lead))}`
      expect(told).not.toMatch(/Hidden|Ana Botha|typo/)
      expect(await correctionsOf(lead)).toMatchObject([{ isUndoable: false, data: { was: {} } }])
    })
  })
})
