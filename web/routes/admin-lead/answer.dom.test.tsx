import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { mutate } from 'swr'
import { expect, test } from 'vitest'
import { referenceOf } from '../../../events/base/reference.ts'
import { HOUR_MS } from '../../../events/base/time.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { agency } from '../../content/agency.ts'
import { dayOf } from '../../staff/day.ts'
import { QUIET, SIPHO, THANDI } from '../../testing/answers.ts'
import { ayanda, entryOf, holdBack, idOf, type LeadApi, leadApi, openLead } from '../../testing/lead-api.ts'
import { pressInAccountMenu, type TestScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../testing/server.ts'

const summary = (more: object) => ({
  'GET /api/emails/summary': { ...Object(QUIET['GET /api/emails/summary']), ...more },
})
/** A site with a mail server. */
const SENDS = summary({ reachesPeople: true })

const open = (api: LeadApi, answers: Record<string, Answer> = {}, hash = '') =>
  openLead(api, { ...SENDS, ...answers }, hash)
const reload = async (...opened: Parameters<typeof open>) => {
  cleanup()
  await mutate(() => true, undefined, { revalidate: false })
  return await open(...opened)
}

const panel = async () => within(await screen.findByRole('region', { name: 'Answer' }))
const press = async ({ user }: TestScreen, name: string | RegExp) =>
  await user.click(await (await panel()).findByRole('button', { name }))
const write = (shown: TestScreen) => press(shown, /^Email/)
const send = (shown: TestScreen) => press(shown, 'Send email')
const subject = () => screen.getByLabelText<HTMLInputElement>(/^Subject/)
const text = () => screen.getByLabelText<HTMLTextAreaElement>(/^Text/)
const template = () => screen.getByLabelText<HTMLSelectElement>('Template')
const type = async ({ user }: TestScreen, field: HTMLElement, words: string) => {
  await user.clear(field)
  await user.click(field)
  await user.paste(words)
}
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const entry = (words: string) =>
  within(
    within(screen.getByRole('list', { name: 'Timeline' }))
      .getAllByRole('listitem')
      .find(({ textContent }) => textContent?.includes(words)) ?? expect.fail(`No entry of the timeline says ${words}`),
  )
const emailsSent = () => requestsOf(`POST /api/leads/${idOf(1)}/emails`)
const contactsSent = () => requestsOf(`POST /api/leads/${idOf(1)}/contacts`)
const isGone = (find: () => unknown) => waitFor(() => expect(find()).toBeNull())

test('A template is filled in with the lead’s data, and the edited text is sent once by a double click', async () => {
  const api = leadApi()
  const { answers, letGo } = holdBack(api, 'POST /api/leads/*/emails')
  const shown = await open(api, answers)
  await write(shown)
  await waitFor(() => expect(document.activeElement).toBe(text()))
  await shown.user.selectOptions(template(), 'Package details')
  expect(subject().value).toBe(`The Premium package, reference ${referenceOf(api.lead.id)}`)
  expect(text().value).toMatch(/^Hello Ayanda Cele,[\s\S]*Kind regards\nThandi\n/)
  await type(shown, text(), 'This one is by hand.')
  await shown.user.dblClick(screen.getByRole('button', { name: 'Send email' }))
  letGo()
  await screen.findByText(/^Email on its way/)
  expect(screen.queryByRole('button', { name: 'Send email' })).toBeNull()
  expect(emailsSent().map(({ body }) => body)).toEqual([
    { subject: `The Premium package, reference ${referenceOf(api.lead.id)}`, text: 'This one is by hand.' },
  ])
  await (await panel()).findByText(/^Last answered by Thandi, /)
})

test('An email is one entry that shows all its changes, with one undo that says what it cannot undo', async () => {
  const api = leadApi()
  const shown = await open(api)
  await screen.findByText(/^Answer by /)
  await write(shown)
  await send(shown)
  await screen.findByText('Wrote an email')
  const email = entry('Wrote an email')
  for (const words of ['Email delivered', 'Status: Contacted', 'Assigned to: Thandi']) email.getByText(words)
  expect(within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')).toHaveLength(2)
  const undo = email.getByRole('button', { name: /^Not an answer/ })
  expect(undo.getAttribute('aria-description')).toBe(
    'Use this if it was not a real reply. It takes back the changes to this lead. The email stays sent.',
  )
  expect(screen.queryByText(/^Answer by /)).toBeNull()
  api.change({ nextActionDate: '2026-12-24' })
  api.timeline = api.timeline.map((each) =>
    each.kind === 'answer_email' ? { ...each, data: { ...each.data, undone: ['followUpStatus', 'ownerId'] } } : each,
  )
  await shown.user.click(undo)
  await screen.findByText('The email itself can’t be recalled.')
  await screen.findByText(/^Answer by /)
  await screen.findByText('Status: Contacted (undone)')
  screen.getByText('Assigned to: Thandi (undone)')
  const undone = entry('Undid a change')
  for (const words of ['Status: New', 'Assigned to: Unassigned']) undone.getByText(words)
})

test('A failed email shows so, gives advice, and asks whether it did arrive; the change of owner can be undone', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  await send(shown)
  await screen.findByText('Email delivered')
  const failedAt = new Date().toISOString()
  const sent = api.timeline.at(-1)?.id
  api.timeline = api.timeline.map((each) =>
    each.id === sent ? { ...each, data: { ...each.data, state: 'rejected', undone: ['followUpStatus'] } } : each,
  )
  const back = { followUpStatus: 'new', answeredAt: null, emailFailedAt: failedAt } as const
  api.change(back, 'answer_failed', { answerId: sent, answeredAt: undefined, emailFailedAt: undefined })
  await screen.findByText(/^The email did not arrive/)
  notices().getByText(`It was for ${api.lead.email}.`)
  const failed = entry('The email failed')
  failed.getByText('It did not arrive, so the lead waits for a reply again.')
  failed.getByText('Status: New')
  const arrived = failed.getByRole('button', { name: /^It did arrive/ })
  expect(arrived.getAttribute('aria-description')).toBe(
    'Use this only if you know that they have it. The lead then counts as answered.',
  )
  expect(screen.queryByRole('button', { name: /^Not an answer/ })).toBeNull()
  screen.getAllByText('Email failed')
  await (await panel()).findByText(/That email did not arrive: correct the address and write again, or call\.$/)
  await screen.findByText(/^Answer by /)
  expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('new')
  const disown = entry('Wrote an email').getByRole('button', { name: /^Undo: Wrote an email/ })
  expect(disown.getAttribute('aria-description')).toBe('It undoes the assignment since this email.')
  api.timeline = api.timeline.map((each) =>
    each.id === sent ? { ...each, data: { ...each.data, undone: ['followUpStatus', 'ownerId'] } } : each,
  )
  api.change({ ownerId: null })
  await isGone(() => screen.queryByRole('button', { name: /^(Undo: Wrote|Not an answer)/ }))
})

test('An email that was sent again and arrived counts as a reply, which the timeline shows with its address', async () => {
  const data = { subject: 'Hi', text: 'There', to: 'ayanda@example.com', state: 'delivered' }
  const sent = entryOf('answer_email', { by: 'Thandi', data })
  const failed = entryOf('answer_failed', { data: { answerId: sent.id, followUpStatus: 'new' } })
  const resent = { carries: 'answer_email', to: 'ayanda@example.com', state: 'delivered' }
  const arrived = { answerId: sent.id, followUpStatus: 'contacted' }
  const timeline = [
    sent,
    failed,
    entryOf('email', { by: 'Thandi', data: resent }),
    entryOf('answer_arrived', { data: arrived }),
  ]
  await open(leadApi(ayanda({ followUpStatus: 'contacted', answeredAt: sent.timestamp }), { leads: [], timeline }))
  await screen.findByText('The email arrived')
  const again = entry('Email resent')
  again.getByText('An answer to this lead.')
  again.getByText('To ayanda@example.com')
  expect(screen.queryByText(/^Answer by /)).toBeNull()
})

test('A copy that reached no inbox is shown in the timeline and before writing, until an email arrives', async () => {
  const copy = { carries: 'lead_copy', to: 'Ayanda@Example.com', state: 'rejected' }
  const api = leadApi(ayanda(), { leads: [], timeline: [entryOf('lead'), entryOf('email', { data: copy })] })
  const shown = await open(api)
  const warning = 'An email to this address failed: check it, or call.'
  await (await panel()).findByText(warning)
  const failed = entry('The copy to the customer failed')
  failed.getByText('It did not arrive.')
  failed.getByText('To Ayanda@Example.com')
  await write(shown)
  await send(shown)
  await isGone(() => screen.queryByText(warning))
  entry('The copy to the customer failed')
})

test('A contract’s delivery to our inbox does not read as if the customer got a reply', async () => {
  const contract = { to: 'smtp', state: 'delivered' }
  const timeline = [entryOf('contract'), entryOf('email', { data: contract })]
  await open(leadApi(ayanda({ leadSource: 'contract_premium', emailStatus: 'delivered' }), { leads: [], timeline }))
  await screen.findByText('Contract reached our inbox')
  const told = entry('The contract, to our inbox.')
  expect(told.queryByText(/smtp/)).toBeNull()
})

test('A failed email can be written again, also if the failure is known only after the form was opened', async () => {
  const data = { subject: 'About your shop', text: 'My own words', to: 'wrong@example.com', state: 'rejected' }
  const sent = entryOf('answer_email', { by: 'Thandi', data })
  const api = leadApi(ayanda({ emailFailedAt: sent.timestamp }), { leads: [], timeline: [sent] })
  const held = Promise.withResolvers<void>()
  const shown = await open(api, {
    [`GET /api/leads/${idOf(1)}/person`]: () =>
      held.promise.then(() => ({ leads: [api.lead], timeline: [sent], links: [] })),
  })
  await write(shown)
  expect(template().value).toBe('First answer')
  held.resolve()
  await waitFor(() => expect(template().value).toBe('The email that failed'))
  expect([subject().value, text().value]).toEqual(['About your shop', 'My own words'])
  const answer = await panel()
  await waitFor(() => expect(answer.getByRole('form').textContent).toContain('To ayanda@example.com'))
  answer.getByText(/The address has been corrected since: write again\.$/)
})

test('An address that asks for an email opens the form', async () => {
  await open(leadApi(), {}, '#answer')
  await screen.findByLabelText(/^Subject/)
})

test('A name in braces is filled in unchanged, and needs a confirmation before it is sent', async () => {
  const shown = await open(leadApi(ayanda({ name: '{me} & Sons' })))
  await write(shown)
  expect(text().value).toContain('Hello {me} & Sons,')
  await send(shown)
  expect(emailsSent()).toEqual([])
  await press(shown, 'Send as written')
  await screen.findByText(/^Email on its way/)
  expect(emailsSent()).toMatchObject([{ body: { text: expect.stringContaining('Hello {me} & Sons,') } }])
})

test('Ctrl and Enter send an email after the same checks as its button', async () => {
  const shown = await open(leadApi())
  await write(shown)
  await type(shown, text(), 'Hello {nmae}')
  await shown.user.keyboard('{Control>}{Enter}{/Control}')
  await (await panel()).findByRole('button', { name: 'Send as written' })
  expect(emailsSent()).toEqual([])
  await type(shown, text(), 'Hello Ayanda')
  await shown.user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText(/^Email on its way/)
  expect(emailsSent()).toHaveLength(1)
})

test('An email that still contains a placeholder needs a confirmation before it is sent', async () => {
  const shown = await open(leadApi())
  await write(shown)
  await type(shown, text(), 'Hello {nmae}')
  await shown.user.dblClick(screen.getByRole('button', { name: 'Send email' }))
  await screen.findByText('"{nmae}" is not filled in. Correct the text, or send it as written.')
  expect(emailsSent()).toEqual([])
  await press(shown, 'Send as written')
  await screen.findByText(/^Email on its way/)
  expect(emailsSent()).toMatchObject([{ body: { text: 'Hello {nmae}' } }])
})

test('The typed text stays if the server fails, and errors are shown at their fields', async () => {
  const api = leadApi()
  let fails = true
  const email = api.answers['POST /api/leads/*/emails'] as (sent: unknown) => Response
  const shown = await open(api, {
    'POST /api/leads/*/emails': (sent: unknown) => (fails ? problem(500) : email(sent)),
  })
  await write(shown)
  await type(shown, subject(), ' ')
  await send(shown)
  await screen.findByText('A subject is required')
  await type(shown, subject(), 'Your website')
  await send(shown)
  await waitFor(() => expect(emailsSent()).toHaveLength(1))
  await (await panel()).findByRole('alert')
  expect(subject().value).toBe('Your website')
  fails = false
  await send(shown)
  await screen.findByText(/^Email on its way/)
  const keys = emailsSent().map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('A typed email survives a reload, and is sent with the same key after a lost response', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  await type(shown, text(), 'Typed before the reload.')
  const lost = { 'POST /api/leads/*/emails': () => Promise.reject(new TypeError('Failed to fetch')) }
  const again = await reload(api, lost)
  await (await panel()).findByText('You typed this before. It is not sent yet.')
  expect(text().value).toBe('Typed before the reload.')
  await send(again)
  await waitFor(() => expect(emailsSent()).toHaveLength(1))
  await waitFor(() => expect(screen.getAllByRole('alert').some(({ textContent }) => textContent)).toBe(true))
  const last = await reload(api)
  await send(last)
  await screen.findByText(/^Email on its way/)
  const keys = emailsSent().map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  await reload(api)
  await (await panel()).findByRole('button', { name: 'Email' })
  expect(screen.queryByLabelText(/^Text/)).toBeNull()
})

test('WhatsApp opens with the text filled in, and is logged once from its toast', async () => {
  const api = leadApi()
  const shown = await open(api)
  await press(shown, 'WhatsApp')
  const whatsapp = await (await panel()).findByRole('link', { name: 'Open WhatsApp (new tab)' })
  const words = `Hello Ayanda Cele, this is Thandi from ${agency().name} about your request, reference ${referenceOf(api.lead.id)}. Is now a good time?`
  const field = screen.getByLabelText<HTMLTextAreaElement>('WhatsApp message')
  await waitFor(() => expect(field.value).toBe(words))
  const href = () => new URL(whatsapp.getAttribute('href') ?? '')
  expect([href().pathname, href().searchParams.get('text')]).toEqual(['/27827001001', words])
  await type(shown, field, 'My own words')
  expect(href().searchParams.get('text')).toBe('My own words')
  await type(shown, field, words)
  await shown.user.dblClick(whatsapp)
  notices().getByText(/^WhatsApp opened for 082 700 1001/)
  await shown.user.click(notices().getByRole('button', { name: 'Dismiss' }))
  expect(contactsSent()).toEqual([])
  await shown.user.click(whatsapp)
  await shown.user.dblClick(notices().getByRole('button', { name: 'Log message' }))
  await screen.findByText(/^WhatsApp message logged/)
  await screen.findByText('Wrote by WhatsApp')
  entry('Wrote by WhatsApp').getByText(words)
  expect(contactsSent().map(({ body }) => body)).toEqual([{ channel: 'whatsapp', text: words }])
})

test('An unanswered call leaves the clock running, and one that was logged by mistake is undone', async () => {
  const api = leadApi()
  const shown = await open(api)
  const log = async (outcome: string) => {
    await shown.user.click(await notices().findByRole('button', { name: 'Log call' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Log call: Ayanda Cele' }))
    await shown.user.click(dialog.getByRole('button', { name: outcome }))
  }
  await press(shown, 'Call')
  await (await panel()).findByText('The clock stops only when they got your answer.')
  const link = await (await panel()).findByRole('link', { name: /^Call / })
  expect(link.getAttribute('href')).toBe('tel:+27827001001')
  await shown.user.click(link)
  await log('No answer')
  await screen.findByText(/^No answer logged/)
  notices().getByText('The lead still waits for its answer.')
  await screen.findByText('Called, no answer')
  screen.getByText(/^Answer by /)
  expect(screen.queryByText(/^Last answered/)).toBeNull()
  expect(contactsSent().map(({ body }) => body)).toEqual([{ channel: 'call', text: null, isReached: false }])

  const request = within(screen.getByRole('region', { name: 'Details' }))
  await shown.user.click(request.getByRole('link', { name: api.lead.phone }))
  await log('We spoke')
  await screen.findByText('It is now assigned to you. Add a note about what was said.')
  await isGone(() => screen.queryByText(/^Answer by /))
  await shown.user.click(notices().getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
  await screen.findByText(/^Answer by /)
  await screen.findByText('Called (removed)')
})

test('Replying to an unassigned lead assigns it to oneself, unless one opts out, and it can be taken later', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  await send(shown)
  await screen.findByText('It is now assigned to you.')
  notices().getByText(/^Email on its way/)
  const owner = () => screen.getByLabelText<HTMLSelectElement>('Assigned to').selectedOptions[0]?.textContent
  await waitFor(() => expect(owner()).toBe('Thandi'))
  await shown.user.click(notices().getByRole('button', { name: 'Leave unassigned' }))
  await screen.findByText('Undone')
  await waitFor(() => expect(owner()).toBe('Unassigned'))
  expect(api.lead).toMatchObject({ followUpStatus: 'contacted', ownerId: null })
  await shown.user.click(await screen.findByRole('button', { name: /^Assign to me: Ayanda Cele/ }))
  await screen.findByText(/^Assigned to you/)
  await waitFor(() => expect(owner()).toBe('Thandi'))
  expect(screen.queryByRole('button', { name: /^Assign to me/ })).toBeNull()
  expect(document.activeElement?.tagName).toBe('H1')
})

test('If a node does not know of the mail server the panel says so, and offers both ways', async () => {
  const shown = await open(leadApi(), summary({}))
  const answer = await panel()
  await write(shown)
  await answer.findByText(/^Whether this site can send emails to people is not known here\./)
  answer.getByRole('link', { name: 'Open in your email app' })
  await screen.findByLabelText(/^Subject/)
})

test('Without a mail server the panel offers one’s own mail program, whose email is logged and undone', async () => {
  const api = leadApi()
  const shown = await open(api, summary({ reachesPeople: false }))
  const answer = await panel()
  await write(shown)
  await answer.findByText('This site has no mail server, so it can’t send your emails.')
  const link = answer.getByRole('link', { name: 'Open in your email app' })
  expect(link.getAttribute('href')).toMatch(/^mailto:ayanda@example\.com\?subject=[^+]*&body=[^+]*$/)
  expect(screen.queryByLabelText(/^Subject/)).toBeNull()
  await shown.user.click(link)
  expect(contactsSent()).toEqual([])
  await shown.user.click(await notices().findByRole('button', { name: 'Log email' }))
  await screen.findByText(/^Email logged/)
  expect(contactsSent()).toMatchObject([{ body: { channel: 'email', text: expect.stringContaining('reference') } }])
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('contacted'))
  await shown.user.click(notices().getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('new'))
})

test('The address in the details opens one’s own mail program, whose email is logged', async () => {
  const api = leadApi()
  const shown = await open(api)
  const request = within(await screen.findByRole('region', { name: 'Details' }))
  const link = request.getByRole('link', { name: api.lead.email })
  expect(link.getAttribute('href')).toBe(`mailto:${api.lead.email}`)
  await shown.user.click(link)
  await shown.user.click(await notices().findByRole('button', { name: 'Log email' }))
  await screen.findByText(/^Email logged/)
  expect(contactsSent()).toMatchObject([{ body: { channel: 'email', text: null } }])
})

test('A template that replaces typed text can be reverted, and the text is stored until it is discarded', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  const before = template().value
  const undo = async () => await shown.user.click(notices().getByRole('button', { name: 'Undo' }))
  await type(shown, text(), 'My own words')
  await shown.user.selectOptions(template(), 'Empty')
  expect(text().value).toBe('')
  await undo()
  expect([text().value, template().value]).toEqual(['My own words', before])
  // also once the note has gone
  await shown.user.selectOptions(template(), 'Empty')
  await reload(api)
  await screen.findByText('What you typed before')
  // as it was, with the button that restores the typed text
  expect([template().value, text().value]).toEqual(['', ''])
  const again = await reload(api)
  await screen.findByText('What you typed before')
  await again.user.selectOptions(template(), 'What you typed before')
  expect(text().value).toBe('My own words')
  await again.user.selectOptions(template(), 'Empty')
  await type(again, text(), 'Something else')
  await again.user.click(notices().getByRole('button', { name: 'Undo' }))
  expect(text().value).toBe('My own words')
  await again.user.selectOptions(template(), 'What you typed before')
  expect(text().value).toBe('Something else')
  await again.user.selectOptions(template(), 'What you typed before')
  expect([text().value, template().value]).toEqual(['My own words', before])
  await press(again, 'Keep for later')
  await screen.findByText('Email kept')
  await press(again, 'Email (draft)')
  expect(text().value).toBe('My own words')
  await (await panel()).findByText('You typed this before. It is not sent yet.')
  await press(again, 'Discard')
  await again.user.click(notices().getByRole('button', { name: 'Undo' }))
  expect(text().value).toBe('My own words')
  await press(again, 'Discard')
  await press(again, 'Email')
  expect(text().value).not.toBe('My own words')
  await press(again, 'Cancel')
})

test('A call while an email is written loses no text, and is not reported to the person who made it', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  await type(shown, text(), 'First words')
  await press(shown, 'Call')
  await shown.user.click((await panel()).getByRole('link', { name: /^Call / }))
  await shown.user.click(notices().getByRole('button', { name: 'Log call' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Log call: Ayanda Cele' }))
  await shown.user.click(dialog.getByRole('button', { name: 'We spoke' }))
  await screen.findByText('Called')
  await shown.user.click(notices().getByRole('link'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })))
  expect(text().value).toBe('First words')
  expect(screen.queryByText(/has replied since/)).toBeNull()
})

test('A colleague’s reply while one writes needs a confirmation before a second email is sent', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  api.change({ followUpStatus: 'contacted' }, 'answer_email', { subject: 'Hi', text: 'There' })
  const told = await (await panel()).findByText(/^Sipho has replied since /)
  await shown.user.dblClick(screen.getByRole('button', { name: 'Send email' }))
  await waitFor(() => expect(told.closest('[tabindex]')).toBe(document.activeElement))
  await shown.user.type(subject(), '{Enter}')
  expect(emailsSent()).toEqual([])
  await press(shown, 'Send anyway')
  await screen.findByText(/^Email on its way/)
  expect(emailsSent()).toHaveLength(1)
})

test('A reply since the email was begun is reported also after a reload and a failed attempt, and not once it is undone', async () => {
  const api = leadApi()
  const shown = await open(api, { 'POST /api/leads/*/emails': () => Promise.reject(new TypeError('Failed to fetch')) })
  await write(shown)
  await type(shown, text(), 'My own words')
  await send(shown)
  await waitFor(() => expect(emailsSent()).toHaveLength(1))
  api.changeUnseen({ followUpStatus: 'contacted' }, 'call')
  const again = await reload(api)
  await (await panel()).findByText(/^Sipho has replied since /)
  api.timeline = api.timeline.map((each) => (each.kind === 'call' ? { ...each, isUndone: true } : each))
  api.change({ followUpStatus: 'new' })
  await isGone(() => screen.queryByText(/has replied since/))
  await send(again)
  await screen.findByText(/^Email on its way/)
})

test('An email that was stored but not confirmed needs a confirmation before it is sent with other text', async () => {
  const api = leadApi()
  const email = api.answers['POST /api/leads/*/emails'] as (sent: unknown) => Response
  let isLost = true
  const shown = await open(api, {
    'POST /api/leads/*/emails': (sent: unknown) => {
      // a key that was used is stored once
      if (isLost) email(sent)
      if (isLost) throw new TypeError('Failed to fetch')
      return Response.json(api.lead)
    },
  })
  await write(shown)
  await type(shown, text(), 'These words were sent')
  await send(shown)
  await waitFor(() => expect(emailsSent()).toHaveLength(1))
  isLost = false
  api.tell()
  await screen.findByText('Wrote an email')
  expect(screen.queryByText(/ has replied since /)).toBeNull()
  await type(shown, text(), 'These words are others')
  const told = await screen.findByText(/ has replied since /)
  await send(shown)
  await waitFor(() => expect(told.closest('[tabindex]')).toBe(document.activeElement))
  expect(emailsSent()).toHaveLength(1)
  await type(shown, text(), 'These words were sent')
  await isGone(() => screen.queryByText(/ has replied since /))
  await send(shown)
  await screen.findByText(/^Email on its way/)
  const keys = emailsSent().map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('An email that another tab sent is closed here, except for text that was typed here since then', async () => {
  const api = leadApi()
  const shown = await open(api)
  await write(shown)
  await type(shown, text(), 'From one of the tabs')
  const goneElsewhere = () => {
    const key = Object.keys(localStorage).find((each) => each.endsWith('-email-draft')) ?? expect.fail('No draft')
    localStorage.removeItem(key)
    dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
  }
  await reload(api)
  await screen.findByText('You typed this before. It is not sent yet.')
  goneElsewhere()
  await screen.findByText('This email was sent or discarded in another tab')
  expect(screen.queryByLabelText(/^Text/)).toBeNull()
  const again = await reload(api)
  await write(again)
  await type(again, text(), 'From one of the tabs')
  const edited = await reload(api)
  await screen.findByText('You typed this before. It is not sent yet.')
  await type(edited, text(), 'These are other words')
  goneElsewhere()
  await edited.user.click(text())
  expect(text().value).toBe('These are other words')
})

const twice = (more: Partial<Lead> = {}) => {
  const other = ayanda({ id: idOf(2), name: 'Ayanda Again', ...more })
  return leadApi(ayanda(), { leads: [other], timeline: [entryOf('lead')] })
}
const line = () => screen.queryByRole('link', { name: /another request of theirs/ })

test('A colleague’s reply to another lead of the person is shown next to the ways to reply, until this one has a reply too', async () => {
  const api = twice()
  const shown = await open(api)
  await screen.findByRole('heading', { name: 'Related leads' })
  expect(line()).toBeNull()
  api.timeline = [...api.timeline, entryOf('whatsapp', { by: SIPHO.displayName, leadId: idOf(2) })]
  api.tell(api.others[0])
  await waitFor(() => expect(line()).toBeTruthy())
  expect(line()?.textContent).toMatch(/^Sipho answered another request of theirs, today \d\d:\d\d$/)
  expect(line()?.getAttribute('href')).toBe(`/admin-lead?id=${idOf(2)}`)
  await write(shown)
  await send(shown)
  await screen.findByText(/^Email on its way/)
  await isGone(line)
})

test('On the lead that got the reply it is not shown', async () => {
  const answered = ayanda({ followUpStatus: 'contacted', answeredAt: new Date().toISOString() })
  const whatsapp = entryOf('whatsapp', { by: SIPHO.displayName })
  const api = leadApi(answered, { leads: [ayanda({ id: idOf(2) })], timeline: [entryOf('lead'), whatsapp] })
  await open(api)
  await (await panel()).findByText(/^Last answered by Sipho, /)
  expect(line()).toBeNull()
})

test.each([
  [6, true],
  [8, false],
])('A status that a colleague set %i days ago shows the same: %s', async (days, isTold) => {
  const timestamp = new Date(Date.now() - days * 24 * HOUR_MS).toISOString()
  const api = twice({ followUpStatus: 'contacted', answeredAt: timestamp })
  const data = { followUpStatus: 'contacted' }
  api.timeline = [entryOf('lead'), entryOf('follow_up', { by: SIPHO.displayName, leadId: idOf(2), timestamp, data })]
  await open(api)
  await screen.findByText('Status: Contacted')
  const words = /^Sipho answered another request of theirs, \w{3} \d\d:\d\d$/
  expect(line()?.textContent ?? '').toMatch(isTold ? words : /^$/)
})

test('An email to a lead with merged ones shows all their messages', async () => {
  const merged = (number: number, name: string, message: string | null) =>
    ayanda({ id: idOf(number), name, message, mergedInto: idOf(1) })
  const leads = [merged(2, 'Ida Again', 'What does hosting cost?'), merged(3, 'Ida Silent', null)]
  const own = ayanda({ message: 'Can you build a shop?' })
  const shown = await open(leadApi(own, { leads, timeline: [] }))
  await write(shown)
  await shown.user.click(screen.getByText('What they wrote'))
  const form = within(screen.getByRole('form', { name: 'Email' }))
  for (const words of ['Can you build a shop?', 'What does hosting cost?']) form.getByText(words)
  form.getByText(/^Ida Again, /)
  expect(form.queryByText(/Ida Silent/)).toBeNull()
})

test('A lead without a message of its own is replied to next to the message of a merged one', async () => {
  const gone = ayanda({ id: idOf(2), name: 'Jan Writes', message: 'Please call after four.', mergedInto: idOf(1) })
  const shown = await open(leadApi(ayanda(), { leads: [gone], timeline: [] }))
  await write(shown)
  await shown.user.click(screen.getByText('What they wrote'))
  within(screen.getByRole('form', { name: 'Email' })).getByText('Please call after four.')
})

test('An email draft is marked in lists, and signing out asks about it', async () => {
  const api = leadApi()
  const days = [{ day: dayOf(api.lead.timestamp), count: 1 }]
  const shown = await open(api, {
    'GET /api/leads': () => [api.lead],
    'GET /api/leads/summary': { total: 1, days },
  })
  await write(shown)
  await type(shown, text(), 'My own words')
  await shown.go('/admin-dashboard')
  const mark = await screen.findByRole('link', { name: /^Unsent email: Ayanda Cele/ })
  await shown.user.click(mark)
  await waitFor(() => expect(shown.address()).toBe(`/admin-lead?id=${idOf(1)}`))
  await screen.findByLabelText(/^Text/)
  await waitFor(() => expect(document.activeElement).toBe(text()))
  expect(text().value).toBe('My own words')

  await pressInAccountMenu(shown.user, 'Sign out')
  const question = within(await screen.findByRole('dialog', { name: 'Sign out without saving?' }))
  await question.findByText(/^An email to/)
  expect(question.getByText(/^An email to/).textContent).toBe('An email to Ayanda Cele that was not sent')
  await shown.user.click(question.getByRole('button', { name: 'Stay here' }))
})

test('The next reply begins with the templates that owners have saved', async () => {
  const places = { chat: false, email: true, whatsapp: false }
  const replies = [{ name: 'Short', subject: 'About {business}', text: 'Hello', ...places }]
  const settings = { ...DEFAULT_SETTINGS, replies }
  const shown = await open(leadApi(), { 'GET /api/settings': settings, 'GET /api/me': { ...THANDI, role: 'agent' } })
  await write(shown)
  expect(subject().value).toBe('About Stoep & Co')
})
