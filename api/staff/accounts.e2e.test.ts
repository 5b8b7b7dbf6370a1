import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEvent } from '../../events/log/read.ts'
import type { ApiToken } from '../../events/staff/api-token-wire.ts'
import type { Account } from '../../events/staff/staff.ts'
import { connect, inTransaction } from '../../events/stores/connection.ts'
import { openTestKeys, TEST_DATA_KEY } from '../../events/testing/keys.ts'
import { STAFF } from '../../events/testing/node.ts'
import type { Webhook } from '../../events/webhook/wire.ts'
import { LIMITS } from '../admission/limits.ts'
import { openTestAccounts, PASSWORD, type TestAccounts } from '../testing/accounts.ts'

let accounts: TestAccounts

beforeAll(async () => {
  accounts = await openTestAccounts()
})
afterAll(() => accounts.stop())

describe('roles', () => {
  test('an agent reads the settings and the names of colleagues; accounts and changes are the owners’ alone', async () => {
    const agent = await accounts.signInAs(await accounts.add('agent'))
    expect((await accounts.send('GET', '/api/settings', undefined, agent)).status).toBe(200)
    const staff = await (await accounts.send('GET', '/api/staff', undefined, agent)).json()
    expect(staff).toContainEqual({ id: expect.any(String), displayName: STAFF.username, photo: null })
    const hours = { days: [1], opensAtMinute: 0, closesAtMinute: 60 }
    const { id } = await accounts.add('agent')
    for (const [method, path, body] of [
      ['GET', '/api/accounts'],
      ['POST', '/api/accounts', { username: 'mine', displayName: 'Mine', password: PASSWORD, role: 'owner' }],
      ['PATCH', `/api/accounts/${id}`, { role: 'owner' }],
      ['DELETE', `/api/accounts/${id}`],
      ['PUT', '/api/settings/support-hours', hours],
      ['PUT', '/api/settings/replies', { replies: [] }],
      ['PUT', '/api/settings/inbox-addresses', { addresses: [] }],
    ] as const) {
      const response = await accounts.send(method, path, body, { ...agent, 'if-match': '"0"' })
      expect([method, path, response.status]).toEqual([method, path, 403])
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect((await response.json()).detail).toBe('Only an admin may do this')
    }
    expect((await accounts.send('GET', '/api/accounts', undefined, {})).status).toBe(401)
  })

  test('an account is listed without its password, renamed and promoted; a promotion keeps its session', async () => {
    const account = await accounts.add('agent')
    const session = await accounts.signInAs(account)
    expect(account).toEqual({
      id: expect.any(String),
      username: expect.any(String),
      displayName: expect.any(String),
      role: 'agent',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      hasTwoFactor: false,
    })
    expect(await accounts.list()).toContainEqual(account)
    const change = { displayName: 'Somebody Else', role: 'owner' }
    const response = await accounts.send('PATCH', `/api/accounts/${account.id}`, change)
    expect(await response.json()).toEqual({ ...account, ...change })
    expect((await accounts.send('GET', '/api/accounts', undefined, session)).status).toBe(200)
    await accounts.send('PATCH', `/api/accounts/${account.id}`, { role: 'agent' })
    expect(await accounts.isSignedIn(session)).toBe(false)
  })

  test.each([
    [{ username: 'THANDI' }, 'username', 'This username is taken'],
    [{ username: '' }, 'username', 'Username is required'],
    [{ username: 'two words' }, 'username', 'Must not contain spaces'],
    [{ username: 'x'.repeat(101) }, 'username', 'Must be at most 100 characters'],
    [{ displayName: ' ' }, 'displayName', 'Name is required'],
    [{ password: 'short' }, 'password', 'Must be at least 8 characters'],
    [{ password: 'p'.repeat(1_001) }, 'password', 'Must be at most 1000 characters'],
    [{ password: 'Password1' }, 'password', 'This is one of the most common passwords: choose another'],
    [
      { username: 'thandi.nkosi', password: 'ThandiNkosi1' },
      'password',
      'Must not be the username or the agency’s name',
    ],
    [{ role: 'king' }, 'role', 'Choose a role'],
  ])('refuses an account that cannot be (%j)', async (part, path, message) => {
    const body = { username: 'new', displayName: 'New', password: PASSWORD, role: 'agent', ...part }
    const response = await accounts.send('POST', '/api/accounts', body)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toContainEqual({ path, message })
  })

  test.each(['nobody', '00000000-0000-4000-8000-000000000000'])('returns 404 for the id %s', async (id) => {
    expect((await accounts.send('PATCH', `/api/accounts/${id}`, { role: 'owner' })).status).toBe(404)
    expect((await accounts.send('DELETE', `/api/accounts/${id}`)).status).toBe(404)
  })
})

test('a removed staff member is named on their earlier actions, and nowhere else', async () => {
  const leaver = await accounts.add('agent')
  const session = await accounts.signInAs(leaver)
  const form = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0142', leadSource: 'hero_form' }
  const { id } = await (await accounts.nodes[0].post('/api/leads', form)).json()
  const path = `/api/leads/${id}`
  expect((await accounts.send('PATCH', path, { ownerId: leaver.id }, session)).status).toBe(200)
  const [owner = leaver] = await accounts.list()
  expect((await accounts.send('PATCH', path, { ownerId: owner.id })).status).toBe(200)
  expect((await accounts.send('DELETE', `/api/accounts/${leaver.id}`)).status).toBe(204)

  const history = await (await accounts.send('GET', `${path}/history`)).json()
  expect(history[1]).toMatchObject({ type: 'LeadFollowUpChanged', by: leaver.displayName })
  const ids = (await (await accounts.send('GET', '/api/staff')).json()).map((each: Account) => each.id)
  expect(ids).not.toContain(leaver.id)
  expect((await accounts.list()).map((account) => account.id)).not.toContain(leaver.id)
  expect((await accounts.send('PATCH', path, { ownerId: leaver.id })).status).toBe(422)
  expect(await accounts.isSignedIn(session)).toBe(false)
  await expect(accounts.signInAs(leaver)).rejects.toThrow('answered 401')
  expect((await accounts.send('PATCH', `/api/accounts/${leaver.id}`, { role: 'owner' })).status).toBe(404)
  expect((await accounts.send('DELETE', `/api/accounts/${leaver.id}`)).status).toBe(404)
  const { username, displayName } = leaver
  const next = { username: username.toUpperCase(), displayName, role: 'agent', password: PASSWORD }
  expect((await accounts.send('POST', '/api/accounts', next)).status).toBe(201)
})

describe('the tokens and webhooks of an owner', () => {
  /** An owner with a token and a webhook. */
  const withPrograms = async () => {
    const account = await accounts.add('owner')
    const session = await accounts.signInAs(account)
    const form = { name: `Of ${account.username}`, scopes: ['leads:read'] }
    const { token } = await (await accounts.send('POST', '/api/tokens', form, session)).json()
    const webhook = { url: `https://${account.username}.example.com/`, topics: ['lead.created'] }
    expect((await accounts.send('POST', '/api/webhooks', webhook, session)).status).toBe(201)
    return { account, token: { authorization: `Bearer ${token}` } }
  }
  const isLetIn = async (token: object) =>
    (await accounts.send('GET', '/api/leads?limit=1', undefined, token)).status !== 401
  const webhookOf = async ({ username }: Account) => {
    const webhooks: Webhook[] = await (await accounts.send('GET', '/api/webhooks')).json()
    return webhooks.find(({ url }) => url.includes(username))
  }

  test.each<[string, (account: Account) => Promise<unknown>]>([
    ['is removed', ({ id }) => accounts.send('DELETE', `/api/accounts/${id}`)],
    ['becomes an agent', ({ id }) => accounts.send('PATCH', `/api/accounts/${id}`, { role: 'agent' })],
    ['is removed by the command line', ({ username }) => accounts.command(['remove', username])],
  ])('are revoked and paused once it %s', async (_, leave) => {
    const { account, token } = await withPrograms()
    expect(await isLetIn(token)).toBe(true)
    expect(await webhookOf(account)).toMatchObject({ isPaused: false, madeById: account.id })
    await leave(account)
    expect(await isLetIn(token)).toBe(false)
    expect(await webhookOf(account)).toMatchObject({ isPaused: true })
    const history = await (await accounts.send('GET', '/api/accounts/history?limit=4')).json()
    const paused = expect.objectContaining({ type: 'WebhookChanged', data: { change: 'paused' } })
    expect(history).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'ApiTokenRevoked' }), paused]))
  })

  test('go to the owner who requests it', async () => {
    const { account, token } = await withPrograms()
    const [owner] = (await accounts.list()).filter(({ username }) => username === STAFF.username)
    const path = `/api/accounts/${account.id}`
    expect((await accounts.send('DELETE', `${path}?tokens=give_away`)).status).toBe(422)
    expect((await accounts.send('DELETE', `${path}?tokens=hand_over&webhooks=hand_over`)).status).toBe(204)
    expect(await isLetIn(token)).toBe(true)
    expect(await webhookOf(account)).toMatchObject({ isPaused: false, madeById: owner?.id })
    const tokens: ApiToken[] = await (await accounts.send('GET', '/api/tokens')).json()
    expect(tokens.find(({ name }) => name === `Of ${account.username}`)?.madeById).toBe(owner?.id)
  })
})

describe('an account that loses its role or is removed, while calls of its session are in progress,', () => {
  const countWaiting = async () =>
    (
      await accounts.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length

  /** The status of each call by a session, if all begin before a change of its account is committed. */
  const callDuring = async (
    { id, session }: { id: string; session: { cookie: string } },
    change: string,
    calls: readonly (readonly [string, string, object?])[],
  ) => {
    const other = connect(accounts.stores.databaseUrl, { max: 1, name: 'test' })
    let answered = 0
    let answers: Promise<Response>[] = []
    await inTransaction(other, async (tx) => {
      await tx`update staff set ${tx.unsafe(change)} where id = ${id}`
      answers = calls.map(([method, path, body], index) =>
        accounts.send(method, path, body, session, accounts.nodes[index % 2]).finally(() => {
          answered += 1
        }),
      )
      await expect.poll(async () => answered + (await countWaiting()), { timeout: 10_000 }).toBe(calls.length)
    })
    await other.end()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    return calls.map(([method, path], index) => [method, path, statuses[index]])
  }

  test.each([
    ['becomes an agent', "role = 'agent'"],
    ['is removed', 'removed_at = now()'],
  ])('no longer makes anything (%s)', async (_, change) => {
    const [owner, agent] = [await accounts.add('owner'), await accounts.add('agent')]
    const session = await accounts.signInAs(owner)
    const hook = { url: 'https://example.com/hook', topics: ['lead.created'] }
    const { id: hookId } = await (await accounts.send('POST', '/api/webhooks', hook, session)).json()
    await accounts.send('PATCH', `/api/webhooks/${hookId}`, { isPaused: true }, session)
    const account = { username: 'late', displayName: 'Late', password: PASSWORD, role: 'owner' }
    const calls = [
      ['POST', '/api/tokens', { name: 'Late', scopes: ['leads:read'] }],
      ['POST', '/api/webhooks', hook],
      ['PATCH', `/api/webhooks/${hookId}`, { isPaused: false }],
      ['POST', `/api/webhooks/${hookId}/secret`, {}],
      ['POST', '/api/accounts', account],
      ['PATCH', `/api/accounts/${agent.id}`, { role: 'owner' }],
      ['POST', `/api/accounts/${agent.id}/password-link`, {}],
      ['DELETE', `/api/accounts/${agent.id}/two-factor`],
      ['PUT', '/api/accounts/sign-in-rules', { requiresTwoFactor: false }],
      ['DELETE', `/api/accounts/${agent.id}?tokens=hand_over`],
    ] as const
    expect(await callDuring({ ...owner, session }, change, calls)).toEqual(
      calls.map(([method, path]) => [method, path, 403]),
    )
  })

  test('has no saved view after the account is removed', async () => {
    const account = await accounts.add('agent')
    const session = await accounts.signInAs(account)
    const call = ['POST', '/api/me/views', { name: 'Late', query: 'status=new' }] as const
    expect(await callDuring({ ...account, session }, 'removed_at = now()', [call])).toEqual([
      ['POST', '/api/me/views', 401],
    ])
  })
})

describe('the last owner', () => {
  const owners = async () => (await accounts.list()).filter(({ role }) => role === 'owner')

  test('can neither be removed nor become an agent', async () => {
    const [last, ...others] = await owners()
    expect(others).toEqual([])
    for (const response of [
      await accounts.send('DELETE', `/api/accounts/${last?.id}`),
      await accounts.send('PATCH', `/api/accounts/${last?.id}`, { role: 'agent' }),
    ]) {
      expect(response.status).toBe(409)
      expect((await response.json()).detail).toBe('This is the last admin: make another account an admin first')
    }
    expect(await owners()).toEqual([last])
    expect(await accounts.isSignedIn(accounts.owner())).toBe(true)
  })

  test('stays when all owners are removed or demoted at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const rivals = await Promise.all(Array.from({ length: 5 }, () => accounts.add('owner')))
      const everybody = await owners()
      const sessions = await Promise.all(rivals.map((rival) => accounts.signInAs(rival)))
      const answers = await Promise.all(
        everybody.map(({ id }, index) => {
          const [method, body] = index % 2 === 0 ? (['DELETE'] as const) : (['PATCH', { role: 'agent' }] as const)
          const actor = sessions[index % sessions.length]
          return accounts.send(method, `/api/accounts/${id}`, body, actor, accounts.nodes[index % 2])
        }),
      )
      const refused = answers.filter(({ status }) => status >= 400)
      expect(refused.length).toBeGreaterThan(0)
      const alive = (
        await Promise.all(sessions.map(async (each) => ((await accounts.isSignedIn(each)) ? each : [])))
      ).flat()
      const [witness = accounts.owner()] = alive
      const left = await accounts.list(witness)
      expect(left.filter((account: Account) => account.role === 'owner').length).toBeGreaterThan(0)
      await restoreFirstOwner()
    }
  })
})

const restoreFirstOwner = async () => {
  const { status } = await accounts.command(['role', STAFF.username, 'owner'])
  if (status !== 0) await accounts.command(['add', STAFF.username, '--owner'], STAFF.password)
  await accounts.signOwnerIn()
  for (const { id, username } of await accounts.list()) {
    if (username !== STAFF.username) await accounts.send('DELETE', `/api/accounts/${id}`)
  }
}

describe('npm run staff', () => {
  test('adds, lists, promotes, demotes and removes', async () => {
    expect((await accounts.command(['add', 'sipho'], 'a password of their own')).printed).toContain(
      'Added sipho, an agent',
    )
    expect((await accounts.command(['add', 'naledi', '--owner'], 'a password of hers')).printed).toContain('an owner')
    expect((await accounts.command(['list'])).printed).toMatch(
      /naledi {2}owner {2}since \d{4}[\s\S]*sipho {2}agent {2}since/,
    )
    expect(await accounts.command(['role', 'SIPHO', 'owner'])).toEqual({
      status: 0,
      printed: 'SIPHO is an owner now\n',
    })
    expect((await accounts.command(['role', 'sipho', 'agent'])).status).toBe(0)
    expect((await accounts.command(['remove', 'sipho'])).status).toBe(0)
    expect((await accounts.command(['remove', 'naledi'])).status).toBe(0)
    expect((await accounts.command(['list'])).printed).not.toMatch(/sipho|naledi/)
  })

  test.each([
    [['role', STAFF.username, 'agent'], 'This is the last admin: make another account an admin first'],
    [['remove', STAFF.username], 'This is the last admin: make another account an admin first'],
    [['role', STAFF.username, 'king'], 'Usage: npm run staff -- '],
    [['add', 'x', '--king'], 'Usage: npm run staff -- '],
    [['passwd', 'nobody'], 'There is no account nobody'],
    [['add', 'THANDI'], 'There is an account THANDI already'],
    [['add', 'two words'], 'A username has 1 to 100 characters and no spaces'],
    [['add', 'tiny'], 'Password: Must be at least 8 characters'],
  ])('refuses %j', async (args, message) => {
    const { status, printed } = await accounts.command(args, 'tiny')
    expect(status).toBe(1)
    expect(printed).toContain(message)
  })

  test('refuses a password that strangers try first', async () => {
    const common = await accounts.command(['add', 'lindiwe.m'], 'Password1')
    expect(common).toEqual({
      status: 1,
      printed: 'Password: This is one of the most common passwords: choose another\n',
    })
    const ofAgency = await accounts.command(['passwd', STAFF.username], 'Our Agency 2026', {
      AGENCY_NAME: 'Our Agency',
    })
    expect(ofAgency).toEqual({ status: 1, printed: 'Password: Must not be the username or the agency’s name\n' })
  })

  test('works without Redis', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1' }
    expect((await accounts.command(['passwd', STAFF.username], STAFF.password, env)).status).toBe(0)
    await accounts.signOwnerIn()
  })
})

test('owners change their own account on their account screen, which asks for the password, not in the list', async () => {
  const owner = await accounts.add('owner')
  const own = await accounts.signInAs(owner)
  const path = `/api/accounts/${owner.id}`
  const answers = await Promise.all([
    accounts.send('PATCH', path, { password: 'another password' }, own),
    accounts.send('POST', `${path}/password-link`, {}, own),
    accounts.send('DELETE', `${path}/two-factor`, undefined, own),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe(409)
    expect((await answer.json()).detail).toBe('Do this on your account screen')
  }
  expect((await accounts.send('PATCH', path, { displayName: 'Thandi' }, own)).status).toBe(200)
  await accounts.signInAs(owner)
})

describe('profiles', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const withWidth = (png: Buffer, pixels: number) => {
    const wide = Buffer.from(png)
    wide.writeUInt32BE(pixels, 16)
    return wide
  }
  const PHOTO = `data:image/png;base64,${PNG.toString('base64')}`
  const save = (body: object, headers: object) => accounts.send('POST', '/api/me/profile', body, headers)

  test('one’s name and photo are one’s own to change, are served to staff alone, and go with the account', async () => {
    const account = await accounts.add('agent')
    const own = await accounts.signInAs(account)
    const me = await (await save({ displayName: ' Thandi Nkosi ', photo: PHOTO }, own)).json()
    expect(me).toMatchObject({ id: account.id, displayName: 'Thandi Nkosi', photo: expect.any(String) })
    expect(await (await accounts.send('GET', '/api/me', undefined, own)).json()).toEqual(me)
    const served = await accounts.send('GET', me.photo)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG)
    expect((await accounts.send('GET', me.photo, undefined, {})).status).toBe(401)

    const renamed = await (await save({ displayName: 'Thandi' }, own)).json()
    expect(renamed.photo).toBe(me.photo)
    expect((await (await save({ displayName: 'Thandi', photo: null }, own)).json()).photo).toBe(null)
    await save({ displayName: 'Thandi', photo: PHOTO }, own)
    expect((await accounts.send('DELETE', `/api/accounts/${account.id}`)).status).toBe(204)
    expect((await accounts.send('GET', me.photo)).status).toBe(404)
    const history = await (await accounts.send('GET', '/api/accounts/history?limit=6')).json()
    const by = { id: account.id }
    expect(history).toMatchObject([
      { type: 'StaffAccountRemoved' },
      { type: 'StaffProfileChanged', by, data: { changed: ['photo'] } },
      { type: 'StaffProfileChanged', by, data: { changed: ['photo'] } },
      { type: 'StaffProfileChanged', by, data: { changed: ['name'] } },
      { type: 'StaffProfileChanged', by, data: { changed: ['name', 'photo'] } },
      { type: 'StaffSignedIn' },
    ])
  })

  test.each([
    [{ displayName: '' }, 'displayName', 'Name is required'],
    [{ displayName: 'Thandi', photo: 'https://example.com/me.png' }, 'photo', 'Choose a WebP, JPEG or PNG picture'],
    [
      {
        displayName: 'Thandi',
        photo: `data:image/png;base64,${Buffer.from('<svg onload=alert(1)>').toString('base64')}`,
      },
      'photo',
      'Choose a WebP, JPEG or PNG picture',
    ],
    [{ displayName: 'Thandi', photo: `${PHOTO}${'A'.repeat(14_000)}` }, 'photo', 'The picture is too large'],
    [
      { photo: `data:image/png;base64,${withWidth(PNG, 20_000).toString('base64')}` },
      'photo',
      'The picture is too large',
    ],
  ])('a profile %o is refused', async (body, path, message) => {
    const response = await save(body, accounts.owner())
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toContainEqual({ path, message })
  })

  test('omitted values stay unchanged, and no photo is logged', async () => {
    const account = await accounts.add('agent')
    const own = await accounts.signInAs(account)
    await accounts.send('PATCH', `/api/accounts/${account.id}`, { displayName: 'Renamed Meanwhile' })
    const me = await (await save({ photo: PHOTO }, own)).json()
    expect(me).toMatchObject({ displayName: 'Renamed Meanwhile', photo: expect.any(String) })
    await save({ displayName: 'Thandi', photo: null }, own)
    const sql = connect(accounts.stores.databaseUrl, { max: 1, name: 'test', keys: openTestKeys(TEST_DATA_KEY) })
    const written = await sql<{ id: string }[]>`
      select id from events where type = 'StaffProfileChanged' and data ->> 'accountId' = ${account.id} order by position`
    const events = await Promise.all(written.map(({ id }) => readEvent(sql, id)))
    await sql.end()
    expect(events.map((event) => event?.personal)).toEqual([
      { displayName: 'Renamed Meanwhile' },
      {},
      { displayName: 'Thandi' },
    ])
  })

  test('the photo of a removed account is not served', async () => {
    const account = await accounts.add('agent')
    const { photo } = await (await save({ photo: PHOTO }, await accounts.signInAs(account))).json()
    expect((await accounts.send('GET', photo)).status).toBe(200)
    const sql = connect(accounts.stores.databaseUrl, { max: 1, name: 'test' })
    await sql`update staff set removed_at = now() where id = ${account.id}`
    await sql.end()
    expect((await accounts.send('GET', photo)).status).toBe(404)
  })

  test('repeated changes of a profile have to wait', async () => {
    const own = await accounts.signInAs(await accounts.add('agent'))
    const [{ points }] = LIMITS.profile_changes.account
    let status = 200
    for (let times = 0; times < points && status === 200; times += 1) {
      status = (await save({ displayName: 'Thandi' }, own)).status
    }
    expect(status).toBe(200)
    expect((await save({ displayName: 'Thandi' }, own)).status).toBe(429)
  })

  test('a rename by an owner is written down too', async () => {
    const account = await accounts.add('agent')
    await accounts.send('PATCH', `/api/accounts/${account.id}`, { displayName: 'Somebody Else' })
    const [entry] = await (await accounts.send('GET', '/api/accounts/history?limit=1')).json()
    expect(entry).toMatchObject({
      type: 'StaffProfileChanged',
      data: { changed: ['name'] },
      account: { id: account.id },
      by: { displayName: STAFF.username },
    })
  })
})
