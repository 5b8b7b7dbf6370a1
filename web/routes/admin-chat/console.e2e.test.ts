import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import {
  addSipho,
  boxOf,
  bubbleOf,
  entryOf,
  isFocused,
  openConsolePage,
  paneOf,
  SIPHO,
  say,
  sessionIn,
  startChat,
} from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { end } from '../../chat/test-widget.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'

let site: TestSite
let page: Page
let nomsa: Page
let anonymous: Page

beforeAll(async () => {
  site = await openTestSite()
  page = await openConsolePage(site)
})

afterAll(() => site?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const listbox = () => page.getByRole('listbox', { name: 'Canned replies' })
const currentOption = () =>
  boxOf(page).evaluate((box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent)

test('says that nobody chats and nothing is chosen', async () => {
  await page.getByText('Active Sessions: 0').waitFor()
  expect(await page.getByRole('heading', { name: 'Active Chats' }).isVisible()).toBe(true)
  expect(await page.getByText('No active chat sessions').isVisible()).toBe(true)
  expect(await paneOf(page).getByText('No chat selected').isVisible()).toBe(true)
  expect(await violationsIn(page, 'main')).toEqual([])
  await button('Ended').click()
  await page.getByText('No ended chats', { exact: true }).waitFor()
  expect(await violationsIn(page, 'main')).toEqual([])
  await button('Active').click()
})

test('shows who chats, since when and on which page, and the chosen one 600 px high; Back goes back', async () => {
  nomsa = await startChat(site, 'Nomsa', { email: 'nomsa@example.co.za', path: '/thanks' })
  anonymous = await startChat(site, 'Zinhle')
  await say(nomsa, 'Do you build shops?')
  await entryOf(page, 'Nomsa').getByText('1 unread').waitFor()
  await entryOf(page, 'Nomsa').getByText('On Thank you for under 1 min').waitFor()
  expect(await entryOf(page, 'Nomsa').textContent()).toMatch(
    /1 unread.*Do you build shops\?On Thank you .*Unassigned · Waiting since (\d+ \w+ \d{4}, )?\d\d:\d\d$/,
  )
  expect(
    await entryOf(page, 'Nomsa')
      .getByTitle(/\/thanks$/)
      .count(),
  ).toBe(1)
  await entryOf(page, 'Nomsa').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa', exact: true }).waitFor()
  await paneOf(page)
    .getByText(/^Started \w+, \d+ \w+ \d{4}, \d\d:\d\d$/)
    .waitFor()
  await paneOf(page).getByText('nomsa@example.co.za').waitFor()
  expect((await paneOf(page).boundingBox())?.height).toBe(600)
  expect(await violationsIn(page, 'main')).toEqual([])
  await entryOf(page, 'Zinhle').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Zinhle' }).waitFor()
  await page.goBack()
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  await page.goto(`/admin-chat?session=${sessionIn(page)}`)
  await bubbleOf(page, 'Do you build shops?').waitFor()
})

test('the screens tell how many wait for an answer, also once that was seen here, and no more once it was given', async () => {
  await page.getByRole('link', { name: 'Overview' }).click()
  const link = page.getByRole('link', { name: /^Live chat/ })
  await say(anonymous, 'Is anybody there?')
  await say(anonymous, 'Hello?')
  await eventually(async () => expect(await link.textContent()).toBe('Live chat2 waiting'), 60_000)
  await eventually(async () => expect(await page.title()).toMatch(/^\(2\) /))
  await link.click()
  await entryOf(page, 'Zinhle').getByText('2 unread').waitFor()
  expect(await link.textContent()).toBe('Live chat2 waiting')
  for (let more = 3; more <= 10; more += 1) await say(anonymous, `Message ${more}`)
  await entryOf(page, 'Zinhle').getByText('9+ unread', { exact: true }).waitFor()
  await entryOf(page, 'Zinhle').click()
  await bubbleOf(anonymous, 'Message 10').getByText('Seen').waitFor()
  expect(await link.textContent()).toBe('Live chat2 waiting')
  await boxOf(page).fill('We are here')
  await page.keyboard.press('Enter')
  await bubbleOf(anonymous, 'We are here').waitFor()
  await eventually(async () => expect(await link.textContent()).toBe('Live chat1 waiting'))
  await entryOf(page, 'Nomsa').click()
  await bubbleOf(page, 'Do you build shops?').waitFor()
})

test('an answer that was not accepted yet is sent after a reload, once', async () => {
  let isHeldBack = true
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!isHeldBack || !String(frame).includes('"send_message"')) server.send(frame)
    })
  })
  await page.reload()
  await bubbleOf(page, 'Do you build shops?').waitFor()
  await boxOf(page).fill('We do, since 2019')
  await page.keyboard.press('Enter')
  await bubbleOf(page, 'We do, since 2019').waitFor()
  await page.reload()
  await bubbleOf(page, 'We do, since 2019').waitFor()
  expect(await bubbleOf(nomsa, 'We do, since 2019').count()).toBe(0)
  isHeldBack = false
  await page.reload()
  await bubbleOf(nomsa, 'We do, since 2019').waitFor()
  await bubbleOf(page, 'We do, since 2019').getByText('Seen').waitFor()
  expect(await bubbleOf(page, 'We do, since 2019').textContent()).toMatch(/\d\d:\d\d Seen$/)
  expect(await bubbleOf(nomsa, 'We do, since 2019').count()).toBe(1)
  expect(await page.evaluate(() => sessionStorage.getItem('staff-chats'))).not.toContain('2019')
})

test('keeps a draft by session, over a reload too, and forgets it at sign-out', async () => {
  await boxOf(page).fill('Yes, we do: ')
  await entryOf(page, 'Zinhle').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Zinhle' }).waitFor()
  expect(await boxOf(page).inputValue()).toBe('')
  await boxOf(page).fill('Hello Zinhle')
  await page.reload()
  await entryOf(page, 'Nomsa').getByText('Draft: Yes, we do:').waitFor()
  await eventually(async () => expect(await boxOf(page).inputValue()).toBe('Hello Zinhle'))
  // the answer comes after the socket has been closed
  await page.route('**/api/logout', async (route) => {
    await route.fetch()
    await page.waitForURL(/login/)
    await route.abort()
  })
  await button('Sign out').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel(/username/i).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/login')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Zinhle')
  await page.context().close()
  page = await openConsolePage(site)
})

test('what one wrote is gone for another who signs in in the same tab after the session has ended', async () => {
  await addSipho(site)
  await entryOf(page, 'Nomsa').click()
  await boxOf(page).fill('Dear Nomsa')
  await page.context().clearCookies()
  await page.reload()
  await fillSignIn(page, SIPHO)
  await page.getByText('Connected', { exact: true }).waitFor()
  expect(await boxOf(page).inputValue()).toBe('')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Dear Nomsa')
  await page.context().close()
  page = await openConsolePage(site)
})

describe('canned replies', () => {
  test('open on a slash, narrow as one types, and are chosen by arrows and Enter', async () => {
    await entryOf(page, 'Nomsa').click()
    await isFocused(page, 'textarea')
    await page.keyboard.type('/')
    await listbox().waitFor()
    expect(await listbox().getByRole('option').count()).toBe(3)
    expect(await currentOption()).toMatch(/^\/hello/)
    expect(await violationsIn(page, 'main')).toEqual([])
    await page.keyboard.press('ArrowDown')
    expect(await currentOption()).toMatch(/^\/pricing/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await currentOption()).toMatch(/^\/quote/)
    await page.keyboard.type('pri')
    await eventually(async () => expect(await listbox().getByRole('option').count()).toBe(1))
    await page.getByText('1 canned reply. Choose with the arrow keys and Enter.').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    expect(await boxOf(page).inputValue()).toMatch(/^Our packages start at R999/)
    expect(await listbox().count()).toBe(0)
    expect(await bubbleOf(nomsa, 'Our packages').count()).toBe(0)
    await page.keyboard.press('Enter')
    await bubbleOf(nomsa, 'Our packages start at R999').waitFor()
  })

  test('an answer that still holds a placeholder is asked about before it is sent', async () => {
    await boxOf(page).fill('Good day {name}')
    await page.keyboard.press('Enter')
    await page.getByText('"{name}" is not filled in. Correct the text, or send it as written.').waitFor()
    expect(await violationsIn(page, 'main')).toEqual([])
    expect(await boxOf(page).inputValue()).toBe('Good day {name}')
    await page.getByRole('button', { name: 'Send as written' }).click()
    await bubbleOf(nomsa, 'Good day {name}').waitFor()
    expect(await page.getByText('is not filled in').count()).toBe(0)
  })

  test('close on Escape and stay closed, and are chosen by Tab', async () => {
    await page.keyboard.type('/hel')
    await listbox().waitFor()
    await page.keyboard.press('Escape')
    await listbox().waitFor({ state: 'detached' })
    await page.keyboard.type('l')
    await listbox().waitFor()
    await page.keyboard.press('Tab')
    expect(await boxOf(page).inputValue()).toMatch(/^Hello, and thank you/)
    await isFocused(page, 'textarea')
    await boxOf(page).fill('/nothing-of-the-kind')
    await page.getByText('No matching reply.').waitFor()
    await boxOf(page).fill('')
  })

  test('open by a button too, and then stand after what is written', async () => {
    await boxOf(page).fill('Good day.')
    await button('Canned replies').click()
    await listbox().getByRole('option', { name: '/quote' }).click()
    expect(await boxOf(page).inputValue()).toBe('Good day. We will send you a written quote by email within 24 hours.')
    await isFocused(page, 'textarea')
    await boxOf(page).fill('')
  })
})

test('while there is no connection one writes on, by canned replies too, and sends once it is back', async () => {
  await boxOf(page).pressSequentially('Hold')
  await page.context().setOffline(true)
  await page.getByText('Connecting to chat server...').waitFor()
  await page.keyboard.type(' on')
  await page.keyboard.press('Enter')
  expect(await button('Send').getAttribute('aria-disabled')).toBe('true')
  await button('Send').click({ force: true })
  expect(await boxOf(page).inputValue()).toBe('Hold on')
  expect(await bubbleOf(page, 'Hold on').count()).toBe(0)
  expect(await violationsIn(page, 'main')).toEqual([])
  await boxOf(page).fill('/quo')
  await listbox().waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type(' Until then.')
  await page.context().setOffline(false)
  await eventually(async () => expect(await button('Send').getAttribute('aria-disabled')).toBe('false'))
  await isFocused(page, 'textarea')
  await page.keyboard.press('Enter')
  await bubbleOf(nomsa, 'We will send you a written quote by email within 24 hours. Until then.').waitFor()
})

test('the keyboard alone does it all', async () => {
  await page.goto('/admin-chat')
  await entryOf(page, 'Zinhle').waitFor()
  await say(nomsa, 'Anybody?')
  await entryOf(page, 'Nomsa').getByText('1 unread').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await violationsIn(page, 'dialog')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  await isFocused(page, 'textarea')
  await page.keyboard.type('Yes')
  await page.keyboard.press('Alt+ArrowUp')
  await paneOf(page).getByRole('heading', { name: 'Chat with Zinhle' }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  await isFocused(page, 'textarea')
  await page.keyboard.press('Enter')
  await bubbleOf(nomsa, 'Yes').waitFor()
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await isFocused(page, 'textarea')
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await page.getByText('No other unread chats').waitFor({ state: 'attached' })
  // the list: one row is in the tab order, the arrows go on from there
  await button('Unassigned').focus()
  await page.keyboard.press('Tab')
  await isFocused(page, '[data-session][aria-pressed=true]')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await paneOf(page).getByRole('heading', { name: 'Chat with Zinhle' }).waitFor()
  await page.getByRole('log').focus()
  await page.keyboard.press('Alt+r')
  await isFocused(page, 'textarea')
})

test('a key that follows at once goes on from the chat that is shown', async () => {
  await entryOf(page, 'Nomsa').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  const shown = await page.evaluate(async () => {
    const titles: (string | null | undefined)[] = []
    const changes = new MutationObserver(() => {
      const title = document.querySelector('[aria-label=Conversation] h2')?.textContent
      if (titles.at(-1) === title) return
      titles.push(title)
      if (titles.length < 4) press('ArrowDown')
    })
    const press = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true }))
    changes.observe(document.body, { subtree: true, childList: true, characterData: true })
    press('ArrowUp')
    for (let tries = 0; titles.length < 4 && tries < 100; tries += 1) await new Promise((go) => setTimeout(go, 50))
    changes.disconnect()
    return titles
  })
  expect(shown).toEqual(['Chat with Zinhle', 'Chat with Nomsa', 'Chat with Zinhle', 'Chat with Nomsa'])
})

test('a new chat and one that goes take the focus from nobody', async () => {
  await entryOf(page, 'Nomsa').focus()
  const thabo = await startChat(site, 'Thabo')
  await entryOf(page, 'Thabo').waitFor()
  await isFocused(page, '[data-session]:focus')
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Nomsa/))
  await entryOf(page, 'Thabo').focus()
  await end(thabo)
  await entryOf(page, 'Thabo').waitFor({ state: 'detached' })
  await eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Zinhle/),
  )
  await thabo.context().close()
})

test('says that a visitor has left the page and whether an answer reaches them, until they are back', async () => {
  const lindiwe = await startChat(site, 'Lindiwe')
  await entryOf(page, 'Lindiwe').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Lindiwe' }).waitFor()
  await lindiwe.goto('about:blank')
  const notice = paneOf(page).getByText('Visitor has left, no email')
  await notice.waitFor()
  // the list and the chat never contradict each other
  expect(await entryOf(page, 'Lindiwe').textContent()).toContain('Has left')
  expect(await violationsIn(page, 'main')).toEqual([])
  await lindiwe.goto('/')
  await notice.waitFor({ state: 'detached' })
  await lindiwe.context().close()
})

test('says so of a visitor who had left before the chat was opened, and after a reload', async () => {
  const left = await startChat(site, 'Refilwe', { email: 'refilwe@example.co.za' })
  await entryOf(page, 'Refilwe').waitFor()
  await left.context().close()
  await entryOf(page, 'Refilwe').getByText('Has left').waitFor()
  const notice = paneOf(page).getByText('Visitor has left')
  await entryOf(page, 'Refilwe').click()
  await paneOf(page).getByRole('heading', { name: 'Chat with Refilwe' }).waitFor()
  expect(await notice.isVisible()).toBe(true)
  await page.reload()
  await entryOf(page, 'Refilwe').getByText('Has left').waitFor()
  expect(await notice.isVisible()).toBe(true)
})

test('ending asks first; keeping on chatting changes nothing', async () => {
  await entryOf(page, 'Zinhle').click()
  await isFocused(page, 'textarea')
  await page.keyboard.press('Alt+e')
  const dialog = page.getByRole('dialog', { name: 'End this chat?' })
  await dialog.waitFor()
  expect(await violationsIn(page, 'dialog')).toEqual([])
  await eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keep chatting'),
  )
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await isFocused(page, 'textarea')
  await page.keyboard.press('Alt+e')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await paneOf(page)
    .getByText(/^This chat has ended: \w+, \d+ \w+ \d{4}, \d\d:\d\d\. Staff ended it\.$/)
    .waitFor()
  await isFocused(page, 'h2[tabindex]')
  await anonymous.getByText('This chat has ended.').waitFor()
})

test('an address of no chat says so', async () => {
  await page.goto(`/admin-chat?session=${crypto.randomUUID()}`)
  await paneOf(page).getByText('Chat not found').waitFor()
  await page.goto('/admin-chat?session=nonsense')
  await paneOf(page).getByText('Chat not found').waitFor()
})
