import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { THANDI } from '../../testing/answers.ts'
import { testLead } from '../../testing/lead.ts'
import { openScreen } from '../../testing/screen.tsx'
import { problem, requestsOf } from '../../testing/server.ts'

const EMAILS = { 'GET /api/emails': [] }

const linkOf = async (name: string) =>
  within(await screen.findByRole('navigation', { name: 'Staff' })).findByRole('link', { name })

test('A newly opened screen has a title of its own, and takes the focus', async () => {
  const { user } = await openScreen('/admin-email', { ...EMAILS, 'GET /api/overview': problem(503) })
  await screen.findByText('No emails yet')
  await waitFor(() => expect(document.title).toMatch(/^Email log \| ./))
  expect(document.activeElement?.id).not.toBe('content')
  await user.click(await linkOf('Overview'))
  await waitFor(() => expect(document.title).toMatch(/^Overview \| ./))
  expect(document.activeElement?.id).toBe('content')
})

test('A screen without an entry is marked at the one that leads to it', async () => {
  const { go } = await openScreen('/admin-email', { ...EMAILS, 'GET /api/imports': [] })
  const marked = async () => {
    const nav = within(await screen.findByRole('navigation', { name: 'Staff' }))
    return nav.getAllByRole('link').flatMap((link) => ('within' in link.dataset ? [link.textContent] : []))
  }
  await waitFor(async () => expect(await marked()).toEqual(['Settings']))
  await go('/admin-import')
  await waitFor(async () => expect(await marked()).toEqual(['Leads']))
})

test('Badges count overdue leads in red, waiting leads, chats and emails', async () => {
  await openScreen('/admin-email', {
    ...EMAILS,
    'GET /api/leads/waiting': { count: 3, overdue: 1, newest: [] },
    'GET /api/chats/waiting': { count: 120, newest: [], handed: [] },
  })
  await screen.findByText('No emails yet')
  expect((await linkOf('Leads 3 waiting')).textContent).toContain('3')
  await linkOf('Today 1 overdue')
  await linkOf('Chat 99+ waiting')
})

test('A new lead shows next to the link and in the title, until Today or the dashboard is in sight', async () => {
  const newest = [{ id: '2a3b1c60-66bb-4d0c-9d0e-70b7b1bbf001', timestamp: '2026-01-05T08:00:00.000Z' }]
  let waiting: object = { count: 0, overdue: 0, newest: [] }
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'], shouldAdvanceTime: true })
  await openScreen('/admin-email', {
    ...EMAILS,
    'GET /api/leads/waiting': () => waiting,
    'GET /api/leads/*': testLead({ name: 'Thandi Nkosi' }),
  })
  await screen.findByText('No emails yet')
  await waitFor(() => expect(requestsOf('GET /api/leads/waiting').length).toBeGreaterThan(0))
  expect((await linkOf('Leads')).textContent).toBe('Leads')
  waiting = { count: 1, overdue: 0, newest }
  await vi.advanceTimersByTimeAsync(10_000)
  await linkOf('Leads 1 waiting')
  await waitFor(() => expect(document.title).toMatch(/^\(1\) Email log/))
})

test('The frame shows before the signed-in account is known, requests nothing, and offers to try again', async () => {
  const held = Promise.withResolvers<typeof THANDI>()
  let asked = 0
  const { user } = await openScreen('/admin-email', {
    ...EMAILS,
    'GET /api/me': () => {
      asked += 1
      return asked === 1 ? held.promise : THANDI
    },
  })
  await linkOf('Leads')
  screen.getByRole('heading', { name: 'Loading...' })
  await screen.findByText('The server takes longer than usual to say who is signed in.')
  expect(requestsOf().map(({ path }) => path)).toEqual(['/api/me'])
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('No emails yet')
  held.resolve(THANDI)
})

test('A theme is chosen for this device, and the choice of the system restored', async () => {
  const { user } = await openScreen('/admin-email', EMAILS)
  await screen.findByText('No emails yet')
  const theme = () => document.documentElement.dataset.theme
  await user.click(screen.getByRole('button', { name: 'Account: Thandi' }))
  const choose = (name: string) => user.click(screen.getByRole('button', { name }))
  expect(theme()).toBeUndefined()
  await choose('Dark')
  expect(theme()).toBe('dark')
  expect(localStorage.getItem('staff-theme')).toBe('"dark"')
  await choose('As the system')
  expect(theme()).toBeUndefined()
  expect(localStorage.getItem('staff-theme')).toBeNull()
})

test('Arrow keys go through the entries of an open menu, which closes as the focus leaves it', async () => {
  const { user } = await openScreen('/admin-email', EMAILS)
  await screen.findByText('No emails yet')
  const opener = screen.getByRole('button', { name: 'Account: Thandi' })
  const focused = () => document.activeElement?.textContent
  await user.click(opener)
  const entries = within(opener.nextElementSibling as HTMLElement)
  const signOut = entries.getByRole('button', { name: 'Sign out' })
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Your account: Thandi')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('As the system')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(document.activeElement).toBe(signOut)
  await user.tab()
  expect(opener.nextElementSibling?.hasAttribute('data-shown')).toBe(false)
})
