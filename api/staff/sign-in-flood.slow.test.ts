import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, STAFF, type TestNode } from '../../events/testing/node.ts'
import { LIMITS } from '../admission/limits.ts'
import { openTestAccounts, type TestAccounts } from '../testing/accounts.ts'

const CROWD = 240

let accounts: TestAccounts
let nodes: TestAccounts['nodes']

beforeAll(async () => {
  accounts = await openTestAccounts()
  nodes = accounts.nodes
})

afterAll(() => accounts?.stop())

/** Signs in. Returns the cookies that a browser would store. */
const signInOn = async (node: TestNode, credentials: object, cookie?: string) => {
  const response = await node.post('/api/login', credentials, cookie ? { cookie } : {})
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
  return { status: response.status, retryAfter: response.headers.get('retry-after'), cookie: cookies.join('; ') }
}

test('a crowd of sign-ins is shed, and all other callers are served during that time', async () => {
  const known = await signInOn(nodes[0], STAFF)
  const crowd = Array.from({ length: CROWD }, (_, number) =>
    signInOn(nodes[0], { username: `nobody-${number}`, password: 'a long wrong password' }),
  )
  let isOver = false
  const answered = Promise.all(crowd).finally(() => {
    isOver = true
  })
  await Promise.race(crowd)
  const staff = signInOn(nodes[0], STAFF, known.cookie)
  expect((await nodes[0].call('/')).status).toBe(200)
  expect((await staff).status).toBe(204)
  expect(isOver).toBe(false)
  // a check that queries Postgres may take longer than two seconds on a busy machine, and is repeated then
  await eventually(async () => expect((await nodes[0].call('/readyz')).status).toBe(200))
  const answers = await answered
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  const shed = answers.filter(({ status }) => status === 503)
  expect(shed.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([])
})

test('a sign-in that is shed because of a crowd uses up no try', async () => {
  const crowd = Array.from({ length: CROWD }, (_, number) =>
    signInOn(nodes[0], { username: `nobody-else-${number}`, password: 'a long wrong password' }),
  )
  await Promise.race(crowd)
  const most = LIMITS.failed_sign_ins_of_account.session[0].points
  const signInFromHere = () => nodes[0].post('/api/login', STAFF, { 'x-forwarded-for': '203.0.113.80' })
  const own = await Promise.all(Array.from({ length: most }, signInFromHere))
  expect(own.map(({ status }) => status)).toContain(503)
  await Promise.all(crowd)
  const later = await Promise.all(Array.from({ length: most }, signInFromHere))
  expect(later.map(({ status }) => status)).toEqual(Array(most).fill(204))
})
