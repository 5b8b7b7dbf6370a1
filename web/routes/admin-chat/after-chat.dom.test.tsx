import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import {
  box,
  bubbles,
  button,
  details,
  entryOf,
  fetchedChat,
  isShown,
  notice,
  openTestConsole,
  pane,
  recordOf,
  rowOf,
  type TestChat,
  testChat,
} from '../../testing/console.tsx'
import { testLead } from '../../testing/lead.ts'
import { problem, requestsOf, type Sent } from '../../testing/server.ts'

const AT = '2026-11-18T08:45:00.000Z'
const LEAD_ID = '0b8b5f0e-6a51-4d3f-a0d2-7c2d1b7f9d10'

const addressOf = ({ session }: TestChat) => `/admin-chat?session=${session.sessionId}`

const pathOf = ({ session }: TestChat) => `/api/chats/${session.sessionId}`

const isOff = (name: string) => details().getByText(name).getAttribute('aria-disabled')

const dialogOf = (title: string) =>
  within(screen.getByText(title, { selector: 'dialog h2' }).closest('dialog') as HTMLElement)

const isClosed = () => waitFor(() => expect(document.querySelector('dialog')).toBeNull())

test('A transcript that cannot be sent shows the reason', async () => {
  const lost = testChat('Lost', { visitorEmail: 'no address at all', said: ['Hello'] })
  const [silent, unknown] = [testChat('Silent', { visitorEmail: 'silent@example.co.za' }), testChat('Unknown')]
  const { go } = await openTestConsole({ chats: [lost, silent, unknown], address: addressOf(lost) })
  await details().findByText('"no address at all" is no email address.')
  expect(isOff('Email transcript')).toBe('true')
  await go(addressOf(silent))
  await screen.findByText('No messages yet.')
  expect(isOff('Email transcript')).toBe('true')
  await go(addressOf(unknown))
  await screen.findByText('The visitor left no email address.')
})

test('A transcript is sent once, and shows when and by whom; a failure is reported', async () => {
  const nomsa = testChat('Nomsa', { visitorEmail: 'nomsa@example.co.za', said: ['Do you build shops?'] })
  const path = `${pathOf(nomsa)}/transcript`
  let isDown = true
  const send = () => {
    if (isDown) return problem(503)
    nomsa.record = { transcripts: [{ timestamp: AT, by: 'Thandi', upTo: 1 }] }
    return { upTo: 1 }
  }
  const { user, say, reload } = await openTestConsole({
    chats: [nomsa],
    address: addressOf(nomsa),
    answers: { [`POST ${path}`]: send },
  })
  await details().findByText('Goes to nomsa@example.co.za')
  await user.click(details().getByText('Email transcript'))
  await details().findByText('The transcript was not sent. Try again.')
  isDown = false
  await user.click(details().getByText('Email transcript'))
  await details().findByText(/^Asked for. See/)
  expect(details().getByText('Email').getAttribute('href')).toBe('/admin-email')
  await details().findByText(/^Last asked for \w+, \d+ \w+ \d{4}, 10:45 by Thandi\.$/)
  expect(isOff('Email transcript')).toBe('true')
  await reload()
  await details().findByText('Asked for already. See Email for whether it has gone out.')
  await user.click(details().getByText('Email transcript'))
  expect(requestsOf(`POST ${path}`)).toHaveLength(2)
  await say(nomsa, 'And galleries?')
  await waitFor(() => expect(isOff('Email transcript')).toBe('false'))
})

test('A lead is created from the details in the chat and those asked for, and links to its page', async () => {
  const said = ['Do you build shops?', 'And galleries?']
  const nomsa = testChat('Nomsa', { visitorEmail: 'nomsa@example.co.za', said })
  const path = `${pathOf(nomsa)}/lead`
  let isDown = true
  const make = () => {
    if (isDown) return problem(503)
    nomsa.record = { leadId: LEAD_ID }
    return testLead({ id: LEAD_ID })
  }
  const { user } = await openTestConsole({
    chats: [nomsa],
    address: addressOf(nomsa),
    answers: { [`POST ${path}`]: make, [`GET /api/leads/${LEAD_ID}`]: testLead({ id: LEAD_ID }) },
  })
  await waitFor(() => expect(bubbles()).toHaveLength(2))
  await user.click(details().getByText('Create lead'))
  const dialog = dialogOf('Create lead')
  const filledIn = (label: string) => dialog.getByLabelText<HTMLInputElement>(label).value
  expect(['Name', 'Email', 'Phone', 'Message'].map(filledIn)).toEqual([
    'Nomsa',
    'nomsa@example.co.za',
    '',
    'Nomsa: Do you build shops?\nNomsa: And galleries?',
  ])
  // the field that is still unknown has the focus
  expect(document.activeElement?.id).toBe('lead-phone')
  await user.keyboard('12{Enter}')
  await dialog.findByText('Please enter a valid phone number')
  expect(requestsOf(`POST ${path}`)).toEqual([])
  await user.clear(dialog.getByLabelText('Phone'))
  await user.type(dialog.getByLabelText('Phone'), '082 555 0142 1{Enter}')
  await dialog.findByText('Temporarily unavailable. Try again in a moment.')
  isDown = false
  await user.click(button('Create lead', dialog))
  await isClosed()
  expect(requestsOf(`POST ${path}`)[1]?.body).toMatchObject({
    name: 'Nomsa',
    email: 'nomsa@example.co.za',
    phone: '082 555 0142 1',
    leadSource: 'live_chat',
  })
  const link = await details().findByText('Open the lead of this chat')
  expect(link.getAttribute('href')).toBe(`/admin-lead?id=${LEAD_ID}`)
  await notice().findByText('Lead made of this chat')
  notice().getByText('Open lead')
})

test('A lead is filled in with the address and number that the visitor wrote, not with those that staff wrote', async () => {
  const candice = testChat('Candice', {
    said: ['Reach me at candice@adams.co.za, 082 123 4567', [SIPHO, 'Or write to sales@agency.example, 021 555 0142']],
  })
  const palesa = testChat('Palesa', {
    visitorEmail: 'palesa@example.co.za',
    said: ['My mother is mother@example.co.za, 083 555 0134'],
  })
  const refilwe = testChat('Refilwe', { visitorEmail: 'no address', said: ['I meant refilwe@example.co.za'] })
  const { user, go } = await openTestConsole({ chats: [candice, palesa, refilwe] })
  for (const [chat, email, phone, told] of [
    [candice, 'candice@adams.co.za', '082 123 4567', 2],
    [palesa, 'palesa@example.co.za', '083 555 0134', 1],
    [refilwe, 'refilwe@example.co.za', '', 1],
  ] as const) {
    await go(addressOf(chat))
    await isShown(chat.session.visitorName)
    await waitFor(() => expect(bubbles()).toHaveLength(chat.messages.length))
    await user.click(details().getByText('Create lead'))
    const dialog = dialogOf('Create lead')
    expect(dialog.getByLabelText<HTMLInputElement>('Email').value).toBe(email)
    expect(dialog.getByLabelText<HTMLInputElement>('Phone').value).toBe(phone)
    expect(dialog.getAllByText('From what they wrote in the chat.')).toHaveLength(told)
    await user.click(dialog.getByText('Cancel'))
    await isClosed()
  }
})

test('The details begin with who it is: the lead, the contract and earlier chats; a number can be called', async () => {
  const earlierChats = [{ sessionId: '0b8b5f0e-6a51-4d3f-a0d2-7c2d1b7f9d11', startTime: AT }]
  const busi = testChat('Busi', { visitorPhone: '082 555 0142', record: { knownLeadId: LEAD_ID, earlierChats } })
  const lead = testLead({ id: LEAD_ID, name: 'Busi Dube', leadSource: 'contract_essential', package: 'Essential' })
  await openTestConsole({
    chats: [busi],
    address: addressOf(busi),
    answers: { [`GET /api/leads/${LEAD_ID}`]: lead },
  })
  await details().findByText('Busi Dube')
  details().getByText('Contract signed')
  const [first] = screen.getAllByRole('heading', { level: 3, hidden: true })
  expect(first?.textContent).toBe('Who this is')
  expect(
    details()
      .getByText(/^Chat of /)
      .getAttribute('href'),
  ).toBe(`/admin-chat?session=${earlierChats[0]?.sessionId}`)
  expect(pane().getByText('082 555 0142').getAttribute('href')).toBe('tel:+27825550142')
  expect(pane().getByText('WhatsApp').getAttribute('href')).toMatch(/^https:\/\/wa\.me\/27825550142/)
})

test('The visitor’s link is copied, or sent by WhatsApp to the number that they gave', async () => {
  const link = 'https://karoo.example/#chat=1.0-abc'
  const [busi, nomsa] = [testChat('Busi', { visitorPhone: '082 555 0142' }), testChat('Nomsa')]
  Object.assign(busi.record, { link })
  const { user, go } = await openTestConsole({ chats: [busi, nomsa], address: addressOf(busi) })
  const copied = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(await details().findByText('Copy the visitor’s link'))
  await notice().findByText('Link copied')
  expect(copied).toHaveBeenCalledWith(link)
  const href = details()
    .getByText(/^Send it by WhatsApp/)
    .getAttribute('href')
  expect(href).toMatch(/^https:\/\/wa\.me\/27825550142\?text=/)
  expect(decodeURIComponent(href ?? '')).toContain(link)
  // a chat that its visitor cannot return to has none
  await go(addressOf(nomsa))
  await waitFor(() => expect(details().queryByText('Copy the visitor’s link')).toBeNull())
  await details().findByText('Turn off the visitor’s link')
})

test('A visitor whose address is on a lead is recognised: a line links to it', async () => {
  const busi = testChat('Busi', { visitorEmail: 'busi@example.co.za', record: { knownLeadId: LEAD_ID } })
  await openTestConsole({
    chats: [busi],
    address: addressOf(busi),
    answers: { [`GET /api/leads/${LEAD_ID}`]: testLead({ id: LEAD_ID }) },
  })
  await details().findByText(/^Wrote to us before under this address:/)
  expect(details().getByText('open the lead').getAttribute('href')).toBe(`/admin-lead?id=${LEAD_ID}`)
})

test('Earlier messages of a long chat are loaded on demand, for a lead too; a failure can be tried again', async () => {
  const chat = testChat('Lindiwe', { said: Array.from({ length: 120 }, (_, index) => `Line ${index + 1}.`) })
  const all = [...chat.messages]
  chat.messages.splice(0, 20)
  let isDown = true
  const { sessionId } = chat.session
  const answer = ({ query }: Sent) => {
    const before = query.get('before')
    if (before === null) return recordOf(chat)
    if (isDown) return problem(503)
    return { ...recordOf(chat), messages: all.filter(({ sequence }) => sequence < Number(before)).slice(-50) }
  }
  const { user } = await openTestConsole({
    chats: [chat],
    address: addressOf(chat),
    answers: { [`GET /api/chats/${sessionId}`]: answer },
  })
  await waitFor(() => expect(bubbles()).toHaveLength(100))
  expect(bubbles()[0]).toMatch(/^Line 21\./)
  await user.click(pane().getByText('Show earlier messages'))
  await pane().findByText('They could not be loaded. Try again.')
  await user.click(details().getByText('Create lead'))
  const dialog = dialogOf('Create lead')
  await dialog.findByText('Error loading the beginning of the chat')
  isDown = false
  await user.click(dialog.getByText('Try again'))
  const told = (await dialog.findByLabelText<HTMLTextAreaElement>('Message')).value
  expect(told).toMatch(/^Lindiwe: Line 1\.\nLindiwe: Line 2\.\n[\s\S]*\n… 70 more messages in the chat$/)
  await user.click(dialog.getByText('Cancel'))
  await isClosed()
  await user.click(pane().getByText('Show earlier messages'))
  await waitFor(() => expect(bubbles()).toHaveLength(120))
  expect(bubbles()[0]).toMatch(/^Line 1\./)
  expect(pane().queryByText('Show earlier messages')).toBeNull()
  expect(document.activeElement?.getAttribute('role')).toBe('log')
})

const endedChat = (name: string, options: Parameters<typeof testChat>[1] = {}) =>
  testChat(name, { isActive: false, endTime: AT, ...options, record: { endedBy: 'visitor', ...options.record } })

test('Ended chats are searched by the typed text, and open with their whole conversation', async () => {
  const nomsa = endedChat('Nomsa', {
    visitorEmail: 'nomsa@example.co.za',
    said: ['Do you build shops?', [THANDI, 'We do'], 'Thank you, goodbye'],
    record: { receipts: { visitor: { delivered: 2, seen: 2 }, admin: { delivered: 3, seen: 3 } } },
  })
  const lost = endedChat('Lost')
  const list = ({ query }: Sent) => {
    const term = query.get('q')
    if (term === null) return [nomsa, lost].map(fetchedChat)
    return term === 'goodbye' ? [fetchedChat(nomsa)] : []
  }
  const { user, address, reload } = await openTestConsole({
    chats: [nomsa, lost],
    address: '/admin-chat?list=ended',
    answers: { 'GET /api/chats': list },
  })
  await entryOf('Nomsa')
  await entryOf('Lost')
  await screen.findByText('2 ended chats')
  const search = screen.getByPlaceholderText('Name, email, phone, words...')
  await user.type(search, `%_'"🇿🇦`)
  await screen.findByText(`No ended chat matches "%_'"🇿🇦"`)
  await user.clear(search)
  await user.type(search, 'goodbye')
  await screen.findByText('1 ended chat')
  expect(rowOf('Lost')).toBeUndefined()
  expect(requestsOf('GET /api/chats').at(-1)?.query.toString()).toBe('state=ended&limit=30&q=goodbye')
  await user.click(await entryOf('Nomsa'))
  await isShown('Nomsa')
  await waitFor(() => expect(bubbles()).toHaveLength(3))
  expect(bubbles()[1]).toMatch(/Seen$/)
  await pane().findByText(/^This chat has ended: \w+, \d+ \w+ \d{4}, 10:45\. The visitor ended it\.$/)
  expect(screen.queryByPlaceholderText('Type your response...')).toBeNull()
  expect(address()).toBe(`/admin-chat?list=ended&session=${nomsa.session.sessionId}`)
  await reload(addressOf(nomsa))
  await waitFor(() => expect(bubbles()).toHaveLength(3))
})

test('Ended chats that cannot be fetched are reported, and can be tried again', async () => {
  const nomsa = endedChat('Nomsa')
  let isDown = true
  const { user } = await openTestConsole({
    chats: [nomsa],
    answers: { 'GET /api/chats': () => (isDown ? problem(500) : [fetchedChat(nomsa)]) },
  })
  await user.click(screen.getByText('Ended'))
  await screen.findByText('Error loading ended chats')
  isDown = false
  await user.click(screen.getByText('Try again'))
  await entryOf('Nomsa')
})

test('An owner erases a chat once the word is typed, and then nothing of it is left here', async () => {
  const zanele = testChat('Zanele', { visitorEmail: 'zanele@example.co.za', said: ['Keep this to yourself'] })
  const { sessionId } = zanele.session
  let isDown = true
  const { user, tell, reload } = await openTestConsole({
    chats: [zanele],
    address: addressOf(zanele),
    answers: { [`POST ${pathOf(zanele)}/erase`]: () => (isDown ? problem(503) : undefined) },
  })
  await user.type(await box(), 'An answer to Zanele')
  await user.click(details().getByText('Erase this chat'))
  const dialog = () => dialogOf('Erase the chat with Zanele?')
  const sure = () => dialog().getByText('Erase for good')
  expect(sure().getAttribute('aria-disabled')).toBe('true')
  await user.click(dialog().getByText('Cancel'))
  await isClosed()
  await user.click(details().getByText('Erase this chat'))
  await user.type(dialog().getByLabelText('Type "erase" to confirm'), 'Erase')
  await user.click(sure())
  await dialog().findByText('The chat was not erased. Temporarily unavailable. Try again in a moment.')
  isDown = false
  await user.click(sure())
  await isClosed()
  zanele.session = { ...zanele.session, visitorName: '', visitorEmail: null, isActive: false, endTime: AT }
  zanele.messages.length = 0
  zanele.record = { isErased: true, endedBy: 'admin' }
  await tell({ type: 'chat_ended', sessionId, isErased: true })
  const isErased = async () => {
    await pane().findByText('This conversation was erased.')
    pane().getByText('Erased chat')
    for (const name of ['Email transcript', 'Create lead', 'End chat']) expect(screen.queryByText(name)).toBeNull()
    expect(document.body.textContent).not.toMatch(/Zanele|Keep this/)
  }
  await isErased()
  expect(document.activeElement?.textContent).toBe('Erased chat')
  expect(JSON.stringify(sessionStorage)).not.toMatch(/Zanele|Keep this/)
  await reload()
  await isErased()
})

test('An agent cannot erase a chat', async () => {
  const thabo = testChat('Thabo')
  await openTestConsole({
    chats: [thabo],
    address: addressOf(thabo),
    answers: { 'GET /api/me': { ...THANDI, role: 'agent' } },
  })
  await details().findByText('Turn off the visitor’s link')
  expect(details().queryByText('Erase this chat')).toBeNull()
})

test('The visitor’s link is turned off once staff have confirmed it, and then it shows when and by whom', async () => {
  const ayanda = testChat('Ayanda')
  const path = `${pathOf(ayanda)}/revoke-links`
  let isDown = true
  const revoke = () => {
    if (isDown) return problem(503)
    ayanda.record = { linkRevocations: [{ timestamp: AT, by: 'Thandi' }] }
    return undefined
  }
  const { user } = await openTestConsole({
    chats: [ayanda],
    address: addressOf(ayanda),
    answers: { [`POST ${path}`]: revoke },
  })
  const dialog = () => dialogOf('Turn off the visitor’s link?')
  await user.click(await details().findByText('Turn off the visitor’s link'))
  await user.click(dialog().getByText('Keep it'))
  await isClosed()
  expect(requestsOf(`POST ${path}`)).toEqual([])
  await user.click(details().getByText('Turn off the visitor’s link'))
  await user.click(dialog().getByText('Turn it off'))
  await dialog().findByText('The link was not turned off. Try again.')
  isDown = false
  await user.click(dialog().getByText('Turn it off'))
  await isClosed()
  await details().findByText(/^Link turned off \w+, \d+ \w+ \d{4}, 10:45 by Thandi\.$/)
})

test('A reply that was not sent before the chat ended can be copied or discarded, also after a reload', async () => {
  const musa = testChat('Musa', { said: ['I have to go'] })
  const { user, tell, reload } = await openTestConsole({ chats: [musa], address: addressOf(musa) })
  await user.type(await box(), 'One moment, here is the price')
  Object.assign(musa.session, { isActive: false, endTime: AT })
  musa.record = { endedBy: 'visitor' }
  await tell({ type: 'chat_ended', sessionId: musa.session.sessionId })
  const text = 'One moment, here is the price'
  const unsent = () => pane().queryByText('Your reply was not sent: the chat ended before.')
  await pane().findByText(text)
  expect(unsent()).toBeTruthy()
  await reload()
  await pane().findByText(text)
  const copied = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(pane().getByText('Copy'))
  await notice().findByText('Copied')
  expect(copied).toHaveBeenCalledWith(text)
  await user.click(pane().getByText('Discard'))
  await waitFor(() => expect(unsent()).toBeNull())
  await user.click(await notice().findByText('Undo'))
  await pane().findByText(text)
  await user.click(pane().getByText('Discard'))
  await waitFor(() => expect(unsent()).toBeNull())
  await reload()
  await pane().findByText(/The visitor ended it\.$/)
  expect(unsent()).toBeNull()
})
