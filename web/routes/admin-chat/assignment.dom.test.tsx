import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import {
  box,
  bubbles,
  button,
  entryOf,
  entrySays,
  isHeld,
  isShown,
  notice,
  openTestConsole,
  pane,
  rowOf,
  type TestChat,
  testChat,
} from '../../testing/console.tsx'
import { TestEventSource } from '../../testing/document.ts'
import { problem, requestsOf } from '../../testing/server.ts'

type Person = { id: string; displayName: string }

const ANELE = { id: 'a1c0b8a0-5f8f-4c2b-9d0e-3f1d5b1f4f11', displayName: 'Anele', photo: null }

const AT = '2026-11-18T08:40:00.000Z'

const byId = ({ id, displayName }: Person) => ({ staffId: id, name: displayName })

/** An assignment of a chat: consoles receive it, and the record of the chat holds it from then on. */
const assigned = (
  chat: TestChat,
  to: Person | null,
  { by = SIPHO, note = null }: { by?: Person; note?: string | null } = {},
): ServerFrame => {
  const version = (chat.assigned?.version ?? 0) + 1
  const change = { version, to: to && byId(to), by: byId(by), reason: 'choice', note, timestamp: AT } as const
  chat.assigned = { version, to: change.to, since: AT }
  chat.record = { ...chat.record, assignments: [change] }
  return { type: 'chat_assigned', sessionId: chat.session.sessionId, ...change }
}

const unassigned = (name: string) => {
  const chat = testChat(name)
  return {
    chat,
    path: `/api/chats/${chat.session.sessionId}/assign`,
    address: `/admin-chat?session=${chat.session.sessionId}`,
  }
}

const dialog = () => within(screen.getByText('Hand over this chat').closest('dialog') as HTMLElement)

const isClosed = () => waitFor(() => expect(screen.queryByText('Hand over this chat')).toBeNull())

test('A chat is taken, taken over, and let go, and a change in between is reported', async () => {
  const { chat, path, address } = unassigned('Race')
  let refusal: Response | undefined = problem(409, { detail: 'Sipho has this chat now' })
  const answer = () => refusal ?? { version: (chat.assigned?.version ?? 0) + 1 }
  const { user, tell } = await openTestConsole({ chats: [chat], address, answers: { [`POST ${path}`]: answer } })
  await isHeld('Unassigned')
  await user.click(button('Take chat'))
  await pane().findByText('Sipho has this chat now.')
  await tell(assigned(chat, SIPHO))
  await isHeld('Assigned to Sipho')
  await entrySays('Race', /Assigned to Sipho Began/)
  refusal = undefined
  await user.click(button('Take over'))
  await waitFor(() => expect(pane().queryByText('Sipho has this chat now.')).toBeNull())
  await tell(assigned(chat, THANDI, { by: THANDI }))
  await isHeld('Assigned to you')
  await entrySays('Race', /Assigned to you Began/)
  await user.click(button('Unassign'))
  await tell(assigned(chat, null, { by: THANDI }))
  await isHeld('Unassigned')
  await entrySays('Race', /RaceUnassigned/)
  await user.keyboard('{Alt>}t{/Alt}')
  await waitFor(() =>
    expect(requestsOf(`POST ${path}`).map(({ body }) => body)).toEqual([
      { to: THANDI.id, version: 0 },
      { to: THANDI.id, version: 1 },
      { to: null, version: 2 },
      { to: THANDI.id, version: 3 },
    ]),
  )
})

test('The colleagues who have a chat open are listed first in the handover', async () => {
  const { chat, address } = unassigned('Ready')
  const { sessionId } = chat.session
  const answers = { 'GET /api/staff': [ANELE, SIPHO, THANDI] }
  const { user, tell } = await openTestConsole({ chats: [chat], address, answers })
  const staff = [SIPHO, THANDI].map((person) => ({ ...byId(person), isTyping: false }))
  await tell({ type: 'presence', sessionId, staff, isVisitorAway: false })
  await pane().findByText('Sipho is looking at this chat')
  await user.keyboard('{Alt>}h{/Alt}')
  const options = [...dialog().getByLabelText<HTMLSelectElement>('To').options].map(({ text }) => text)
  expect(options.slice(1)).toEqual(['Sipho (at a chat now)', 'Anele', 'Thandi (you)'])
})

test('A note for a colleague is restored after a reload, and no longer once the chat is handed over', async () => {
  const { chat, path, address } = unassigned('Noted')
  const answers = { [`POST ${path}`]: { version: 1 } }
  const { user, tell, reload } = await openTestConsole({ chats: [chat], address, answers })
  await isHeld('Unassigned')
  await user.keyboard('{Alt>}h{/Alt}')
  await user.type(dialog().getByLabelText('Note'), 'They want a shop')
  await user.click(dialog().getByText('Cancel'))
  await isClosed()
  await reload()
  await isHeld('Unassigned')
  await user.keyboard('{Alt>}h{/Alt}')
  expect(dialog().getByLabelText<HTMLTextAreaElement>('Note').value).toBe('They want a shop')
  await user.click(dialog().getByText('Hand over'))
  await dialog().findByText('Choose a colleague')
  expect(requestsOf(`POST ${path}`)).toEqual([])
  await user.selectOptions(dialog().getByLabelText('To'), SIPHO.id)
  await user.click(dialog().getByText('Hand over'))
  await isClosed()
  expect(requestsOf(`POST ${path}`)[0]?.body).toEqual({ to: SIPHO.id, note: 'They want a shop', version: 0 })
  await tell(assigned(chat, SIPHO, { by: THANDI, note: 'They want a shop' }))
  await isHeld('Assigned to Sipho')
  await pane().findByText('They want a shop')
  pane().getByText(/^Note from you/)
  await user.keyboard('{Alt>}h{/Alt}')
  expect(dialog().getByLabelText<HTMLTextAreaElement>('Note').value).toBe('')
})

test('On a phone the note of a handover is shown at once, and folded after a reply', async () => {
  Object.assign(window, { innerWidth: 390 })
  const { chat, address } = unassigned('Promised')
  const { user, tell, reload } = await openTestConsole({ chats: [chat], address })
  await tell(assigned(chat, THANDI, { note: 'I promised 10 % off' }))
  const isOpen = async () => (await pane().findByText('I promised 10 % off')).closest('details')?.open
  await waitFor(async () => expect(await isOpen()).toBe(true))
  pane().getByText(/^Note from Sipho/)
  await user.type(await box(), 'Your 10 % are noted{Enter}')
  await waitFor(() => expect(bubbles()).toHaveLength(1))
  Object.assign(chat.messages[0] ?? {}, { timestamp: '2026-11-18T08:41:00.000Z' })
  await reload()
  await waitFor(async () => expect(await isOpen()).toBe(false))
  expect(screen.getByText('About this visitor').closest('summary')?.textContent).toBe(
    'About this visitor · Assigned to you, with a note',
  )
})

test('An owner who works alone sees how to add colleagues instead of the handover form', async () => {
  const { chat, address } = unassigned('Lonely')
  const { user } = await openTestConsole({ chats: [chat], address, answers: { 'GET /api/staff': [THANDI] } })
  await isHeld('Unassigned')
  await user.keyboard('{Alt>}h{/Alt}')
  dialog().getByText(/^You have no colleagues yet\./)
  expect(dialog().getByText('Settings').getAttribute('href')).toBe('/admin-settings/accounts')
  expect(dialog().queryByLabelText('To')).toBeNull()
  await user.click(dialog().getByText('Close'))
  await isClosed()
})

test('A chat that is handed over is announced once, with its note and a link, unless it is open', async () => {
  const [elsewhere, here] = [testChat('Elsewhere'), testChat('Here')]
  const { user, tell } = await openTestConsole({ chats: [elsewhere, here] })
  await user.click(await entryOf('Here'))
  await isShown('Here')
  await tell(assigned(here, THANDI))
  await notice().findByText('Sipho handed you a chat: Here')
  notice().getByText('You have it open.')
  expect(notice().queryByText('Open')).toBeNull()
  await isHeld('Assigned to you')
  await tell(assigned(elsewhere, THANDI, { note: 'They want a shop' }))
  await notice().findByText('Sipho handed you a chat: Elsewhere')
  notice().getByText('They want a shop')
  await user.click(notice().getByText('Open'))
  await isShown('Elsewhere')
  await waitFor(() => expect(notice().queryByText(/handed you a chat/)).toBeNull())
  // one's own changes, and those between others, are not announced
  await tell(assigned(here, null, { by: THANDI }), assigned(here, THANDI, { by: THANDI }), assigned(elsewhere, ANELE))
  await isHeld('Assigned to Anele')
  expect(notice().queryByText(/handed you a chat/)).toBeNull()
})

test('A chat that was handed over in the meantime is announced to a staff member who returns to the console', async () => {
  const away = testChat('Away')
  const { sessionId } = away.session
  const handed = [{ sessionId, visitorName: 'Away', from: 'Sipho', timestamp: AT }]
  const answers = { 'GET /api/chats/waiting': { count: 0, newest: [], handed } }
  const { user } = await openTestConsole({ chats: [away], answers })
  await notice().findByText('Sipho handed you a chat: Away')
  notice().getByText('It is in your list.')
  await user.click(notice().getByText('Open'))
  await isShown('Away')
})

test('A chat that is handed over is announced once to a staff member on another screen', async () => {
  const { chat } = unassigned('Elsewhere')
  const { sessionId } = chat.session
  const handed = [{ sessionId, visitorName: 'Elsewhere', from: 'Sipho', timestamp: AT }]
  const answers = { 'GET /api/chats/waiting': { count: 0, newest: [], handed }, 'GET /api/emails': [] }
  const { user, go, address } = await openTestConsole({
    chats: [chat],
    address: '/admin-email',
    answers,
    isConsole: false,
  })
  await screen.findByText('Sipho handed you a chat: Elsewhere')
  await user.click(notice().getByText('Open'))
  await isShown('Elsewhere')
  expect(address()).toBe(`/admin-chat?session=${sessionId}`)
  const asked = requestsOf('GET /api/chats/waiting').length
  await go('/admin-email')
  await waitFor(() => expect(requestsOf('GET /api/chats/waiting').length).toBeGreaterThan(asked))
  await screen.findByText('No emails yet')
  expect(notice().queryByText(/handed you a chat/)).toBeNull()
})

test('The chats of a removed colleague are unassigned, and then assigned to the staff member who replies', async () => {
  const { chat, address } = unassigned('Left behind')
  const answers = { 'GET /api/staff': [ANELE, SIPHO, THANDI] }
  const { tell } = await openTestConsole({ chats: [chat], address, answers })
  await tell(assigned(chat, ANELE, { by: ANELE }))
  await isHeld('Assigned to Anele')
  await entrySays('Left behind', 'Assigned to Anele')
  await tell({ type: 'colleague_removed', staffId: ANELE.id })
  chat.record = {
    ...chat.record,
    assignments: [{ version: 1, to: null, by: byId(ANELE), reason: 'choice', note: null, timestamp: AT }],
  }
  await isHeld('Unassigned')
  await entrySays('Left behind', 'Unassigned')
  await tell(assigned(chat, SIPHO, { by: SIPHO }))
  await isHeld('Assigned to Sipho')
  await entrySays('Left behind', 'Assigned to Sipho')
})

test('The list shows mine, unassigned or all, by key, in the address, and as it was left', async () => {
  const [alpha, beta] = [testChat('Alpha'), testChat('Beta')]
  assigned(alpha, THANDI, { by: THANDI })
  const { user, address, reload } = await openTestConsole({ chats: [alpha, beta] })
  const shown = () => ['Alpha', 'Beta'].filter((name) => rowOf(name))
  const shows = (...names: string[]) => waitFor(() => expect(shown()).toEqual(names))
  await shows('Alpha', 'Beta')
  await user.keyboard('{Alt>}u{/Alt}')
  await shows('Beta')
  expect(address()).toBe('/admin-chat?whose=unassigned')
  await user.keyboard('{Alt>}a{/Alt}')
  await shows('Alpha', 'Beta')
  await user.keyboard('{Alt>}m{/Alt}')
  await shows('Alpha')
  expect(button('Mine').getAttribute('aria-pressed')).toBe('true')
  await user.click(button('All'))
  await shows('Alpha', 'Beta')
  await user.click(button('Mine'))
  await shows('Alpha')
  expect(address()).toBe('/admin-chat?whose=mine')
  await reload('/admin-chat')
  expect(button('Mine').getAttribute('aria-pressed')).toBe('true')
  await shows('Alpha')
})

test('A colleague’s new name and photo show at once, and disappear with them', async () => {
  const chat = testChat('Renamed', { said: ['Hello', [SIPHO, 'Hello']] })
  assigned(chat, SIPHO)
  let sipho: { id: string; displayName: string; photo: string | null } = SIPHO
  await openTestConsole({
    chats: [chat],
    address: `/admin-chat?session=${chat.session.sessionId}`,
    answers: { 'GET /api/staff': () => [sipho, THANDI] },
  })
  await isHeld('Assigned to Sipho')
  await pane().findByText(/Support Team \(Sipho\)/)
  const changed = () => TestEventSource.opened.get('/api/leads/stream')?.dispatchEvent(new Event('staff'))
  sipho = { ...SIPHO, displayName: 'Sipho Dlamini', photo: `/api/staff/${SIPHO.id}/photo?1` }
  changed()
  await isHeld('Assigned to Sipho Dlamini')
  await pane().findByText(/Support Team \(Sipho Dlamini\)/)
  await entrySays('Renamed', 'Assigned to Sipho Dlamini')
  const photos = () => document.querySelectorAll('[aria-label=Conversation] img[src*="/photo?"]').length
  expect(photos()).toBe(1)
  sipho = SIPHO
  changed()
  await isHeld('Assigned to Sipho')
  await waitFor(() => expect(photos()).toBe(0))
})
