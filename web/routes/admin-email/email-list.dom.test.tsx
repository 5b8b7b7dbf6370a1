import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { QUIET } from '../../testing/answers.ts'
import { textsOf } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../testing/server.ts'

const SUMMARY = QUIET['GET /api/emails/summary'] as Record<string, number>
const LATER = '2999-01-05T08:15:00.000Z'

const answerOf = (answer: string) => [{ at: '2026-01-05T08:00:00.000Z', kind: 'busy', answer }]

const testEmail = (more: Partial<ListedEmail> = {}): ListedEmail => ({
  id: 'one',
  subject: 'New contract: premium',
  person: 'Ana Botha, Stoep',
  recipient: 'agency',
  to: ['hello@agency.example'],
  fields: [
    ['businessName', 'Stoep'],
    ['leadSource', 'contract_premium'],
    ['message', 'We bake. <b>bold</b>'],
  ],
  isErased: false,
  about: { leadId: '5b1f5f0e-1d60-4c3c-9d8c-5f0b9e0a1a11' },
  state: 'delivered',
  isStuck: false,
  isContract: true,
  isUnderWay: false,
  attempts: 1,
  tries: [{ at: '2026-01-05T08:00:00.000Z', kind: 'delivered', answer: '200 {"success":"true"}' }],
  dueAt: '2026-01-05T08:00:00.000Z',
  askedAt: '2026-01-05T08:00:00.000Z',
  createdAt: '2026-01-05T08:00:00.000Z',
  ...more,
})

const openEmails = (emails: readonly ListedEmail[], answers: Record<string, Answer> = {}) =>
  openScreen('/admin-email', { 'GET /api/emails': emails, ...answers })

const cardOf = async (subject: string) => within(await screen.findByRole('article', { name: subject }))

/** Opens the list with one email, and finds its card. */
const openCard = async (more: Partial<ListedEmail>, answers: Record<string, Answer> = {}) => {
  const opened = await openEmails([testEmail(more)], answers)
  return { ...opened, card: within(await screen.findByRole('article')) }
}

test('An empty list is reported', async () => {
  await openScreen('/admin-email', { 'GET /api/emails': [] })
  await screen.findByText('No emails yet')
  await screen.findByText('Emails appear here once a contract is signed.')
})

test('An empty list of a state names the state', async () => {
  await openScreen('/admin-email?state=blocked', { 'GET /api/emails': [] })
  await screen.findByText('No emails: blocked')
  expect(screen.getByRole('link', { name: 'Today' })).toBeTruthy()
})

test('A delivered email shows so, and its recipient, and links to its lead', async () => {
  const { card } = await openCard({})
  card.getByText('Delivered', { selector: 'h2 + span' })
  card.getByText('To the agency')
  card.getByText('1 attempt')
  expect(card.getByText('Open the lead').getAttribute('href')).toBe(
    '/admin-lead?id=5b1f5f0e-1d60-4c3c-9d8c-5f0b9e0a1a11',
  )
  expect(card.queryByText(/^Last response/)).toBeNull()
})

test.each([
  {
    state: 'blocked',
    chip: 'Blocked',
    answer: '403 <!DOCTYPE html><title>Just a moment...</title>',
    advice: /^The service does not take email from this website\./,
    response: 'Last response: a page titled "Just a moment..." (403)',
    attempts: '1 attempt, next 5 January 2999 at 10:15',
  },
  {
    state: 'retrying',
    chip: 'Waiting for another try',
    answer: '429 {"success":"false","message":"Slow down"}',
    response: 'Last response: Slow down (429)',
    attempts: '1 attempt, next 5 January 2999 at 10:15',
  },
  { state: 'rejected', chip: 'Failed', advice: /^It was refused and is not tried again by itself\./ },
  {
    state: 'uncertain',
    chip: 'May have arrived',
    advice: /Look in the inbox first: after "Send again" it may be there twice\./,
  },
  { state: 'expired', chip: 'Given up', advice: /^The other side was busy for four days\./ },
  { state: 'outbox', chip: 'Not sent (no email service)', attempts: 'No email server' },
  { state: 'brand_new' as ListedEmail['state'], chip: 'Brand new' },
] as const)('An email that is $state says so in plain words, with what to do and what was answered', async (found) => {
  const { state, chip, answer = '200 {"success":"false","message":"No"}' } = found as typeof found & { answer?: string }
  const {
    advice,
    response,
    attempts = '1 attempt',
  } = found as { advice?: RegExp; response?: string; attempts?: string }
  const { card } = await openCard({ state, dueAt: LATER, tries: answerOf(answer) })
  card.getByText(chip, { selector: 'h2 + span' })
  card.getByText(attempts)
  if (advice) card.getByText(advice)
  if (response) card.getByText(response)
})

test('An email whose address has to be confirmed links to the page for that', async () => {
  const { card } = await openCard({ state: 'needs_activation', dueAt: LATER, tries: answerOf('200 {}') })
  card.getByText('Needs activation', { selector: 'h2 + span' })
  expect(card.getByRole('link', { name: 'have it sent again' }).getAttribute('href')).toBe('/test-form')
})

test.each([
  [false, 'Email isn’t set up. It goes out once it is.'],
  [true, 'Email wasn’t set up then, so it was not sent. It is set up now: send it again.'],
  [undefined, 'Email wasn’t set up, so it was not sent. Once it is, send it again.'],
])('An email in the outbox shows what to do now (email is set up: %s)', async (isSetUp, advice) => {
  const summary = { ...SUMMARY, ...(isSetUp !== undefined && { isSetUp }) }
  const { card } = await openCard({ state: 'outbox' }, { 'GET /api/emails/summary': summary })
  await card.findByText(advice)
})

test('An email that only some inboxes have shows which', async () => {
  const inboxes = [
    { address: 'desk@agency.example', state: 'delivered' as const },
    { address: null, state: 'refused' as const },
  ]
  const { card } = await openCard({ state: 'partial', inboxes })
  card.getByText('Delivered to some', { selector: 'h2 + span' })
  expect(textsOf(within(card.getByLabelText('Inboxes')).getAllByRole('listitem'))).toEqual([
    'desk@agency.example has it',
    'An inbox that is set no longer refused it',
  ])
})

test('Its attempts and the whole email are shown, as plain text under readable names', async () => {
  const { card } = await openCard({ state: 'retrying', tries: answerOf('429 {"message":"Slow down"}') })
  card.getByText('The other side was busy, or could not be reached')
  card.getByText('429 {"message":"Slow down"}')
  card.getByText('We bake. <b>bold</b>')
  expect(textsOf(card.getAllByRole('term'))).toEqual(['To', 'Subject', 'Business name', 'Source', 'Message'])
  expect(card.getAllByRole('definition')[0]?.textContent).toBe('hello@agency.example')
})

test('A recipient that only a newer node knows is shown by its name', async () => {
  const { card } = await openCard({ recipient: 'brand_new' as ListedEmail['recipient'] })
  card.getByText('Brand new')
})

test('One whose data key is lost shows so and cannot be sent again, and others can', async () => {
  const subject = 'This email cannot be read: its key is lost'
  await openEmails([testEmail({ id: 'lost', subject, isUnreadable: true, state: 'rejected' }), testEmail()])
  const lost = await cardOf(subject)
  lost.getByText(/^The data key of this person is lost/)
  expect(lost.queryByRole('button')).toBeNull()
  ;(await cardOf('New contract: premium')).getByRole('button', { name: 'Send again' })
})

test('One that cannot be read while the data keys are unavailable shows so, and cannot be sent again', async () => {
  const { card } = await openCard({
    subject: 'This email cannot be read at the moment',
    isUnreadable: true,
    areKeysAway: true,
  })
  card.getByText(/^The data keys cannot be reached\./)
  expect(card.queryByRole('button')).toBeNull()
})

test('An erased person is shown as erased, with nothing left to send', async () => {
  const { card } = await openCard({ subject: 'Erased', isErased: true, state: 'outbox', fields: [], person: null })
  card.getByText('This person has been erased: there is nothing left to send.')
  expect(card.queryByRole('button')).toBeNull()
})

test('The counts are next to the filters, of which rare ones show only while there are such emails', async () => {
  const summary = { ...SUMMARY, attention: 4, stuck: 3, waiting: 1, delivered: 1, blocked: 1, rejected: 1000 }
  await openEmails([], { 'GET /api/emails/summary': summary })
  const filters = within(await screen.findByRole('group', { name: 'Show' }))
  await filters.findByText('4')
  expect(textsOf(filters.getAllByRole('button'))).toEqual([
    'All',
    'Needs attention4',
    'Stuck3',
    'Waiting1',
    'Delivered1',
    'Blocked1',
    'Failed999+',
  ])
})

test('If all emails that need attention are stuck one button is enough, unless the address names the other', async () => {
  const answers = { 'GET /api/emails': [], 'GET /api/emails/summary': { ...SUMMARY, attention: 2, stuck: 2 } }
  const { close } = await openScreen('/admin-email', answers)
  await screen.findByRole('button', { name: 'Needs attention 2' })
  expect(screen.queryByRole('button', { name: /^Stuck/ })).toBeNull()
  close()
  await openScreen('/admin-email?state=stuck', answers)
  await screen.findByRole('button', { name: 'Stuck 2' })
})

test('The filter is in the address, shows its meaning, and Back restores the one before', async () => {
  const { user, address, go } = await openScreen('/admin-email', {
    'GET /api/emails': [testEmail()],
    'GET /api/emails?state=attention': [testEmail({ id: 'two', subject: 'Attend', state: 'rejected' })],
    'GET /api/emails?state=delivered': [testEmail()],
    'GET /api/emails/summary': { ...SUMMARY, attention: 1, delivered: 1 },
  })
  await user.click(await screen.findByRole('button', { name: 'Needs attention 1' }))
  await cardOf('Attend')
  screen.getByText(/^These need attention:/)
  expect(address()).toBe('/admin-email?state=attention')
  expect(screen.getByRole('button', { name: 'Needs attention 1' }).getAttribute('aria-pressed')).toBe('true')
  await go('/admin-email?state=delivered')
  await cardOf('New contract: premium')
  expect(screen.queryByRole('article', { name: 'Attend' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'All' }))
  await waitFor(() => expect(address()).toBe('/admin-email'))
})

test('More than a page is shown on demand', async () => {
  const next = '/api/emails?before=one'
  const { user } = await openEmails([], {
    'GET /api/emails': () => Response.json([testEmail()], { headers: { link: `<${next}>; rel="next"` } }),
    [`GET ${next}`]: [testEmail({ id: 'two', subject: 'Older' })],
  })
  await cardOf('New contract: premium')
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await cardOf('Older')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('A double click sends again once, and shows at once that it waits', async () => {
  const held = Promise.withResolvers<undefined>()
  const { user, card } = await openCard(
    { state: 'rejected', isStuck: true },
    { 'POST /api/emails/one/resend': () => held.promise },
  )
  await user.dblClick(card.getByRole('button', { name: 'Send again' }))
  await card.findByText('Waiting', { selector: 'h2 + span' })
  held.resolve(undefined)
  await screen.findAllByText('Sending again')
  expect(requestsOf('POST /api/emails/one/resend').map(({ body }) => body)).toEqual([{ attempts: 1 }])
})

test('A delivered email is sent again only after a confirmation', async () => {
  const { user, card } = await openCard({}, { 'POST /api/emails/one/resend': undefined })
  await user.click(card.getByRole('button', { name: 'Send again' }))
  const question = within(await screen.findByRole('dialog', { name: 'Send this email again?' }))
  question.getByText('Ana Botha, Stoep')
  question.getByText(/^It was delivered on .+ The agency gets a second copy\.$/)
  await user.click(question.getByText('Cancel'))
  card.getByText('Delivered', { selector: 'h2 + span' })
  expect(requestsOf('POST /api/emails/one/resend')).toEqual([])
  await user.click(card.getByRole('button', { name: 'Send again' }))
  await user.click(await screen.findByText('Send a second copy'))
  await screen.findAllByText('Sending again')
  expect(requestsOf('POST /api/emails/one/resend')).toHaveLength(1)
})

test('A request that fails is reverted and reported', async () => {
  const { user, card } = await openCard({ state: 'blocked' }, { 'POST /api/emails/one/resend': problem(503) })
  await user.click(card.getByRole('button', { name: 'Send again' }))
  await screen.findAllByText('Not sent again')
  card.getByText('Blocked', { selector: 'h2 + span' })
})

test('A failed fetch is reported and tried again', async () => {
  let isBroken = true
  const { user } = await openScreen('/admin-email', {
    'GET /api/emails': () => (isBroken ? new Response('broken', { status: 500 }) : [testEmail()]),
  })
  await screen.findByText('Error loading emails')
  screen.getByText('Temporarily unavailable. Try again in a moment.')
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await cardOf('New contract: premium')
})

test('The navigation counts the stuck emails', async () => {
  await openScreen('/admin-email', { 'GET /api/emails': [], 'GET /api/emails/summary': { ...SUMMARY, stuck: 3 } })
  await screen.findByRole('link', { name: 'Settings 3 emails stuck' })
})
