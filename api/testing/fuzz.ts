import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'

/** A request as it is sent over the wire, complete or not. */
export type RawRequest = { method: string; target: string; headers: [name: string, value: string][]; body: Buffer }

const ANSWER_TIMEOUT_MS = 20_000
const MAX_BODY_BYTES = 70_000

/** The id of a lead or chat in a request or frame: the sender may put an id there that exists. */
export const FUZZED_ID = '5f1d7e64-9c1b-4c58-9f4b-0a7d3a5c2b11'

/** The same for the token of a chat. */
export const FUZZED_TOKEN = 'a-token'

/** Values that no program expects in place of others. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u2028',
    '../../etc/passwd',
    "'; drop table events; --",
    '%',
    '%00',
    '%E0%A4%A',
    '$1',
    '{{7*7}}',
    '\r\nSet-Cookie: a=b',
    [],
    {},
    [[[[]]]],
    { __proto__: null },
    { toString: 1 },
    '2026-02-30',
    '9999999-01-01T00:00:00Z',
    'Infinity',
    FUZZED_ID,
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(201, 4_001, 20_000).map((length) => 'x'.repeat(length)),
  fc.double(),
  fc.bigInt().map(String),
  fc.jsonValue({ maxDepth: 3 }),
)

/** An object like a valid one, in which some members are something else, missing or too many. */
const like = (valid: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom('type', ...Object.keys(valid)), hostile, { maxKeys: 3 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'length')), hostile, {
        maxKeys: 2,
      }),
      fc.option(fc.constantFrom('type', ...Object.keys(valid))),
    )
    .map(([changed, added, missing]) => {
      const entries = Object.entries({ ...valid, ...changed, ...added })
      return Object.fromEntries(entries.filter(([key]) => key !== missing))
    })

const LEAD = {
  name: 'Ana Botha',
  email: 'ana@example.com',
  phone: '+27 82 555 0199',
  leadSource: 'contract_premium',
  businessName: 'Shop',
  agreedToTerms: true,
  message: 'Hello',
  firstTouch: { source: 'a', medium: 'b', landingPage: '/' },
  quartz: '',
  openMs: 9_000,
}

const FOLLOW_UP = { followUpStatus: 'contacted', conversionDate: null, projectValue: 100, nextActionDate: '2026-12-01' }
const OFFER = { text: 'Sale', lastDay: '2030-01-01', packages: [{ id: 'premium', usualPrice: 100 }] }

/**
 * Every kind of call with a body that is nearly right for it. Calls that end the sessions which the fuzz needs are not
 * here.
 */
const CALLS: [method: string, path: string, body: Record<string, unknown>][] = [
  ['POST', '/api/leads', LEAD],
  ['POST', '/api/submit-website-info', { businessName: 'Shop', email: 'ana@example.com', pages: ['home'] }],
  ['POST', '/api/email-activation', {}],
  ['POST', '/api/login', { username: 'nobody', password: 'wrong' }],
  ['PATCH', `/api/leads/${FUZZED_ID}`, FOLLOW_UP],
  ['POST', `/api/leads/${FUZZED_ID}/release`, {}],
  ['POST', `/api/leads/${FUZZED_ID}/notes`, { note: 'A note' }],
  ['POST', `/api/leads/${FUZZED_ID}/undo`, { eventId: FUZZED_ID }],
  ['POST', `/api/chats/${FUZZED_ID}/lead`, LEAD],
  ['POST', `/api/chats/${FUZZED_ID}/transcript`, {}],
  ['POST', `/api/chats/${FUZZED_ID}/assign`, { to: FUZZED_ID, version: 0, note: 'A note' }],
  ['POST', `/api/chat-files/${FUZZED_ID}`, {}],
  ['POST', `/api/emails/${FUZZED_ID}/resend`, { attempts: 1 }],
  ['POST', '/api/accounts', { username: 'new', displayName: 'New', role: 'agent', password: 'a long enough one' }],
  ['PATCH', `/api/accounts/${FUZZED_ID}`, { role: 'agent', password: 'a long enough one' }],
  ['PUT', '/api/settings/support-hours', { days: [1, 2], opensAtMinute: 480, closesAtMinute: 1_020 }],
  [
    'PUT',
    '/api/settings/replies',
    { replies: [{ name: 'hi', subject: null, text: 'Hello', chat: true, email: false, whatsapp: false }] },
  ],
  ['PUT', '/api/settings/inbox-addresses', { addresses: ['a@example.com'] }],
  ['PUT', '/api/settings/offer', { offer: OFFER }],
  ['PUT', '/api/settings/showcase', { work: [], reviews: [] }],
  ['PUT', '/api/settings/packages', { packages: {} }],
  [
    'PUT',
    '/api/settings/chat-greetings',
    { greetings: [{ page: '/', afterSeconds: 30, text: 'May we help?', isAnyTime: false }] },
  ],
  ['PUT', '/api/settings/company', { registeredName: 'Karoo (Pty) Ltd', vat: 'registered', vatNumber: '4123456789' }],
  ['PUT', '/api/settings/week-start', { weekStart: 'monday' }],
  ['PUT', '/api/settings/quote-choices', { labels: { essential: 'Essential' } }],
]

const READS = [
  '/',
  '/thanks',
  '/admin-dashboard',
  '/api/leads',
  '/api/leads/summary',
  '/api/leads/stages',
  '/api/leads/waiting',
  '/api/leads/export',
  `/api/leads/${FUZZED_ID}`,
  `/api/leads/${FUZZED_ID}/history`,
  `/api/leads/${FUZZED_ID}/person`,
  '/api/chats',
  `/api/chats/${FUZZED_ID}`,
  `/api/chat-files/${FUZZED_ID}/${FUZZED_ID}`,
  '/api/emails',
  '/api/overview',
  '/api/settings',
  '/api/outbox',
  '/api/accounts',
  '/api/standstill',
  '/api/support-hours',
  '/api/site-content',
  '/api/me',
  '/healthz',
  '/ws',
]

const QUERY_NAMES = [
  'from',
  'to',
  'q',
  'sort',
  'cursor',
  'offset',
  'limit',
  'format',
  'state',
  'quarantine',
  'at',
  'before',
]

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...QUERY_NAMES), fc.string({ maxLength: 8 })), hostile), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${inUrl(name)}=${inUrl(textOf(value))}`).join('&'))

/** The text as written by a client that encodes only the necessary characters. */
const inUrl = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll(/%2[15789]/g, decodeURIComponent)

const path = (known: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(known) },
    { weight: 1, arbitrary: hostile.map((value) => known.replace(FUZZED_ID, inUrl(textOf(value)))) },
    { weight: 1, arbitrary: fc.webPath().map((rest) => `${known}${rest}`) },
  )

const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 200,
})
const HEADER_NAMES = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'sec-websocket-key',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-file-name',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id',
]
const header = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...HEADER_NAMES), headerValue) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('if-match'),
      fc.nat(3).map((version) => `"${version}"`),
    ),
  },
)
const headers = fc.array(header, { maxLength: 4 })

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'text/plain',
  '',
]

const typed = (body: fc.Arbitrary<Buffer>, types: fc.Arbitrary<string>) => fc.tuple(types, body)

const bodies = (valid: Record<string, unknown>) => {
  const json = like(valid).map((value) => Buffer.from(JSON.stringify(value)))
  const form = like(valid).map((value) =>
    Buffer.from(
      new URLSearchParams(
        Object.entries(value).map(([name, each]) => [name.toWellFormed(), textOf(each).toWellFormed()]),
      ).toString(),
    ),
  )
  const cut = fc.tuple(json, fc.nat(200)).map(([bytes, left]) => bytes.subarray(0, Math.max(0, bytes.length - left)))
  const any = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes))
  const large = fc.constantFrom(65_536, MAX_BODY_BYTES).map((size) => Buffer.alloc(size, '{"a":'))
  return fc.oneof(
    { weight: 6, arbitrary: typed(json, fc.constant('application/json')) },
    { weight: 2, arbitrary: typed(form, fc.constant('application/x-www-form-urlencoded')) },
    { weight: 2, arbitrary: typed(fc.oneof(cut, any, large), fc.constantFrom(...TYPES)) },
  )
}

const withQuery = (target: string, asked: string) =>
  asked ? `${target}${target.includes('?') ? '&' : '?'}${asked}` : target

const write = fc.constantFrom(...CALLS).chain(([method, known, valid]) =>
  fc.record({ target: path(known), asked: query, extra: headers, sent: bodies(valid) }).map(
    ({ target, asked, extra, sent: [type, body] }): RawRequest => ({
      method,
      target: withQuery(target, asked),
      headers: [...extra, ['content-type', type]],
      body,
    }),
  ),
)

const read = fc.constantFrom(...READS).chain((known) =>
  fc
    .record({
      method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'POST', 'PATCH'),
      target: path(known),
      asked: query,
      extra: headers,
    })
    .map(
      ({ method, target, asked, extra }): RawRequest => ({
        method,
        target: withQuery(target, asked),
        headers: extra,
        body: Buffer.alloc(0),
      }),
    ),
)

/** Requests that a node must respond to with anything but a 5xx, or refuse as no HTTP. */
export const rawRequest: fc.Arbitrary<RawRequest> = fc.oneof(write, read)

/** Sends a request on its own connection; returns the status, or 0 if the node closed without one. */
export const sendRaw = async (url: string, { method, target, headers, body }: RawRequest): Promise<number> => {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [...headers, ['host', host], ['connection', 'close'], ['content-length', String(body.length)]]
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (answer.length < 20) answer += text
  })
  socket.on('error', () => {})
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('no answer')))
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]))
  const closed = once(socket, 'close').catch(() => {})
  // for a response without an end, such as a stream's or an upgrade's, the status is enough
  while (!/^HTTP\/1\.1 \d{3}/.test(answer)) {
    const more = Promise.race([once(socket, 'data').catch(() => {}), closed.then(() => 'closed')])
    if ((await more) === 'closed') break
  }
  socket.destroy()
  await closed
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}

const FRAMES: Record<string, unknown>[] = [
  {
    type: 'join_chat',
    visitorName: 'Ana',
    visitorEmail: '',
    visitorPhone: '082 555 0142',
    pageUrl: '/',
    joinKey: FUZZED_ID,
    greeting: 'Hello?',
  },
  { type: 'join_chat', visitorName: 'Ana', sessionId: FUZZED_ID, resumeToken: FUZZED_TOKEN, afterSequence: 3 },
  { type: 'send_message', sessionId: FUZZED_ID, message: 'hello', clientMessageId: 'one' },
  { type: 'send_message', sessionId: FUZZED_ID, message: 'hello', clientMessageId: 'two', fileId: FUZZED_ID },
  { type: 'give_email', sessionId: FUZZED_ID, visitorEmail: 'ana@example.com', clientMessageId: 'three' },
  { type: 'rate_chat', sessionId: FUZZED_ID, score: 'good', comment: 'Quick and clear' },
  { type: 'typing', sessionId: FUZZED_ID, isTyping: true },
  { type: 'end_chat', sessionId: FUZZED_ID },
  { type: 'join_admin', listed: [FUZZED_ID] },
  { type: 'get_messages', sessionId: FUZZED_ID },
  { type: 'open_chat', sessionId: FUZZED_ID, afterSequence: 1 },
  { type: 'receipt', sessionId: FUZZED_ID, delivered: 1, seen: 1 },
  { type: 'watch', sessionId: FUZZED_ID },
  { type: 'ping' },
]

/** A frame for the chat's socket: nearly right, or anything. */
export const rawFrame: fc.Arbitrary<string | Buffer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...FRAMES).chain((frame) => like(frame).map((value) => JSON.stringify(value))),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 500 }).map((text) => text.toWellFormed()) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constantFrom(60_000, 65_536).map((size) => 'x'.repeat(size)) },
)
