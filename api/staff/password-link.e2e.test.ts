import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../../events/log/connection.ts'
import { findResetAccount, passwordLinkToken } from '../../events/log/password-link.ts'
import { secretKeys } from '../../events/log/secret-keys.ts'
import type { Account } from '../../events/staff.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, SESSION_SECRET, signIn, startTestNode } from '../../events/testing/node.ts'
import { passwordLinkState } from '../../events/wire/staff.ts'
import { openTestAccounts, PASSWORD, type TestAccounts } from './test-accounts.ts'

const NEXT = 'a password that was not forgotten'

let accounts: TestAccounts
let sql: Sql

beforeAll(async () => {
  accounts = await openTestAccounts({ SMTP_URL: 'smtp://127.0.0.1:1' })
  sql = connect(accounts.stores.databaseUrl, { max: 2, name: 'test', keys: TEST_KEYS })
})
afterAll(async () => {
  await sql.end()
  await accounts.stop()
})

const choose = (token: string, password = NEXT, node = accounts.nodes[0]) =>
  node.post('/api/login/password', { token, password })

const isOpen = async (token: string): Promise<boolean> => {
  const response = await accounts.nodes[0].post('/api/login/password-link', { token })
  expect(response.status).toBe(200)
  return exactly(passwordLinkState, await response.json()).isOpen
}

const linkFor = async ({ id }: Account) => {
  const response = await accounts.send('POST', `/api/accounts/${id}/password-link`, {})
  expect(response.status).toBe(201)
  const { address } = await response.json()
  return address.split('#password=')[1] as string
}
const tokenThatEnds = async ({ id }: Account, expires: Date) => {
  const account = await findResetAccount(sql, id)
  return account ? passwordLinkToken(secretKeys([SESSION_SECRET]), account, expires) : ''
}
const kinds = async () => {
  const entries: { kind: string; account: { displayName: string } | null }[] = await (
    await accounts.send('GET', '/api/accounts/history')
  ).json()
  return entries.map(({ kind, account }) => `${kind} ${account?.displayName}`)
}

test('by an owner’s link a new password is chosen once, on any node, and all sessions end', async () => {
  const account = await accounts.add('agent')
  const session = await accounts.signInAs(account)
  const token = await linkFor(account)
  expect(await accounts.isSignedIn(session)).toBe(true)
  expect(await isOpen(token)).toBe(true)
  expect((await choose(token, 'short')).status).toBe(422)
  const answers = await Promise.all([choose(token), choose(token, `${NEXT} 2`, accounts.nodes[1])])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  expect(await accounts.isSignedIn(session)).toBe(false)
  expect((await choose(token)).status).toBe(404)
  expect(await isOpen(token)).toBe(false)
  const password = answers[0]?.status === 204 ? NEXT : `${NEXT} 2`
  await accounts.signInAs(account, password)
  expect((await kinds()).slice(0, 3)).toEqual([
    `signed_in ${account.displayName}`,
    `password_chosen ${account.displayName}`,
    `password_link_made ${account.displayName}`,
  ])
})

test('a link that is over, changed, of a password since changed, or of a removed account lets nobody choose', async () => {
  const [account, other] = [await accounts.add('agent'), await accounts.add('agent')]
  const soon = new Date(Date.now() + 60_000)
  const good = await tokenThatEnds(account, soon)
  const over = await tokenThatEnds(account, new Date(Date.now() - 1))
  const later = good.replace(/\.[0-9a-z]+\./, `.${(soon.getTime() + 1).toString(36)}.`)
  const ofOther = good.replace(account.id, other.id)
  expect(await isOpen(good)).toBe(true)
  for (const token of [over, later, ofOther, 'nonsense', '']) {
    expect((await choose(token)).status).toBe(404)
    expect(await isOpen(token)).toBe(false)
  }
  await accounts.send('PATCH', `/api/accounts/${account.id}`, { password: `${PASSWORD} 2` })
  expect((await choose(good)).status).toBe(404)
  const ofRemoved = await linkFor(other)
  await accounts.send('DELETE', `/api/accounts/${other.id}`)
  expect((await choose(ofRemoved)).status).toBe(404)
})

test('asking by email says the same of every username, and asks for an email where an account has an address', async () => {
  const [with_, without] = [await accounts.add('agent'), await accounts.add('agent')]
  const own = await accounts.signInAs(with_)
  const alerts = { email: 'somebody@agency.example', onNew: false, onLate: false }
  const save = (form: object) => accounts.send('POST', '/api/me/alerts', form, own)
  expect((await save(alerts)).status).toBe(422)
  expect((await save({ ...alerts, password: 'a guess of a stranger' })).status).toBe(422)
  expect((await save({ ...alerts, password: PASSWORD })).status).toBe(204)
  for (let times = 0; times < 2; times += 1) expect((await save({ ...alerts, onNew: true })).status).toBe(204)
  const told = (await kinds()).filter((kind) => kind.startsWith('alert'))
  expect(told).toEqual(['alerts_changed', 'alert_address_changed'].map((kind) => `${kind} ${with_.displayName}`))
  const events =
    await sql`select data::text, metadata -> 'actor' as actor from events where type = 'StaffAlertsChanged'`
  for (const { data, actor } of events) {
    expect(actor).toEqual({ type: 'staff', id: with_.id })
    expect(data).not.toContain('agency.example')
  }
  const ask = (username: string) => accounts.nodes[0].post('/api/login/forgotten', { username })
  const answers = []
  for (const name of ['nobody', without.username, ...Array(5).fill(with_.username)]) {
    const response = await ask(name)
    answers.push([response.status, await response.text()])
  }
  expect(new Set(answers.map(String))).toEqual(new Set(['202,{"isPossible":true}']))
  const asked = () => sql`select data from events where type = 'PasswordLinkRequested'`
  await eventually(async () => expect(await asked()).toHaveLength(3))
  expect((await asked()).map(({ data }) => data.accountId)).toEqual(Array(3).fill(with_.id))
  expect((await kinds()).filter((kind) => kind.startsWith('password_link_made')).slice(0, 3)).toEqual(
    Array(3).fill(`password_link_made ${with_.displayName}`),
  )
})

test('asking by email says that it is not possible where the site knows of no way to single people', async () => {
  const node = await startTestNode(accounts.stores)
  const response = await node.post('/api/login/forgotten', { username: 'anybody' })
  expect([response.status, await response.json()]).toEqual([202, { isPossible: false }])
  const alerts = await node.call('/api/me/alerts', { headers: await signIn(node) })
  expect(await alerts.json()).toMatchObject({ isPossible: false, isUnknown: true })
  await node.stop()
})
