import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { SWRConfig } from 'swr'
import { expect, test } from 'vitest'
import type { ChatMessage, ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import { App } from '../../staff/shell/app.tsx'
import { QUIET } from '../../testing/answers.ts'
import { ayanda, idOf, type LeadApi, leadApi } from '../../testing/lead-api.ts'
import { type Answer, answerRequests, requestsOf } from '../../testing/server.ts'
import { WaitingLead } from './waiting-lead.tsx'

const SESSION = idOf(50)

const session: ChatSession = {
  sessionId: SESSION,
  visitorName: 'Ayanda',
  visitorEmail: 'ayanda@example.com',
  pageUrl: null,
  userAgent: null,
  isActive: true,
  startTime: new Date().toISOString(),
  endTime: null,
}

const recordOf = (more: Partial<ChatRecord> = {}): ChatRecord => ({
  session,
  endedBy: null,
  isErased: false,
  messages: [],
  hasEarlierMessages: false,
  pages: [],
  receipts: { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 0, seen: 0 } },
  leadId: null,
  transcripts: [],
  linkRevocations: [],
  assignments: [],
  rating: null,
  ...more,
})
const waits = (more: Partial<NonNullable<ChatRecord['waitingLead']>> = {}, id = idOf(1)) => ({
  waitingLead: { id, isMade: false, isByItself: false, isWritten: false, ...more },
})
const said = (timestamp: string): ChatMessage =>
  ({
    messageId: 'm',
    sequence: 1,
    senderType: 'admin',
    senderName: 'Sipho',
    message: 'We have it.',
    timestamp,
  }) as unknown as ChatMessage

type Shown = { record?: ChatRecord; messages?: ChatMessage[] }

const open = (api: LeadApi, first: Shown, answers: Record<string, Answer> = {}) => {
  answerRequests({ ...QUIET, ...api.answers, ...answers })
  let show = (_: Shown) => {}
  const told = { changes: 0, left: 0 }
  const Chat = () => {
    const [{ record, messages = [] }, setShown] = useState(first)
    show = setShown
    return (
      <WaitingLead
        session={session}
        messages={messages}
        record={record}
        onChange={() => {
          told.changes += 1
        }}
        onLeft={() => {
          told.left += 1
        }}
      />
    )
  }
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <App go={() => {}}>
        <MemoryRouter>
          <Chat />
        </MemoryRouter>
      </App>
    </SWRConfig>,
  )
  return { user: userEvent.setup({ document }), show: (next: Shown) => act(() => show(next)), told }
}
const head = () => screen.queryByRole('region', { name: 'Waiting lead' })
const count = () => screen.queryByRole('button', { name: 'Count your reply as the answer' })
const later = () => new Date(Date.now() + 1_000).toISOString()

test('The lead that waits under the address of a chat is named with its clock, and can be marked answered once staff wrote', async () => {
  const { show } = open(leadApi(), { record: recordOf(waits()) })
  const link = await screen.findByRole('link', { name: /^Ayanda Cele, Stoep & Co/ })
  expect(link.getAttribute('href')).toBe(`/admin-lead?id=${idOf(1)}`)
  await screen.findByText(/^Answer by /)
  expect(count()).toBeNull()
  const before = new Date(Date.now() - 3_600_000).toISOString()
  show({ record: recordOf(waits()), messages: [said(before)] })
  expect(count()).toBeNull()
  show({ record: recordOf(waits()), messages: [said(later())] })
  await waitFor(() => expect(count()).toBeTruthy())
})

test('Messages that staff wrote long ago can count as the reply though they are not loaded', async () => {
  open(leadApi(), { record: recordOf(waits({ isWritten: true })) })
  await waitFor(() => expect(count()).toBeTruthy())
})

test('If a message from staff answers the lead automatically there is nothing to mark', async () => {
  open(leadApi(), { record: recordOf(waits({ isMade: true, isByItself: true })), messages: [said(later())] })
  await screen.findByRole('link', { name: /^Ayanda Cele/ })
  expect(count()).toBeNull()
})

const answered = (api: LeadApi) => () => {
  api.lead = { ...api.lead, followUpStatus: 'contacted', answeredAt: later(), version: 2 }
  return new Response(JSON.stringify(api.lead), { headers: { 'event-id': 'counted' } })
}

test('A double click counts a reply once, which can be undone, and the chat’s messages stay', async () => {
  const api = leadApi()
  const held = Promise.withResolvers<void>()
  const { user, told } = open(
    api,
    { record: recordOf(waits({ isWritten: true })) },
    { 'POST /api/leads/*/chat-answers': () => held.promise.then(answered(api)) },
  )
  await waitFor(() => expect(count()).toBeTruthy())
  await user.dblClick(count() ?? expect.fail())
  held.resolve()
  await screen.findByText(/^Counted as the answer/)
  await waitFor(() => expect(head()).toBeNull())
  // the focus moves elsewhere in the chat
  expect(told.left).toBe(1)
  expect(screen.queryByText('This was not counted')).toBeNull()
  expect(requestsOf(`POST /api/leads/${idOf(1)}/chat-answers`).map(({ body }) => body)).toEqual([
    { sessionId: SESSION },
  ])
  const changes = told.changes
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText(/^Your messages stay in the chat\./)
  expect(requestsOf(`POST /api/leads/${idOf(1)}/undo`)[0]?.body).toEqual({ eventId: 'counted' })
  expect(told.changes).toBe(changes + 1)
})

test('A lead that a colleague answers disappears, and after an undo it returns, live', async () => {
  const api = leadApi()
  const { told } = open(api, { record: recordOf(waits({ isWritten: true })) })
  await waitFor(() => expect(head()).toBeTruthy())
  api.change({ followUpStatus: 'contacted' })
  await waitFor(() => expect(head()).toBeNull())
  expect(told.changes).toBeGreaterThan(0)
  api.change({ followUpStatus: 'new' })
  await waitFor(() => expect(head()).toBeTruthy())
})

test('A lead that comes while the chat is open makes the console fetch the chat again', async () => {
  const api = leadApi()
  const { told } = open(api, { record: recordOf() })
  await waitFor(() => expect(told.changes).toBe(0))
  api.tell(ayanda({ id: idOf(3), email: 'Ayanda@Example.com' }))
  await waitFor(() => expect(told.changes).toBe(1))
})

test('The head of a chat links to the lead that is created from it, and names another one as such', async () => {
  const api = leadApi(ayanda({ name: 'Thabo Before', businessName: null }), {
    leads: [ayanda({ id: idOf(2), name: 'Thabo Made', businessName: null })],
    timeline: [],
  })
  const { show } = open(api, { record: recordOf(waits()) })
  const named = (words: string) => waitFor(() => expect(head()?.textContent).toContain(words))
  await named('Lead: Thabo Before')
  show({ record: recordOf({ leadId: idOf(2), ...waits({ isMade: true, isByItself: true }, idOf(2)) }) })
  await named('Lead: Thabo Made')
  show({ record: recordOf({ leadId: idOf(2), ...waits() }) })
  await named('Another lead: Thabo Before')
  within(head() ?? expect.fail()).getByRole('link', { name: 'Thabo Before' })
})
