import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { box, bubbles, button, openTestConsole, testChat } from '../../testing/console.tsx'
import { framesOf } from '../../testing/socket.ts'

const openChat = async () => {
  const nomsa = testChat('Nomsa')
  const opened = await openTestConsole({ chats: [nomsa], address: `/admin-chat?session=${nomsa.session.sessionId}` })
  const input = await box()
  input.focus()
  return { ...opened, input }
}

const list = () => screen.queryByLabelText('Canned replies', { selector: '[role=listbox]' })

const options = () => [...(list()?.querySelectorAll('[role=option]') ?? [])].map(({ textContent }) => textContent)

const current = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent

test('Canned replies open on a slash, are filtered as one types, and are chosen by arrows and Enter', async () => {
  const { user, input } = await openChat()
  await user.keyboard('/')
  expect(options()).toHaveLength(3)
  expect(current(input)).toMatch(/^\/hello/)
  await user.keyboard('{ArrowDown}')
  expect(current(input)).toMatch(/^\/pricing/)
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(current(input)).toMatch(/^\/quote/)
  await user.keyboard('pri')
  expect(options()).toHaveLength(1)
  screen.getByText('1 canned reply. Choose with the arrow keys and Enter.')
  await user.keyboard('{Enter}')
  expect(input.value).toMatch(/^Our packages start at R999/)
  expect(list()).toBeNull()
  expect(framesOf('send_message')).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(bubbles()[0]).toMatch(/^Our packages start at R999/))
})

test('An Enter that ends a composition in Safari neither chooses a canned reply nor sends', async () => {
  const { user, input } = await openChat()
  const endComposition = () => fireEvent.keyDown(input, { key: 'Enter', keyCode: 229 })
  await user.keyboard('/')
  expect(endComposition()).toBe(true)
  expect(input.value).toBe('/')
  await user.clear(input)
  await user.keyboard('Dankie')
  expect(endComposition()).toBe(true)
  expect(framesOf('send_message')).toEqual([])
})

test('Canned replies close on Escape and stay closed for that text, and are chosen by Tab', async () => {
  const { user, input } = await openChat()
  await user.keyboard('/hel')
  expect(list()).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(list()).toBeNull()
  await user.keyboard('l')
  expect(list()).toBeTruthy()
  await user.keyboard('{Tab}')
  expect(input.value).toMatch(/^Hello, and thank you/)
  expect(document.activeElement).toBe(input)
  await user.clear(input)
  await user.keyboard('/nothing-of-the-kind')
  screen.getByText('No matching reply.')
})

test('Canned replies also open by a button, and are then inserted after the typed text', async () => {
  const { user, input } = await openChat()
  await user.keyboard('Good day.')
  await user.click(button('Canned replies'))
  await user.click(screen.getByText('/quote'))
  expect(input.value).toBe('Good day. We will send you a written quote by email within 24 hours.')
  expect(document.activeElement).toBe(input)
})

test('A reply that still contains a placeholder needs a confirmation before it is sent', async () => {
  const { user, input } = await openChat()
  await user.keyboard('Good day {{name}{Enter}')
  await screen.findByText('"{name}" is not filled in. Correct the text, or send it as written.')
  expect(input.value).toBe('Good day {name}')
  expect(framesOf('send_message')).toEqual([])
  await user.click(screen.getByText('Send as written'))
  await waitFor(() => expect(bubbles()[0]).toMatch(/^Good day \{name\}/))
  expect(screen.queryByText(/is not filled in/)).toBeNull()
})
