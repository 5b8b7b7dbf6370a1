import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { mutate } from 'swr'
import { expect, test, vi } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { ayanda, entryOf, holdBack, idOf, leadApi, openLead } from '../../testing/lead-api.ts'
import type { TestScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'

const SCREENS = { 'GET /api/emails': [] }

const open = (api: ReturnType<typeof leadApi>, answers: Record<string, Answer> = {}) =>
  openLead(api, { ...SCREENS, ...answers })
const reload = async (...opened: Parameters<typeof open>) => {
  cleanup()
  await mutate(() => true, undefined, { revalidate: false })
  return await open(...opened)
}
const call = async ({ user }: TestScreen) => {
  const panel = within(await screen.findByRole('region', { name: 'Answer' }))
  await user.click(await panel.findByRole('link', { name: /^Call / }))
}
const asked = async (name = 'Ayanda Cele') =>
  within(await screen.findByRole('region', { name: `Did you reach ${name}?` }))
const isAsked = (name = 'Ayanda Cele') => screen.queryByRole('region', { name: `Did you reach ${name}?` }) !== null
const say = async ({ user }: TestScreen, words: string, name?: string) =>
  await user.click((await asked(name)).getByRole('button', { name: words }))
const noted = (id = idOf(1)) => requestsOf(`POST /api/leads/${id}/contacts`).map(({ body }) => body)
const kept = () => Object.keys(localStorage).filter((key) => key.endsWith('-contact-draft'))

test('What came of a call is asked on other screens and after a reload, and is noted once by a double click', async () => {
  const api = leadApi()
  const shown = await open(api)
  await call(shown)
  ;(await asked()).getByText(/^You called 082 700 1001, \d\d:\d\d\. Only an answer that reached them stops the clock\./)
  await shown.go('/admin-email')
  await asked()
  const { answers, letGo } = holdBack(api, 'POST /api/leads/*/contacts')
  const again = await reload(api, answers)
  const yes = (await asked()).getByRole('button', { name: 'Yes, we spoke' })
  await again.user.dblClick(yes)
  letGo()
  await screen.findByText(/^Call noted/)
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(noted()).toEqual([{ channel: 'call', text: null }])
})

test('Two calls are asked about, the last one first, and lead to their leads', async () => {
  const second = ayanda({ id: idOf(2), name: 'Second Sam' })
  const api = leadApi(ayanda(), { leads: [second], timeline: [entryOf('lead')] })
  const shown = await open(api)
  await call(shown)
  await asked()
  await shown.go(`/admin-lead?id=${idOf(2)}`)
  await screen.findByRole('heading', { level: 1, name: /^Second Sam/ })
  await call(shown)
  await (await asked('Second Sam')).findByText(/ 1 more to say after this\.$/)
  await say(shown, 'No answer', 'Second Sam')
  await shown.user.click((await asked()).getByRole('link', { name: 'Ayanda Cele' }))
  await waitFor(() => expect(shown.address()).toBe(`/admin-lead?id=${idOf(1)}`))
  await say(shown, 'Yes, we spoke')
  await screen.findByText(/^Call noted/)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })))
  expect([noted(idOf(1)), noted(idOf(2))]).toEqual([
    [{ channel: 'call', text: null }],
    [{ channel: 'call', text: null, isReached: false }],
  ])
})

test('Who owned the lead before is not told that they own it now', async () => {
  const shown = await open(leadApi(ayanda({ ownerId: '1128067a-94c7-4735-a125-0643e2a557f7' })))
  await call(shown)
  await say(shown, 'Yes, we spoke')
  await screen.findByText(/^Call noted/)
  expect(screen.queryByText(/You now own this lead/)).toBeNull()
})

test('A message after a call that nobody took is asked about beside it, and both are noted', async () => {
  const shown = await open(leadApi())
  await call(shown)
  await shown.user.click(screen.getByRole('link', { name: 'WhatsApp (new tab)' }))
  const message = within(await screen.findByRole('region', { name: 'Did you send Ayanda Cele the message?' }))
  message.getByText(/^WhatsApp opened for 082 700 1001, .* 1 more to say after this\.$/)
  await shown.user.click(message.getByRole('button', { name: 'Yes, I sent it' }))
  await say(shown, 'No answer')
  await screen.findByText(/^No answer noted/)
  expect(noted()).toMatchObject([{ channel: 'whatsapp' }, { channel: 'call', isReached: false }])
})

test.each<[string, (lead: Lead) => unknown]>([
  ['was erased', (lead) => ({ ...lead, name: 'Erased', email: '', phone: '' })],
  ['is there no more', () => problem(404)],
])('A call to somebody who %s is asked about no more, and nothing of them is left on the device', async (_, then) => {
  const api = leadApi()
  const shown = await open(api)
  await call(shown)
  await asked()
  expect(kept()).toHaveLength(1)
  expect(JSON.stringify(localStorage)).not.toContain(api.lead.email)
  cleanup()
  await mutate(() => true, undefined, { revalidate: false })
  await open(api, { 'GET /api/leads/*': () => then(api.lead), 'GET /api/leads/*/person': problem(404) })
  await waitFor(() => expect(kept()).toEqual([]))
  expect(isAsked()).toBe(false)
})

test('A call about a lead that is merged meanwhile is noted on the one that stays', async () => {
  const api = leadApi(ayanda(), { leads: [ayanda({ id: idOf(2), name: 'Staying Stan' })], timeline: [] })
  const shown = await open(api)
  await call(shown)
  await asked()
  api.lead = { ...api.lead, mergedInto: idOf(2) }
  const again = await reload(api)
  await say(again, 'Yes, we spoke', 'Staying Stan')
  await screen.findByText(/^Call noted/)
  expect([noted(idOf(1)), noted(idOf(2)).length]).toEqual([[], 1])
})

test('What was said by mistake is taken back, and asked again; a lead that was answered waits for nothing', async () => {
  const api = leadApi()
  const shown = await open(api)
  await call(shown)
  await say(shown, 'Yes, we spoke')
  await screen.findByText(/^Call noted/)
  await shown.user.click(screen.getByRole('button', { name: 'Undo' }))
  await asked()
  api.changeUnseen({ followUpStatus: 'contacted', answeredAt: new Date().toISOString() })
  await say(shown, 'No answer')
  await screen.findByText(/^No answer noted/)
  expect(screen.queryByText(/still waits/)).toBeNull()
})

const anHourLater = () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 3_600_000)
}

test('A call that is noted later is dated by when it was made', async () => {
  const shown = await open(leadApi())
  await call(shown)
  await asked()
  anHourLater()
  await say(shown, 'Yes, we spoke')
  await screen.findByText(/^Call noted/)
  const [{ secondsAgo }] = noted() as [{ secondsAgo: number }]
  expect(Math.abs(secondsAgo - 3_600)).toBeLessThan(60)
})

test('An older node dates a call that is noted later by its note, once', async () => {
  const api = leadApi()
  const contact = api.answers['POST /api/leads/*/contacts'] as (sent: Sent) => unknown
  const shown = await open(api, {
    'POST /api/leads/*/contacts': (sent: Sent) =>
      'secondsAgo' in Object(sent.body) ? problem(422, { errors: [] }) : contact(sent),
  })
  await call(shown)
  await asked()
  anHourLater()
  await say(shown, 'Yes, we spoke')
  await screen.findByText(/^Call noted/)
  expect(noted().at(-1)).toEqual({ channel: 'call', text: null })
  const keys = requestsOf(`POST /api/leads/${idOf(1)}/contacts`).map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('By key the question has the focus once the call is made, and hands it on to what opened it', async () => {
  const shown = await open(leadApi())
  const link = await within(await screen.findByRole('region', { name: 'Answer' })).findByRole('link', {
    name: /^Call /,
  })
  link.focus()
  await shown.user.keyboard('{Enter}')
  await asked()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Did you reach Ayanda Cele?')
  ;(await asked()).getByRole('button', { name: 'Not called' }).focus()
  await shown.user.keyboard('{Enter}')
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(document.activeElement).toBe(link)
})

test('Where what opened the call is gone the screen has the focus after the question', async () => {
  const api = leadApi()
  await call(await open(api))
  await asked()
  const again = await reload(api)
  ;(await asked()).getByRole('button', { name: 'Not called' }).focus()
  await again.user.keyboard('{Enter}')
  await waitFor(() => expect(isAsked()).toBe(false))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('WhatsApp is offered for no landline', async () => {
  await open(leadApi(ayanda({ phone: '011 555 0123' })))
  await within(await screen.findByRole('region', { name: 'Answer' })).findByRole('link', { name: /^Call / })
  expect(screen.queryByRole('link', { name: /^WhatsApp/ })).toBeNull()
})

const signOutQuestion = async ({ user }: TestScreen) => {
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  const question = within(await screen.findByRole('dialog', { name: 'Sign out without saving?' }))
  await question.findByText('What came of the call to Ayanda Cele')
  return question
}

test('Signing out asks about a call that is not noted', async () => {
  const shown = await open(leadApi())
  await call(shown)
  await asked()
  const question = await signOutQuestion(shown)
  await shown.user.click(question.getByRole('button', { name: 'Stay here' }))
  await asked()
})

test('A browser that keeps nothing asks what came of a call as long as the page is open', async () => {
  const shown = await open(leadApi())
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Nothing is kept', 'QuotaExceededError')
  })
  try {
    await call(shown)
    await asked()
    const question = await signOutQuestion(shown)
    await shown.user.click(question.getByRole('button', { name: 'Stay here' }))
    await say(shown, 'Not called')
    await waitFor(() => expect(isAsked()).toBe(false))
  } finally {
    full.mockRestore()
  }
})
