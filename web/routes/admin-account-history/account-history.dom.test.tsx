import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AccountEntry } from '../../../events/staff/account-history-wire.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import { openScreen } from '../../testing/screen.tsx'
import { problem, requestsOf } from '../../testing/server.ts'

const person = ({ id, displayName }: typeof THANDI | typeof SIPHO) => ({ id, displayName })
const FIREFOX = { network: '203.0.x.x', browser: 'Firefox', system: 'Windows', isHere: false }

const entry = (id: string, made: Partial<AccountEntry>): AccountEntry => ({
  id,
  type: 'StaffSignedIn',
  timestamp: '2026-01-05T08:00:00.000Z',
  account: person(THANDI),
  by: null,
  from: null,
  data: { isKnownDevice: true },
  ...made,
})

const shown = (text: string) =>
  within(
    screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(text)) ??
      expect.fail(`No entry "${text}"`),
  )

test('Shows the actor, action and origin of each entry, page by page', async () => {
  const older = '/api/accounts/history?before=2'
  const { user } = await openScreen('/admin-account-history', {
    'GET /api/accounts/history': () =>
      Response.json(
        [
          entry('3', { type: 'StaffSignInFailed', from: FIREFOX }),
          entry('2', { account: person(SIPHO), from: FIREFOX, data: { isKnownDevice: false } }),
        ],
        { headers: { link: `<${older}>; rel="next"` } },
      ),
    [`GET ${older}`]: [
      entry('1', { type: 'StaffAccountAdded', account: person(SIPHO), by: person(THANDI), data: { role: 'agent' } }),
    ],
  })
  await screen.findByText('A wrong password for Thandi')
  shown('A wrong password for Thandi').getByText('Firefox on Windows, from 203.0.x.x')
  shown('Sipho signed in').getByText('First time on this device')
  const tabs = within(screen.getByRole('navigation', { name: 'Settings' }))
  expect(tabs.getByText('Sign-ins').getAttribute('aria-current')).toBe('page')
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await screen.findByText('Thandi added Sipho as a Member')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('New entries show by themselves', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'], shouldAdvanceTime: true })
  let entries = [entry('1', {})]
  await openScreen('/admin-account-history', { 'GET /api/accounts/history': () => entries })
  await screen.findByText('Thandi signed in')
  entries = [entry('2', { type: 'StaffSignInFailed', from: FIREFOX }), ...entries]
  await vi.advanceTimersByTimeAsync(5_000)
  await screen.findByText('A wrong password for Thandi')
})

test('An entry of a type that only a newer node knows has its name', async () => {
  const newer = entry('1', { type: 'BrandNew' as AccountEntry['type'] })
  await openScreen('/admin-account-history', { 'GET /api/accounts/history': [newer] })
  await screen.findByText('Brand new: Thandi')
})

test('An agent finds no link to it, and is refused with a reason', async () => {
  await openScreen('/admin-account-history', {
    'GET /api/me': { ...THANDI, role: 'agent' },
    'GET /api/accounts/history': problem(403, { detail: 'Only an admin may do this' }),
  })
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain('Only an admin may do this.'),
  )
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  const tabs = within(screen.getByRole('navigation', { name: 'Settings' }))
  expect(tabs.queryByRole('link', { name: /^Sign-ins/ })).toBeNull()
  tabs.getByRole('link', { name: 'API' })
  expect(requestsOf('GET /api/accounts/history')).toHaveLength(1)
})
