import { expect, test } from 'vitest'
import { connect } from '../../events/log/connection.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { STAFF, signIn, startTestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const { nodes, stores } = await startProduct({ nodes: 2, worker: 'never' })

let addresses = 0
/** An address of a caller that nobody has used before, so that limits of one test do not meet those of another. */
const newCaller = () => {
  addresses += 1
  return { 'x-forwarded-for': `100.64.${addresses >> 8}.${addresses & 255}` }
}

/** Each has an account of its own: thirty wrong passwords shut one. */
const MAX_BATCHES = 8

const wrong = { ...STAFF, password: 'a long wrong password' }

test('signing in answers 204 and a cookie that scripts and other sites cannot use', async () => {
  const response = await nodes[0].post('/api/login', { ...STAFF, username: 'THANDI' })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  const [pair, ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? []
  expect(pair).toMatch(/^staff_session=\S{40,}/)
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
  const expires = attributes.find((attribute) => attribute.startsWith('Expires='))
  expect(Date.parse(expires?.slice('Expires='.length) ?? '')).toBeGreaterThan(Date.now())
  expect(attributes).not.toContain('Secure')
})

test('the cookie is for encrypted connections alone where the product is reached by https', async () => {
  const node = await startTestNode(stores, { PUBLIC_URL: 'https://www.agency.example' })
  const response = await node.post('/api/login', STAFF, { origin: 'https://www.agency.example' })
  expect(response.headers.get('set-cookie')).toMatch(/; Secure/)
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await nodes[0].call('/')).headers.get('strict-transport-security')).toBeNull()
  await node.stop()
})

test('a session stands on both nodes, and ends on both by signing out', async () => {
  const headers = await signIn(nodes[0])
  for (const node of nodes) {
    const response = await node.call('/api/me', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      id: expect.any(String),
      username: 'thandi',
      displayName: 'thandi',
      role: 'owner',
      photo: null,
    })
  }
  const other = await signIn(nodes[1])
  const response = await nodes[1].call('/api/logout', { method: 'POST', headers })
  expect(response.status).toBe(204)
  expect(response.headers.get('set-cookie')).toMatch(/^staff_session=;.*Max-Age=0/)
  for (const node of nodes) expect((await node.call('/api/me', { headers })).status).toBe(401)
  expect((await nodes[0].call('/api/me', { headers: other })).status).toBe(200)
})

test.each(['', 'staff_session=', 'staff_session=forged', 'staff_session=forged.c2lnbmF0dXJl'])(
  'staff calls answer 401 to the cookie %j',
  async (cookie) => {
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['POST', '/api/logout'],
      ['GET', '/api/outbox'],
      ['GET', '/api/leads'],
    ] as const) {
      const response = await nodes[0].call(path, { method, headers: cookie ? { cookie } : {} })
      expect(response.status).toBe(401)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    }
  },
)

test('a cookie with a changed signature is refused', async () => {
  const { cookie } = await signIn(nodes[0])
  const changed = cookie.replace(/(staff_session=.)(.)/, (_, start, next) => start + (next === 'a' ? 'b' : 'a'))
  expect((await nodes[0].call('/api/me', { headers: { cookie: changed } })).status).toBe(401)
})

test('a wrong password and an unknown name get the same answer, in the same time', async () => {
  const timed = async (body: object) => {
    const start = performance.now()
    const response = await nodes[0].post('/api/login', body, newCaller())
    const text = await response.text()
    return { ms: performance.now() - start, answer: `${response.status} ${text}` }
  }
  const owner = await signIn(nodes[0])
  const known: Awaited<ReturnType<typeof timed>>[] = []
  const unknown: typeof known = []
  // Whatever else the machine does makes a try longer, never shorter: on a busy one it takes more tries until the shortest
  // of both are alike. Where the times differ by themselves they never are.
  const shortest = (tries: typeof known) => Math.min(...tries.map(({ ms }) => ms))
  const ratio = () => shortest(unknown) / shortest(known)
  const areAlike = () => ratio() > 0.6 && ratio() < 1.7
  for (let batch = 1; batch === 1 || (batch <= MAX_BATCHES && !areAlike()); batch += 1) {
    const account = { username: `timed${batch}`, displayName: 'Timed', role: 'agent', password: STAFF.password }
    expect((await nodes[0].post('/api/accounts', account, owner)).status).toBe(201)
    for (let round = 0; round < 15; round += 1) {
      known.push(await timed({ ...wrong, username: account.username }))
      unknown.push(await timed({ ...wrong, username: `nobody${batch}` }))
    }
  }
  expect(new Set([...known, ...unknown].map(({ answer }) => answer)).size).toBe(1)
  expect(known[0]?.answer).toMatch(/^401 .*wrong-credentials/)
  expect(areAlike(), `an unknown name takes ${ratio()} times as long`).toBe(true)
})

test('ten failures are enough, counted over both nodes, for that caller and name alone', async () => {
  const caller = newCaller()
  for (let failure = 0; failure < 10; failure += 1) {
    expect((await nodes[failure % 2]?.post('/api/login', wrong, caller))?.status).toBe(401)
  }
  const refused = await nodes[0].post('/api/login', STAFF, caller)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(await refused.json()).toMatchObject({ status: 429, type: 'urn:problem:too-many-requests' })
  expect((await nodes[1].post('/api/login', { ...wrong, username: 'THANDI' }, caller)).status).toBe(429)
  expect((await nodes[0].post('/api/login', STAFF, newCaller())).status).toBe(204)
})

test('a burst of tries at once gets no further than ten', async () => {
  const caller = newCaller()
  const login = async (body: object) => (await nodes[0].post('/api/login', body, caller)).status
  const burst = Array.from({ length: 24 }, () => login(wrong))
  const isRefused = async (answer: Promise<number>) => expect(await answer).toBe(429)
  await Promise.any(burst.map(isRefused))
  expect(await login(STAFF)).toBe(429)
  expect((await Promise.all(burst)).filter((status) => status === 401)).toHaveLength(10)
})

test('signing in again and again is no failure', async () => {
  const caller = newCaller()
  for (let round = 0; round < 12; round += 1) {
    expect((await nodes[0].post('/api/login', STAFF, caller)).status).toBe(204)
  }
})

test.each([
  [{ username: '', password: 'x' }, 'Username is required'],
  [{ username: 'thandi' }, 'Password is required'],
  [{ username: 'thandi', password: 7 }, 'Password is required'],
  [{ username: 'thandi', password: 'p'.repeat(1_001) }, 'Must be at most 1000 characters'],
  [{ username: 'a\u0000b', password: 'x' }, 'Must not contain characters that cannot be stored'],
])('answers 422 to what is no username and password (%#)', async (body, message) => {
  const response = await nodes[0].post('/api/login', body)
  expect(response.status).toBe(422)
  expect((await response.json()).errors[0].message).toContain(message)
})

test('takes no form, which another site could make a browser send', async () => {
  const response = await nodes[0].call('/api/login', { method: 'POST', body: new URLSearchParams(STAFF) })
  expect(response.status).toBe(415)
})

test('stores neither the password nor the cookie', async () => {
  const { cookie } = await signIn(nodes[0])
  const sql = connect(stores.databaseUrl, { max: 1, name: 'test', keys: TEST_KEYS })
  const rows = await sql`select s::text, ss::text as session from staff s left join staff_sessions ss on true`
  await sql.end()
  const text = JSON.stringify(rows)
  expect(text).toContain('$argon2id$v=19$')
  expect(text).not.toContain(STAFF.password)
  expect(text).not.toContain(decodeURIComponent(cookie).slice('staff_session='.length).split('.')[0])
})
