import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ALERTS } from '../../../events/staff/staff.ts'
import type { AlertSettings, Session } from '../../../events/staff/wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { fill, isChecked, textsOf, valueIn } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'

const CURRENT = 'the current password'
const NEXT = 'a password that is new'

const SETTINGS: AlertSettings = { email: null, alerts: [...ALERTS], isPossible: true }

const session = (id: string, isThis = false): Session => ({
  id,
  begunAt: '2026-01-05T08:00:00.000Z',
  from: { network: '203.0.x.x', browser: 'Chrome', system: 'Linux', isHere: isThis },
  isThis,
})

/** Opens the signed-in account's own screen; the server stores the profile and the alerts. */
const openAccount = async (answers: Record<string, Answer> = {}) => {
  let me: object = { ...THANDI, displayName: THANDI.username }
  let alerts = SETTINGS
  const opened = await openScreen('/admin-account', {
    'GET /api/me': () => me,
    'POST /api/me/profile': ({ body }: Sent) => {
      me = { ...me, ...(body as object) }
      return me
    },
    'GET /api/me/alerts': () => alerts,
    'POST /api/me/alerts': ({ body }: Sent) => {
      alerts = { ...alerts, ...(body as AlertSettings) }
    },
    'GET /api/me/sessions': [session('this', true)],
    'GET /api/me/two-factor': { isOn: false, codesLeft: 0, isRequired: false },
    ...answers,
  })
  await screen.findByLabelText('Your email address')
  return opened
}

const form = (name: string) => within(screen.getByLabelText(name, { selector: 'form' }))

test('Shows the signed-in account', async () => {
  await openAccount()
  expect(textsOf(screen.getAllByRole('definition'))).toEqual(['thandi', 'Admin'])
  expect(valueIn(form('Profile').getByLabelText('Name'))).toBe('thandi')
  form('Profile').getByText(/^This is your username, which customers do not see/)
})

test('The profile form sends only the changes, and repeats the purpose of the name', async () => {
  const { user } = await openAccount()
  const profile = form('Profile')
  fill(profile.getByLabelText('Name'), 'Thandi Nkosi')
  await user.click(profile.getByText('Save profile'))
  await profile.findByText('Saved. Your colleagues see it now.')
  expect(requestsOf('POST /api/me/profile')[0]?.body).toEqual({ displayName: 'Thandi Nkosi' })
  profile.getByText(
    'Colleagues see it, and so do people you email or write to on WhatsApp. The chat does not show it to visitors.',
  )
})

test('A file that is not a picture is refused with a reason, until another change is saved', async () => {
  const { user } = await openAccount()
  const profile = form('Profile')
  const saved = 'Saved. Your colleagues see it now.'
  fill(profile.getByLabelText('Name'), 'Thandi Nkosi')
  await user.click(profile.getByText('Save profile'))
  await profile.findByText(saved)
  await user.upload(profile.getByLabelText('Photo'), new File(['no picture'], 'me.png', { type: 'image/png' }))
  await profile.findByText('Your browser can’t read this file as a picture')
  expect(profile.queryByText(saved)).toBeNull()
  fill(profile.getByLabelText('Name'), 'Named Again')
  await user.click(profile.getByText('Save profile'))
  await profile.findByText(saved)
  expect(profile.queryByText('Your browser can’t read this file as a picture')).toBeNull()
})

test('An invalid password shows an error at its field', async () => {
  const wrong = { errors: [{ path: 'current', message: 'This is not your current password' }] }
  const { user } = await openAccount({ 'POST /api/me/password': problem(422, wrong) })
  const password = form('Your password')
  for (const [current, next, repeat, message] of [
    ['', NEXT, NEXT, 'Password is required'],
    [CURRENT, 'short', 'short', 'Must be at least 8 characters'],
    [CURRENT, CURRENT, CURRENT, 'Choose a different password'],
    [CURRENT, NEXT, 'a password that is knew', 'This is not the same password'],
    ['not the password', NEXT, NEXT, 'This is not your current password'],
  ] as const) {
    fill(password.getByLabelText('Current password'), current)
    fill(password.getByLabelText('New password'), next)
    fill(password.getByLabelText('Confirm new password'), repeat)
    await user.click(password.getByRole('button', { name: 'Change password' }))
    await password.findByText(message)
  }
  expect(password.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true')
})

test('A password is changed once, and its fields are then empty', async () => {
  const held = Promise.withResolvers<undefined>()
  const { user } = await openAccount({ 'POST /api/me/password': () => held.promise })
  const password = form('Your password')
  const fields = [...document.querySelectorAll('[aria-label="Your password"] input')]
  expect(fields.map((field) => field.getAttribute('autocomplete'))).toEqual([
    'username',
    'current-password',
    'new-password',
    'new-password',
  ])
  fill(password.getByLabelText('Current password'), CURRENT)
  fill(password.getByLabelText('New password'), NEXT)
  fill(password.getByLabelText('Confirm new password'), NEXT)
  await user.dblClick(password.getByRole('button', { name: 'Change password' }))
  held.resolve(undefined)
  await password.findByText('Your password is changed. Everywhere else you have been signed out.')
  expect(requestsOf('POST /api/me/password').map(({ body }) => body)).toEqual([{ current: CURRENT, next: NEXT }])
  await waitFor(() => expect(valueIn(password.getByLabelText('Current password'))).toBe(''))
})

test('Sets the address and the kinds of emails about leads; a reload shows them', async () => {
  const { user, close } = await openAccount()
  const told = form('Notifications')
  const save = () => user.click(told.getByText('Save'))
  fill(told.getByLabelText('Your email address'), 'not an address')
  await save()
  await told.findByText('Enter a valid email address')
  fill(told.getByLabelText('Your email address'), ' thandi@agency.example ')
  await user.click(told.getByLabelText('A new lead comes in: Email'))
  await user.click(told.getByLabelText('A visitor waits in a chat: Devices'))
  await save()
  await told.findByText('Saved. You get emails about leads from now on.')
  const chosen = { alerts: ALERTS.filter((alert) => alert !== 'new-email' && alert !== 'chat-device') }
  expect(requestsOf('POST /api/me/alerts').at(-1)?.body).toEqual({
    ...chosen,
    email: 'thandi@agency.example',
  })
  fill(told.getByLabelText('Your email address'), '')
  await save()
  await told.findByText('Saved. You get no emails about leads.')
  close()

  await openAccount({ 'GET /api/me/alerts': { ...SETTINGS, ...chosen, email: 'thandi@agency.example' } })
  const again = form('Notifications')
  expect(valueIn(again.getByLabelText('Your email address'))).toBe('thandi@agency.example')
  const unticked = again.getAllByRole('checkbox').filter((box) => !isChecked(box))
  expect(unticked.map((box) => box.getAttribute('aria-label'))).toEqual([
    'A new lead comes in: Email',
    'A visitor waits in a chat: Devices',
  ])
  expect(again.getAllByRole('checkbox')).toHaveLength(ALERTS.length)
  expect(again.getAllByRole('row').map((row) => row.querySelectorAll('input').length)).toEqual([0, 3, 2, 2, 1, 1, 1])
})

test('Typed text stays in its form while there is no network, and is saved afterwards', async () => {
  let isOffline = true
  const { user } = await openAccount({
    'POST /api/me/alerts': () => {
      if (isOffline) throw new TypeError('Failed to fetch')
    },
  })
  Object.defineProperty(navigator, 'onLine', { get: () => !isOffline, configurable: true })
  const told = form('Notifications')
  fill(told.getByLabelText('Your email address'), 'me@agency.example')
  await user.click(told.getByText('Save'))
  await told.findByText('You are offline. Try again once you are connected.')
  expect(valueIn(told.getByLabelText('Your email address'))).toBe('me@agency.example')
  isOffline = false
  await user.click(told.getByText('Save'))
  await told.findByText('Saved. You get emails about leads from now on.')
  expect(told.queryByText(/^You are offline/)).toBeNull()
  Reflect.deleteProperty(navigator, 'onLine')
})

test('A session that was begun elsewhere is shown, and ended once', async () => {
  let sessions = [session('this', true), session('other'), session('another')]
  const held = Promise.withResolvers<void>()
  const { user } = await openAccount({
    'GET /api/me/sessions': () => sessions,
    'DELETE /api/me/sessions/*': async ({ path }: Sent) => {
      await held.promise
      sessions = sessions.filter(({ id }) => !path.endsWith(`/${id}`))
    },
  })
  const rows = () => screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Signed in'))
  const [own] = rows()
  within(own ?? expect.fail()).getByText('This browser')
  within(own ?? expect.fail()).getByText('Chrome on Linux')
  const buttons = () => screen.getAllByRole('button', { name: /^End session: Chrome on Linux, signed in on 5 January/ })
  expect(buttons()).toHaveLength(2)
  await user.dblClick(buttons()[0] ?? expect.fail())
  held.resolve()
  await waitFor(() => expect(buttons()).toHaveLength(1))
  expect(requestsOf('DELETE /api/me/sessions/other')).toHaveLength(1)
  expect(rows()).toHaveLength(2)
})
