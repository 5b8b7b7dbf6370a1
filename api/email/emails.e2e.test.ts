import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { destroyKeys } from '../../events/keys/subject-keys.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { DELIVERED, json, openTestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { openTestSmtp } from '../../events/testing/smtp.ts'

const CONTRACT = {
  name: 'Ana Botha',
  email: 'ana@example.com',
  phone: '+27 82 555 0199',
  leadSource: 'contract_premium',
  businessName: 'Botha Bakery',
  agreedToTerms: true,
}

type Email = {
  id: string
  subject: string
  person: string | null
  recipient: string
  fields: [string, string][]
  isErased: boolean
  about: object
  state: string
  isStuck: boolean
  isUnderWay: boolean
  attempts: number
  tries: { at: string; kind: string; answer: string }[]
  dueAt: string
  createdAt: string
}

const service = await openTestService()
afterAll(() => service.close())
const smtp = await openTestSmtp()
afterAll(() => smtp.close())
const { hostname: host, port, origin } = new URL(smtp.url.replace(/^smtp:/, 'http:'))
const { node, sql, startNode } = await startProduct({
  env: { PUSH_TEST_ORIGINS: origin },
  workerEnv: { EMAIL_FORWARD_URL: service.url },
})
const staff = await signIn(node)

beforeEach(() => service.reply(DELIVERED))

const get = (path: string, headers: Record<string, string> = staff) => node.call(path, { headers })
const emails = async (query = ''): Promise<Email[]> => (await get(`/api/emails${query}`)).json()
const summary = async () => (await get('/api/emails/summary')).json()
const resend = (id: string, body: object = {}, headers: Record<string, string> = staff) =>
  node.post(`/api/emails/${id}/resend`, body, headers)

/** The requests in the log to send an email again. */
const resendsOf = async (id: string) => {
  const asked = await sql`select id from events where type = 'EmailResendRequested' and data->>'emailId' = ${id}`
  return asked.length
}

/** Submits a contract and waits until its email reaches the state. */
const contract = async (state: string): Promise<{ lead: Lead; email: Email }> => {
  const lead: Lead = await (await node.post('/api/leads', CONTRACT)).json()
  const email = await eventually(async () => {
    const found = (await emails()).find(({ about }) => 'leadId' in about && about.leadId === lead.id)
    expect(found?.state).toBe(state)
    return found as Email
  })
  return { lead, email }
}
const stateOf = async (id: string) => (await emails('?limit=100')).find((email) => email.id === id)

test('the list shows all about an email, to staff alone', async () => {
  const { lead, email } = await contract('delivered')
  expect(email).toEqual({
    id: expect.any(String),
    subject: 'New contract: premium 50% off',
    person: 'Ana Botha, Botha Bakery',
    recipient: 'agency',
    to: ['hello@karoowebstudio.example'],
    fields: expect.arrayContaining([['businessName', 'Botha Bakery']]),
    isErased: false,
    about: { leadId: lead.id },
    state: 'delivered',
    isStuck: false,
    isContract: true,
    isUnderWay: false,
    attempts: 1,
    tries: [{ at: expect.any(String), kind: 'delivered', answer: expect.stringMatching(/^200 /) }],
    dueAt: expect.any(String),
    askedAt: lead.timestamp,
    createdAt: lead.timestamp,
  })
  for (const path of ['/api/emails', '/api/emails/summary']) expect((await get(path, {})).status).toBe(401)
  expect((await resend(email.id, {}, {})).status).toBe(401)
})

test('an email that was refused for good is sent when it is requested again, and the lead shows it', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  const lead: Lead = await (await node.post('/api/leads', CONTRACT)).json()
  const refused = await eventually(async () => {
    const [email] = await emails('?state=rejected')
    expect(email?.tries.map(({ kind }) => kind)).toEqual(['rejected', 'rejected', 'rejected'])
    return email as Email
  }, 60_000)
  expect(await summary()).toMatchObject({ rejected: 1, stuck: 1, attention: 1 })
  expect((await emails('?state=stuck')).map(({ id }) => id)).toEqual([refused.id])

  service.reply(DELIVERED)
  expect((await resend(refused.id, { attempts: refused.attempts })).status).toBe(202)
  await eventually(async () => expect(await stateOf(refused.id)).toMatchObject({ state: 'delivered', attempts: 4 }))
  expect(await summary()).toMatchObject({ rejected: 0, stuck: 0, attention: 0 })
  const history: { type: string; by: string | null }[] = await (await get(`/api/leads/${lead.id}/history`)).json()
  expect(history.map(({ type }) => type)).toEqual([
    'LeadSubmitted',
    'EmailFailed',
    'EmailFailed',
    'EmailResendRequested',
    'EmailSent',
  ])
  expect(history[3]?.by).toBe('thandi')
  await eventually(async () => {
    const leads: Lead[] = await (await get('/api/leads')).json()
    expect(leads.find(({ id }) => id === lead.id)?.emailStatus).toBe('delivered')
  })
})

test('repeated requests on the same state send the email once', async () => {
  const { email } = await contract('delivered')
  const before = service.submissions.length
  const answers = await Promise.all(Array.from({ length: 8 }, () => resend(email.id, { attempts: email.attempts })))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ state: 'delivered', attempts: 2 }))
  await resend(email.id, { attempts: email.attempts })
  const { email: next } = await contract('delivered')
  expect(next.attempts).toBe(1)
  expect(service.submissions.length - before).toBe(2)
  await resend(email.id)
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ state: 'delivered', attempts: 3 }))
})

test('an email that waits for its next attempt is attempted at once', async () => {
  service.reply(json({ success: 'false' }, 429, { 'retry-after': '3600' }))
  const { email } = await contract('retrying')
  service.reply(DELIVERED)
  await resend(email.id, { attempts: email.attempts })
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ state: 'delivered', attempts: 2 }))
})

test('an email requested again during an attempt can be requested again after that has failed', async () => {
  const busy = json({ success: 'false' }, 429, { 'retry-after': '3600' })
  const held = Promise.withResolvers<void>()
  service.reply((response, submission) => held.promise.then(() => busy(response, submission)))
  const { email } = await contract('pending')
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ isUnderWay: true, attempts: 1 }))
  const answers = await Promise.all([resend(email.id, { attempts: 1 }), resend(email.id, { attempts: 1 })])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  await eventually(async () => {
    const [row] = await sql`select resend_position as position from deliveries where event_id = ${email.id}`
    expect(row?.position).toBeGreaterThan(0)
  })
  expect((await resend(email.id, { attempts: 1 })).status).toBe(202)
  expect(await resendsOf(email.id)).toBe(1)
  held.resolve()
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ state: 'retrying', attempts: 1 }))
  service.reply(DELIVERED)
  expect((await resend(email.id, { attempts: 1 })).status).toBe(202)
  await eventually(async () => expect(await stateOf(email.id)).toMatchObject({ state: 'delivered', attempts: 2 }))
  expect(await resendsOf(email.id)).toBe(2)
})

test.each([
  [randomUUID(), 404],
  ['nonsense', 404],
  ['%00', 404],
])('a request to send %s again returns %i', async (id, status) => {
  expect((await resend(id)).status).toBe(status)
})

test('asking needs no body, and refuses one that is none', async () => {
  const { email } = await contract('delivered')
  const path = `/api/emails/${email.id}/resend`
  expect((await node.call(path, { method: 'POST', headers: staff })).status).toBe(202)
  for (const attempts of ['1', -1, 1.5, null]) expect((await resend(email.id, { attempts })).status).toBe(422)
})

test('each page links to the next, and an invalid filter is refused', async () => {
  const all = await emails('?limit=100')
  const first = await get('/api/emails?limit=2')
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
  const { pathname, search } = new URL(next)
  const two = [...((await first.json()) as Email[]), ...((await (await get(pathname + search)).json()) as Email[])]
  expect(two.map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id))
  for (const query of ['state=lost', 'limit=0', 'limit=101', 'limit=x', 'cursor=-1', `cursor=${'9'.repeat(16)}`]) {
    expect((await get(`/api/emails?${query}`)).status).toBe(422)
  }
})

test('nothing is shown of an erased person', async () => {
  const { email, lead } = await contract('delivered')
  await destroyKeys(sql, TEST_KEYS, [lead.id])
  await sql`update deliveries set is_erased = true where event_id = ${email.id}`
  const erased = await stateOf(email.id)
  expect(erased).toMatchObject({ subject: 'Erased', person: null, fields: [], isErased: true })
  expect(JSON.stringify(erased)).not.toMatch(/Ana|Botha/)
  expect((await resend(email.id, { attempts: 1 })).status).toBe(404)
})

test('an email whose data key is lost is marked in the list, and the others are complete', async () => {
  const { lead: lost, email } = await contract('delivered')
  const { email: other } = await contract('delivered')
  await sql`update deliveries set state = 'rejected' where event_id = any(${[email.id, other.id]})`
  await sql`delete from subject_keys where subject_id = ${lost.id}`
  const fresh = await startNode()
  const headers = await signIn(fresh)
  const listed = async (path: string) => {
    const response = await fresh.call(path, { headers })
    expect(response.status, path).toBe(200)
    return await response.json()
  }
  const { emails: today } = await listed('/api/today')
  for (const rows of [await listed('/api/emails'), await listed('/api/emails?state=attention'), today.emails]) {
    const found = (id: string) => rows.find((row: Email) => row.id === id)
    expect(found(other.id)).toMatchObject({ subject: other.subject, person: other.person, fields: other.fields })
    expect(found(other.id)).not.toHaveProperty('isUnreadable')
    expect(found(email.id)).toMatchObject({
      subject: 'This email cannot be read: its key is lost',
      person: null,
      fields: [],
      isErased: false,
      isUnreadable: true,
      isContract: true,
      about: { leadId: lost.id },
      state: 'rejected',
    })
  }
})

test('a mail server that an owner sets is used at once, and a test of it shows in words why it fails', async () => {
  const state = async (test?: string) => (await get(`/api/email-server${test ? `?test=${test}` : ''}`)).json()
  const set = async (password: string) => {
    const { version } = await (await get('/api/settings')).json()
    const server = { host, port: Number(port), username: 'site', password, from: 'site@agency.example' }
    const headers = { ...staff, 'content-type': 'application/json', 'if-match': `"${version}"` }
    const response = await node.call('/api/settings/email', { method: 'PUT', headers, body: JSON.stringify(server) })
    expect(response.status).toBe(200)
  }
  const ask = async () => {
    const { id, to } = await (await node.post('/api/email-server/test', {}, staff)).json()
    expect(to).toBe('hello@karoowebstudio.example')
    return await eventually(async () => {
      const { test, ...rest } = await state(id)
      expect(test.state).not.toBe('waiting')
      return { test, ...rest }
    })
  }
  expect(await state()).toMatchObject({ source: 'unknown', test: null })
  await set('wrong')
  expect(await ask()).toMatchObject({
    source: 'settings',
    from: 'site@agency.example',
    lastFailed: { answer: expect.stringContaining('535') },
    test: { state: 'failed', answer: expect.stringContaining('The server refused the user name or the password') },
  })
  expect(await summary()).toMatchObject({ attention: expect.any(Number), reachesPeople: true })
  await set('p@ss')
  expect((await ask()).test).toMatchObject({ state: 'sent' })
  expect(smtp.taken).toMatchObject([{ from: 'site@agency.example', to: ['hello@karoowebstudio.example'] }])
  await node.post(
    '/api/accounts',
    { username: 'ben', displayName: 'Ben', password: 'a good long password', role: 'agent' },
    staff,
  )
  const { headers } = await node.post('/api/login', { username: 'ben', password: 'a good long password' })
  const agent = { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
  expect((await get('/api/email-server', agent)).status).toBe(403)
  expect((await node.post('/api/email-server/test', {}, agent)).status).toBe(403)
})
