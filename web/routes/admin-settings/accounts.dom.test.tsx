import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../../events/staff/wire.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import { fill, textsOf, valueIn } from '../../testing/fields.ts'
import { openPart, said } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'
import { ACCOUNTS, button, testToken, testWebhook } from '../../testing/settings-screen.tsx'
import { Accounts } from './accounts.tsx'

type Typed = Omit<Account, 'id' | 'createdAt' | 'hasTwoFactor'> & { password: string }

/** Opens the accounts of a server that stores them. */
const openAccounts = async (answers: Record<string, Answer> = {}, known = ACCOUNTS) => {
  let accounts: Account[] = known
  const opened = openPart(<Accounts />, {
    'GET /api/accounts/sign-in-rules': { requiresTwoFactor: false },
    'GET /api/accounts': () => accounts,
    'POST /api/accounts': ({ body }: Sent) => {
      const { password: _, ...made } = body as Typed
      if (accounts.some(({ username }) => username === made.username.toLowerCase()))
        return problem(422, { errors: [{ path: 'username', message: 'This username is taken' }] })
      accounts = [
        ...accounts,
        { ...made, id: crypto.randomUUID(), createdAt: '2026-02-01T08:00:00.000Z', hasTwoFactor: false },
      ]
      return undefined
    },
    'PATCH /api/accounts/*': ({ path, body }: Sent) => {
      accounts = accounts.map((one) => (path.endsWith(one.id) ? { ...one, ...(body as object) } : one))
    },
    'DELETE /api/accounts/*': ({ path }: Sent) => {
      accounts = accounts.filter(({ id }) => !path.endsWith(id))
    },
    'DELETE /api/accounts/*/two-factor': ({ path }: Sent) => {
      accounts = accounts.map((one) => (path.includes(one.id) ? { ...one, hasTwoFactor: false } : one))
    },
    ...answers,
  })
  await screen.findByText('Add an account')
  return opened
}

const accounts = () => within(screen.getByLabelText('Accounts')).getAllByRole('listitem')
const account = (name: string) =>
  within(accounts().find(({ textContent }) => textContent?.includes(name)) ?? expect.fail(`No account of ${name}`))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('One’s own account can be renamed, and neither demoted nor removed here', async () => {
  const { user } = await openAccounts()
  const own = account('Thandi')
  expect(textsOf(own.getAllByRole('button'))).toEqual(['Edit'])
  own.getByRole('link', { name: 'Change your password' })
  await user.click(button(own, 'Edit Thandi'))
  const form = await dialog('Edit Thandi')
  form.getByText('Another admin must change your role.')
  expect(form.queryByLabelText('Role')).toBeNull()
  fill(form.getByLabelText('Name'), 'Thandi Nkosi')
  await user.click(button(form, 'Save account'))
  await waitFor(() => account('Thandi Nkosi').getByText('Admin'))
})

test('An account is added once, with errors shown at their fields', async () => {
  const { user } = await openAccounts()
  await user.click(screen.getByRole('button', { name: 'Add an account' }))
  const form = await dialog('Add an account')
  await user.click(button(form, 'Add account'))
  for (const message of ['Name is required', 'Username is required', 'Password is required'])
    await form.findByText(message)
  expect(requestsOf('POST /api/accounts')).toEqual([])
  fill(form.getByLabelText('Name'), 'Lerato Dlamini')
  fill(form.getByLabelText('Username'), 'THANDI')
  await user.selectOptions(form.getByLabelText('Role'), 'Member')
  await user.click(button(form, 'Suggest a password'))
  const password = valueIn(form.getByLabelText('Password'))
  expect(password.length).toBeGreaterThan(15)
  await user.click(button(form, 'Add account'))
  await form.findByText('This username is taken')
  fill(form.getByLabelText('Username'), 'lerato')
  await user.dblClick(button(form, 'Add account'))
  await screen.findAllByText('Lerato Dlamini can sign in now.')
  account('Lerato Dlamini').getByText('lerato, since 1 February 2026')
  const sent = requestsOf('POST /api/accounts').map(({ body }) => body)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual({ displayName: 'Lerato Dlamini', username: 'lerato', role: 'agent', password })
})

test('A link for a new password is shown once', async () => {
  const address = 'https://agency.example/login#password=abc'
  const { user } = await openAccounts({
    [`POST /api/accounts/${SIPHO.id}/password-link`]: { address, expiresAt: '2026-01-05T09:00:00.000Z' },
  })
  await user.click(button(account('Sipho'), 'Password link for Sipho'))
  const made = await dialog('A password link for Sipho')
  await user.click(button(made, 'Make a link'))
  expect(valueIn(await made.findByLabelText('Link'))).toBe(address)
  await user.click(button(made, 'Done'))
  await waitFor(() => expect(screen.queryByDisplayValue(address)).toBeNull())
})

test('A role is changed', async () => {
  const { user } = await openAccounts()
  await user.click(button(account('Sipho'), 'Edit Sipho'))
  const form = await dialog('Edit Sipho')
  await user.selectOptions(form.getByLabelText('Role'), 'Admin')
  await user.click(button(form, 'Save account'))
  await waitFor(() => account('Sipho').getByText('Admin'))
})

test('A role that only a newer node knows is shown and kept', async () => {
  const newer = { ...ACCOUNTS[0], role: 'brand_new' } as Account
  const { user } = await openAccounts({}, [newer])
  account('Sipho').getByText('Brand new')
  await user.click(button(account('Sipho'), 'Edit Sipho'))
  const form = await dialog('Edit Sipho')
  expect(form.queryByLabelText('Role')).toBeNull()
  await user.click(button(form, 'Save account'))
  await waitFor(() => expect(requestsOf(`PATCH /api/accounts/${SIPHO.id}`)[0]?.body).toEqual({ displayName: 'Sipho' }))
})

test('A password is set once it is long enough', async () => {
  const { user } = await openAccounts()
  await user.click(button(account('Sipho'), 'Set password for Sipho'))
  const form = await dialog('A new password for Sipho')
  fill(form.getByLabelText('Password'), 'short')
  await user.click(button(form, 'Set password'))
  await form.findByText('Must be at least 8 characters')
  fill(form.getByLabelText('Password'), 'a password for Sipho')
  await user.click(button(form, 'Set password'))
  await screen.findAllByText('Sipho is signed out everywhere and signs in with the new one.')
  expect(requestsOf(`PATCH /api/accounts/${SIPHO.id}`)[0]?.body).toEqual({ password: 'a password for Sipho' })
})

test('The second factor is turned off for a staff member who lost their phone', async () => {
  const { user } = await openAccounts(
    {},
    ACCOUNTS.map((one) => ({ ...one, hasTwoFactor: one.id === SIPHO.id })),
  )
  account('Sipho').getByText('Two-factor')
  expect(account('Thandi').queryByText('Two-factor')).toBeNull()
  await user.click(button(account('Sipho'), 'Turn off two-factor for Sipho'))
  await user.click(button(await dialog('Turn off two-factor sign-in for Sipho?'), 'Turn off'))
  await waitFor(() => expect(account('Sipho').queryByText('Two-factor')).toBeNull())
})

test('The rules for sign-in change at once, and stay the same if the change is refused', async () => {
  let isRefused = false
  const { user } = await openAccounts({
    'PUT /api/accounts/sign-in-rules': () => (isRefused ? problem(503) : undefined),
  })
  const rule = await screen.findByLabelText<HTMLInputElement>(/^Require two-factor sign-in for all accounts/)
  await user.click(rule)
  await waitFor(() => expect([rule.checked, rule.disabled]).toEqual([true, false]))
  expect(requestsOf('PUT /api/accounts/sign-in-rules')[0]?.body).toEqual({ requiresTwoFactor: true })
  isRefused = true
  await user.click(rule)
  await screen.findByText('Temporarily unavailable. Try again in a moment.')
  expect(rule.checked).toBe(true)
})

test('An account is removed only after a question that names the person', async () => {
  const { user } = await openAccounts()
  await user.click(button(account('Sipho'), 'Remove Sipho'))
  const question = await dialog('Remove Sipho?')
  question.getByText(/^Sipho \(sipho\) is signed out everywhere at once/)
  expect(question.getByRole('button', { name: 'Cancel' }).hasAttribute('autofocus')).toBe(true)
  await user.click(button(question, 'Cancel'))
  expect(accounts()).toHaveLength(2)
  await user.click(button(account('Sipho'), 'Remove Sipho'))
  await user.click(button(await dialog('Remove Sipho?'), 'Remove Sipho'))
  await waitFor(() => expect(accounts()).toHaveLength(1))
  expect(requestsOf(`DELETE /api/accounts/${SIPHO.id}`)).toHaveLength(1)
})

test('The actions of a former owner are refused with a reason', async () => {
  const { user } = await openAccounts({
    'POST /api/accounts': problem(403, { title: 'Not allowed', detail: 'Only an admin may do this' }),
  })
  await user.click(screen.getByRole('button', { name: 'Add an account' }))
  const form = await dialog('Add an account')
  fill(form.getByLabelText('Name'), 'Naledi')
  fill(form.getByLabelText('Username'), 'naledi')
  fill(form.getByLabelText('Password'), 'a long enough password')
  await user.click(button(form, 'Add account'))
  await waitFor(() => expect(form.getByRole('alert').textContent).toBe('Only an admin may do this.'))
})

describe('If the password was confirmed long ago', () => {
  const needed = { type: 'urn:problem:confirmation-required', detail: 'Confirm with your password that it is you' }

  /** A server that refuses until the password is given again. */
  const guarded = (needsCode: boolean) => {
    let isConfirmed = false
    return {
      'GET /api/me': THANDI,
      [`PATCH /api/accounts/${SIPHO.id}`]: () => (isConfirmed ? undefined : problem(403, { ...needed, needsCode })),
      'POST /api/me/confirm': ({ body }: Sent) => {
        const { password } = body as { password: string }
        if (password !== 'the password')
          return problem(422, { errors: [{ path: 'password', message: 'This is not your password' }] })
        isConfirmed = true
        return undefined
      },
    }
  }
  const promote = async (user: UserEvent) => {
    await user.click(button(account('Sipho'), 'Edit Sipho'))
    const form = await dialog('Edit Sipho')
    await user.selectOptions(form.getByLabelText('Role'), 'Admin')
    await user.click(button(form, 'Save account'))
    return form
  }

  test('it is requested, and the request is sent again', async () => {
    const { user } = await openAccounts(guarded(false))
    await promote(user)
    const question = await dialog('Confirm that it is you')
    expect(question.queryByLabelText('Code')).toBeNull()
    fill(question.getByLabelText('Your password'), 'a guess')
    await user.click(button(question, 'Confirm'))
    await question.findByText('This is not your password')
    fill(question.getByLabelText('Your password'), 'the password')
    await user.click(button(question, 'Confirm'))
    await said('Account changed')
    expect(screen.queryByRole('dialog')).toBeNull()
    const sent = requestsOf(`PATCH /api/accounts/${SIPHO.id}`).map(({ body }) => body)
    expect(sent).toEqual([expect.objectContaining({ role: 'owner' }), sent[0]])
  })

  test('the code of an account with a second factor is requested too', async () => {
    const { user } = await openAccounts(guarded(true))
    await promote(user)
    const question = await dialog('Confirm that it is you')
    fill(question.getByLabelText('Your password'), 'the password')
    await user.click(button(question, 'Confirm'))
    await question.findByText('A code is required')
    fill(question.getByLabelText('Code'), '123456')
    await user.click(button(question, 'Confirm'))
    await said('Account changed')
    expect(requestsOf('POST /api/me/confirm').map(({ body }) => body)).toEqual([
      { password: 'the password', code: '123456' },
    ])
  })

  test('cancelling shows why nothing has changed', async () => {
    const { user } = await openAccounts(guarded(false))
    const form = await promote(user)
    await user.click(button(await dialog('Confirm that it is you'), 'Cancel'))
    await form.findByText('Confirm with your password that it is you.')
    expect(requestsOf(`PATCH /api/accounts/${SIPHO.id}`)).toHaveLength(1)
  })
})

describe('An owner who loses the role', () => {
  const OWNER = { ...(ACCOUNTS.find(({ id }) => id === SIPHO.id) ?? expect.fail()), role: 'owner' as const }
  const TOKENS = [testToken({ madeById: SIPHO.id, name: 'Bookkeeping' }), testToken({ id: 'b', name: 'Other' })]
  const openOwner = (answers: Record<string, Answer> = {}) =>
    openAccounts(
      { 'GET /api/tokens': TOKENS, 'GET /api/webhooks': [testWebhook({ madeById: SIPHO.id })], ...answers },
      ACCOUNTS.map((each) => (each.id === SIPHO.id ? OWNER : each)),
    )

  test('has their tokens and webhooks listed, which end with the account', async () => {
    const { user } = await openOwner()
    await user.click(button(account('Sipho'), 'Remove Sipho'))
    const form = await dialog('Remove Sipho?')
    const tokens = await form.findByRole('list', { name: 'API tokens that Sipho made' })
    expect(textsOf(within(tokens).getAllByRole('listitem'))).toEqual(['Bookkeeping'])
    await form.findByRole('list', { name: 'Webhooks that Sipho added' })
    await user.click(button(form, 'Remove Sipho'))
    await said('Account removed')
    const [sent] = requestsOf(`DELETE /api/accounts/${SIPHO.id}`)
    expect(Object.fromEntries(sent?.query ?? [])).toEqual({ tokens: 'revoke', webhooks: 'pause' })
  })

  test('has them fetched again as the dialog opens, which cannot be sent before they are loaded', async () => {
    let answer: Promise<unknown> = Promise.resolve([])
    const { user } = await openOwner({ 'GET /api/tokens': () => answer })
    await user.click(button(account('Sipho'), 'Remove Sipho'))
    const first = await dialog('Remove Sipho?')
    await first.findByRole('list', { name: 'Webhooks that Sipho added' })
    await user.click(button(first, 'Cancel'))
    const late = Promise.withResolvers<unknown>()
    answer = late.promise
    await user.click(button(account('Sipho'), 'Remove Sipho'))
    const form = await dialog('Remove Sipho?')
    form.getByText('Loading...')
    expect(button(form, 'Remove Sipho')).toHaveProperty('disabled', true)
    late.resolve(TOKENS)
    await form.findByRole('list', { name: 'API tokens that Sipho made' })
    expect(form.queryByText('Loading...')).toBeNull()
    await waitFor(() => expect(button(form, 'Remove Sipho')).toHaveProperty('disabled', false))
  })

  test('stays an owner while their tokens and webhooks are unknown', async () => {
    let webhooks: unknown = problem(503)
    const { user } = await openOwner({ 'GET /api/webhooks': () => webhooks })
    await user.click(button(account('Sipho'), 'Edit Sipho'))
    const form = await dialog('Edit Sipho')
    expect(button(form, 'Save account')).toHaveProperty('disabled', false)
    await user.selectOptions(form.getByLabelText('Role'), 'Member')
    await form.findByText('Error loading webhooks')
    expect(button(form, 'Save account')).toHaveProperty('disabled', true)
    await user.selectOptions(form.getByLabelText('Role'), 'Admin')
    expect(button(form, 'Save account')).toHaveProperty('disabled', false)
    await user.selectOptions(form.getByLabelText('Role'), 'Member')
    await form.findByText('Error loading webhooks')
    webhooks = [testWebhook({ madeById: SIPHO.id })]
    await user.click(button(form, 'Try again'))
    await form.findByRole('list', { name: 'Webhooks that Sipho added' })
    await waitFor(() => expect(button(form, 'Save account')).toHaveProperty('disabled', false))
  })

  test('leaves those that another owner takes over', async () => {
    const { user } = await openOwner()
    await user.click(button(account('Sipho'), 'Edit Sipho'))
    const form = await dialog('Edit Sipho')
    expect(form.queryByText('API tokens that Sipho made')).toBeNull()
    await user.selectOptions(form.getByLabelText('Role'), 'Member')
    await user.click(await form.findByLabelText('Keep these tokens, as yours. Otherwise they are revoked.'))
    await user.click(form.getByLabelText('Keep these webhooks going, as yours. Otherwise they are paused.'))
    await user.click(button(form, 'Save account'))
    await said('Account changed')
    expect(requestsOf(`PATCH /api/accounts/${SIPHO.id}`)[0]?.body).toEqual({
      displayName: 'Sipho',
      role: 'agent',
      tokens: 'hand_over',
      webhooks: 'hand_over',
    })
  })
})
