import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DEFAULT_SUPPORT_HOURS } from '../../../events/settings/support-time.ts'
import { answerRequests, stopServerClock } from '../../testing/server.ts'
import {
  AT_NIGHT,
  button,
  chat,
  end,
  field,
  fill,
  IN_HOURS,
  input,
  log,
  openVisitorPage,
  press,
  say,
  start,
} from '../../testing/visitor-page.tsx'
import { VisitorServer } from '../../testing/visitor-socket.ts'

const EMAIL = 'Your email, so our answer reaches you'
const findEmail = () => screen.findByLabelText<HTMLInputElement>(EMAIL)
const email = () => screen.queryByLabelText<HTMLInputElement>(EMAIL)
const shows = (text: string) => screen.getByRole('region', { name: 'Live chat' }).textContent.includes(text)
const given = (server: VisitorServer) => server.sentOf('give_email').map(({ visitorEmail }) => visitorEmail)
const WITHOUT_EMAIL = { ...DEFAULT_SUPPORT_HOURS, reachesPeople: false }

/** A site whose response about replies is held back until `tell` is called. */
const heldAnswering = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { hours: () => promise.then(() => DEFAULT_SUPPORT_HOURS), tell: () => act(async () => resolve()) }
}

test.each([
  ['2026-11-18T07:59:59+02:00', 'today at 08:00'],
  ['2026-11-18T18:00:00+02:00', 'tomorrow at 08:00'],
  ['2026-11-20T18:00:00+02:00', 'on Monday at 08:00'],
])('At %s the chat says that the team is back %s, and still accepts the message', async (now, words) => {
  const page = await openVisitorPage({ now: new Date(now) })
  // so that the clock is still before eight when the page shows
  vi.setSystemTime(now)
  await press(page, 'Open chat')
  await chat().findByText(`Away, back ${words}`)
  expect(document.body.textContent).toContain(`We’re back ${words}, South African time.`)
  expect(chat().queryByText('Connected')).toBeNull()
  // green while connected, whatever the hours
  expect(document.querySelector('[viewBox="0 0 10 10"] circle')?.getAttribute('fill')).toBe('#2fa565')
  await waitFor(() => expect(shows('a message and your email address.')).toBe(true))
  expect(chat().getByText('We are away now: we will reply to this address or number.')).toBeTruthy()
  await fill(page, field('Your name'), 'Late')
  await press(page, 'Start Chat')
  await screen.findByRole('log')
  await say(page, 'Call me back')
  await log().findByText('Sent')
  expect(page.server.textsOf()).toEqual(['Call me back'])
})

test('Inside support hours there is no such notice', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await chat().findByText('So we can reply if you leave.')
  expect(shows('South African time')).toBe(false)
  expect(field('Email or phone (optional)').getAttribute('aria-describedby')).toBe('chat-email-hint')
})

test('The hours follow the server, whatever the clock of the device says', async () => {
  stopServerClock(IN_HOURS)
  const page = await openVisitorPage({ now: AT_NIGHT })
  await press(page, 'Open chat')
  await chat().findByText('So we can reply if you leave.')
  expect(shows('South African time')).toBe(false)
})

test('Hours that change while a chat is open reach it as soon as the visitor looks at it', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  answerRequests({ 'GET /api/support-hours': { ...DEFAULT_SUPPORT_HOURS, opensAtMinute: 12 * 60 } })
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await chat().findByText('Away, back today at 12:00')
})

test('A response without hours leaves the chat with the previous ones', async () => {
  const page = await openVisitorPage({ hours: {} })
  await press(page, 'Open chat')
  await page.later(1_000)
  expect(chat().getByText('Connected')).toBeTruthy()
  expect(shows('South African time')).toBe(false)
})

test('Until the site has sent whether it can send emails, none is promised and no address is requested', async () => {
  const { hours, tell } = heldAnswering()
  const page = await openVisitorPage({ now: AT_NIGHT, hours })
  await press(page, 'Open chat')
  expect(shows('a message.')).toBe(true)
  expect(chat().getByText('So our team can find your requests.')).toBeTruthy()
  await fill(page, field('Your name'), 'Not told')
  await press(page, 'Start Chat')
  await screen.findByRole('log')
  await say(page, 'Anybody?')
  await log().findByText('Sent')
  expect(chat().queryByText(/email/i)).toBeNull()
  await tell()
  await findEmail()
  expect(shows('a message and your email address.')).toBe(true)
})

test('A visitor who started without an address while the team was away is asked for one, and may correct it', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT })
  await start(page, 'No address yet')
  await fill(page, await findEmail(), 'not an address')
  await page.user.keyboard('{Enter}')
  await chat().findByText('Please enter a valid email address')
  expect(document.activeElement).toBe(email())
  await fill(page, await findEmail(), 'typo@example.co.zz')
  await press(page, 'Save')
  await chat().findByText('We will answer at typo@example.co.zz.')
  expect(shows('a message.')).toBe(true)
  expect(document.activeElement).toBe(input())
  await page.reload()
  await page.user.click(await screen.findByRole('button', { name: 'Change email address' }))
  expect(email()?.value).toBe('typo@example.co.zz')
  await press(page, 'Keep it as it is')
  await press(page, 'Change email address')
  await fill(page, await findEmail(), 'right@example.co.za')
  await page.user.keyboard('{Enter}')
  await chat().findByText('We will answer at right@example.co.za.')
  expect(given(page.server)).toEqual(['typo@example.co.zz', 'right@example.co.za'])
})

test('An address whose confirmation is lost is sent again as the same one until it is confirmed', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT })
  await start(page, 'Cut off')
  page.server.judge = ({ type }) => (type === 'give_email' ? [] : undefined)
  await fill(page, await findEmail(), 'cut-off@example.co.za')
  await press(page, 'Save')
  await waitFor(() => expect(shows('Saving your email address...')).toBe(true))
  page.server.cut()
  expect(shows('We save your email address once you are connected again.')).toBe(true)
  page.server.judge = () => undefined
  await page.later(1_000)
  await chat().findByText('We will answer at cut-off@example.co.za.')
  const sent = page.server.sentOf('give_email')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
})

test('A visitor who came by a link is asked for no address', async () => {
  const server = new VisitorServer()
  const { sessionId, resumeToken } = server.begin('Early')
  server.say('hello', server.chat, { senderType: 'visitor', senderName: 'Early' })
  await openVisitorPage({ server, now: AT_NIGHT, path: `/#chat=${sessionId}.${resumeToken}` })
  await screen.findByText('hello')
  await waitFor(() => expect(shows('a message.')).toBe(true))
  expect(email()).toBeNull()
})

test('An address that is being typed stays even if staff reply', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT })
  await start(page, 'Slow hand')
  await fill(page, await findEmail(), 'slow@exam')
  page.server.say('Still here')
  expect(shows('South African time')).toBe(false)
  await page.user.type(await findEmail(), 'ple.co.za{Enter}')
  await waitFor(() => expect(email()).toBeNull())
  expect(given(page.server)).toEqual(['slow@example.co.za'])
})

test('The notice disappears once staff reply, and when the chat has ended', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT })
  await start(page, 'Night owl')
  expect(shows('South African time')).toBe(true)
  await end(page)
  expect(shows('South African time')).toBe(false)
  await press(page, 'Start a new chat')
  await waitFor(() => expect(shows('South African time')).toBe(true))
  await waitFor(() => expect(page.server.chats).toHaveLength(2))
  page.server.say('Still here')
  expect(shows('South African time')).toBe(false)
})

test('Inside support hours a visitor who waits a minute for a first reply is asked for an address, and rates nothing', async () => {
  const page = await openVisitorPage()
  await start(page, 'Patient')
  await say(page, 'Anybody?')
  await log().findByText('Sent')
  await page.later(50_000)
  expect([shows('Nobody has been free'), email()]).toEqual([false, null])
  await page.later(11_000)
  expect(shows('Nobody has been free to answer yet.')).toBe(true)
  const whatsapp = chat().getByRole('link', { name: 'message us on WhatsApp' })
  expect(whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\//)
  await fill(page, await findEmail(), 'patient@example.co.za')
  await press(page, 'Save')
  await chat().findByText('We will answer at patient@example.co.za.')
  await end(page)
  expect(chat().queryByText('How was this chat?')).toBeNull()
})

test('A visitor who waits before the site has sent whether it can send emails is promised and asked nothing', async () => {
  const { hours, tell } = heldAnswering()
  const page = await openVisitorPage({ hours })
  await start(page, 'Waits untold')
  await say(page, 'Anybody?')
  await log().findByText('Sent')
  await page.later(61_000)
  expect(chat().getByText('Nobody has been free', { exact: false }).textContent).toBe(
    'Nobody has been free to answer yet. You can also message us on WhatsApp.',
  )
  await tell()
  await findEmail()
  expect(shows('leave your email address')).toBe(true)
})

test('Without a mail server no email is promised at night: the chat asks for a phone number', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT, hours: WITHOUT_EMAIL })
  await press(page, 'Open chat')
  const asks = 'a message with your phone number, or look in here again for our answer.'
  await waitFor(() => expect(shows(asks)).toBe(true))
  expect(chat().getByText('So our team can find your requests.')).toBeTruthy()
  expect(chat().queryByText(/answer to this address|reply if you leave/)).toBeNull()
  await fill(page, field('Your name'), 'Night owl')
  await press(page, 'Start Chat')
  await screen.findByRole('log')
  await say(page, 'Call me at 082 555 0142')
  await log().findByText('Sent')
  expect(shows(asks)).toBe(true)
  expect([email(), shows('We will answer at')]).toEqual([null, false])
  // the announced call follows
  await page.reload('/', () => page.server.say('We call you at eight'))
  await log().findByText('We call you at eight')
})

test('There a given address is stored without a promise, even if the chat is removed', async () => {
  const page = await openVisitorPage({ now: AT_NIGHT, hours: WITHOUT_EMAIL })
  await start(page, 'Has an address', 'kept@example.co.za')
  expect(shows('a message with your phone number')).toBe(true)
  expect(shows('kept@example')).toBe(false)
  expect(page.server.sentOf('join_chat')).toMatchObject([{ visitorEmail: 'kept@example.co.za' }])
  await press(page, 'More actions')
  await press(page, 'Delete from this device')
  expect(shows('Our team keeps the chat.')).toBe(true)
  expect(shows('can answer by email')).toBe(false)
})

test('If the site can send emails, a visitor who removes a chat reads that a reply can still come by email', async () => {
  const page = await openVisitorPage()
  await start(page, 'Has an address', 'kept@example.co.za')
  await press(page, 'More actions')
  await press(page, 'Delete from this device')
  expect(shows('Our team keeps the chat, and can answer by email.')).toBe(true)
})

test('Without a mail server, in support hours a visitor who waits a minute is asked for a phone number', async () => {
  const page = await openVisitorPage({ hours: WITHOUT_EMAIL })
  await start(page, 'Patient')
  await say(page, 'Anybody?')
  await log().findByText('Sent')
  await page.later(61_000)
  expect(chat().getByText('Nobody has been free', { exact: false }).textContent).toContain(
    'leave your phone number in a message, or message us on WhatsApp.',
  )
  expect(email()).toBeNull()
  expect(button('Send').disabled).toBe(false)
})
