import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EmailServerState } from '../../../events/email/wire.ts'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { openScreen } from '../../testing/screen.tsx'
import { requestsOf, type Sent } from '../../testing/server.ts'

const SAVE = 'PUT /api/settings/email'
const STATE: EmailServerState = {
  source: 'none',
  from: 'hello@agency.example',
  isFromSet: false,
  hasService: false,
  lastSent: null,
  lastFailed: null,
  test: null,
}
const SERVER = { host: 'smtp.example.com', port: 587, username: 'site', hasPassword: true, from: null }

const open = (state: Partial<EmailServerState>, answers = {}) =>
  openScreen('/admin-settings/email', { 'GET /api/email-server': { ...STATE, ...state }, ...answers })

test('An owner sets the mail server; its password is on no device, and is not sent again if it stays', async () => {
  let emailServer: object | null = null
  let version = 0
  const { user } = await open(
    {},
    {
      'GET /api/settings': () => ({ ...DEFAULT_SETTINGS, version, emailServer }),
      [SAVE]: ({ body }: Sent) => {
        const { password: _, ...shown } = body as { password: string }
        emailServer = { ...shown, hasPassword: true }
        version += 1
        return { ...DEFAULT_SETTINGS, version, emailServer }
      },
    },
  )
  const form = within(await screen.findByRole('form', { name: 'Email' }))
  form.getByText('Not set.')
  expect(screen.queryByRole('button', { name: 'Send a test email' })).toBeNull()
  await user.type(form.getByLabelText('Host'), 'https://smtp.example.com')
  await user.clear(form.getByLabelText('Port'))
  await user.type(form.getByLabelText('Port'), '99999')
  await user.type(form.getByLabelText('User name'), 'site')
  await user.type(form.getByLabelText('Password'), 'open sesame')
  expect(Object.values(localStorage).join()).toContain('"username":"site"')
  expect(Object.values(localStorage).join()).not.toContain('sesame')
  await user.click(form.getByRole('button', { name: 'Save email server' }))
  await form.findByText('Enter the name of the server alone, such as smtp.example.com')
  await form.findByText('Enter at most 65535')
  await user.clear(form.getByLabelText('Host'))
  await user.type(form.getByLabelText('Host'), 'smtp.example.com')
  await user.clear(form.getByLabelText('Port'))
  await user.type(form.getByLabelText('Port'), '465')
  await user.click(form.getByRole('button', { name: 'Save email server' }))
  await form.findByText('Saved')
  await form.findByText('Set. Type another one to replace it.')
  expect((form.getByLabelText('Password') as HTMLInputElement).value).toBe('')
  await user.type(form.getByLabelText('Sender'), 'site@agency.example')
  await user.click(form.getByRole('button', { name: 'Save email server' }))
  await waitFor(() => expect(requestsOf(SAVE)).toHaveLength(2))
  const typed = { host: 'smtp.example.com', port: 465, username: 'site' }
  expect(requestsOf(SAVE).map(({ body }) => body)).toEqual([
    { ...typed, password: 'open sesame', from: null },
    { ...typed, password: null, from: 'site@agency.example' },
  ])
})

test('A test shows its way and its end in words', async () => {
  let result: EmailServerState['test'] = { state: 'waiting', answer: '' }
  const { user } = await open(
    { source: 'settings', lastFailed: { at: '2026-11-27T08:00:00.000Z', answer: 'No server has this name' } },
    {
      'GET /api/settings': { ...DEFAULT_SETTINGS, emailServer: SERVER },
      'POST /api/email-server/test': { id: 'e1', to: 'thandi@agency.example' },
      'GET /api/email-server?test=e1': () => ({ ...STATE, source: 'settings', test: result }),
    },
  )
  await screen.findByText(/: No server has this name$/)
  const button = await screen.findByRole('button', { name: 'Send a test email' })
  await user.click(button)
  await screen.findByText('On its way to thandi@agency.example...')
  result = { state: 'failed', answer: 'The server refused the user name or the password (535)' }
  await screen.findByText('Not sent. The server refused the user name or the password (535)')
  result = { state: 'sent', answer: '250 OK' }
  await user.click(button)
  await screen.findByText('Sent to thandi@agency.example. Look in its inbox, and among its spam.')
})

test('A variable wins: the screen names it, and has no fields', async () => {
  await open({ source: 'environment', from: 'site@agency.example', isFromSet: true })
  await screen.findByText(/^Set up in the environment, by SMTP_URL\./)
  await screen.findByText('site@agency.example, by EMAIL_FROM')
  screen.getByRole('button', { name: 'Send a test email' })
  expect(screen.queryByRole('form')).toBeNull()
})
