import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../events/base/time.ts'
import { openAppender } from '../../events/log/append.ts'
import { readNewest } from '../../events/log/read.ts'
import { ACCOUNTS_STREAM } from '../../events/staff/account-history.ts'
import { type AccountEntry, accountHistory } from '../../events/staff/account-history-wire.ts'
import { closeFailedSignIns } from '../../events/staff/store/failed-sign-ins.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, STAFF } from '../../events/testing/node.ts'
import { openTestAccounts, PASSWORD, type TestAccounts } from '../testing/accounts.ts'

const ADDRESS = '203.0.113.77'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let accounts: TestAccounts
let sql: Sql

beforeAll(async () => {
  accounts = await openTestAccounts()
  sql = connect(accounts.stores.databaseUrl, { max: 2, name: 'test', keys: TEST_KEYS })
})
afterAll(async () => {
  await sql.end()
  await accounts.stop()
})

const page = async (query = '', headers: object = accounts.owner()) => {
  const response = await accounts.send('GET', `/api/accounts/history${query}`, undefined, headers)
  expect(response.status).toBe(200)
  const entries: AccountEntry[] = exactly(accountHistory, await response.json())
  return { entries, next: /cursor=(\d+)/.exec(response.headers.get('link') ?? '')?.[1] }
}
const types = async () => (await page()).entries.map(({ type, account }) => [type, account?.displayName ?? null])

const logIn = (username: string, password: string, address = ADDRESS) =>
  accounts.nodes[0].post('/api/login', { username, password }, { 'x-forwarded-for': address, 'user-agent': BROWSER })

test('the history shows the actor, the action, the account, the time and the rough origin, newest first', async () => {
  const account = await accounts.add('agent')
  const { id, username, displayName } = account
  const own = await accounts.signInAs(account)
  const password = { current: PASSWORD, next: 'another password of mine' }
  expect((await accounts.send('POST', '/api/me/password', password, own)).status).toBe(204)
  await accounts.send('PATCH', `/api/accounts/${id}`, { role: 'owner', displayName })
  await accounts.send('PATCH', `/api/accounts/${id}`, { password: PASSWORD })
  expect((await logIn(username, PASSWORD)).status).toBe(204)
  expect((await accounts.send('DELETE', `/api/accounts/${id}`)).status).toBe(204)

  const { entries } = await page()
  const thandi = { id: expect.any(String), displayName: STAFF.username }
  const person = { id, displayName }
  const somewhere = { network: expect.any(String), browser: 'other', system: 'other', isHere: expect.any(Boolean) }
  const common = {
    data: {},
    id: expect.any(String),
    timestamp: expect.stringMatching(/Z$/),
    account: person,
    from: somewhere,
  }
  expect(entries.slice(0, 7)).toEqual([
    { ...common, type: 'StaffAccountRemoved', by: thandi },
    {
      ...common,
      type: 'StaffSignedIn',
      by: null,
      data: { isKnownDevice: false },
      from: { network: '203.0.x.x', browser: 'Firefox', system: 'Linux', isHere: false },
    },
    { ...common, type: 'StaffPasswordChanged', by: thandi },
    { ...common, type: 'StaffRoleChanged', by: thandi, data: { role: 'owner' } },
    { ...common, type: 'StaffPasswordChanged', by: person },
    { ...common, type: 'StaffSignedIn', by: null, data: { isKnownDevice: false } },
    { ...common, type: 'StaffAccountAdded', by: thandi, data: { role: 'agent' } },
  ])
})

test('owners see which entries come from the network that they are on themselves', async () => {
  const account = await accounts.add('agent')
  expect((await logIn(account.username, PASSWORD)).status).toBe(204)
  const there = { ...accounts.owner(), 'x-forwarded-for': ADDRESS }
  expect((await page('?limit=1', there)).entries[0]?.from).toMatchObject({ network: '203.0.x.x', isHere: true })
  expect((await page('?limit=1', { ...there, 'x-forwarded-for': '203.0.113.78' })).entries[0]?.from).toMatchObject({
    network: '203.0.x.x',
    isHere: false,
  })
})

test('a device is known once its account has signed in there', async () => {
  const account = await accounts.add('agent')
  const first = await logIn(account.username, PASSWORD)
  const cookie = first.headers.getSetCookie().find((each) => each.startsWith('staff_device=')) ?? ''
  const body = { username: account.username, password: PASSWORD }
  await accounts.nodes[0].post('/api/login', body, { cookie: cookie.split(';')[0] ?? '' })
  const { entries } = await page('?limit=2')
  expect(entries.map(({ data }) => data.isKnownDevice)).toEqual([true, false])
})

test('changes by the command line are shown as its own', async () => {
  const input = `${PASSWORD}\n`
  expect((await accounts.command(['add', 'lerato', '--owner'], input)).status).toBe(0)
  expect((await accounts.command(['passwd', 'lerato'], input)).status).toBe(0)
  expect((await accounts.command(['role', 'lerato', 'agent'])).status).toBe(0)
  expect((await accounts.command(['link', 'lerato'])).printed).toContain('/login#link=')
  expect((await accounts.command(['remove', 'lerato'])).status).toBe(0)
  const { entries } = await page('?limit=5')
  expect(entries.map(({ type, by, from, account }) => [type, by, from, account?.displayName])).toEqual([
    ['StaffAccountRemoved', null, null, 'lerato'],
    ['StaffSignInLinkMade', null, null, 'lerato'],
    ['StaffRoleChanged', null, null, 'lerato'],
    ['StaffPasswordChanged', null, null, 'lerato'],
    ['StaffAccountAdded', null, null, 'lerato'],
  ])
  const [newest] = await readNewest(sql, ACCOUNTS_STREAM, { limit: 1 })
  expect(newest?.metadata.actor).toEqual({ type: 'system', name: 'staff command' })
})

test('a refused change leaves no trace, and an unchanged role is no change', async () => {
  const before = await types()
  const owner = (await accounts.list()).find(({ username }) => username === STAFF.username)
  expect((await accounts.send('DELETE', `/api/accounts/${owner?.id}`)).status).toBe(409)
  const taken = { username: STAFF.username, displayName: 'X', password: PASSWORD, role: 'agent' }
  expect((await accounts.send('POST', '/api/accounts', taken)).status).toBe(422)
  expect((await accounts.send('PATCH', `/api/accounts/${owner?.id}`, { role: 'owner' })).status).toBe(200)
  expect(await types()).toEqual(before)
})

test('a change that cannot be recorded does not happen', async () => {
  const agent = await accounts.add('agent')
  const before = await types()
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise check_violation using message = 'not written'; end $$;
    create trigger refuse before insert on events for each row when (new.stream = '${ACCOUNTS_STREAM}')
      execute function refuse()`)
  try {
    const change = await accounts.send('PATCH', `/api/accounts/${agent.id}`, { role: 'owner' })
    expect(change.status).toBeGreaterThanOrEqual(400)
    expect((await accounts.send('DELETE', `/api/accounts/${agent.id}`)).status).toBeGreaterThanOrEqual(400)
    expect((await logIn(agent.username, PASSWORD)).status).toBeGreaterThanOrEqual(400)
  } finally {
    await sql.unsafe('drop trigger refuse on events; drop function refuse')
  }
  expect((await accounts.list()).find(({ id }) => id === agent.id)?.role).toBe('agent')
  expect(await types()).toEqual(before)
  expect((await logIn(agent.username, PASSWORD)).status).toBe(204)
})

test('pages follow one another, whatever is added in between', async () => {
  const whole = (await page('?limit=200')).entries.map(({ id }) => id)
  expect(whole.length).toBeGreaterThan(9)
  const first = await page('?limit=4')
  await accounts.add('agent')
  const second = await page(`?limit=4&cursor=${first.next}`)
  expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(whole.slice(0, 8))
  expect((await accounts.send('GET', '/api/accounts/history?cursor=x')).status).toBe(422)
})

test('a flood of wrong passwords adds two entries a quarter of an hour and account', async () => {
  const account = await accounts.add('agent')
  const positions = async () => (await sql`select 1 from events where type like 'StaffSignIn%'`).length
  const before = await positions()
  const flood = async (username: string, tries: number, network: string) => {
    for (let each = 1; each <= tries; each += 1) {
      expect((await logIn(username, 'a wrong password', `${network}.${each}`)).status).toBe(401)
    }
  }
  await flood(account.username, 12, '198.51.100')
  for (let each = 1; each <= 15; each += 1) await flood(`nobody-${each}`, 1, `198.51.${each}`)
  const counted = async () =>
    (await sql<{ failures: number }[]>`select sum(failures)::int as failures from failed_sign_ins`)[0]?.failures
  await eventually(async () => expect(await counted()).toBe(27))

  const log = openAppender(accounts.stores.databaseUrl, { keys: TEST_KEYS })
  try {
    // the current span stays open
    await closeFailedSignIns({ sql, log }, { now: new Date() })
    expect(await positions()).toBeLessThanOrEqual(before + 4)
    // two workers, an hour later
    const later = { now: new Date(Date.now() + HOUR_MS) }
    await Promise.all([closeFailedSignIns({ sql, log }, later), closeFailedSignIns({ sql, log }, later)])
    await closeFailedSignIns({ sql, log }, later)
  } finally {
    await log.close()
  }
  const { entries } = await page('?limit=20')
  // a flood that crosses the end of a quarter of an hour has two of them
  const told = (type: string, of: string | null) =>
    entries.filter((entry) => entry.type === type && (entry.account?.id ?? null) === of)
  const sum = (of: string | null) =>
    told('StaffSignInsCounted', of).reduce((all, { data }) => all + Number(data.failures), 0)
  for (const [of, tries] of [
    [account.id, 12],
    [null, 15],
  ] as const) {
    const singles = told('StaffSignInFailed', of).length
    expect([1, 2]).toContain(singles)
    expect([tries, tries - 1]).toContain(sum(of))
  }
  expect(await positions()).toBeLessThanOrEqual(before + 8)
  expect(await sql`select * from failed_sign_ins`).toEqual([])
})

test('the log contains neither names nor addresses of it', async () => {
  const rows = await sql<{ text: string }[]>`select e::text as text from events e where stream = ${ACCOUNTS_STREAM}`
  const text = rows.map((row) => row.text).join('\n')
  expect(text).toContain('StaffSignInFailed')
  for (const mark of [STAFF.username, 'lerato', 'nobody-', 'agent-', 'Number', ADDRESS, '198.51.100.', 'Gecko']) {
    expect([mark, text.includes(mark)]).toEqual([mark, false])
  }
})
