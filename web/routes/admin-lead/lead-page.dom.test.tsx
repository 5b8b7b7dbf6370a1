import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { phoneLinks } from '../../../events/base/phone.ts'
import type { Correction } from '../../../events/lead/correction.ts'
import { websiteAnswers } from '../../../events/lead/form/website-questions.ts'
import type { Erasable } from '../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { sampleWebsiteInfo } from '../../../events/testing/fixtures/samples.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import { ayanda, entryOf, idOf, type LeadApi, leadApi, openLead } from '../../testing/lead-api.ts'
import { said } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'

const PROMPT = 'You are an expert web developer'
const AGENT = { 'GET /api/me': { ...THANDI, role: 'agent' } }

const open = async (api: LeadApi, answers: Record<string, Answer> = {}) => {
  const shown = await openLead(api, answers)
  await screen.findByRole('list', { name: 'Timeline' })
  return shown
}
const region = (name: string) => within(screen.getByRole('region', { name }))
const entries = () => within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
const entry = (words: string) =>
  within(
    entries().find(({ textContent }) => textContent?.includes(words)) ??
      expect.fail(`No entry of the timeline says ${words}`),
  )
const terms = (name: string) =>
  region(name)
    .getAllByRole('term')
    .map(({ textContent }) => textContent)
/** An action behind `…`: a document opens no popovers. */
const inMenu = (name: string | RegExp) => screen.getByRole('button', { name, hidden: true })
const isGone = (find: () => unknown) => waitFor(() => expect(find()).toBeNull())
const asked = (call: string) => requestsOf(`POST /api/leads/${idOf(1)}/${call}`).map(({ body }) => body)

test('A lead with every optional field empty shows only the fields that every lead has', async () => {
  await open(leadApi(ayanda({ name: 'Bare Person', businessName: null, package: null })))
  screen.getByRole('heading', { level: 1, name: 'Bare Person' })
  screen.getByText('No message')
  const details = region('Details').getAllByRole('button', { name: /^(Edit|Add) / })
  expect(details.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Edit phone',
    'Edit email',
    'Edit name',
    'Add company',
  ])
  expect(terms('What they sent')).toEqual(['Company', 'Source', 'Reference', 'Submitted'])
  expect(region('What they sent').getAllByRole('definition')[0]?.textContent).toBe('N/A')
  entry('Submitted a form')
  expect(screen.queryByRole('heading', { name: 'Related leads' })).toBeNull()
})

test('A number that cannot be parsed shows as it was typed, and has no call link', async () => {
  await open(leadApi(ayanda({ phone: '555 0142 (shop)' })))
  region('Details').getByText('555 0142 (shop)')
  expect(document.querySelector('a[href^="tel:"], a[href*="wa.me"]')).toBeNull()
})

test('A lead shows all that was sent with it, and its message as the first of the thread', async () => {
  const lead = ayanda({
    phone: '+27 (0)83 555 0102',
    company: 'Stoep Holdings',
    industry: 'whatsapp',
    timeline: 'asap',
    message: 'Two\nlines <b>not bold</b>',
    leadSource: 'contract_premium',
    pageUrl: 'https://example.com/contract/premium',
    agreedToTerms: true,
  })
  await open(leadApi(lead, { leads: [], timeline: [entryOf('contract')] }))
  screen.getByRole('heading', { level: 1, name: /^Ayanda Cele, Stoep & Co/ })
  const request = region('What they sent')
  const page = 'https://example.com/contract/premium'
  for (const text of [
    'Stoep Holdings',
    'WhatsApp',
    'Premium',
    'As soon as possible',
    'Premium contract',
    'Agreed',
    page,
  ])
    request.getByText(text)
  expect(region('Details').getByRole('link', { name: '083 555 0102' }).getAttribute('href')).toBe('tel:+27835550102')
  region('Message').getByText(/lines <b>not bold<\/b>/)
  expect(screen.queryByText('No message')).toBeNull()
  entry('Signed a contract')
  expect(screen.queryByText(/^From the same person:/)).toBeNull()
})

test('A signed contract shows its terms, the evidence of the signature and its signed copy', async () => {
  const lead = ayanda({ leadSource: 'contract_premium', agreedToTerms: true })
  const [sha256, copySha256] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const evidence = {
    signature: 'Ayanda  Cele',
    clientAddress: '203.0.113.7',
    userAgent: 'A browser',
    openedAt: '2026-01-31T22:00:00.000Z',
    tickedAt: null,
    contractSha256: 'ef'.repeat(32),
  }
  const contract = {
    terms: { version: 3, sha256, isNamed: false, agreement: 'I agree to them: Premium.' },
    evidence,
    receivedAt: '2026-01-31T22:10:00.000Z',
    copies: [{ sha256: copySha256, madeAt: '2026-01-31T22:10:01.000Z' }],
    package: 'premium',
    monthly: 499,
    months: 12,
    noticeDays: 30,
    state: 'signed',
    version: 0,
    liveOn: null,
    endsOn: null,
    firstPossibleEnd: null,
    dueOn: null,
    steps: [],
  }
  const path = `/api/leads/${lead.id}/contract`
  const answers = { businessDescription: 'We bake bread.' }
  const sent = { leadSource: 'Website Info Form', answers, timestamp: '2026-02-03T08:00:00.000Z' }
  const own = ayanda({ ...sent, id: idOf(2), mergedInto: lead.id })
  const leads = [own, ayanda({ ...sent, id: idOf(3) }), ayanda({ id: idOf(4) })]
  const chat = entryOf('chat', { leadId: null, sessionId: 'session-1', timestamp: '2026-02-01T08:00:00.000Z' })
  await open(leadApi(lead, { leads, timeline: [entryOf('contract'), chat] }), { [`GET ${path}`]: contract })
  await screen.findByRole('region', { name: 'Signed contract: Premium' })
  const linked = within(region('Signed contract: Premium').getByText(/^From the same person:/)).getAllByRole('link')
  expect(linked.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Questionnaire of 3 February 2026', `#request-${own.id}`],
    ['Questionnaire of 3 February 2026', `/admin-lead?id=${idOf(3)}`],
    ['Chat of 1 February 2026', '/admin-chat?session=session-1'],
  ])
  expect(document.getElementById(`request-${own.id}`)?.textContent).toBe('Brief')
  const shown = region('Signed contract: Premium')
  for (const text of [
    /^Version 3. The sender named none/,
    'Ayanda Cele',
    'Sunday, 1 February 2026, 00:00',
    'Not known',
    '203.0.113.7',
    'I agree to them: Premium.',
    'A browser',
    sha256,
    copySha256,
    evidence.contractSha256,
  ])
    shown.getByText(text)
  expect(shown.getByRole('link', { name: 'Download the signed copy' }).getAttribute('href')).toBe(`${path}/copy`)
  expect(shown.getByRole('link', { name: 'Check this contract' }).getAttribute('href')).toBe(
    '/contract/verify/2000-0000-0000',
  )
})

test('A message and a note that are longer than a screen are folded, and shown whole on demand', async () => {
  const note = `${'n'.repeat(799)}😀${'n'.repeat(3_000)}`
  const timeline = [entryOf('lead'), entryOf('note', { by: 'Thandi', data: { note } })]
  const { user } = await open(leadApi(ayanda({ message: 'm'.repeat(4_000) }), { leads: [], timeline }))
  for (const [what, beginning, whole] of [
    ['message', /^m{400}…/, /^m{4000}/],
    ['note', /^n{799}…/, /^n{799}😀n{3000}/],
  ] as const) {
    screen.getByText(beginning)
    expect(screen.queryByText(whole)).toBeNull()
    await user.click(screen.getByRole('button', { name: `Show the whole ${what}` }))
    screen.getByText(whole)
    await user.click(screen.getByRole('button', { name: `Shorten the ${what}` }))
    screen.getByText(beginning)
  }
})

test('A questionnaire shows its answers under their questions, a few of them first, and not its prompt', async () => {
  const more = { biggestProblem: 'Nobody finds us', monthlyBudget: 'R1,000-R5,000', businessGoals: 'More orders' }
  const answers = websiteAnswers(sampleWebsiteInfo(more))
  const lead = ayanda({ leadSource: 'Website Info Form', message: `${PROMPT}. Build it.`, answers })
  const { user } = await open(leadApi(lead, { leads: [], timeline: [entryOf('questionnaire')] }))
  screen.getByText('Nobody finds us')
  expect(terms('Brief').slice(0, 4)).toEqual(['What it does', 'Goals', 'Biggest problem now', 'Monthly budget'])
  expect(screen.queryByText('Brand colours')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Show all \d+ answers$/ }))
  screen.getByText('Brand colours')
  expect(screen.queryByText(new RegExp(PROMPT))).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Copy prompt' }))
  await screen.findByText('AI Website Generation Prompt copied')
  expect(await navigator.clipboard.readText()).toContain(PROMPT)
  await user.click(screen.getByRole('button', { name: 'Copy answers' }))
  await screen.findByText('Answers copied')
  const copied = await navigator.clipboard.readText()
  expect(copied).toContain('What it does: We bake bread.\nGoals: More orders\nBiggest problem now: Nobody finds us\n')
  expect(copied).not.toContain(PROMPT)
})

test('The brief of a contract survives the merge: it is copied from the lead that stays', async () => {
  const answers = websiteAnswers(sampleWebsiteInfo({ businessGoals: 'More orders' }))
  const brief = { leadSource: 'Website Info Form', message: `${PROMPT}. Build it.`, answers, mergedInto: idOf(1) }
  const filled = entryOf('questionnaire', { leadId: idOf(2), isUndoable: true })
  const api = leadApi(ayanda({ leadSource: 'contract_premium' }), {
    leads: [ayanda({ id: idOf(2), name: 'Stoep & Co', ...brief })],
    timeline: [entryOf('contract'), filled],
  })
  const { user } = await open(api)
  expect(screen.queryByText('No message')).toBeNull()
  region('Brief').getByText('More orders')
  await user.click(region('Brief').getByRole('button', { name: 'Copy prompt' }))
  await screen.findByText('AI Website Generation Prompt copied')
  expect(await navigator.clipboard.readText()).toBe(`${PROMPT}. Build it.`)
  const unmerge = entry('Filled in the Website Info Form').getByRole('button', { name: /^Unmerge: / })
  expect(unmerge.getAttribute('aria-description')).toMatch(/^Use this if it does not belong to the contract\./)
  await user.click(unmerge)
  await waitFor(() => expect(requestsOf(`POST /api/leads/${idOf(2)}/undo`)).toHaveLength(1))
})

test('A questionnaire is summarised in one line by its answers, and not by its prompt', async () => {
  const answers = { businessDescription: 'We bake bread.', businessGoals: 'More orders' }
  const other = ayanda({ id: idOf(2), leadSource: 'Website Info Form', message: PROMPT, answers })
  await open(leadApi(ayanda(), { leads: [other], timeline: [entryOf('lead')] }))
  region('Related leads').getByText('What it does: We bake bread. · Goals: More orders')
  expect(screen.queryByText(new RegExp(PROMPT))).toBeNull()
})

test('The text in place of a missing prompt is copied without being called a prompt', async () => {
  const { user } = await open(leadApi(ayanda({ leadSource: 'Website Info Form' })))
  await user.click(inMenu('Copy AI Prompt'))
  await screen.findByText('Copied to clipboard!')
  expect(screen.queryByText('AI Website Generation Prompt copied')).toBeNull()
})

test('The email address alone is copied, and Copy Email says what it copies', async () => {
  const { user } = await open(leadApi())
  await user.click(screen.getByRole('button', { name: 'Copy the email address' }))
  await screen.findByText('Email address copied')
  expect(await navigator.clipboard.readText()).toBe('ayanda@example.com')
  const copy = inMenu('Copy Email')
  expect(copy.getAttribute('aria-description')).toBe('Copies the whole lead as the text of an email')
  await user.click(copy)
  await screen.findByText('Copied to clipboard! You can now paste this into an email.')
  expect(await navigator.clipboard.readText()).toContain('Email: ayanda@example.com')
})

test('Without an address there is nothing to copy', async () => {
  await open(leadApi(ayanda({ email: '' }), { leads: [], timeline: [entryOf('entered')] }))
  screen.getAllByText('082 700 1001')
  expect(screen.queryByRole('button', { name: 'Copy the email address' })).toBeNull()
})

test('Related leads show why they are related, with links', async () => {
  const leads = [ayanda({ id: idOf(2), name: 'Kagiso Nkosi' }), ayanda({ id: idOf(3), name: 'Sipho Reception' })]
  const links = [
    { id: idOf(2), links: [{ by: 'email' as const, leadId: idOf(1) }] },
    { id: idOf(3), links: [{ by: 'phone' as const, leadId: idOf(1) }] },
  ]
  await open(leadApi(ayanda(), { leads, links, timeline: [entryOf('lead')] }))
  const row = (name: string) =>
    within(
      region('Related leads')
        .getAllByRole('listitem')
        .find(({ textContent }) => textContent?.includes(name)) ?? expect.fail(),
    )
  row('Kagiso Nkosi').getByText('Same email')
  row('Sipho Reception').getByText('Same phone')
  const link = row('Kagiso Nkosi').getByRole('link', { name: /^Kagiso Nkosi/ })
  expect(link.getAttribute('href')).toBe(`/admin-lead?id=${idOf(2)}`)
})

test('Events of others who share the telephone show whose they are, and are undone there', async () => {
  const leads = [ayanda({ id: idOf(2), name: 'Zinhle Reception' })]
  const own = entryOf('note', { by: 'Thandi', data: { note: 'Own wishes' }, isUndoable: true })
  const theirs = entryOf('note', { ...own, id: 'theirs', leadId: idOf(2), data: { note: 'Zinhle asks for a shop' } })
  const api = leadApi(ayanda(), { leads, timeline: [entryOf('lead'), own, theirs] })
  await open(api)
  const other = entry('Zinhle asks for a shop')
  const link = other.getByRole('link', { name: 'Zinhle Reception' })
  expect(link.parentElement?.textContent).toBe('Of another lead: Zinhle Reception')
  expect(link.getAttribute('href')).toBe(`/admin-lead?id=${idOf(2)}`)
  expect(other.queryByRole('button')).toBeNull()
  entry('Own wishes').getByRole('button', { name: /^Undo/ })
  expect(entry('Own wishes').queryByText(/^Of /)).toBeNull()
})

test('The data of merged leads can still be read, and the lead’s own data too', async () => {
  const merged = ayanda({
    id: idOf(2),
    name: 'Eve Gone',
    email: 'eve@gone.example',
    phone: '082 711 3301',
    message: 'My street is 1 Long Street.',
    pageUrl: 'https://example.com/contact',
    mergedInto: idOf(1),
  })
  const own = ayanda({ email: 'eve@gone.example', message: 'I stay.' })
  const data = { name: 'Ayanda Cele', email: 'eve@stays.example', phone: own.phone }
  const timeline = [entryOf('lead', { data }), entryOf('lead', { leadId: merged.id }), entryOf('merged')]
  await open(leadApi(own, { leads: [merged], timeline }))
  const panel = region('Merged into this lead')
  for (const text of ['eve@gone.example', '082 711 3301', 'https://example.com/contact'])
    expect(panel.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(0)
  panel.getByText('This lead said before the merge')
  panel.getByText('eve@stays.example')
  screen.getByText('My street is 1 Long Street.')
  entry('Merged a lead')
})

test('The messages of other leads are in the timeline where these began, and those of the lead itself only above', async () => {
  const merged = ayanda({ id: idOf(2), message: 'What does hosting cost?', mergedInto: idOf(1) })
  const later = ayanda({ id: idOf(3), name: 'Ida Later', message: `Do you also print cards?\n${'Many. '.repeat(60)}` })
  const timeline = [1, 2, 3].map((number) => entryOf('lead', { leadId: idOf(number) }))
  await open(leadApi(ayanda({ message: 'Can you build a shop?' }), { leads: [merged, later], timeline }))
  region('Related leads').getByText(/^Do you also print cards\?/)
  const telling = (words: string) => entries().filter(({ textContent }) => textContent?.includes(words))
  for (const words of ['Do you also print cards?', 'What does hosting cost?']) expect(telling(words)).toHaveLength(1)
  expect(telling('Can you build a shop?')).toEqual([])
})

test('The emails that a chat sent its visitor are shown, with their state', async () => {
  const sessionId = idOf(50)
  const timeline = [
    entryOf('chat', { leadId: null, sessionId, data: { visitorName: 'Nomsa', messages: 1 } }),
    entryOf('transcript', { leadId: null, sessionId, by: 'Sipho', data: { to: 'nomsa@example.com' } }),
    entryOf('email', { leadId: null, sessionId, data: { carries: 'transcript', state: 'outbox' } }),
  ]
  await open(leadApi(ayanda(), { leads: [], timeline }))
  const asking = entry('Transcript requested')
  asking.getByText('By email to nomsa@example.com')
  asking.getByText((_, element) => /^Sipho, /.test(element?.textContent ?? '') && element?.tagName === 'SPAN')
  const outcome = entry('The transcript of the chat.')
  outcome.getByText('Email not sent (no email service)')
  const link = outcome.getByRole('link', { name: /^Open the chat/ })
  expect(link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
})

test('A chat that was handed over shows to whom and with which note, and links there', async () => {
  const sessionId = idOf(50)
  const timeline = [
    entryOf('chat', { sessionId, data: { visitorName: 'Lindiwe' } }),
    entryOf('chat_handed', { sessionId, by: 'Thandi', data: { to: 'Sipho', note: 'Wants a shop before December' } }),
  ]
  await open(leadApi(ayanda(), { leads: [], timeline }))
  const handed = entry('Handed the chat to Sipho')
  handed.getByText('Wants a shop before December')
  const link = handed.getByRole('link', { name: 'Open the chat with Lindiwe' })
  expect(link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
})

const chatOf = (number: number, more: Partial<Parameters<typeof entryOf>[1]> = {}) =>
  entryOf('chat', { sessionId: idOf(number), leadId: null, data: { visitorName: 'Ayanda' }, ...more })
const endOf = (number: number) => entryOf('chat_ended', { sessionId: idOf(number), leadId: null })
const wayToChat = () => screen.queryByRole('link', { name: 'Open the chat' })

test('A lead links back to the chat from which it was created until that ends, then to another one of the person', async () => {
  const waitingSince = new Date().toISOString()
  const data = { visitorName: 'Refilwe', waitingSince }
  const chats = [chatOf(50, { leadId: idOf(1), data }), chatOf(51)]
  const api = leadApi(ayanda(), { leads: [], timeline: [entryOf('chat_lead', { sessionId: idOf(50) }), ...chats] })
  await open(api)
  await said(/^This lead was made of a chat that is still open\. Waits .+$/)
  expect(wayToChat()?.getAttribute('href')).toBe(`/admin-chat?session=${idOf(50)}`)
  api.timeline = [...api.timeline, endOf(50)]
  api.tell()
  await screen.findByText('The chat ended')
  await said('A chat of the same person is still open.')
  expect(wayToChat()?.getAttribute('href')).toBe(`/admin-chat?session=${idOf(51)}`)
  api.timeline = [...api.timeline, endOf(51)]
  api.tell()
  await isGone(wayToChat)
  expect(screen.getAllByText('The chat ended')).toHaveLength(2)
})

test('A lead shows that its person waits in a chat under its address; a flagged one does not', async () => {
  const data = { visitorName: 'Ayanda', waitingSince: new Date().toISOString() }
  const api = leadApi(ayanda(), { leads: [], timeline: [entryOf('lead'), chatOf(50, { data })] })
  await open(api)
  await said(/^A chat of the same person is still open\. Waits .+$/)
  api.change({ suspicion: ['honeypot'] } as unknown as Partial<Lead>)
  await isGone(wayToChat)
})

test('A reply in the chat is shown with its changes, its chat, and the undo that says what stays', async () => {
  const sessionId = idOf(50)
  const data = { followUpStatus: 'contacted', ownerId: SIPHO.id, countedBy: 'Thandi' }
  const answer = entryOf('chat_answer', { sessionId, by: 'Sipho', data, isUndoable: true })
  const answered = ayanda({ followUpStatus: 'contacted', ownerId: SIPHO.id, answeredAt: answer.timestamp })
  const api = leadApi(answered, { leads: [], timeline: [chatOf(50), answer] })
  const { user } = await open(api)
  region('Answer').getByText(/^Answered in the chat by Sipho, /)
  const told = entry('Answered in the chat')
  for (const words of ['Counted by Thandi', 'Status: Contacted', 'Assigned to: Sipho']) told.getByText(words)
  const link = told.getByRole('link', { name: 'Open the chat with Ayanda' })
  expect(link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
  await user.click(told.getByRole('button', { name: /^Not an answer/ }))
  expect(asked('undo')).toEqual([{ eventId: answer.id }])
  await screen.findByText(
    'Your messages stay in the chat. To count them again, press "Count your reply as the answer" in the chat.',
  )
  await screen.findByText('Answered in the chat (undone)')
  entry('Answered in the chat (undone)').getByText('Messages in this chat no longer count by themselves.')
})

test('A flagged lead shows why, does not wait for a reply, and is released from quarantine', async () => {
  const api = leadApi(ayanda({ suspicion: ['too_fast'] }))
  const { user } = await open(api, {
    'POST /api/leads/*/release': () => {
      const { suspicion: _, ...released } = api.lead
      api.lead = { ...released, version: 2 }
      api.timeline = [...api.timeline, entryOf('released', { by: 'Thandi' })]
    },
  })
  await said('In quarantine. Submitted too fast.')
  expect(screen.queryByText(/^Answer by/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Not spam' }))
  await isGone(() => screen.queryByText(/^In quarantine/))
  await screen.findByText('Released from quarantine')
})

test('An agent marks a lead as spam, which shows who did, and undoes it', async () => {
  const api = leadApi()
  const { user } = await open(api, {
    ...AGENT,
    'POST /api/leads/*/flag': () => {
      api.lead = { ...api.lead, suspicion: ['staff'], flaggedBy: THANDI.id, version: 2 }
      return new Response(null, { status: 204, headers: { 'event-id': 'flagged' } })
    },
    'POST /api/leads/*/undo': () => {
      const { suspicion: _, flaggedBy: __, ...released } = api.lead
      api.lead = { ...released, version: 3 }
    },
  })
  await user.click(inMenu(/^Spam:/))
  await said('In quarantine. Marked as spam by Thandi.')
  expect(screen.queryByRole('button', { name: /^Spam:/, hidden: true })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await isGone(() => screen.queryByText(/^In quarantine/))
  inMenu(/^Spam:/)
})

test('The screen shows that it loads, that a lead is not found, and which request failed, with a way to try again', async () => {
  const api = leadApi()
  await openLead(api, { 'GET /api/leads/*': problem(404), 'GET /api/leads/*/person': problem(404) })
  await screen.findByRole('heading', { level: 1, name: 'Lead not found' })
  screen.getByRole('link', { name: 'Back to the list' })
})

test('A lead that could not be loaded is tried again', async () => {
  const api = leadApi()
  const held = Promise.withResolvers<void>()
  let fails = true
  const lead = api.answers['GET /api/leads/*'] as (sent: Sent) => unknown
  const person = api.answers['GET /api/leads/*/person'] as (sent: Sent) => unknown
  const answer = (then: (sent: Sent) => unknown) => async (sent: Sent) => {
    await held.promise
    return fails ? problem(500) : then(sent)
  }
  const { user } = await openLead(api, {
    'GET /api/leads/*': answer(lead),
    'GET /api/leads/*/person': answer(person),
  })
  await screen.findByText('Loading the lead...')
  held.resolve()
  await screen.findByText('Error loading the lead')
  fails = false
  await user.click(screen.getAllByRole('button', { name: 'Try again' })[0] ?? expect.fail())
  await screen.findByRole('heading', { level: 1, name: /^Ayanda Cele/ })
})

test('A reply time promised under other support hours stays as it was', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2025-01-15T10:00:00+02:00')
  const now = { days: [7], opensAtMinute: 0, closesAtMinute: 1440 }
  const supportHoursHistory = [{ validFrom: '2025-02-01T00:00:00.000Z', hours: now }]
  const settings = { ...DEFAULT_SETTINGS, supportHours: now, supportHoursHistory }
  await open(leadApi(ayanda({ timestamp: '2025-01-15T07:00:00.000Z' })), { 'GET /api/settings': settings })
  await screen.findByText(/^Answer by \d\d:\d\d \(1 h\)$/)
})

const erasableLead = (number: number, more: Partial<Erasable['leads'][number]> = {}): Erasable['leads'][number] => ({
  id: idOf(number),
  name: `Lead ${number}`,
  company: null,
  email: 'same@example.com',
  phone: '082 771 0001',
  timestamp: '2026-01-31T10:00:00.000Z',
  mergedInto: null,
  addresses: [1],
  links: [],
  ...more,
})
const erasing = async (api: LeadApi, answers: Record<string, Answer>) => {
  const shown = await open(api, answers)
  // apart from the entries above it, such as Spam
  expect(getComputedStyle(inMenu('Erase this person')).borderTopStyle).toBe('solid')
  await shown.user.click(inMenu('Erase this person'))
  const dialog = within(await screen.findByRole('dialog', { name: `Erase ${api.lead.name}?` }))
  const confirm = async (word: string) => {
    const field = dialog.getByLabelText('Type "erase" to confirm')
    await shown.user.clear(field)
    await shown.user.type(field, word)
  }
  const sure = () => dialog.getByRole<HTMLButtonElement>('button', { name: /^Eras/ })
  return { ...shown, dialog, confirm, sure }
}
const gone = { 'GET /api/leads': [], 'GET /api/leads/summary': { total: 0, days: [] } }

test('An agent cannot erase a person', async () => {
  await open(leadApi(), AGENT)
  expect(screen.queryByRole('button', { name: 'Erase this person', hidden: true })).toBeNull()
})

test('A signed contract stays unless the owner says otherwise: the law and the day are shown, and all else goes', async () => {
  const contract = erasableLead(1, { contract: { until: '2031-01-31' } })
  const enquiry = erasableLead(2, { links: [{ by: 'email', leadId: idOf(1) }] })
  const { user, dialog, confirm, sure } = await erasing(leadApi(), {
    ...gone,
    'GET /api/leads/*/erase': { asOf: 1, leads: [contract, enquiry], chats: [] },
    'POST /api/leads/*/erase': undefined,
  })
  await dialog.findByText('Contract of Lead 1: until 31 January 2031.')
  dialog.getByText(/Tax Administration Act 28 of 2011, section 29/)
  dialog.getByText('This will erase 1 lead and 0 chats.')
  await user.click(dialog.getByLabelText(/^Erase the contract too/))
  dialog.getByText('This will erase 2 leads and 0 chats.')
  await user.click(dialog.getByLabelText(/^Erase all else/))
  await user.click(dialog.getByRole('checkbox', { name: /^Lead 2/ }))
  await confirm('erase')
  expect(sure().getAttribute('aria-disabled')).toBe('true')
  await user.click(dialog.getByRole('checkbox', { name: /^Lead 2/ }))
  await user.click(sure())
  await said(/The contract stays as long as the law asks for it\./)
  expect(asked('erase')).toEqual([{ asOf: 1, contracts: 'keep' }])
})

test('An owner erases a person once the word is typed, and first sees leads that came since then', async () => {
  const chat = { sessionId: idOf(50), visitorName: 'Forgetful', startTime: '2026-01-31T10:00:00.000Z', messages: 1 }
  const before = { asOf: 1, leads: [erasableLead(1)], chats: [{ ...chat, addresses: [1] }] }
  const late = erasableLead(2, { name: 'Forget Late', links: [{ by: 'email', leadId: idOf(1) }] })
  const after = { ...before, asOf: 2, leads: [...before.leads, late] }
  const api = leadApi()
  const answers = [() => problem(409, after), () => undefined]
  const { user, dialog, confirm, sure, address } = await erasing(api, {
    ...gone,
    'GET /api/leads/*/erase': before,
    'POST /api/leads/*/erase': () => (answers.shift() ?? expect.fail)(),
  })
  expect(sure().getAttribute('aria-disabled')).toBe('true')
  await dialog.findByText('This will erase 1 lead and 1 chat.')
  expect(sure().textContent).toBe('Erase 1 lead')
  dialog.getByText(/^Chat with Forgetful, \d+ \w+ \d{4}, 1 message$/)
  await confirm('Erase')
  await user.click(sure())
  await dialog.findByText('This will erase 2 leads and 1 chat.')
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Forget Late ?Same email\./ }).checked).toBe(true)
  expect(sure().textContent).toBe('Erase 2 leads')
  expect(sure().getAttribute('aria-disabled')).toBe('true')
  await confirm('erase')
  await user.click(sure())
  await waitFor(() => expect(address()).toBe('/admin-dashboard'))
  expect(asked('erase')).toEqual([{ asOf: 1 }, { asOf: 2 }])
})

test('An owner chooses the leads to erase: a couple by their address, not a colleague by the telephone', async () => {
  const api = leadApi()
  const list = {
    asOf: 1,
    chats: [],
    leads: [
      erasableLead(1, { name: 'Palesa Nkosi', company: 'Stoep' }),
      erasableLead(2, {
        name: 'P. Nkosi',
        mergedInto: idOf(1),
        addresses: [2],
        links: [{ by: 'merge', leadId: idOf(1) }],
      }),
      erasableLead(3, { name: 'Kagiso Nkosi', links: [{ by: 'email', leadId: idOf(1) }] }),
      erasableLead(4, { name: 'Sipho Reception', addresses: [3], links: [{ by: 'phone', leadId: idOf(1) }] }),
    ],
  }
  const { user, dialog, confirm, sure, address } = await erasing(api, {
    ...gone,
    'GET /api/leads/*/erase': list,
    'POST /api/leads/*/erase': undefined,
  })
  await dialog.findByText('This will erase 3 leads and 0 chats.')
  const box = (name: string) => dialog.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) })
  for (const own of ['Palesa Nkosi, Stoep ?This lead', 'P. Nkosi ?Merged into this one'])
    expect([box(own).checked, box(own).disabled]).toEqual([true, true])
  expect(box('Kagiso Nkosi ?Same email').checked).toBe(true)
  expect(box('Sipho Reception ?Same phone').checked).toBe(false)
  expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    [3, 4].map((number) => `/admin-lead?id=${idOf(number)}`),
  )
  await user.click(box('Kagiso'))
  await user.click(box('Sipho'))
  dialog.getByText('This will erase 3 leads and 0 chats.')
  await user.click(box('Sipho'))
  await confirm('erase')
  await user.click(sure())
  await waitFor(() => expect(address()).toBe('/admin-dashboard'))
  await screen.findByText(
    /1 lead with the same email and 1 lead with the same phone were kept: Kagiso Nkosi; Sipho Reception\./,
  )
  expect(asked('erase')).toEqual([{ asOf: 1, chosenIds: [idOf(1), idOf(2)] }])
})

test('An erasure stays open until it has begun, and then continues without the dialog, even if the server is busy', async () => {
  const [hasBegun, isClosed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const busy = () => problem(503, {}, { 'retry-after': '0.01' })
  const answers = [
    () => hasBegun.promise.then(() => new Response(JSON.stringify({ left: 7 }), { status: 202 })),
    busy,
    () => isClosed.promise.then(() => problem(500)),
  ]
  const { user, dialog, confirm, sure } = await erasing(leadApi(), {
    'GET /api/leads/*/erase': { asOf: 1, leads: [erasableLead(1)], chats: [] },
    'POST /api/leads/*/erase': () => (answers.shift() ?? expect.fail)(),
  })
  await dialog.findByText('This will erase 1 lead and 0 chats.')
  await confirm('erase')
  await user.click(sure())
  await dialog.findByRole('button', { name: 'Erasing...' })
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asks()).toBe(true)
  hasBegun.resolve()
  await dialog.findByRole('button', { name: 'Erasing... 7 left' })
  dialog.getByText('This continues in the background: you can close it and leave the page.')
  expect(asks()).toBe(false)
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await isGone(() => screen.queryByRole('dialog'))
  isClosed.resolve()
  await screen.findByText('Not all erased yet: 7 left')
  expect(answers).toEqual([])
})

test('A lead whose person was erased shows by whom and when, and can no longer be changed', async () => {
  const erased = ayanda({ name: 'Erased', email: '', phone: '', businessName: null })
  const timeline = [entryOf('lead'), entryOf('erased', { by: 'Thandi' })]
  await open(leadApi(erased, { leads: [], timeline }))
  screen.getByRole('heading', { level: 1, name: 'Erased' })
  screen.getByText('Personal data erased')
  screen.getByText(/^This person was erased on \w+, \d+ \w+ \d{4}, \d\d:\d\d by Thandi\. Their personal data/)
  expect(within(screen.getByRole('main')).queryByRole('button')).toBeNull()
  for (const word of ['New', 'Details']) expect(screen.queryByText(word)).toBeNull()
})

const correcting = async (api: LeadApi, answers: Record<string, Answer> = {}) => {
  const shown = await open(api, answers)
  const details = region('Details')
  /** Opens a property, and types another value. */
  const fill = async (name: string, words: string) => {
    await shown.user.click(details.getByRole('button', { name: new RegExp(`^(Edit|Add) ${name}$`, 'i') }))
    await shown.user.clear(details.getByLabelText(name))
    if (words) await shown.user.type(details.getByLabelText(name), words)
  }
  return { ...shown, details, fill }
}
const corrected = (api: LeadApi) => (sent: Sent) => {
  const fields = sent.body as Correction
  api.lead = {
    ...api.lead,
    ...fields,
    phoneLinks: phoneLinks(fields.phone ?? api.lead.phone),
    version: api.lead.version + 1,
  }
  return new Response(JSON.stringify(api.lead), { headers: { 'event-id': 'corrected' } })
}
const corrections = () =>
  requestsOf(`PATCH /api/leads/${idOf(1)}/contact`).map(({ body, headers }) => [body, headers.get('if-match')])

test('A contact detail is edited in its place, saved as the field is left, and shows its error there', async () => {
  const api = leadApi()
  const message = 'Enter an email address or a phone number'
  const { user, details, fill } = await correcting(api, {
    'PATCH /api/leads/*/contact': (sent: Sent) =>
      (sent.body as { email?: string }).email === ''
        ? problem(422, { errors: [{ path: 'email', message }] })
        : corrected(api)(sent),
  })
  await fill('Phone', '082 555 0177')
  await user.tab()
  await details.findByRole('link', { name: '082 555 0177' })
  await fill('Email', 'no address')
  await user.keyboard('{Enter}')
  await details.findByText(/valid email/i)
  await user.clear(details.getByLabelText('Email'))
  await user.keyboard('{Enter}')
  await details.findByText(message)
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(details.getByRole('button', { name: 'Edit email' }))
  await fill('Company', 'Ntuli Bakery')
  await user.keyboard('{Enter}')
  await details.findByText('Ntuli Bakery')
  await waitFor(() => expect(document.activeElement).toBe(details.getByRole('button', { name: 'Edit company' })))
  expect(corrections().map(([body]) => body)).toEqual([
    { phone: '082 555 0177' },
    { email: '' },
    { company: 'Ntuli Bakery' },
  ])
})

test('A colleague’s correction since then is shown next to mine, and overwritten only if I choose mine', async () => {
  const api = leadApi()
  const theirs = { ...api.lead, email: 'theirs@example.com', phone: '0825550188', version: 2 }
  const change = { id: 'theirs', by: 'Sipho', timestamp: new Date().toISOString(), data: { email: 1, phone: 1 } }
  const { user, fill } = await correcting(api, {
    'PATCH /api/leads/*/contact': (sent: Sent) =>
      sent.headers.get('if-match') === '"1"' ? problem(409, { lead: theirs, changes: [change] }) : corrected(api)(sent),
  })
  await fill('Email', 'mine@example.com')
  await user.keyboard('{Enter}')
  const question = 'Sipho changed this while you were editing. Your changes aren’t saved.'
  const found = (await screen.findByText(question)).closest<HTMLElement>('[role=alert]')
  const clash = within(found ?? expect.fail('The question is no alert'))
  for (const value of ['theirs@example.com', 'mine@example.com']) clash.getByText(value)
  expect(clash.queryByText('0825550188')).toBeNull()
  await user.click(clash.getByRole('button', { name: 'Use mine' }))
  await isGone(() => screen.queryByText(question))
  expect(corrections()).toEqual([
    [{ email: 'mine@example.com' }, '"1"'],
    [{ email: 'mine@example.com' }, '"2"'],
  ])
})

test('A lead that was opened from a list shows its position there, and leads to those around it', async () => {
  const api = leadApi(ayanda(), { leads: [ayanda({ id: idOf(2), name: 'Next Lead' })], timeline: [entryOf('lead')] })
  const { go, user, address } = await openLead(api)
  expect(screen.queryByRole('link', { name: 'Next lead' })).toBeNull()
  await go(`/admin-lead?id=${idOf(1)}`, { list: '/admin-dashboard?period=all', ids: [idOf(1), idOf(2)] })
  await screen.findByText('1 of 2')
  expect(screen.queryByRole('link', { name: 'Previous lead' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Back to the list' }).getAttribute('href')).toBe(
    '/admin-dashboard?period=all',
  )
  await user.click(screen.getByRole('link', { name: 'Next lead' }))
  await screen.findByRole('heading', { level: 1, name: /^Next Lead/ })
  expect(address()).toBe(`/admin-lead?id=${idOf(2)}`)
  screen.getByText('2 of 2')
  await user.keyboard('k')
  await screen.findByRole('heading', { level: 1, name: /^Ayanda/ })
  await user.keyboard('s')
  await screen.findByRole('dialog', { name: /^Set status: / })
})

test('The palette leads from one lead to another, whose screen takes the focus', async () => {
  const next = ayanda({ id: idOf(2), name: 'Next Lead' })
  const found = { leads: [next], chats: [], flagged: 0, q: 'next' }
  const { user } = await openLead(leadApi(ayanda(), { leads: [next] }), { 'GET /api/palette': found })
  await user.click(await screen.findByLabelText('Note'))
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Go to' }), 'next')
  await screen.findByRole('option', { name: /Next Lead/, selected: true })
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { level: 1, name: /^Next Lead/ })
  await waitFor(() => expect(document.activeElement?.id).toBe('content'))
})

test('The next step is one press: to take a new lead, and to win one that was answered', async () => {
  const api = leadApi(ayanda())
  const { user } = await open(api)
  await user.click(screen.getByRole('button', { name: /^Assign to me/ }))
  await waitFor(() => expect(api.lead.ownerId).toBe(THANDI.id))
  await isGone(() => screen.queryByRole('button', { name: /^Assign to me/ }))
  expect(screen.queryByRole('button', { name: 'Mark won' })).toBeNull()
  api.change({ followUpStatus: 'quoted' })
  await user.click(await screen.findByRole('button', { name: 'Mark won' }))
  await waitFor(() => expect(api.lead.followUpStatus).toBe('won'))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(api.lead.followUpStatus).toBe('quoted'))
})
