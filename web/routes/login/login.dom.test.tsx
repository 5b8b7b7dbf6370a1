import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { THANDI } from '../../testing/answers.ts'
import { fill, valueIn } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'

const WHO = { username: 'thandi', password: 'the password' }

const openLogin = async (answers: Record<string, Answer> = {}, address = '/login') => {
  const opened = await openScreen(address, { 'POST /api/login': undefined, 'GET /api/emails': [], ...answers })
  await screen.findByRole('heading', { level: 1 })
  const signIn = async ({ username, password } = WHO) => {
    fill(screen.getByLabelText('Username'), username)
    fill(screen.getByLabelText('Password'), password)
    await opened.user.click(screen.getByRole('button', { name: 'Sign in' }))
  }
  return { ...opened, signIn }
}

const alertSays = (text: string | RegExp) =>
  waitFor(() => {
    const texts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(texts).toContainEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })

test('Missing values show errors at their fields, and the first one takes the focus', async () => {
  const { user } = await openLogin()
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText('Username is required')
  await screen.findByText('Password is required')
  const username = screen.getByLabelText('Username')
  expect(username.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(username)
  expect(requestsOf('POST /api/login')).toEqual([])
})

test('The focus is on the username from the start', async () => {
  await openLogin()
  expect(document.activeElement).toBe(screen.getByLabelText('Username'))
})

test('Labels the fields for password managers, and shows if Caps Lock is on', async () => {
  await openLogin()
  const password = screen.getByLabelText('Password')
  expect(screen.getByLabelText('Username').getAttribute('autocomplete')).toBe('username')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
  expect(password.getAttribute('type')).toBe('password')
  fireEvent.keyDown(password, { key: 'A', modifierCapsLock: true })
  await screen.findByText('Caps Lock is on.')
  fireEvent.keyDown(password, { key: 'A', modifierCapsLock: false })
  await waitFor(() => expect(screen.queryByText('Caps Lock is on.')).toBeNull())
})

test('Leads back to the requested screen, with its whole address', async () => {
  const { signIn, address } = await openLogin({}, `/login?next=${encodeURIComponent('/admin-email?state=stuck')}`)
  await signIn()
  await waitFor(() => expect(address()).toBe('/admin-email?state=stuck'))
})

test('Two clicks sign in once', async () => {
  const held = Promise.withResolvers<undefined>()
  const { user, signIn, address } = await openLogin(
    { 'POST /api/login': () => held.promise },
    '/login?next=/admin-email',
  )
  await signIn()
  await user.click(screen.getByRole('button', { name: 'Signing in...' }))
  held.resolve(undefined)
  await waitFor(() => expect(address()).toBe('/admin-email'))
  expect(requestsOf('POST /api/login').map(({ body }) => body)).toEqual([WHO])
})

test('Shows the error, how long to wait after too many tries, and that there is no network', async () => {
  let answer: () => unknown = () => problem(401)
  const { user, signIn } = await openLogin({ 'POST /api/login': () => answer() })
  await signIn()
  await alertSays('Incorrect username or password.')
  expect(valueIn(screen.getByLabelText('Username'))).toBe(WHO.username)
  answer = () => problem(429, {}, { 'retry-after': '900' })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await alertSays('Too many tries. Try again in 15 minutes.')
  answer = () => {
    throw new TypeError('Failed to fetch')
  }
  Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await alertSays('You are offline. Try again once you are connected.')
  Reflect.deleteProperty(navigator, 'onLine')
})

test('Asks for an app’s code if needed, shows if it is wrong, and takes the next one', async () => {
  const { user, signIn, address } = await openLogin(
    {
      'POST /api/login': ({ body }: Sent) => {
        const { code } = body as { code?: string }
        if (code === undefined) return problem(401, { type: 'urn:problem:code-required' })
        return code === '123456' ? undefined : problem(401, { type: 'urn:problem:wrong-code' })
      },
    },
    '/login?next=/admin-email',
  )
  await signIn()
  const code = await screen.findByLabelText('Code')
  expect(document.activeElement).toBe(code)
  fill(code, '000000')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await alertSays(
    'This code is wrong, or was used already. Wait for the next one in your app, or use another recovery code.',
  )
  fill(code, '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(address()).toBe('/admin-email'))
})

test.each([
  [true, /^If this account has an email address, a link is on its way there\./],
  [false, /^This site cannot send emails to single people\. Ask an Admin for a link/],
])('Who has forgotten a password is told what becomes of it (email is possible: %s)', async (isPossible, said) => {
  const { user } = await openLogin({ 'POST /api/login/forgotten': { isPossible } })
  await user.click(screen.getByRole('button', { name: 'Forgot your password?' }))
  await user.click(screen.getByRole('button', { name: 'Send me a link' }))
  await screen.findByText('Username is required')
  fill(screen.getByLabelText('Username'), 'nobody')
  await user.click(screen.getByRole('button', { name: 'Send me a link' }))
  await within(screen.getByRole('form')).findByText(said)
  await user.click(screen.getByRole('button', { name: 'Back to sign-in' }))
  screen.getByLabelText('Password')
})

test('A link sets a new password, typed twice, which then signs in', async () => {
  const { user, address } = await openLogin(
    { 'POST /api/login/password-link': { isOpen: true }, 'POST /api/login/password': undefined },
    '/login#password=token',
  )
  fill(screen.getByLabelText('New password'), 'a password by a link')
  await user.click(screen.getByRole('button', { name: 'Save the new password' }))
  await screen.findByText('This is not the same password')
  fill(screen.getByLabelText('Confirm new password'), 'a password by a link')
  await user.click(screen.getByRole('button', { name: 'Save the new password' }))
  await screen.findByText('Your new password is saved. Sign in with it.')
  expect(requestsOf('POST /api/login/password')[0]?.body).toEqual({ token: 'token', password: 'a password by a link' })
  expect(address()).toBe('/login')
  screen.getByLabelText('Username')
})

test('An expired link shows so, with the way to a new one', async () => {
  const { user } = await openLogin({ 'POST /api/login/password-link': { isOpen: false } }, '/login#password=token')
  await alertSays('This link was used or has expired. Ask for a new one.')
  expect(screen.queryByLabelText('New password')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Ask for a new link' }))
  await screen.findByRole('heading', { name: 'Forgotten password' })
})

test('Drafts on this device that are older than 7 days are deleted', async () => {
  for (const days of [6, 8]) {
    const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()
    localStorage.setItem(
      `staff/${THANDI.id}/lead-${days}-note-draft`,
      JSON.stringify({ value: 'Half a no', id: 'one', savedAt: at }),
    )
  }
  await openLogin()
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([`staff/${THANDI.id}/lead-6-note-draft`]))
})
