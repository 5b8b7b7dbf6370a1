import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { THANDI } from '../../testing/answers.ts'
import { fill, textsOf } from '../../testing/fields.ts'
import { openPart, openScreen } from '../../testing/screen.tsx'
import { type Answer, requestsOf } from '../../testing/server.ts'
import { TwoFactorSection } from './two-factor.tsx'

const SECRET = 'JBSWY3DPEHPK3PXP'
const CODES = Array.from({ length: 10 }, (_, index) => `abcd-efgh-${1000 + index}`)

/** A server that stores whether the second factor is on. */
const twoFactorServer = (isOn = false) => {
  let state = { isOn, codesLeft: isOn ? 10 : 0, isRequired: false }
  return {
    'GET /api/me/two-factor': () => state,
    'POST /api/me/two-factor/secret': { secret: SECRET, uri: `otpauth://totp/agency:thandi?secret=${SECRET}` },
    'POST /api/me/two-factor': () => {
      state = { ...state, isOn: true, codesLeft: 10 }
      return { codes: CODES }
    },
    'POST /api/me/two-factor/codes': { codes: CODES },
    'POST /api/me/two-factor/off': () => {
      state = { ...state, isOn: false, codesLeft: 0 }
    },
  } satisfies Record<string, Answer>
}

const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id

test('It is set up with a QR code and a first code, and shows ten recovery codes, which take the focus', async () => {
  const { user } = openPart(<TwoFactorSection />, twoFactorServer())
  await screen.findByText('It is off. Your password alone signs you in.')
  await user.click(screen.getByRole('button', { name: 'Set up two-factor sign-in' }))
  await screen.findByRole('img', { name: 'QR code for an authenticator app' })
  expect(focused()).toBe('Set up two-factor sign-in')
  screen.getByText('jbsw y3dp ehpk 3pxp')
  const form = within(screen.getByRole('form'))
  await user.click(form.getByText('Turn on'))
  await form.findByText('A code is required')
  fill(form.getByLabelText('Code'), '123456')
  await user.click(form.getByText('Turn on'))
  const codes = await screen.findByLabelText('Recovery codes')
  expect(textsOf(within(codes).getAllByRole('listitem'))).toEqual(CODES)
  expect(focused()).toBe('Recovery codes')
  expect(requestsOf('POST /api/me/two-factor')[0]?.body).toEqual({
    secret: SECRET,
    code: '123456',
  })
  await user.click(screen.getByText('I have saved them'))
  await screen.findByText('It is on. 10 recovery codes are left.')
  expect(focused()).toBe('two-factor-title')
})

test('Leaving before the recovery codes are stored asks first', async () => {
  const { user, go, address } = await openScreen('/admin-account', {
    ...twoFactorServer(true),
    'GET /api/me/sessions': [],
  })
  await user.click(await screen.findByText('New recovery codes'))
  const form = within(screen.getByLabelText('Make new codes', { selector: 'form' }))
  form.getByText('The old recovery codes stop working at once.')
  await user.click(form.getByText('Make new codes'))
  await screen.findByLabelText('Recovery codes')
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await waitFor(() => expect(asks()).toBe(true))
  go('/admin-email')
  const question = within(await screen.findByRole('dialog', { name: 'Leave without your recovery codes?' }))
  question.getByText(/^They are not shown again\./)
  await user.click(question.getByText('Stay here'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/admin-account')
  expect(within(screen.getByLabelText('Recovery codes')).getAllByRole('listitem')).toHaveLength(10)
  await user.click(screen.getByText('I have saved them'))
})

test('It is turned off by a second press, next to its consequences', async () => {
  const { user } = openPart(<TwoFactorSection />, twoFactorServer(true))
  await user.click(await screen.findByText('Turn off'))
  const form = within(screen.getByRole('form'))
  form.getByText('Your password alone signs you in then.')
  await user.click(form.getByText('Turn off two-factor sign-in'))
  await screen.findByText('It is off. Your password alone signs you in.')
  expect(requestsOf('POST /api/me/two-factor/off')).toHaveLength(1)
})

test('If owners require it, nothing else is shown before it is set up', async () => {
  await openScreen('/admin-email', {
    ...twoFactorServer(),
    'GET /api/me': { ...THANDI, role: 'agent', mustSetUpTwoFactor: true },
  })
  await screen.findByRole('heading', { level: 1, name: 'Set up two-factor sign-in' })
  await screen.findByText('It is off. Your password alone signs you in.')
  expect(screen.queryByRole('navigation', { name: 'Staff' })).toBeNull()
  expect(new Set(requestsOf().map(({ path }) => path))).toEqual(new Set(['/api/me', '/api/me/two-factor']))
})
