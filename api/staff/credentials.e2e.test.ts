import { generateSync } from 'otplib'
import { afterAll, describe, expect, test } from 'vitest'
import { signingKeys } from '../../events/keys/signing-keys.ts'
import type { Account } from '../../events/staff/staff.ts'
import { findResetAccount, passwordLinkToken } from '../../events/staff/store/password-link.ts'
import { passwordLinkState } from '../../events/staff/wire.ts'
import { connect, inTransaction } from '../../events/stores/connection.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, SESSION_SECRET, signIn, startTestNode } from '../../events/testing/node.ts'
import { openTestAccounts, PASSWORD, sessionOf } from '../testing/accounts.ts'
import { openTestClient } from '../testing/socket-client.ts'

const accounts = await openTestAccounts({ SMTP_URL: 'smtp://127.0.0.1:1' })
afterAll(accounts.stop)
const { sql } = accounts

describe('a link for a new password', () => {
  const NEXT = 'a password that was not forgotten'

  const choose = (token: string, password = NEXT, node = accounts.nodes[0]) =>
    node.post('/api/login/password', { token, password })

  const isOpen = async (token: string): Promise<boolean> => {
    const response = await accounts.nodes[0].post('/api/login/password-link', { token })
    expect(response.status).toBe(200)
    return exactly(passwordLinkState, await response.json()).isOpen
  }

  const linkFor = async ({ id }: Account, by: object = accounts.owner()) => {
    const response = await accounts.send('POST', `/api/accounts/${id}/password-link`, {}, by)
    expect(response.status).toBe(201)
    const { address } = await response.json()
    return address.split('#password=')[1] as string
  }
  const tokenThatEnds = async ({ id }: Account, expires: Date) => {
    const account = await findResetAccount(sql, id)
    return account ? passwordLinkToken(signingKeys([SESSION_SECRET]), account, expires) : ''
  }
  const types = async () => {
    const entries: { type: string; account: { displayName: string } | null }[] = await (
      await accounts.send('GET', '/api/accounts/history')
    ).json()
    return entries.map(({ type, account }) => `${type} ${account?.displayName}`)
  }

  test('by an owner’s link a new password is chosen once, on any node, and all sessions end', async () => {
    const account = await accounts.add('agent')
    const session = await accounts.signInAs(account)
    const token = await linkFor(account)
    expect(await accounts.isSignedIn(session)).toBe(true)
    expect(await isOpen(token)).toBe(true)
    expect((await choose(token, 'short')).status).toBe(422)
    expect((await choose(token, 'Password1')).status).toBe(422)
    const answers = await Promise.all([choose(token), choose(token, `${NEXT} 2`, accounts.nodes[1])])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect(await accounts.isSignedIn(session)).toBe(false)
    expect((await choose(token)).status).toBe(404)
    expect(await isOpen(token)).toBe(false)
    const password = answers[0]?.status === 204 ? NEXT : `${NEXT} 2`
    await accounts.signInAs(account, password)
    expect((await types()).slice(0, 3)).toEqual([
      `StaffSignedIn ${account.displayName}`,
      `StaffPasswordChanged ${account.displayName}`,
      `StaffPasswordLinkMade ${account.displayName}`,
    ])
  })

  test('a newer link closes an older one, and an owner’s go with their role', async () => {
    const [account, owner] = [await accounts.add('agent'), await accounts.add('owner')]
    const older = await linkFor(account)
    const newer = await linkFor(account)
    expect([await isOpen(older), await isOpen(newer)]).toEqual([false, true])
    expect((await choose(older)).status).toBe(404)
    const byOwner = await linkFor(account, await accounts.signInAs(owner))
    expect(await isOpen(byOwner)).toBe(true)
    await accounts.send('PATCH', `/api/accounts/${owner.id}`, { role: 'agent' })
    expect(await isOpen(byOwner)).toBe(false)
  })

  test('a link that is expired, altered, of a password changed since then, or of a removed account does not work', async () => {
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

  test('a request by email gets the same response for every username, and queues an email if the account has an address', async () => {
    const [with_, without] = [await accounts.add('agent'), await accounts.add('agent')]
    const own = await accounts.signInAs(with_)
    const alerts = { email: 'another@agency.example', alerts: ['chat-page', 'chat-device'] }
    const save = (form: object) => accounts.send('POST', '/api/me/alerts', form, own)
    await accounts.forgetConfirmation(with_)
    expect((await save(alerts)).status).toBe(403)
    expect((await accounts.confirm({ password: PASSWORD }, own)).status).toBe(204)
    expect((await save(alerts)).status).toBe(204)
    await accounts.forgetConfirmation(with_)
    for (let times = 0; times < 2; times += 1)
      expect((await save({ ...alerts, alerts: ['new-email'] })).status).toBe(204)
    const told = (await types()).filter((type) => type.startsWith('StaffAlertsChanged'))
    expect(told).toEqual(Array(2).fill(`StaffAlertsChanged ${with_.displayName}`))
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
    expect((await types()).filter((type) => type.startsWith('StaffPasswordLinkMade')).slice(0, 3)).toEqual(
      Array(3).fill(`StaffPasswordLinkMade ${with_.displayName}`),
    )
  })

  test('a request by email is refused if the site cannot send email to single people', async () => {
    const node = await startTestNode(accounts.stores)
    const response = await node.post('/api/login/forgotten', { username: 'anybody' })
    expect([response.status, await response.json()]).toEqual([202, { isPossible: false }])
    const alerts = await node.call('/api/me/alerts', { headers: await signIn(node) })
    expect(await alerts.json()).toMatchObject({ isPossible: false, isUnknown: true })
    await node.stop()
  })
})

describe('a second factor', () => {
  const STEP_S = 30

  /** The current code, or that of a step before or after. */
  const codeOf = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_S })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  const secretFor = async (headers: object) =>
    (await (await accounts.send('POST', '/api/me/two-factor/secret', {}, headers)).json()).secret as string

  /** A staff member whose second factor is on. */
  const withFactor = async (role: 'owner' | 'agent' = 'agent') => {
    const account = await accounts.add(role)
    const session = await accounts.signInAs(account)
    const secret = await secretFor(session)
    const body = { secret, code: codeOf(secret) }
    const response = await accounts.send('POST', '/api/me/two-factor', body, session)
    expect(response.status).toBe(200)
    const { codes } = await response.json()
    return { account, session: sessionOf(response), secret, codes: codes as string[] }
  }

  const logIn = async ({ username }: Account, code?: string, headers: Record<string, string> = {}, node = 0) => {
    const body = { username, password: PASSWORD, ...(code && { code }) }
    const response = await accounts.nodes[node === 0 ? 0 : 1].post('/api/login', body, headers)
    const text = await response.text()
    return { status: response.status, type: text && JSON.parse(text).type, cookie: response.headers.getSetCookie() }
  }
  const types = async () => {
    const response = await accounts.send('GET', '/api/accounts/history')
    return ((await response.json()) as { type: string }[]).map(({ type }) => type)
  }

  test('it is turned on by a first code, which ends the other sessions and is used up', async () => {
    const account = await accounts.add('agent')
    const [session, other] = [await accounts.signInAs(account), await accounts.signInAs(account)]
    const secret = await secretFor(session)
    const turnOn = (body: object, headers = session) => accounts.send('POST', '/api/me/two-factor', body, headers)
    const good = { secret, code: codeOf(secret) }
    for (const bad of [
      { ...good, code: wrong(good.code) },
      { ...good, secret: 'SHORT' },
    ]) {
      expect((await turnOn(bad)).status).toBe(422)
    }
    expect((await (await accounts.send('GET', '/api/me/two-factor', undefined, session)).json()).isOn).toBe(false)
    const turnedOn = await turnOn(good)
    const { codes } = await turnedOn.json()
    expect(new Set(codes).size).toBe(10)
    expect((await turnOn(good, sessionOf(turnedOn))).status).toBe(409)
    expect(await accounts.isSignedIn(session)).toBe(false)
    expect(await accounts.isSignedIn(other)).toBe(false)
    expect(await logIn(account, good.code)).toMatchObject({ status: 401, type: 'urn:problem:wrong-code' })
    const [row] =
      await sql`select personal, data from events where type = 'StaffTwoFactorOn' order by position desc limit 1`
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  test('without a code the response asks for one; a code counts once, on any node, even when sent twice at once', async () => {
    const { account, secret } = await withFactor()
    expect(await logIn(account)).toMatchObject({ status: 401, type: 'urn:problem:code-required', cookie: [] })
    const next = codeOf(secret, 1)
    const both = await Promise.all([logIn(account, next), logIn(account, next, {}, 1)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401])
    expect(await logIn(account, next)).toMatchObject({ status: 401, type: 'urn:problem:wrong-code' })
    expect(await logIn(account, codeOf(secret))).toMatchObject({ status: 401 })
    const found = await types()
    expect(found[0]).toBe('StaffCodeFailed')
    expect(found.slice(0, 5)).toContain('StaffSignedIn')
    const actors = await sql<{ type: string; actor: object }[]>`
      select type, metadata -> 'actor' as actor from events
      where type in ('StaffCodeFailed', 'StaffSignedIn') order by position desc limit 5`
    expect(actors.find(({ type }) => type === 'StaffCodeFailed')?.actor).toEqual({ type: 'visitor' })
    expect(actors.find(({ type }) => type === 'StaffSignedIn')?.actor).toEqual({ type: 'staff', id: account.id })
  })

  test('a recovery code signs in once, however it is typed; new ones end the old ones', async () => {
    const { account, session, codes } = await withFactor()
    const [first = '', second = '', third = ''] = codes
    expect(await logIn(account, first)).toMatchObject({ status: 204 })
    expect(await logIn(account, first)).toMatchObject({ status: 401, type: 'urn:problem:wrong-code' })
    expect(await logIn(account, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).toMatchObject({ status: 204 })
    expect(await (await accounts.send('GET', '/api/me/two-factor', undefined, session)).json()).toEqual({
      isOn: true,
      codesLeft: 8,
      isRequired: false,
    })
    const renewed = await accounts.send('POST', '/api/me/two-factor/codes', {}, session)
    expect((await renewed.json()).codes).toHaveLength(10)
    expect(await logIn(account, third)).toMatchObject({ status: 401, type: 'urn:problem:wrong-code' })
  })

  test('ten wrong codes close an account to strangers, and not to its own device', async () => {
    const { account, secret, codes } = await withFactor()
    const device = (await logIn(account, codes[0])).cookie.find((cookie) => cookie.startsWith('staff_device'))
    const own = { cookie: device?.split(';')[0] ?? '' }
    const bad = wrong(codeOf(secret))
    const answers = []
    for (let tries = 0; tries < 10; tries += 1) answers.push((await logIn(account, bad)).status)
    expect(answers).toEqual(Array(10).fill(401))
    expect((await logIn(account, codes[1])).status).toBe(429)
    expect((await logIn(account, codes[1], own)).status).toBe(204)
  })

  test('it is turned off by its account, or by an owner for a colleague who lost their phone, or on the command line', async () => {
    const [own, lost, last] = [await withFactor(), await withFactor(), await withFactor()]
    const off = await accounts.send('POST', '/api/me/two-factor/off', {}, own.session)
    expect(off.status).toBe(204)
    expect((await logIn(own.account)).status).toBe(204)
    expect(await accounts.isSignedIn(own.session)).toBe(false)
    expect(await accounts.isSignedIn(sessionOf(off))).toBe(true)
    expect((await accounts.send('DELETE', `/api/accounts/${lost.account.id}/two-factor`)).status).toBe(204)
    expect(await accounts.isSignedIn(lost.session)).toBe(false)
    expect((await logIn(lost.account)).status).toBe(204)
    expect((await accounts.command(['two-factor-off', last.account.username])).status).toBe(0)
    expect((await logIn(last.account)).status).toBe(204)
    expect((await types()).filter((type) => type === 'StaffTwoFactorOff')).toHaveLength(3)
  })

  /** The session of a sign-in by password and code. */
  const enteredBy = ({ cookie }: { cookie: string[] }) => ({
    cookie: cookie.find((each) => each.startsWith('staff_session'))?.split(';')[0] ?? '',
  })

  test('a session that began with a password alone is invalid once its account has a second factor', async () => {
    const account = await accounts.add('agent')
    const [byPassword, setUp] = [await accounts.signInAs(account), await accounts.signInAs(account)]
    const socket = await openTestClient(accounts.nodes[0], byPassword)
    socket.send({ type: 'join_admin' })
    await socket.take('active_sessions')
    const secret = await secretFor(setUp)
    // turning it on ends that session; restored, it has proved no second factor
    const rows = await sql`select * from staff_sessions where staff_id = ${account.id}`
    const body = { secret, code: codeOf(secret) }
    const turnedOn = await accounts.send('POST', '/api/me/two-factor', body, setUp)
    const { codes } = await turnedOn.json()
    await sql`insert into staff_sessions ${sql(rows.map((row) => ({ ...row, totp_event: null })))} on conflict do nothing`
    expect(await accounts.isSignedIn(byPassword)).toBe(false)
    expect(await accounts.isSignedIn(sessionOf(turnedOn))).toBe(true)
    await socket.closed
    const byCode = enteredBy(await logIn(account, codes[0]))
    expect(await accounts.isSignedIn(byCode)).toBe(true)
    const listed = await (await accounts.send('GET', '/api/me/sessions', undefined, byCode)).json()
    expect(listed).toHaveLength(2)
    expect((await accounts.send('POST', '/api/me/two-factor/off', {}, sessionOf(turnedOn))).status).toBe(204)
    expect(await accounts.isSignedIn(byPassword)).toBe(false)
    expect(await accounts.isSignedIn(byCode)).toBe(true)
  })

  test('a sign-in in progress when the second factor is turned on asks for its code', async () => {
    const account = await accounts.add('agent')
    const isHeldUp = async () =>
      (
        await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%into staff_sessions%'`
      ).length > 0
    const other = connect(accounts.stores.databaseUrl, { max: 1, name: 'test' })
    let answer: ReturnType<typeof logIn> | undefined
    await inTransaction(other, async (tx) => {
      await tx`select 1 from staff where id = ${account.id} for update`
      answer = logIn(account)
      await expect.poll(isHeldUp).toBe(true)
      await tx`update staff set totp_event = gen_random_uuid() where id = ${account.id}`
    })
    expect(await answer).toMatchObject({ status: 401, type: 'urn:problem:code-required', cookie: [] })
    expect(await sql`select 1 from staff_sessions where staff_id = ${account.id}`).toHaveLength(0)
    await other.end()
  })

  test('if the key of its secret is lost a sentence explains the remedy; recovery codes count, and it can be turned off', async () => {
    const [own, byOwner, byCommand] = [await withFactor(), await withFactor(), await withFactor('owner')]
    const everybody = [own, byOwner, byCommand]
    for (const { account } of everybody) {
      await sql`
        delete from subject_keys using staff, events
        where staff.id = ${account.id} and events.id = totp_event and subject_keys.subject_id = events.subject_id`
    }
    for (const { account, secret } of everybody) {
      const body = { username: account.username, password: PASSWORD, code: codeOf(secret, 1) }
      const response = await accounts.nodes[0].post('/api/login', body)
      expect([response.status, (await response.json()).detail]).toEqual([
        403,
        'The codes of your authenticator app can no longer be checked here. Use a recovery code, or ask an admin to turn your two-factor sign-in off',
      ])
    }
    const session = enteredBy(await logIn(own.account, own.codes[0]))
    const off = await accounts.send('POST', '/api/me/two-factor/off', {}, session)
    expect(off.status).toBe(204)
    expect((await accounts.send('DELETE', `/api/accounts/${byOwner.account.id}/two-factor`)).status).toBe(204)
    expect((await accounts.command(['two-factor-off', byCommand.account.username])).status).toBe(0)
    for (const { account } of everybody) expect((await logIn(account)).status).toBe(204)
    const secret = await secretFor(sessionOf(off))
    const body = { secret, code: codeOf(secret) }
    expect((await accounts.send('POST', '/api/me/two-factor', body, sessionOf(off))).status).toBe(200)
    expect((await accounts.send('GET', '/api/accounts/history')).status).toBe(200)
  })

  test('once owners require it, accounts without one can only set it up: calls and sockets are refused', async () => {
    const agent = await accounts.add('agent')
    const session = await accounts.signInAs(agent)
    const socket = await openTestClient(accounts.nodes[0], session)
    socket.send({ type: 'join_admin' })
    await socket.take('active_sessions')
    const rule = (requiresTwoFactor: boolean, headers: object) =>
      accounts.send('PUT', '/api/accounts/sign-in-rules', { requiresTwoFactor }, headers)
    expect((await rule(true, accounts.owner())).status).toBe(409)
    const owner = await withFactor('owner')
    expect((await rule(true, owner.session)).status).toBe(200)
    try {
      const refused = await accounts.send('GET', '/api/staff', undefined, session, accounts.nodes[1])
      expect([refused.status, (await refused.json()).type]).toEqual([403, 'urn:problem:two-factor-required'])
      expect(await (await accounts.send('GET', '/api/me', undefined, session)).json()).toMatchObject({
        mustSetUpTwoFactor: true,
      })
      await socket.closed
      const secret = await secretFor(session)
      await accounts.forgetConfirmation(agent)
      expect((await accounts.confirm({ password: PASSWORD }, session)).status).toBe(204)
      const turnedOn = await accounts.send('POST', '/api/me/two-factor', { secret, code: codeOf(secret) }, session)
      expect(turnedOn.status).toBe(200)
      expect((await accounts.send('GET', '/api/staff', undefined, sessionOf(turnedOn))).status).toBe(200)
      expect((await accounts.send('POST', '/api/me/two-factor/off', {}, sessionOf(turnedOn))).status).toBe(409)
    } finally {
      expect((await rule(false, owner.session)).status).toBe(200)
    }
  })
})

describe('an open session whose password was entered ten minutes ago', () => {
  test('cannot let people or programs in until the password is entered again', async () => {
    const [account, other] = [await accounts.add('owner'), await accounts.add('agent')]
    const session = await accounts.signInAs(account)
    const webhook = { url: 'https://hooks.example.com/leads', topics: ['lead.created'] }
    const made = await (await accounts.send('POST', '/api/webhooks', webhook, session)).json()
    await accounts.forgetConfirmation(account)
    const promote = () => accounts.send('PATCH', `/api/accounts/${other.id}`, { role: 'owner' }, session)
    for (const answer of [
      await promote(),
      await accounts.send('PATCH', `/api/accounts/${other.id}`, { password: 'a password of a stranger' }, session),
      await accounts.send('PATCH', `/api/webhooks/${made.id}`, { url: 'https://hooks.example.net' }, session),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        { type: 'urn:problem:confirmation-required', needsCode: false },
      ])
    }
    expect((await accounts.send('PATCH', `/api/accounts/${other.id}`, { displayName: 'S' }, session)).status).toBe(200)
    const pause = (isPaused: boolean) => accounts.send('PATCH', `/api/webhooks/${made.id}`, { isPaused }, session)
    expect([(await pause(true)).status, (await pause(false)).status]).toEqual([204, 403])
    const guess = await accounts.confirm({ password: 'a guess' }, session)
    expect([guess.status, (await guess.json()).errors]).toEqual([
      422,
      [{ path: 'password', message: 'This is not your password' }],
    ])
    expect((await promote()).status).toBe(403)
    expect((await accounts.confirm({ password: PASSWORD }, session)).status).toBe(204)
    expect((await promote()).status).toBe(200)
  })

  test('needs the second factor too if it is on, also before its own password is changed', async () => {
    const account = await accounts.add('agent')
    const before = await accounts.signInAs(account)
    const { secret } = await (await accounts.send('POST', '/api/me/two-factor/secret', {}, before)).json()
    const first = generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) })
    const turnedOn = await accounts.send('POST', '/api/me/two-factor', { secret, code: first }, before)
    const session = sessionOf(turnedOn)
    const { codes } = await turnedOn.json()
    await accounts.forgetConfirmation(account)
    const change = (headers: object) =>
      accounts.send('POST', '/api/me/password', { current: PASSWORD, next: 'a password of their own' }, headers)
    expect(await (await change(session)).json()).toMatchObject({
      type: 'urn:problem:confirmation-required',
      needsCode: true,
    })
    const errorsOf = async (body: { password: string; code?: string }) =>
      (await (await accounts.confirm(body, session)).json()).errors
    expect(await errorsOf({ password: PASSWORD })).toEqual([{ path: 'code', message: 'A code is required' }])
    expect(await errorsOf({ password: PASSWORD, code: first })).toEqual([
      { path: 'code', message: 'The code is wrong, or was used already' },
    ])
    expect((await change(session)).status).toBe(403)
    expect((await accounts.confirm({ password: PASSWORD, code: codes[0] }, session)).status).toBe(204)
    expect((await change(session)).status).toBe(204)
  })

  test('has no more than ten guesses', async () => {
    const session = await accounts.signInAs(await accounts.add('agent'))
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await accounts.confirm({ password: 'a guess' }, session)).status).toBe(422)
    }
    expect((await accounts.confirm({ password: PASSWORD }, session)).status).toBe(429)
  })
})
