import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import {
  addSipho,
  boxOf,
  bubbleOf,
  entryOf,
  isFocused,
  joinVisitor,
  openConsolePage,
  type PagelessVisitor,
  paneOf,
  SIPHO,
  say,
  signedIn,
  startChat,
} from '../../testing/chat/console.ts'
import { openTestSite, type TestSite } from '../../testing/chat/site.ts'
import { chatOf } from '../../testing/chat/widget.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { openAccountMenu, signOutOn } from '../../testing/staff-site.ts'

let site: TestSite
let visitor: Page
let zinhle: PagelessVisitor
let thandi: Page
let sipho: Page
let siphoId: string

/** Notes notifications and tones that the browser makes, and makes them. */
const noteAlerts = (page: Page) =>
  page.addInitScript(() => {
    const noted: string[] = []
    Object.assign(window, { noted })
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        noted.push(`${title}: ${options?.body}`)
      }
    }
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      noted.push('tone')
      start.apply(this, when)
    }
  })

const notedOn = (on: Page) => on.evaluate(() => (window as unknown as { noted: string[] }).noted)

beforeAll(async () => {
  site = await openTestSite()
  siphoId = await addSipho(site)
  const [first, second] = site.nodes
  site.front.lead(first.url)
  thandi = await openConsolePage(site, undefined, {
    prepare: async (page) => {
      await page
        .context()
        .grantPermissions(['notifications', 'clipboard-read', 'clipboard-write'], { origin: site.url })
      await noteAlerts(page)
    },
  })
  site.front.lead(second.url)
  sipho = await openConsolePage(site, SIPHO)
})

afterAll(() => site?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const details = (page: Page) => page.getByRole('complementary', { name: 'About this chat' })

const holderIn = (page: Page, words: string) => paneOf(page).getByText(words, { exact: true }).waitFor()

const isChosen = (page: Page, name: string) =>
  paneOf(page)
    .getByRole('heading', { name: `Chat with ${name}`, exact: true })
    .waitFor()

const socketsOf = async (node: TestSite['nodes'][0]) => {
  const text = await (await node.call('/metrics')).text()
  return Number(/^chat_sockets\S* (\d+)/m.exec(text)?.[1])
}

test('Alerts are switched on by a click, heard at once, and remembered by the browser', async () => {
  await thandi.getByText('No active chat sessions').waitFor()
  expect(await violationsIn(thandi, 'main')).toEqual([])
  await openAccountMenu(thandi)
  await button(thandi, 'Notifications').click()
  await button(thandi, 'Sound').click()
  await expect.poll(() => notedOn(thandi)).toEqual(['tone', 'tone'])
  site.front.lead(site.nodes[0].url)
  await thandi.reload()
  await openAccountMenu(thandi)
  for (const name of ['Notifications', 'Sound'])
    await expect.poll(() => button(thandi, name).getAttribute('aria-pressed')).toBe('true')
  await thandi.getByText('Connected', { exact: true }).waitFor()
  site.front.lead(site.nodes[1].url)
})

test('A new chat appears to both staff members at once, though they are on different nodes', async () => {
  visitor = await startChat(site, 'Nomsa', { email: 'nomsa@example.co.za' })
  expect(await Promise.all(site.nodes.map(socketsOf))).toEqual([1, 2])
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Nomsa').waitFor()
    await page.getByText('Active Sessions: 1').waitFor()
    await expect.poll(() => paneOf(page).getByRole('heading').textContent()).toBe('Select a chat session')
    await paneOf(page).getByText('No chat selected').waitFor()
  }
})

test('The visitor’s messages are unread for both, in the list, in the title and by alerts, until one looks', async () => {
  await say(visitor, 'Do you build shops?')
  await expect.poll(() => notedOn(thandi)).toEqual(['tone', 'tone', 'New message from Nomsa: Do you build shops?'])
  await say(visitor, 'For tea.')
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Nomsa').getByText('2 unread').waitFor()
    await eventually(async () => expect(await page.title()).toMatch(/^\(2\) Chat \| /))
  }
  await bubbleOf(visitor, 'For tea.').getByText('Delivered').waitFor()
  await entryOf(thandi, 'Nomsa').click()
  await bubbleOf(thandi, 'For tea.').waitFor()
  await eventually(async () => expect(await thandi.title()).toMatch(/^Chat \| /))
  expect(await entryOf(thandi, 'Nomsa').textContent()).not.toContain('unread')
  await expect.poll(() => entryOf(sipho, 'Nomsa').textContent()).toContain('2 unread')
  await bubbleOf(visitor, 'For tea.').getByText('Seen').waitFor()
  expect(await bubbleOf(visitor, 'Do you build shops?').textContent()).not.toMatch(/Sent|Delivered|Seen/)
})

test('Each staff member sees that the other has the chat open, and that they type a reply', async () => {
  await entryOf(sipho, 'Nomsa').getByText('thandi is looking at this chat').waitFor({ state: 'attached' })
  await entryOf(sipho, 'Nomsa').click()
  await paneOf(sipho).getByText('thandi is looking at this chat').waitFor()
  await paneOf(thandi).getByText('Sipho is looking at this chat').waitFor()
  await boxOf(sipho).pressSequentially('Yes, ')
  await paneOf(thandi).getByText('Sipho is writing an answer…').waitFor()
  await chatOf(visitor).getByText('Support Team is typing').waitFor()
})

test('A reply reaches the visitor and the colleague, and shows its author when the visitor has seen it', async () => {
  await boxOf(sipho).pressSequentially('we do.')
  await sipho.keyboard.press('Enter')
  await bubbleOf(visitor, 'Yes, we do.').getByText('Support Team').waitFor()
  expect(await bubbleOf(visitor, 'Yes, we do.').textContent()).not.toContain('Sipho')
  for (const page of [thandi, sipho]) {
    await bubbleOf(page, 'Yes, we do.').getByText('Support Team (Sipho)').waitFor()
    await bubbleOf(page, 'Yes, we do.').getByText('Seen').waitFor()
  }
  await chatOf(visitor).getByRole('button', { name: 'Minimise chat' }).click()
  await boxOf(thandi).fill('May I ask how many kinds?')
  await thandi.keyboard.press('Enter')
  await chatOf(visitor).getByText('1', { exact: true }).waitFor()
  await bubbleOf(sipho, 'how many kinds?').getByText('Delivered').waitFor()
  await chatOf(visitor).getByRole('button', { name: 'Expand chat' }).click()
  await bubbleOf(sipho, 'how many kinds?').getByText('Seen').waitFor()
})

test('Both see the visitor type, and move from page to page', async () => {
  await visitor.getByPlaceholder('Type your message...').pressSequentially('About 40')
  for (const page of [thandi, sipho]) await paneOf(page).getByText('Nomsa is typing').waitFor()
  await visitor.goto('/contract/premium')
  for (const page of [thandi, sipho]) {
    const pages = page.getByRole('list', { name: 'Pages' }).getByRole('listitem')
    await eventually(async () =>
      expect(await pages.allTextContents()).toEqual([
        expect.stringMatching(/\d\d:\d\dHome$/),
        expect.stringMatching(/\d\d:\d\dPremium$/),
      ]),
    )
    await entryOf(page, 'Nomsa').getByText('Here, on Premium').waitFor()
  }
})

test('A chat is handed over with a note that one console of the colleague announces and the visitor never sees', async () => {
  await holderIn(thandi, 'Assigned to Sipho')
  const second = await sipho.context().newPage()
  await second.goto('/admin-chat')
  await entryOf(second, 'Nomsa').waitFor()
  await button(thandi, 'Take over').click()
  await holderIn(sipho, 'Assigned to thandi')
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByLabel('Note').fill('They want a shop')
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await dialog.waitFor({ state: 'detached' })
  await holderIn(thandi, 'Assigned to Sipho')
  await holderIn(sipho, 'Assigned to you')
  await paneOf(sipho).getByText('They want a shop').waitFor()
  await entryOf(second, 'Nomsa').getByText('Assigned to you').waitFor()
  const noticesIn = (page: Page) => page.getByRole('status').filter({ hasText: 'thandi handed you a chat' }).count()
  const told = async () => (await Promise.all([sipho, second].map(noticesIn))).toSorted()
  await expect.poll(told).toEqual([0, 1])
  const teller = (await noticesIn(sipho)) === 1 ? sipho : second
  expect(await violationsIn(teller)).toEqual([])
  await second.close()
  expect(await visitor.getByText('want a shop').count()).toBe(0)
})

test('A colleague’s new name and photo show at once on the screens of others', async () => {
  const photo = `data:image/png;base64,${PIXEL}`
  const [node] = site.nodes
  const saved = await node.post('/api/me/profile', { displayName: 'Sipho Dlamini', photo }, await signedIn(site, SIPHO))
  expect(saved.status).toBe(200)
  await holderIn(thandi, 'Assigned to Sipho Dlamini')
  await bubbleOf(thandi, 'Yes, we do.').getByText('Support Team (Sipho Dlamini)').waitFor()
  const isLoaded = (image: Element) => image instanceof HTMLImageElement && image.naturalWidth > 0
  await expect.poll(() => paneOf(thandi).locator('img[src*="/photo?"]').evaluate(isLoaded)).toBe(true)
  await node.post('/api/me/profile', { displayName: 'Sipho', photo: null }, await signedIn(site, SIPHO))
  await holderIn(thandi, 'Assigned to Sipho')
})

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('A lead is created from a chat by a double-click that does nothing else, and links to its page and back', async () => {
  await button(thandi, 'Create lead').click()
  const dialog = thandi.getByRole('dialog', { name: 'Create lead' })
  await expect.poll(() => thandi.evaluate(() => document.activeElement?.id)).toBe('lead-phone')
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await thandi.keyboard.type('082 555 0142 1')
  // the second click comes once the dialog has closed, as a person's does
  const { x = 0, y = 0 } = (await dialog.getByRole('button', { name: 'Create lead' }).boundingBox()) ?? {}
  await thandi.evaluate(() => {
    // the element below the dialog would take the focus, and act on the click
    const below = document.createElement('button')
    below.textContent = 'Below the dialog'
    below.style.cssText = 'position: fixed; inset: 0; z-index: 9'
    below.onclick = () => document.body.append('Pressed by mistake')
    document.body.append(below)
  })
  await thandi.mouse.click(x + 5, y + 5, { clickCount: 1 })
  const link = details(thandi).getByRole('link', { name: 'Open the lead of this chat' })
  await link.waitFor()
  await thandi.mouse.move(x + 5, y + 5)
  await thandi.mouse.down({ clickCount: 2 })
  await thandi.mouse.up({ clickCount: 2 })
  expect(await thandi.getByText('Pressed by mistake').count()).toBe(0)
  await button(thandi, 'Below the dialog').evaluate((below) => below.remove())
  await eventually(async () => expect(await link.evaluate((a) => a === document.activeElement)).toBe(true))
  const address = await link.getAttribute('href')
  await link.click()
  await thandi.waitForURL(`**${address}`)
  const made = thandi.getByRole('listitem').filter({ hasText: 'Created lead from chat' })
  await made.getByText(/^thandi, /).waitFor()
  await made.getByRole('link', { name: 'Open the chat' }).waitFor()
  expect(await thandi.getByText('Submitted a form').count()).toBe(0)
  await thandi.goBack()
  await isChosen(thandi, 'Nomsa')
})

test('Everything works by the keyboard alone', async () => {
  zinhle = await joinVisitor(site, 'Zinhle', { said: ['Anybody?'] })
  await entryOf(thandi, 'Zinhle').getByText('1 unread').waitFor()
  await thandi.locator('body').press('?')
  const help = thandi.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await thandi.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await thandi.keyboard.press('Alt+Shift+ArrowDown')
  await isChosen(thandi, 'Zinhle')
  await isFocused(thandi, 'textarea')
  // canned replies
  const listbox = thandi.getByRole('listbox', { name: 'Canned replies' })
  await thandi.keyboard.type('/')
  await listbox.waitFor()
  expect(await violationsIn(thandi, 'main')).toEqual([])
  await thandi.keyboard.press('ArrowDown')
  await thandi.keyboard.press('Tab')
  await isFocused(thandi, 'textarea')
  expect(await boxOf(thandi).inputValue()).toMatch(/^Our packages start at R999/)
  await thandi.keyboard.press('Alt+ArrowUp')
  await isChosen(thandi, 'Nomsa')
  await thandi.keyboard.press('Alt+ArrowDown')
  await isChosen(thandi, 'Zinhle')
  await isFocused(thandi, 'textarea')
  await thandi.keyboard.press('Enter')
  await bubbleOf(thandi, 'Our packages start at R999').getByText('Sent').waitFor()
  await thandi.keyboard.type('Good day {name}')
  await thandi.keyboard.press('Enter')
  await thandi.getByText('"{name}" is not filled in. Correct the text, or send it as written.').waitFor()
  expect(await violationsIn(thandi, 'main')).toEqual([])
  await boxOf(thandi).fill('')
  await thandi.keyboard.press('Control+/')
  await help.waitFor()
  await thandi.keyboard.press('Escape')
  await isFocused(thandi, 'textarea')
  // the list: one row is in the tab order, the arrows move the focus from there
  await button(thandi, 'Unassigned').focus()
  await thandi.keyboard.press('Tab')
  await isFocused(thandi, '[data-session][aria-pressed=true]')
  await thandi.keyboard.press('ArrowDown')
  await thandi.keyboard.press('Enter')
  await isChosen(thandi, 'Nomsa')
  await thandi.goBack()
  await isChosen(thandi, 'Zinhle')
  // ending a chat: the safe choice has the focus first, then the heading
  await boxOf(thandi).focus()
  await thandi.keyboard.press('Alt+e')
  const end = thandi.getByRole('dialog', { name: 'End this chat?' })
  await end.waitFor()
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await eventually(async () =>
    expect(await thandi.evaluate(() => document.activeElement?.textContent)).toBe('Keep chatting'),
  )
  await thandi.keyboard.press('Enter')
  await end.waitFor({ state: 'detached' })
  await isFocused(thandi, 'textarea')
  await thandi.keyboard.press('Alt+e')
  await thandi.keyboard.press('Shift+Tab')
  await thandi.keyboard.press('Enter')
  await paneOf(thandi)
    .getByText(/^This chat has ended: \w+, \d+ \w+ \d{4}, \d\d:\d\d\. Staff ended it\.$/)
    .waitFor()
  await isFocused(thandi, 'h2[tabindex]')
  zinhle.close()
})

test('A key pressed immediately after another starts from the chat that is shown', async () => {
  const other = await joinVisitor(site, 'Vusi')
  await entryOf(thandi, 'Vusi').waitFor()
  await entryOf(thandi, 'Nomsa').click()
  await isChosen(thandi, 'Nomsa')
  const shown = await thandi.evaluate(async () => {
    const titleOf = () => document.querySelector('[aria-label=Conversation] h2')?.textContent
    // a frame of a node may change the page before a key does
    const titles = [titleOf()]
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const changes = new MutationObserver(() => {
      const title = titleOf()
      if (titles.at(-1) === title) return
      titles.push(title)
      if (titles.length < 5) press('ArrowDown')
      else resolve()
    })
    const press = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true }))
    changes.observe(document.body, { subtree: true, childList: true, characterData: true })
    press('ArrowUp')
    await end
    changes.disconnect()
    return titles
  })
  expect(shown).toEqual(['Nomsa', 'Vusi', 'Nomsa', 'Vusi', 'Nomsa'].map((name) => `Chat with ${name}`))
  other.close()
})

const ERASED =
  'Our team has deleted this conversation, with everything that was written in it. You can start a new one.'

test('A page that came by a link loses the chat as links are revoked; an erased chat is gone from every page and device', async () => {
  const zanele = await startChat(site, 'Zanele', { email: 'zanele@example.co.za' })
  await say(zanele, 'Keep this to yourself')
  const kept = await zanele.evaluate(() => JSON.parse(sessionStorage.getItem('visitor-chat') ?? '{}').session)
  const linked = await site.openPage({ path: `/#chat=${kept.sessionId}.${kept.resumeToken}` })
  await bubbleOf(linked, 'Keep this to yourself').waitFor()
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Zanele').click()
    await bubbleOf(page, 'Keep this to yourself').waitFor()
  }
  await button(thandi, 'Turn off the visitor’s link').click()
  const question = thandi.getByRole('dialog', { name: 'Turn off the visitor’s link?' })
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await question.getByRole('button', { name: 'Turn it off' }).click()
  await bubbleOf(linked, 'Keep this to yourself').waitFor({ state: 'detached' })
  await linked.getByText('That conversation is no longer here. You can start a new one.').waitFor()
  await expect.poll(() => linked.getByLabel('Your name').inputValue()).toBe('')
  await linked.context().close()
  // the visitor's own page stays in the chat, by another token
  await say(zanele, 'It is mine')
  await expect
    .poll(() => zanele.evaluate(() => JSON.parse(localStorage.getItem('visitor-chat') ?? '{}').session.resumeToken))
    .not.toBe(kept.resumeToken)
  await zanele.reload()
  await bubbleOf(zanele, 'It is mine').waitFor()
  await say(zanele, 'And after a reload')
  await bubbleOf(thandi, 'And after a reload').waitFor()
  // the page of the link has begun no chat under the visitor's name
  expect(await entryOf(thandi, 'Zanele').count()).toBe(1)

  const otherTab = await zanele.context().newPage()
  await otherTab.goto('/')
  await otherTab.getByRole('button', { name: 'Open chat' }).click()
  await bubbleOf(otherTab, 'Keep this to yourself').waitFor()
  await boxOf(thandi).fill('An answer to Zanele')
  expect(await button(sipho, 'Erase this chat').count()).toBe(0)
  await button(thandi, 'Erase this chat').click()
  const sure = thandi.getByRole('dialog', { name: 'Erase the chat with Zanele?' })
  expect(await violationsIn(thandi, 'dialog')).toEqual([])
  await sure.getByLabel('Type "erase" to confirm').fill('Erase')
  await sure.getByRole('button', { name: 'Erase for good' }).click()
  for (const page of [thandi, sipho]) {
    await paneOf(page).getByText('This conversation was erased.').waitFor()
    await expect.poll(() => page.locator('body').textContent()).not.toMatch(/Zanele|Keep this/)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/Zanele|Keep this/)
  }
  await isFocused(thandi, 'h2:text("Erased chat")')
  expect(await violationsIn(thandi, 'main')).toEqual([])
  for (const tab of [zanele, otherTab]) {
    await tab.getByRole('status').getByText(ERASED).waitFor()
    await tab.getByLabel('Your name').waitFor()
  }
  expect(await violationsIn(zanele, '[data-island=chat]')).toEqual([])
  expect(await zanele.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toMatch(
    /Zanele|Keep this/,
  )
  await zanele.context().close()
})

test('When a node dies, both continue on the other one', async () => {
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Nomsa').click()
    await isChosen(page, 'Nomsa')
  }
  site.front.lead(site.nodes[1].url)
  site.nodes[0].kill('SIGKILL')
  await boxOf(thandi).fill('Still here')
  await boxOf(thandi).press('Enter')
  await bubbleOf(visitor, 'Still here').waitFor()
  await bubbleOf(sipho, 'Still here').getByText('Support Team (thandi)').waitFor()
  await paneOf(sipho).getByText('thandi is looking at this chat').waitFor()
})

test('A chat that a staff member ends is over for all three, and is found among the ended ones', async () => {
  await boxOf(sipho).fill('half a thou')
  await button(thandi, 'End chat').click()
  await thandi.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  await chatOf(visitor).getByText('This chat has ended.').waitFor()
  for (const page of [thandi, sipho]) {
    await paneOf(page).getByText('This chat has ended').waitFor()
    await button(page, 'Ended').click()
    await page
      .getByRole('list', { name: 'Ended chats' })
      .getByRole('button', { name: /^Nomsa/ })
      .waitFor()
  }
  // the element that had the focus is gone: the heading has it
  await eventually(async () => expect(await sipho.evaluate(() => document.activeElement !== document.body)).toBe(true))
  const unsent = paneOf(sipho).getByRole('region', { name: 'Your reply was not sent' })
  await unsent.getByText('half a thou').waitFor()
  expect(await violationsIn(sipho, 'main')).toEqual([])
  await sipho.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await unsent.getByRole('button', { name: 'Copy' }).click()
  await sipho.getByText('Copied', { exact: true }).waitFor()
  expect(await sipho.evaluate(() => navigator.clipboard.readText())).toBe('half a thou')
})

test('Drafts are gone after signing out, or when another account signs in in the same tab', async () => {
  await button(sipho, 'Active').click()
  await entryOf(sipho, 'Vusi').click()
  await boxOf(sipho).fill('Hello Vusi')
  // the response comes after the socket has been closed
  await sipho.route('**/api/logout', async (route) => {
    await route.fetch()
    await sipho.waitForURL(/login/)
    await route.abort()
  })
  await signOutOn(sipho)
  await sipho.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await sipho.getByLabel(/username/i).waitFor()
  expect(new URL(sipho.url()).pathname + new URL(sipho.url()).search).toBe('/login')
  expect(await sipho.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Vusi')

  await button(thandi, 'Active').click()
  await entryOf(thandi, 'Vusi').click()
  await boxOf(thandi).fill('Dear Vusi')
  await thandi.context().clearCookies()
  await thandi.reload()
  await fillSignIn(thandi, SIPHO)
  await thandi.getByText('Connected', { exact: true }).waitFor()
  expect(await boxOf(thandi).inputValue()).toBe('')
  expect(await thandi.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Dear Vusi')
})
