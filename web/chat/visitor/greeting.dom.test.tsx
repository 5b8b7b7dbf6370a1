import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chat, field, fill, openVisitorPage, press, texts, type VisitorPage } from '../../testing/visitor-page.tsx'
import { WELCOME } from '../../testing/visitor-socket.ts'

const TEXT = 'Questions about Premium? We answer in minutes.'
/** On a Sunday. */
const OUT_OF_HOURS = new Date('2026-11-22T10:00:00+02:00')

const bubble = () => screen.queryByRole('complementary', { name: 'Message from our team' })
const findBubble = async () => within(await screen.findByRole('complementary', { name: 'Message from our team' }))
const findSaid = async () => (await findBubble()).findByText(TEXT)

/** Runs a page's script once its time has come. */
const greet = async (page: VisitorPage, { isAnyTime = false } = {}) => {
  const code = await import('./greeting-bubble.ts')
  await act(() => code.greet({ page: '/', afterSeconds: 0, text: TEXT, isAnyTime }))
  await page.later(100)
}

/** The effect of a click on an element that opens the chat (pages/boot.ts). */
const openByBubble = async ({ user }: VisitorPage) => {
  await user.click(await findSaid())
  act(() => {
    dispatchEvent(new Event('open-chat'))
  })
}

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => setTimeout(show, 16))
})

afterEach(() => {
  vi.unstubAllGlobals()
  delete document.body.dataset.greeting
  bubble()?.remove()
})

test('A visitor who clicks the greeting opens the chat with it, and sees none again', async () => {
  const page = await openVisitorPage()
  await greet(page)
  await openByBubble(page)
  expect(chat().getByText(TEXT)).toBeTruthy()
  expect(bubble()).toBeNull()
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Open chat'))
  await page.reload()
  await greet(page)
  expect(bubble()).toBeNull()
})

test('The greeting that the visitor replied to stays above their first message, and is sent to staff', async () => {
  const page = await openVisitorPage()
  await greet(page)
  await openByBubble(page)
  await fill(page, field('How can we help?'), 'Yes, I need a webshop')
  await fill(page, field('Your name'), 'Zola')
  await press(page, 'Start Chat')
  await screen.findByText(WELCOME)
  await waitFor(() => expect(texts()).toEqual([TEXT, WELCOME, 'Yes, I need a webshop']))
  expect(page.server.sentOf('join_chat')).toMatchObject([{ greeting: TEXT }])
  await page.reload()
  expect(texts()).toEqual([TEXT, WELCOME, 'Yes, I need a webshop'])
})

test('It waits behind a dialog, and stays closed once closed, with the focus on the chat button', async () => {
  const page = await openVisitorPage()
  const dialog = document.createElement('dialog')
  document.body.append(dialog)
  dialog.showModal()
  await greet(page)
  await page.later(3_000)
  expect(bubble()).toBeNull()
  dialog.close()
  dialog.remove()
  await page.later(1_000)
  await findSaid()
  await page.user.click((await findBubble()).getByRole('button', { name: 'Close message' }))
  expect(bubble()).toBeNull()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Open chat')
  await page.reload()
  await greet(page)
  expect(bubble()).toBeNull()
})

test('Escape closes it', async () => {
  const page = await openVisitorPage()
  await greet(page)
  const close = (await findBubble()).getByRole('button', { name: 'Close message' })
  close.focus()
  await page.user.keyboard('{Escape}')
  expect(bubble()).toBeNull()
})

test('A visitor in a chat sees none', async () => {
  const page = await openVisitorPage()
  localStorage.setItem('visitor-chat', '{}')
  await greet(page)
  expect(bubble()).toBeNull()
})

test('Outside the support hours it shows only if configured to', async () => {
  const page = await openVisitorPage({ now: OUT_OF_HOURS })
  await greet(page)
  expect(bubble()).toBeNull()
  await greet(page, { isAnyTime: true })
  await findSaid()
})
