import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { agencyDay } from '../../../events/base/agency-day.ts'
import { DAY_MS } from '../../../events/base/time.ts'
import type { ListedEmail } from '../../../events/email/wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { QUIET, SIPHO, THANDI } from '../../testing/answers.ts'
import { type LeadsApi, type ListedLead, leadsApi, notifyOnStream } from '../../testing/leads.ts'
import { openScreen, said } from '../../testing/screen.tsx'
import { type Answer, answerRequests, problem, requestsOf } from '../../testing/server.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

const listed = (leads: readonly Lead[]) => ({ count: leads.length, leads: leads.slice(0, 10) })

/** The response of the API about such leads: those of more than a day ago are overdue. */
const todayOf = (api: LeadsApi, more: object = {}) => {
  const all = api.all()
  const waiting = all.filter(({ followUpStatus, suspicion }) => followUpStatus === 'new' && !suspicion)
  const isOverdue = ({ timestamp }: Lead) => timestamp < daysAgo(1).toISOString()
  return {
    overdue: listed(waiting.filter(isOverdue)),
    dueSoon: listed([]),
    fresh: listed(waiting.filter((lead) => !isOverdue(lead))),
    quarantined: listed(all.filter(({ suspicion, followUpStatus }) => suspicion && followUpStatus === 'new')),
    nextActions: listed(all.filter(({ nextActionDate }) => nextActionDate && nextActionDate <= agencyDay(new Date()))),
    otherRequests: [],
    chats: { count: 0, chats: [] },
    emails: { count: 0, emails: [] },
    ...more,
  }
}
const open = async (leads: readonly ListedLead[], more: object = {}, answers: Record<string, Answer> = {}) => {
  const api = leadsApi(leads)
  const shown = await openScreen('/admin-today', {
    ...api.answers,
    'GET /api/today': () => todayOf(api, more),
    ...answers,
  })
  await screen.findByText('Today', { selector: 'h1' })
  return { api, ...shown }
}
const sections = () => screen.queryAllByRole('heading', { level: 2 }).map((it) => it.textContent)
const section = (name: RegExp) => screen.findByRole('region', { name })
const rowsOf = async (name: RegExp) => within(await section(name)).getAllByRole('listitem')
const row = async (name: RegExp, text: string) => {
  const found = (await rowsOf(name)).find(({ textContent }) => textContent?.includes(text))
  if (!found) throw new Error(`There is no row of ${text}`)
  return within(found)
}
const waitsNoMore = (name: RegExp) => waitFor(() => expect(screen.queryByRole('region', { name })).toBeNull())

const CHAT = {
  sessionId: '30000000-0000-4000-8000-000000000001',
  visitorName: 'Chatty Chris',
  waitingSince: new Date().toISOString(),
  lastWords: 'Do you build shops?',
}
const EMAIL: ListedEmail = {
  id: '40000000-0000-4000-8000-000000000001',
  subject: 'New contract',
  person: 'Una Optics',
  recipient: 'agency',
  fields: [],
  isErased: false,
  about: { leadId: '10000000-0000-4000-8000-000000000001' },
  state: 'outbox',
  isStuck: true,
  isContract: true,
  isUnderWay: false,
  attempts: 0,
  tries: [],
  dueAt: new Date().toISOString(),
  askedAt: new Date().toISOString(),
  createdAt: new Date().toISOString(),
}

test('The most urgent tasks come first, each a click from its action', async () => {
  const { user, address, back } = await open(
    [
      { name: 'Later Lindiwe', businessName: 'Lindiwe Catering', at: daysAgo(12).toISOString() },
      { name: 'Late Lerato', at: daysAgo(9).toISOString() },
      { name: 'Soon Sarah', message: 'Could you build a shop?' },
      { name: 'Yesterday Yusuf', followUpStatus: 'quoted', nextActionDate: agencyDay(daysAgo(1)) },
      { name: 'Today Tumi', followUpStatus: 'quoted', nextActionDate: agencyDay(new Date()) },
    ],
    { chats: { count: 1, chats: [CHAT] }, emails: { count: 1, emails: [EMAIL] } },
    { 'GET /api/emails/summary': { ...(QUIET['GET /api/emails/summary'] as object), isSetUp: true } },
  )
  await section(/^Now 4/)
  expect(sections()).toEqual(['Now 4', 'Next actions 2', 'To check 1'])
  const titlesOf = async (name: RegExp) =>
    (await rowsOf(name)).map((each) => within(each).getAllByRole('link')[0]?.textContent)
  expect(await titlesOf(/^Now/)).toEqual([
    'Chatty Chris',
    'Later Lindiwe, Lindiwe Catering',
    'Late Lerato',
    'Soon Sarah',
  ])
  expect(await titlesOf(/^Next actions/)).toEqual(['Yesterday Yusuf', 'Today Tumi'])
  ;(await row(/^Now/, 'Soon Sarah')).getByText('Could you build a shop?')
  ;(await row(/^Now/, 'Chatty Chris')).getByText('Do you build shops?')
  expect(screen.getByRole('link', { name: 'Answer Chatty Chris' }).getAttribute('href')).toBe(
    `/admin-chat?session=${CHAT.sessionId}`,
  )
  expect(screen.getByRole('link', { name: 'Call Soon Sarah' }).getAttribute('href')).toMatch(/^tel:\+2782700/)
  const email = await row(/^To check/, 'Una Optics')
  email.getByText('Not sent (no email service)')
  email.getByText('Contract signed')
  expect(email.getByRole('link', { name: /^Open lead/ }).getAttribute('href')).toBe(
    `/admin-lead?id=${EMAIL.about.leadId}`,
  )
  const allOf = async (name: RegExp) => within(await section(name)).getByRole('link', { name: /^See all/ })
  expect((await allOf(/^To check/)).getAttribute('href')).toBe('/admin-email?state=attention')
  await user.click(await allOf(/^Next actions/))
  await screen.findByText('2 submissions found (filtered by Next action due)')
  expect(address()).toBe('/admin-dashboard?period=all&nextAction=due')
  await back()
  await section(/^Now 4/)
})

test('A lead that is marked contacted, or whose action is done, leaves the list, and can be undone', async () => {
  const { user, api } = await open([
    { name: 'Soon Sarah' },
    { name: 'Yesterday Yusuf', followUpStatus: 'quoted', nextActionDate: agencyDay(daysAgo(1)) },
  ])
  await section(/^Now 1/)
  screen.getByRole('button', { name: 'Mark contacted: Soon Sarah' }).focus()
  await user.keyboard('{Enter}')
  await waitsNoMore(/^Now/)
  // the row in its place is next
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Yesterday Yusuf'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await section(/^Now 1/)
  await user.click(screen.getByRole('button', { name: 'Done: Yesterday Yusuf' }))
  await waitsNoMore(/^Next actions/)
  expect(api.named('Yesterday Yusuf').nextActionDate).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Assign to me: Soon Sarah' }))
  await said('Assigned to you: Soon Sarah')
  await (await row(/^Now 1/, 'Soon Sarah')).findByText('Thandi')
})

test('Keys go through chats and leads, act on the lead, and Back returns to its row', async () => {
  const { user, api, back } = await open([{ name: 'Soon Sarah' }, { name: 'Later Lindiwe' }], {
    chats: { count: 1, chats: [CHAT] },
  })
  const focused = () => document.activeElement?.textContent
  await section(/^Now 3/)
  await user.keyboard('j')
  expect(focused()).toBe('Chatty Chris')
  await user.keyboard('#ja')
  await said('Assigned to you: Soon Sarah')
  expect(api.all().filter(({ suspicion }) => suspicion)).toEqual([])
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Soon Sarah' })
  await back()
  await waitFor(() => expect(focused()).toBe('Soon Sarah'))
  await user.keyboard('#')
  await said('Marked as spam: Soon Sarah')
  await waitFor(() => expect(focused()).toBe('Later Lindiwe'))
})

const logCall = async (user: UserEvent, name: string, outcome: string) => {
  await user.click(await screen.findByRole('button', { name: 'Log call' }))
  const dialog = within(await screen.findByRole('dialog', { name: `Log call: ${name}` }))
  await user.click(dialog.getByRole('button', { name: outcome }))
}

test('A call is logged from its toast: a lead still waits after an unanswered one', async () => {
  const { user, address } = await open([{ name: 'Soon Sarah' }])
  await user.click(await screen.findByRole('link', { name: 'Call Soon Sarah' }))
  await logCall(user, 'Soon Sarah', 'No answer')
  await said(/^No answer logged/)
  const waiting = await row(/^Now 1/, 'Soon Sarah')
  await waiting.findByText(/^Called, no answer · \d\d:\d\d$/)
  waiting.getByText(/^(Answer by|Overdue by) /)
  await user.click(screen.getByRole('link', { name: 'Call Soon Sarah' }))
  await logCall(user, 'Soon Sarah', 'We spoke')
  await said('Call logged: Soon Sarah')
  await waitsNoMore(/^Now/)
  const notice = within(screen.getByRole('region', { name: 'Notifications (F8)' }))
  await user.click(notice.getByRole('link', { name: 'Soon Sarah' }))
  await waitFor(() => expect(address()).toBe('/admin-lead?id=10000000-0000-4000-8000-000000000001'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })))
})

test('A call is logged also if a colleague has replied to the lead since then', async () => {
  const { user, api } = await open([{ name: 'Ringing Rea' }])
  await user.click(await screen.findByRole('link', { name: 'Call Ringing Rea' }))
  api.change('Ringing Rea', { followUpStatus: 'contacted' })
  await waitsNoMore(/^Now/)
  await logCall(user, 'Ringing Rea', 'We spoke')
  await said(/^Call logged/)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('A call is logged also for a lead whose preview closed when it left the list of the dashboard', async () => {
  const api = leadsApi([{ name: 'Ringing Rudi' }])
  const answers = { ...api.answers, 'GET /api/me': { ...THANDI, leadsLayout: 'list' } }
  const { user } = await openScreen('/admin-dashboard?status=new', answers)
  await user.click(await screen.findByRole('button', { name: /Ringing Rudi/ }))
  const preview = await screen.findByRole('complementary', { name: 'Preview: Ringing Rudi' })
  await user.click(within(preview).getByRole('link', { name: '082 700 1001' }))
  api.change('Ringing Rudi', { followUpStatus: 'contacted' })
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await logCall(user, 'Ringing Rudi', 'No answer')
  await said(/^No answer logged/)
})

test('If the site has no mail server one click opens one’s own mail program, and a reply can be undone', async () => {
  const counts = QUIET['GET /api/emails/summary'] as object
  const { user, api, address, go } = await open(
    [{ name: 'Mailed Mia', email: 'mia@example.com' }],
    {},
    {
      'GET /api/me': { ...THANDI, leadsLayout: 'list' },
      'GET /api/emails/summary': { ...counts, reachesPeople: false },
    },
  )
  const link = await screen.findByRole('link', { name: 'Email Mailed Mia' })
  await waitFor(() =>
    expect(link.getAttribute('href')).toMatch(/^mailto:mia@example.com\?subject=[^+&]+&body=[^+]*Mailed%20Mia/),
  )
  await user.click(link)
  expect(address()).toBe('/admin-today')
  await user.click(await screen.findByRole('button', { name: 'Log email' }))
  await said('Email logged: Mailed Mia')
  expect(api.named('Mailed Mia')).toMatchObject({ followUpStatus: 'contacted', ownerId: THANDI.id })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(api.named('Mailed Mia').followUpStatus).toBe('new'))
  await screen.findByRole('link', { name: 'Email Mailed Mia' })
  // the preview next to a row has the same link
  await go('/admin-dashboard?status=new&q=mailed')
  await user.click(await screen.findByRole('button', { name: /^New ?Mailed Mia/ }))
  const preview = await screen.findByRole('complementary', { name: 'Preview: Mailed Mia' })
  await user.click(within(preview).getByRole('button', { name: 'Email' }))
  const own = await within(preview).findByRole('link', { name: 'Open in your email app' })
  expect(own.getAttribute('href')).toMatch(/^mailto:mia@example.com\?subject=/)
})

test('The screen shows that nothing waits, and which request failed, and tries again', async () => {
  const { user, api } = await open([])
  await screen.findByText('Nothing waits for you')
  answerRequests({ 'GET /api/today': () => Promise.reject(new TypeError('no network')) })
  notifyOnStream('withdrawn')
  await screen.findByText('Error loading today’s work')
  await screen.findByText('The server did not answer. Try again.')
  api.add({ name: 'Late Lerato', at: daysAgo(9).toISOString() })
  answerRequests({ 'GET /api/today': () => todayOf(api) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await section(/^Now/)
  await waitFor(() => expect(screen.queryByText('Error loading today’s work')).toBeNull())
})

test('The screen says that nothing waits only if no contract waits either', async () => {
  const row = {
    leadId: '20000000-0000-4000-8000-000000000001',
    name: 'Signed Sam',
    businessName: null,
    package: 'premium',
    monthly: 499,
    signedOn: '2026-11-01',
    state: 'signed',
    liveOn: null,
    endsOn: null,
    firstPossibleEnd: null,
    waits: 2,
    dueOn: '2026-11-15',
    isLate: false,
    isEnding: false,
    questionnaireId: null,
    sessionId: null,
  }
  const none = QUIET['GET /api/contracts/summary'] as object
  await open([], {}, { 'GET /api/contracts': [row], 'GET /api/contracts/summary': { ...none, count: 1 } })
  ;(await screen.findByRole('region', { name: /^Contracts/ })).querySelector('li') ?? expect.fail('No contract')
  expect(screen.queryByText('Nothing waits for you')).toBeNull()
})

test('A signed contract is marked with its package and price, also among those that are due soon', async () => {
  const contract = {
    name: 'Signed Sam',
    businessName: 'Stoep',
    leadSource: 'contract_premium',
    package: 'Premium - R1,499 + R499/month',
    agreedToTerms: true,
  }
  const { api } = await open([contract, { name: 'Early Edna' }])
  const signed = await row(/^Now 2/, 'Signed Sam')
  signed.getByText('Contract signed')
  signed.getByText('Premium, R1,499 + R499/month')
  expect(signed.queryByText(/^Prefers/)).toBeNull()
  answerRequests({ 'GET /api/today': () => ({ ...todayOf(api), dueSoon: listed(api.all()), fresh: listed([]) }) })
  notifyOnStream('withdrawn')
  ;(await row(/^Now 2/, 'Signed Sam')).getByText('Contract signed')
})

test('A row shows how a visitor wants to be reached, and which package they ask about', async () => {
  await open([{ name: 'Quoted Queen', leadSource: 'contact_form', industry: 'whatsapp', package: 'professional' }])
  const quoted = await row(/^Now/, 'Quoted Queen')
  quoted.getByText('Prefers WhatsApp')
  quoted.getByText('Professional')
})

const FLAGGED = { leadSource: 'contract_premium', agreedToTerms: true }

test('Contracts in quarantine are released, or marked as spam, which can be undone', async () => {
  const { user, api } = await open([
    { ...FLAGGED, name: 'Trapped Thami', businessName: 'Thami Motors', suspicion: ['trap'] },
    { ...FLAGGED, name: 'Spam Sam', businessName: 'Buy Cheap', suspicion: ['too_fast'] },
  ])
  ;(await row(/^To check 2/, 'Trapped Thami')).getByText('Filled in a hidden field.')
  for (const [followUpStatus, count] of [
    ['lost', 1],
    ['new', 2],
  ] as const) {
    api.unheard('Spam Sam', { followUpStatus })
    notifyOnStream('quarantine')
    await section(new RegExp(`^To check ${count}`))
  }
  await user.click(screen.getByRole('button', { name: 'Not spam: Trapped Thami' }))
  ;(await row(/^Now/, 'Thami Motors')).getByText('Contract signed')
  await section(/^To check 1/)
  await user.click(screen.getByRole('button', { name: 'Spam: Spam Sam' }))
  await waitsNoMore(/^To check/)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await section(/^To check 1/)
})

test('Contracts from one connection are one row, which is spam or not as a whole', async () => {
  const burst = ['One', 'Two', 'Three'].map((name) => ({ ...FLAGGED, name, suspicion: ['over_limit' as const] }))
  const { user } = await open([...burst, { ...FLAGGED, name: 'Trapped Thami', suspicion: ['trap'] }])
  await row(/^To check 4/, '3 contracts from one connection')
  expect(await rowsOf(/^To check/)).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'All spam' }))
  await section(/^To check 1/)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await row(/^To check 4/, '3 contracts from one connection')
  await user.click(screen.getByRole('button', { name: 'None is spam' }))
  await section(/^Now 3/)
  await section(/^To check 1/)
})

test('Emails that were not sent as nothing is set up are one line, and a lead is listed once', async () => {
  const counts = QUIET['GET /api/emails/summary'] as object
  const emails = [EMAIL, { ...EMAIL, id: '40000000-0000-4000-8000-000000000002' }]
  await open(
    [{ name: 'Soon Sarah', nextActionDate: agencyDay(new Date()) }],
    { emails: { count: 2, emails } },
    { 'GET /api/emails/summary': { ...counts, outbox: 5, isSetUp: false, reachesPeople: false } },
  )
  // those of contracts that staff have accepted wait as well
  await screen.findByText('5 emails were not sent.')
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/admin-settings/email')
  await waitFor(() => expect(sections()).toEqual(['Now 1']))
})

test('A waiting chat shows its assignee, who handed it over, and with which note', async () => {
  const staff = ({ id, displayName }: typeof THANDI | typeof SIPHO) => ({ staffId: id, name: displayName })
  const handed = (to: typeof THANDI | typeof SIPHO, by: typeof THANDI | typeof SIPHO, note: string | null) => ({
    to: staff(to),
    version: 1,
    by: staff(by),
    reason: 'handed',
    note,
    timestamp: new Date().toISOString(),
  })
  const chats = [
    { ...CHAT, assigned: null },
    { ...CHAT, sessionId: 'b', visitorName: 'Handed Hanli', assigned: handed(THANDI, SIPHO, 'She asked for you') },
    { ...CHAT, sessionId: 'c', visitorName: 'Given Gugu', assigned: handed(SIPHO, THANDI, null) },
  ]
  await open([], { chats: { count: 3, chats } })
  ;(await row(/^Now/, 'Chatty Chris')).getByText('Unassigned')
  const mine = await row(/^Now/, 'Handed Hanli')
  mine.getByText('Assigned to you by Sipho')
  mine.getByText('Note: She asked for you')
  ;(await row(/^Now/, 'Given Gugu')).getByText('Assigned to Sipho by you')
})

test('A row shows that the person got a reply under another lead, or that a colleague owns that one, with a link', async () => {
  const leadId = '10000000-0000-4000-8000-000000000001'
  const other = {
    leadId,
    otherId: '10000000-0000-4000-8000-000000000009',
    name: 'Ayanda Cele',
    followUpStatus: 'new',
    answeredAt: null,
    answeredBy: null,
    ownerId: SIPHO.id,
  }
  const { api } = await open([{ name: 'Ayanda Cele' }])
  await section(/^Now 1/)
  expect(screen.queryByText(/^Also asked/)).toBeNull()
  const tell = (otherRequest: object) => {
    answerRequests({ 'GET /api/today': () => todayOf(api, { otherRequests: [{ ...other, ...otherRequest }] }) })
    notifyOnStream('withdrawn')
  }
  tell({})
  await screen.findByText('Also asked: not answered yet, assigned to Sipho')
  tell({ followUpStatus: 'contacted', answeredAt: new Date().toISOString(), answeredBy: SIPHO.id })
  const link = await screen.findByRole('link', { name: /^Also asked: answered by Sipho, \d\d:\d\d$/ })
  expect(link.getAttribute('href')).toBe(`/admin-lead?id=${other.otherId}`)
  tell({ name: 'Bongani Zulu', followUpStatus: 'lost', answeredAt: new Date().toISOString(), ownerId: null })
  await screen.findByText('Also asked, as Bongani Zulu: lost')
})

test('A list that is cut shows at its end how many there are, with a link', async () => {
  const { user, address } = await open(Array.from({ length: 11 }, (_, number) => ({ name: `Many Mandla ${number}` })))
  expect(await rowsOf(/^Now 11/)).toHaveLength(10)
  const end = await said(/^10 of 11 shown\. See all new leads$/)
  await user.click(within(end).getByRole('link'))
  await waitFor(() => expect(address()).toBe('/admin-dashboard?period=all&status=new&sort=asc'))
  await screen.findByText(/^11 submissions found/)
})

test('An email that needs attention can be sent again, and a refusal is reported', async () => {
  const email = { ...EMAIL, state: 'rejected' as const }
  const { user } = await open(
    [],
    { emails: { count: 1, emails: [email] } },
    {
      'POST /api/emails/*/resend': () => problem(500),
    },
  )
  const path = `POST /api/emails/${EMAIL.id}/resend`
  await user.click(await screen.findByRole('button', { name: 'Send again: New contract, Una Optics' }))
  await screen.findByText('Not sent again')
  expect(requestsOf(path)).toHaveLength(1)
})
