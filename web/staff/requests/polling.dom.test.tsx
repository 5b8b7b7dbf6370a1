import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useImports } from '../../routes/admin-import/imports.ts'
import { QUIET } from '../../testing/answers.ts'
import { openPart, openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../testing/server.ts'
import { useSettings } from '../settings/settings.ts'

const TIMERS = ['setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'] as const

beforeEach(() => void vi.useFakeTimers({ toFake: [...TIMERS], shouldAdvanceTime: true }))

/** Responses of an API that fails as long as `isDown`. */
const shaky = (answers: Record<string, Answer>) => {
  const api = { isDown: false }
  const answered = Object.entries(answers).map(([call, answer]) => [call, () => (api.isDown ? problem(503) : answer)])
  return { api, answers: Object.fromEntries(answered) as Record<string, Answer> }
}

const later = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

const POLLED = [
  'GET /api/chats/waiting',
  'GET /api/leads/waiting',
  'GET /api/emails',
  'GET /api/emails/summary',
  'GET /api/webhooks',
]

test('badges, banners and a list continue polling after a failure', async () => {
  const asked = Object.fromEntries(POLLED.map((call) => [call, QUIET[call] ?? []]))
  const { api, answers } = shaky(asked)
  await openScreen('/admin-email', answers)
  await screen.findByText('No emails yet')
  api.isDown = true
  await later(61_000)
  await screen.findByText('Error loading emails')
  api.isDown = false
  const before = POLLED.map((call) => requestsOf(call).length)
  await later(61_000)
  for (const [index, call] of POLLED.entries())
    expect(requestsOf(call).length, call).toBeGreaterThan(before[index] ?? 0)
  await waitFor(() => expect(screen.queryByText('Error loading emails')).toBeNull())
})

const Version = () => <p>Version {useSettings().data?.version}</p>

const Polling = () => {
  useImports()
  return (
    <>
      <Version />
      <Version />
    </>
  )
}

test('failing data is fetched once per interval, however many parts show it, and then shows the new state', async () => {
  const settings = { ...(QUIET['GET /api/settings'] as object), version: 1 }
  const { api, answers } = shaky({ 'GET /api/settings': settings, 'GET /api/imports': [] })
  openPart(<Polling />, answers)
  await waitFor(() => expect(screen.getAllByText('Version 1')).toHaveLength(2))
  api.isDown = true
  await later(31_000)
  const before = [requestsOf('GET /api/settings').length, requestsOf('GET /api/imports').length]
  await later(120_000)
  expect([requestsOf('GET /api/settings').length, requestsOf('GET /api/imports').length]).toEqual(
    before.map((count) => count + 4),
  )
  api.isDown = false
  settings.version = 2
  await later(31_000)
  expect(screen.getAllByText('Version 2')).toHaveLength(2)
})

test('a response that takes longer than the interval is shown, and no other request is under way', async () => {
  const api = { isDown: false, underWay: 0, most: 0 }
  const slowly = async () => {
    if (!api.isDown) return QUIET['GET /api/settings']
    api.underWay += 1
    api.most = Math.max(api.most, api.underWay)
    await new Promise((resolve) => setTimeout(resolve, 70_000))
    api.underWay -= 1
    return api.most > 0 && requestsOf('GET /api/settings').length > 3
      ? { ...(QUIET['GET /api/settings'] as object), version: 7 }
      : problem(503)
  }
  openPart(<Version />, { 'GET /api/settings': slowly })
  await waitFor(() => expect(screen.getByText('Version 0')).toBeTruthy())
  api.isDown = true
  await later(400_000)
  expect(api.most).toBe(1)
  await screen.findByText('Version 7')
})
