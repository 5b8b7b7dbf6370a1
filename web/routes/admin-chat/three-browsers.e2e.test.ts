import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import {
  addSipho,
  boxOf,
  bubbleOf,
  entryOf,
  openConsolePage,
  paneOf,
  SIPHO,
  say,
  startChat,
} from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { chatOf } from '../../chat/test-widget.ts'

let site: TestSite
let visitor: Page
let thandi: Page
let sipho: Page

beforeAll(async () => {
  site = await openTestSite()
  await addSipho(site)
  const [first, second] = site.nodes
  site.front.lead(first.url)
  thandi = await openConsolePage(site)
  site.front.lead(second.url)
  sipho = await openConsolePage(site, SIPHO)
  visitor = await startChat(site, 'Nomsa', { email: 'nomsa@example.co.za' })
})

afterAll(() => site?.close())

const socketsOf = async (node: TestSite['nodes'][0]) => {
  const text = await (await node.call('/metrics')).text()
  return Number(/^chat_sockets\S* (\d+)/m.exec(text)?.[1])
}

test('a new chat appears to both staff members at once, though they are on different nodes', async () => {
  expect(await Promise.all(site.nodes.map(socketsOf))).toEqual([1, 2])
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Nomsa').waitFor()
    await page.getByText('Active Sessions: 1').waitFor()
    await expect.poll(() => paneOf(page).getByRole('heading').textContent()).toBe('Select a chat session')
    await paneOf(page).getByText('No chat selected').waitFor()
  }
})

test('what the visitor writes is unread to both, in the list and in the title, until one looks', async () => {
  await say(visitor, 'Do you build shops?')
  await say(visitor, 'For tea.')
  for (const page of [thandi, sipho]) {
    await entryOf(page, 'Nomsa').getByText('2 unread').waitFor()
    await eventually(async () => expect(await page.title()).toMatch(/^\(2\) Live chat \| /))
  }
  await bubbleOf(visitor, 'For tea.').getByText('Delivered').waitFor()
  await entryOf(thandi, 'Nomsa').click()
  await bubbleOf(thandi, 'For tea.').waitFor()
  await eventually(async () => expect(await thandi.title()).toMatch(/^Live chat \| /))
  expect(await entryOf(thandi, 'Nomsa').textContent()).not.toContain('unread')
  await expect.poll(() => entryOf(sipho, 'Nomsa').textContent()).toContain('2 unread')
  await bubbleOf(visitor, 'For tea.').getByText('Seen').waitFor()
  expect(await bubbleOf(visitor, 'Do you build shops?').textContent()).not.toMatch(/Sent|Delivered|Seen/)
})

test('each staff member sees that the other looks at the chat, and that they write an answer', async () => {
  await entryOf(sipho, 'Nomsa').getByText('thandi is looking at this chat').waitFor({ state: 'attached' })
  await entryOf(sipho, 'Nomsa').click()
  await paneOf(sipho).getByText('thandi is looking at this chat').waitFor()
  await paneOf(thandi).getByText('Sipho is looking at this chat').waitFor()
  await boxOf(sipho).pressSequentially('Yes, ')
  await paneOf(thandi).getByText('Sipho is writing an answer…').waitFor()
  await chatOf(visitor).getByText('Support Team is typing').waitFor()
})

test('an answer reaches the visitor and the colleague, and shows its author when the visitor has seen it', async () => {
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

test('both see the visitor type, and go from page to page', async () => {
  await visitor.getByPlaceholder('Type your message...').pressSequentially('About 40')
  for (const page of [thandi, sipho]) await paneOf(page).getByText('Nomsa is typing').waitFor()
  await visitor.goto('/contract/premium')
  for (const page of [thandi, sipho]) {
    const pages = page.getByRole('list', { name: 'Pages' }).getByRole('listitem')
    await eventually(async () =>
      expect(await pages.allTextContents()).toEqual([
        expect.stringMatching(/^\d\d:\d\dHome$/),
        expect.stringMatching(/^\d\d:\d\dPremium$/),
      ]),
    )
  }
})

test('a node that dies takes nobody along: both go on over the other one', async () => {
  site.front.lead(site.nodes[1].url)
  site.nodes[0].kill('SIGKILL')
  await boxOf(thandi).fill('Still here')
  // nothing is sent while there is no connection
  await eventually(async () => {
    await boxOf(thandi).press('Enter')
    expect(await boxOf(thandi).inputValue()).toBe('')
  })
  await bubbleOf(visitor, 'Still here').waitFor()
  await bubbleOf(sipho, 'Still here').getByText('Support Team (thandi)').waitFor()
  await paneOf(sipho).getByText('thandi is looking at this chat').waitFor()
})

test('a chat that one of the staff ends is over for all three, and is found among the ended ones', async () => {
  await boxOf(sipho).fill('half a thou')
  await paneOf(thandi).getByRole('button', { name: 'End chat' }).click()
  await thandi.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  await chatOf(visitor).getByText('This chat has ended.').waitFor()
  for (const page of [thandi, sipho]) {
    await paneOf(page).getByText('This chat has ended').waitFor()
    await page.getByText('Active Sessions: 0').waitFor()
    await page.getByText('No active chat sessions', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ended', exact: true }).click()
    await page
      .getByRole('list', { name: 'Ended chats' })
      .getByRole('button', { name: /^Nomsa/ })
      .waitFor()
  }
  await sipho.getByText('Active Sessions: 0').waitFor()
  // what had the focus is gone: the heading has it
  await eventually(async () => expect(await sipho.evaluate(() => document.activeElement !== document.body)).toBe(true))
})
