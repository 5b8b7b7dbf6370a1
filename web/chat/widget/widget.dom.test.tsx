import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  button,
  chat,
  end,
  field,
  fill,
  input,
  log,
  openVisitorPage,
  press,
  say,
  start,
  texts,
  told,
} from '../../testing/visitor-page.tsx'
import { WELCOME } from '../../testing/visitor-socket.ts'

const focused = () => document.activeElement
const light = () => document.querySelector('[viewBox="0 0 10 10"] circle')?.getAttribute('fill')
const question = () => field('How can we help?')

test('A chat must have a name', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  expect(focused()).toBe(question())
  for (const nothing of ['   ', '\u200B\u3164']) {
    await fill(page, field('Your name'), 'x')
    expect(chat().getByRole('alert').textContent).toBe('')
    await fill(page, field('Your name'), nothing)
    await page.user.keyboard('{Enter}')
    expect(chat().getByRole('alert').textContent).toBe('Please enter your name to start chatting.')
  }
  expect(focused()).toBe(field('Your name'))
  expect(page.server.sentOf('join_chat')).toEqual([])
})

test('Enter that ends a composition of Safari neither starts the chat nor sends', async () => {
  const page = await openVisitorPage()
  const endComposition = (of: HTMLElement) => fireEvent.keyDown(of, { key: 'Enter', keyCode: 229 })
  await press(page, 'Open chat')
  await fill(page, field('Your name'), 'Nomsa')
  await fill(page, question(), 'こんにちは')
  expect(endComposition(question())).toBe(true)
  await press(page, 'Start Chat')
  await screen.findByText(/Thanks for reaching out!/)
  await fill(page, input(), 'ありがとう')
  expect(endComposition(input())).toBe(true)
  expect(input().value).toBe('ありがとう')
  expect(page.server.sentOf('send_message').map(({ message }) => message)).toEqual(['こんにちは'])
})

test('The chat has the texts and the sizes of the specification', async () => {
  const page = await openVisitorPage()
  const sizeOf = (element: Element) => {
    const { width, height } = getComputedStyle(element)
    return [width, height]
  }
  const frame = () => screen.getByRole('region', { name: 'Live chat', hidden: true })
  await press(page, 'Open chat')
  expect(sizeOf(frame())).toEqual(['384px', '500px'])
  expect(light()).toBe('#2fa565')
  await press(page, 'Close chat')
  await start(page)
  expect(input().placeholder).toBe('Type your message...')
  await press(page, 'Minimise chat')
  expect(sizeOf(frame())).toEqual(['320px', '64px'])
  for (let count = 1; count <= 10; count += 1) page.server.say(`Answer ${count}`)
  chat().getByText('9+')
})

test('An address that cannot be right is pointed out once, and the next press starts the chat with it', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await fill(page, field('Your name'), 'Nomsa')
  await fill(page, field('Email or phone (optional)'), 'no address at all')
  await press(page, 'Start Chat')
  await chat().findByText(
    'Please enter a valid email address or phone number, or press Start Chat again to continue with this one.',
  )
  expect(focused()).toBe(field('Email or phone (optional)'))
  expect(page.server.sentOf('join_chat')).toEqual([])
  await press(page, 'Start Chat')
  await screen.findByText(WELCOME)
  expect(page.server.sentOf('join_chat')).toMatchObject([{ visitorName: 'Nomsa', visitorEmail: 'no address at all' }])
})

test('A phone number goes into a field of its own; a text with letters is pointed out, and goes along as it is', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await fill(page, field('Your name'), 'Nomsa')
  const contact = field('Email or phone (optional)')
  await fill(page, contact, '082 555 01AB')
  await press(page, 'Start Chat')
  await chat().findByText(/^Please enter a valid email address or phone number/)
  await fill(page, contact, ' 082 555 0142')
  await press(page, 'Start Chat')
  await screen.findByText(WELCOME)
  const [joined] = page.server.sentOf('join_chat')
  expect(joined).toMatchObject({ visitorEmail: '', visitorPhone: '082 555 0142' })
  await page.reload()
  await waitFor(() => expect(page.server.sentOf('join_chat').at(-1)).toMatchObject({ visitorPhone: '082 555 0142' }))
})

test('A chat starts once however often it is requested, with the focus in the message', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await fill(page, field('Your name'), 'Nomsa')
  await fill(page, field('Email or phone (optional)'), 'thandi@example.co.za')
  for (const _ of [1, 2]) fireEvent.click(button('Start Chat'))
  await screen.findByText(WELCOME)
  expect(focused()).toBe(input())
  expect(page.server.sentOf('join_chat')).toMatchObject([
    { visitorName: 'Nomsa', visitorEmail: 'thandi@example.co.za', pageUrl: 'http://localhost:3000/' },
  ])
  expect([chat().getByText('Connected'), light()]).toEqual([expect.anything(), '#2fa565'])
})

test('The support team gets messages and typing signals; their reply and typing are shown', async () => {
  const page = await openVisitorPage()
  await start(page)
  const { sessionId } = page.server.chat
  await page.user.type(input(), 'Do you build shops?{Enter}')
  await log().findByText('Sent')
  expect(input().value).toBe('')
  expect(page.server.textsOf()).toEqual(['Do you build shops?'])
  // the sender of a message
  expect(page.server.sentOf('send_message')).toMatchObject([
    { sessionId, senderType: 'visitor', senderName: 'Nomsa', message: 'Do you build shops?' },
  ])
  expect(page.server.sentOf('typing').map(({ isTyping }) => isTyping)).toEqual([true, false])
  page.server.tell({ type: 'typing', sessionId, senderType: 'admin', isTyping: true })
  expect(log().getByText('Support Team is typing')).toBeTruthy()
  page.server.say('Yes, we do.')
  expect(log().getByText('Yes, we do.')).toBeTruthy()
  expect(log().queryByText('Support Team is typing')).toBeNull()
})

test('Any text is treated as text', async () => {
  const page = await openVisitorPage()
  await start(page)
  const said = ['<b onclick="alert(1)">bold</b> &amp;', 'مرحبا، كم السعر؟', '👩🏽‍💻🇿🇦', 'one\ntwo', 'x'.repeat(4_000)]
  for (const text of said) await say(page, text)
  await waitFor(() => expect(page.server.textsOf()).toEqual(said))
  expect(texts()).toEqual([WELCOME, ...said])
  expect(document.querySelector('[role=log] b')).toBeNull()
  expect(log().getByText('مرحبا', { exact: false }).closest('[dir=auto]')).not.toBeNull()
})

test('A message of 4,001 characters stays, says why it is not sent, and is sent once shortened', async () => {
  const page = await openVisitorPage()
  await start(page)
  await say(page, 'y'.repeat(4_001))
  expect(chat().getByText('Too long to send: 4,001 of 4,000 characters')).toBeTruthy()
  expect(input().value).toHaveLength(4_001)
  await page.user.keyboard('{Backspace}')
  expect(chat().getByText('4,000 of 4,000 characters')).toBeTruthy()
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(page.server.textsOf()).toEqual(['y'.repeat(4_000)]))
})

test('Links can be followed, by their own text and into a tab that gets no reference to the page', async () => {
  const page = await openVisitorPage()
  await start(page)
  page.server.say('Look at https://example.co.za/shop, javascript:alert(1)')
  const link = log().getByRole('link')
  expect(link.textContent).toBe('https://example.co.za/shop')
  const attributes = Object.fromEntries(['href', 'target', 'rel'].map((name) => [name, link.getAttribute(name)]))
  expect(attributes).toEqual({
    href: 'https://example.co.za/shop',
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  })
})

test('The conversation is a log that announces what is added', async () => {
  await start(await openVisitorPage())
  const conversation = screen.getByRole('log', { name: 'Conversation' })
  expect(conversation.getAttribute('aria-relevant')).toBe('additions')
  expect(conversation.getAttribute('aria-live')).toBeNull()
})

test('A chat survives a reload and a change of page, with its draft, and does not take the focus', async () => {
  const page = await openVisitorPage()
  await start(page)
  await say(page, 'Hello')
  await fill(page, input(), 'half a thou')
  for (const path of ['/', '/thanks']) {
    await page.reload(path)
    await waitFor(() => expect(input().disabled).toBe(false))
    expect([texts(), input().value]).toEqual([[WELCOME, 'Hello'], 'half a thou'])
    expect(focused()).toBe(document.body)
  }
  expect(page.server.chats).toHaveLength(1)
})

test('A minimised or closed chat counts new messages, and starts again from zero once it is opened', async () => {
  const page = await openVisitorPage()
  await start(page)
  await press(page, 'Minimise chat')
  expect(screen.queryByRole('log')).toBeNull()
  expect(told()).toBe('')
  page.server.say('Still there?')
  expect(chat().getByText('1')).toBeTruthy()
  expect(told()).toBe('1 unread message from the Support Team')
  for (let count = 2; count <= 12; count += 1) page.server.say(`Answer ${count}`)
  expect(chat().getByText('9+')).toBeTruthy()
  expect(told()).toBe('12 unread messages from the Support Team')
  await press(page, 'Expand chat')
  expect(told()).toBe('')
  await press(page, 'Minimise chat')
  for (let count = 13; count <= 24; count += 1) page.server.say(`Answer ${count}`)
  await press(page, 'Close chat')
  expect(button('Open chat, 9+ unread')).toBeTruthy()
  await page.reload()
  await press(page, 'Open chat, 9+ unread')
  expect(log().getByText('Answer 24')).toBeTruthy()
  await press(page, 'Close chat')
  expect(button('Open chat')).toBeTruthy()
  expect(told()).toBe('')
})

test('Ending a chat asks first; another one begins under the same name', async () => {
  const page = await openVisitorPage()
  await start(page)
  await press(page, 'More actions')
  await page.user.keyboard('{Escape}')
  // Escape closes the list, not the chat
  expect(focused()).toBe(button('More actions'))
  await press(page, 'More actions')
  await press(page, 'End chat')
  const dialog = screen.getByRole('alertdialog', { name: 'End this chat?' })
  expect(focused()).toBe(within(dialog).getByRole('button', { name: 'Keep chatting' }))
  await page.user.keyboard('{Escape}')
  expect(input()).toBeTruthy()
  expect(page.server.sentOf('end_chat')).toEqual([])
  await end(page)
  await press(page, 'Start a new chat')
  await waitFor(() => expect(page.server.chats.map(({ visitorName }) => visitorName)).toEqual(['Nomsa', 'Nomsa']))
  await waitFor(() => expect(focused()).toBe(input()))
  await say(page, 'One more thing')
  await log().findByText('Sent')
  expect(texts()).toEqual([WELCOME, 'One more thing'])
})

test('The message may come first and the details after: it is sent once the chat has started, and not lost before', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await page.user.keyboard('Do you build')
  await press(page, 'Close chat')
  await press(page, 'Open chat')
  expect(focused()).toBe(question())
  expect(question().value).toBe('Do you build')
  await page.user.keyboard('{End} shops?{Shift>}{Enter}{/Shift}And when?{Enter}')
  expect(focused()).toBe(field('Your name'))
  expect(chat().getByRole('alert').textContent).toBe('')
  await page.user.keyboard('{Enter}')
  expect(chat().getByRole('alert').textContent).toBe('Please enter your name to start chatting.')
  await page.user.keyboard('Asks first{Enter}')
  await screen.findByRole('log')
  await log().findByText('Sent')
  expect(texts()).toEqual([WELCOME, 'Do you build shops?\nAnd when?'])
  expect(input().value).toBe('')
  expect(page.server.textsOf()).toEqual(['Do you build shops?\nAnd when?'])
})

test('Enter in the question starts the chat if there is a name already', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await fill(page, field('Your name'), 'Keys')
  await page.user.type(question(), 'first{Shift>}{Enter}{/Shift}second{Enter}')
  await screen.findByRole('log')
  await waitFor(() => expect(page.server.textsOf()).toEqual(['first\nsecond']))
})

test('Text typed before the chat has started survives a reload, until the chat starts', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await fill(page, question(), 'Do you build for schools?')
  await fill(page, field('Your name'), 'Refilwe')
  await fill(page, field('Email or phone (optional)'), 'refilwe@example.co.za')
  await page.reload()
  await press(page, 'Open chat')
  expect([question().value, field('Your name').value, field('Email or phone (optional)').value]).toEqual([
    'Do you build for schools?',
    'Refilwe',
    'refilwe@example.co.za',
  ])
  await press(page, 'Start Chat')
  await screen.findByRole('log')
  await log().findByText('Do you build for schools?')
  expect(sessionStorage.getItem('chat-draft')).toBeNull()
})

test('A frequent question is chosen by a touch, and can still be changed', async () => {
  const page = await openVisitorPage()
  await press(page, 'Open chat')
  await press(page, 'Do I get a domain?')
  expect(focused()).toBe(field('Your name'))
  expect(question().value).toBe('Do I get a domain?')
  expect(screen.queryByRole('button', { name: 'Do I get a domain?' })).toBeNull()
  await page.user.keyboard('Chooses{Enter}')
  await screen.findByRole('log')
  await waitFor(() => expect(page.server.textsOf()).toEqual(['Do I get a domain?']))
})

test('A question is also asked by a touch at the beginning of a conversation', async () => {
  const page = await openVisitorPage()
  await start(page)
  expect(chat().getByRole('list', { name: 'Often asked' })).toBeTruthy()
  await press(page, 'What does it cost?')
  await log().findByText('Sent')
  expect(screen.queryByRole('list', { name: 'Often asked' })).toBeNull()
  expect(page.server.textsOf()).toEqual(['What does it cost?'])
})

test('The focus is on the next element to use when a chat is made smaller, larger and closed', async () => {
  const page = await openVisitorPage()
  await start(page)
  button('Minimise chat').focus()
  await page.user.keyboard('{Enter}')
  expect(focused()).toBe(button('Expand chat'))
  await page.user.keyboard('{Enter}')
  expect(focused()).toBe(input())
  await page.user.keyboard('{Escape}')
  expect(focused()).toBe(button('Open chat'))
})

test('The first touch rates a chat with a reply that is over; a comment may follow, once', async () => {
  const page = await openVisitorPage()
  await start(page)
  await say(page, 'Hello')
  page.server.say('Hello to you')
  page.server.end()
  expect(chat().getByText('How was this chat?')).toBeTruthy()
  await press(page, 'Good')
  await screen.findByText('Thank you for your rating.')
  expect(page.server.sentOf('rate_chat')).toMatchObject([{ score: 'good', comment: null }])
  expect(screen.queryByRole('button', { name: 'Bad' })).toBeNull()
  await page.user.type(screen.getByLabelText('Anything to add? (optional)'), 'Quick and clear')
  await page.user.click(chat().getByText('Send'))
  await waitFor(() => expect(screen.queryByLabelText('Anything to add? (optional)')).toBeNull())
  expect(page.server.sentOf('rate_chat').at(-1)).toMatchObject({ score: 'good', comment: 'Quick and clear' })
  await page.reload()
  await press(page, 'Expand chat')
  await screen.findByText('Thank you for your rating.')
})

test('A rating that is pressed without a connection is sent with the next one, even from another page', async () => {
  const page = await openVisitorPage()
  await start(page)
  await say(page, 'Hello')
  page.server.say('Hello to you')
  page.server.end()
  page.server.state = 'silent'
  await press(page, 'Bad')
  page.server.state = 'here'
  await page.reload()
  await waitFor(() => expect(page.server.sentOf('rate_chat').at(-1)).toMatchObject({ score: 'bad' }))
})
