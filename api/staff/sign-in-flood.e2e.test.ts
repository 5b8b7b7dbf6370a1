import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF, type TestNode } from '../../events/testing/node.ts'
import { LIMITS } from '../admission/limits.ts'
import { openTestAccounts, type TestAccounts } from './test-accounts.ts'

const ATTACKERS = 40
const ALLOWED = LIMITS.failed_sign_ins_of_account.account[0].points

let accounts: TestAccounts
let nodes: TestAccounts['nodes']

beforeAll(async () => {
  accounts = await openTestAccounts()
  nodes = accounts.nodes
})

afterAll(() => accounts?.stop())

/** Signs in, and answers the cookies that a browser would keep. */
const signInOn = async (node: TestNode, credentials: object, cookie?: string) => {
  const response = await node.post('/api/login', credentials, cookie ? { cookie } : {})
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
  return { status: response.status, retryAfter: response.headers.get('retry-after'), cookie: cookies.join('; ') }
}

test('wrong passwords for one account from many addresses end, and its owner gets in all the same', async () => {
  const owner = await signInOn(nodes[0], STAFF)
  expect(owner.status).toBe(204)
  const account = { username: 'zanele', displayName: 'Zanele', role: 'owner', password: 'the first long password' }
  const made = await nodes[0].post('/api/accounts', account, { cookie: owner.cookie })
  const { id } = await made.json()
  const known = await signInOn(nodes[1], account)
  expect(known.status).toBe(204)

  const tries: number[] = []
  for (let attacker = 0; attacker < ATTACKERS; attacker += 1) {
    const wrong = { username: 'Zanele', password: `guess ${attacker}` }
    tries.push((await signInOn(nodes[attacker % 2] ?? nodes[0], wrong)).status)
  }
  expect(tries).toEqual([...Array(ALLOWED).fill(401), ...Array(ATTACKERS - ALLOWED).fill(429)])
  const refused = await signInOn(nodes[0], account)
  expect(refused.status).toBe(429)
  expect(Number(refused.retryAfter)).toBeGreaterThan(0)

  expect((await signInOn(nodes[0], account, known.cookie)).status).toBe(204)
  expect((await signInOn(nodes[0], account, owner.cookie)).status).toBe(429)

  const password = 'the second long password'
  const change = { method: 'PATCH', headers: { cookie: owner.cookie, 'content-type': 'application/json' } }
  await nodes[0].call(`/api/accounts/${id}`, { ...change, body: JSON.stringify({ password }) })
  expect((await signInOn(nodes[0], { ...account, password })).status).toBe(204)
})

test('a link lets somebody in on a new device while strangers use up the tries of the account, once', async () => {
  const { cookie } = await signInOn(nodes[0], STAFF)
  const account = { username: 'busi', displayName: 'Busi', role: 'agent', password: 'the long password of Busi' }
  await nodes[0].post('/api/accounts', account, { cookie })
  await Promise.all(
    Array.from({ length: ATTACKERS }, (_, number) =>
      signInOn(nodes[number % 2] ?? nodes[0], { username: 'busi', password: `guess ${number}` }),
    ),
  )
  expect((await signInOn(nodes[0], account)).status).toBe(429)
  const { printed } = await accounts.command(['link', 'busi'])
  const [, link] = /\/login#link=(\S+)/.exec(printed) ?? []
  expect(link, printed).toBeDefined()
  expect((await signInOn(nodes[1], { ...account, link: `${link}x` })).status).toBe(429)
  expect((await signInOn(nodes[1], { ...account, password: 'a guess', link })).status).toBe(401)
  expect((await signInOn(nodes[1], { ...STAFF, password: 'a guess', link })).status).toBe(401)
  expect((await signInOn(nodes[1], { ...account, link })).status).toBe(204)
  expect((await signInOn(nodes[1], { ...account, link })).status).toBe(429)
})

test('tries on new devices from one address are refused before anybody is looked up', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  const most = LIMITS.sign_in_tries.address[0].points
  const answers = await Promise.all(
    Array.from({ length: most + 5 }, (_, number) =>
      nodes[0].post('/api/login', { username: `no-one-${number}`, password: 'a long wrong password' }, headers),
    ),
  )
  const refused = await Promise.all(answers.filter(({ status }) => status === 429).map((answer) => answer.text()))
  expect(refused.filter((text) => text.includes('Many people are signing in'))).toHaveLength(5)
})

test('a known device has a limit of its own', async () => {
  const known = await signInOn(nodes[0], STAFF)
  const guess = (number: number) =>
    signInOn(nodes[number % 2] ?? nodes[0], { ...STAFF, password: `guess ${number}` }, known.cookie)
  const most = LIMITS.failed_sign_ins_of_device.session[0].points
  for (let number = 0; number < most; number += 1) expect((await guess(number)).status).toBe(401)
  expect((await guess(most)).status).toBe(429)
  expect((await signInOn(nodes[0], STAFF)).status).toBe(204)
})
