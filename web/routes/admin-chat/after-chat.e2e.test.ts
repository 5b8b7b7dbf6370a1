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
import { signInAt } from '../../chat/test-staff.ts'
import { end } from '../../chat/test-widget.ts'
import { violationsIn } from '../../test-axe.ts'

let site: TestSite
let page: Page
let nomsa: Page
let nameless: Page

beforeAll(async () => {
  site = await openTestSite()
  page = await openConsolePage(site)
  nomsa = await startChat(site, 'Nomsa', { email: 'nomsa@example.co.za' })
  nameless = await startChat(site, 'Lost', { email: 'lost@example.co.za', sent: 'no address at all' })
})

afterAll(() => site?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const details = () => page.getByRole('complementary', { name: 'About this chat' })

const choose = async (name: string) => {
  await entryOf(page, name).click()
  await paneOf(page)
    .getByRole('heading', { name: `Chat with ${name}` })
    .waitFor()
}

describe('the transcript', () => {
  test('is refused with the reason, as long as it cannot be sent', async () => {
    await choose('Lost')
    await say(nameless, 'Hello')
    await details().getByText('"no address at all" is no email address.').waitFor()
    expect(await button('Email transcript').getAttribute('aria-disabled')).toBe('true')
    await choose('Nomsa')
    await details().getByText('Nobody has written anything yet.').waitFor()
  })

  test('is sent once, and tells when and by whom; a failure says so', async () => {
    await say(nomsa, 'Do you build shops?')
    await bubbleOf(page, 'Do you build shops?').waitFor()
    await details().getByText('Goes to nomsa@example.co.za', { exact: true }).waitFor()
    await page.route('**/transcript', (route) => route.fulfill({ status: 503, body: '{}' }))
    await button('Email transcript').click()
    await details().getByText('The transcript was not sent. Try again.').waitFor()
    await page.unroute('**/transcript')
    await button('Email transcript').click()
    await details().getByText('Asked for. See Email for whether it has gone out.').waitFor()
    expect(await details().getByRole('link', { name: 'Email' }).getAttribute('href')).toBe('/admin-email')
    await details()
      .getByText(/^Last asked for \w+, \d+ \w+ \d{4}, \d\d:\d\d by thandi\.$/)
      .waitFor()
    await expect.poll(() => button('Email transcript').getAttribute('aria-disabled')).toBe('true')
    await page.reload()
    await details().getByText('Asked for already. See Email for whether it has gone out.').waitFor()
    await say(nomsa, 'And galleries?')
    await eventually(async () => expect(await button('Email transcript').getAttribute('aria-disabled')).toBe('false'))
  })
})

describe('a lead', () => {
  test('is made of what the chat tells and what it does not, and leads to its page', async () => {
    await button('Create lead').click()
    const dialog = page.getByRole('dialog', { name: 'Create lead' })
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Nomsa')
    await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe('nomsa@example.co.za')
    await expect
      .poll(() => dialog.getByLabel('Message').inputValue())
      .toBe('Nomsa: Do you build shops?\nNomsa: And galleries?')
    expect(await violationsIn(page, 'dialog')).toEqual([])
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('lead-phone')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await dialog.getByText('Please enter a valid phone number').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('082 555 0142 1')
    await page.route('**/lead', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('Not available just now. Try again in a moment.').waitFor()
    await page.unroute('**/lead')
    // a double-click whose second click comes once the dialog has closed, as a person's does
    const { x = 0, y = 0 } = (await dialog.getByRole('button', { name: 'Create lead' }).boundingBox()) ?? {}
    await page.evaluate(() => {
      // what is below the dialog would take the focus, and do what it does
      const below = document.createElement('button')
      below.textContent = 'Below the dialog'
      below.style.cssText = 'position: fixed; inset: 0; z-index: 9'
      below.onclick = () => document.body.append('Pressed by mistake')
      document.body.append(below)
    })
    await page.mouse.click(x + 5, y + 5, { clickCount: 1 })
    const link = details().getByRole('link', { name: 'Open the lead of this chat' })
    await link.waitFor()
    const notice = page.getByRole('status').filter({ hasText: 'Lead made of this chat' })
    await notice.getByRole('button', { name: 'Open lead' }).waitFor()
    await page.mouse.move(x + 5, y + 5)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect(await page.getByText('Pressed by mistake').count()).toBe(0)
    await page.getByRole('button', { name: 'Below the dialog' }).evaluate((below) => below.remove())
    await eventually(async () => expect(await link.evaluate((a) => a === document.activeElement)).toBe(true))
    const address = await link.getAttribute('href')
    expect(address).toMatch(/^\/admin-lead\?id=[\w-]{36}$/)
    await page.reload()
    await link.click()
    await page.waitForURL(`**${address}`)
    await page.getByRole('heading', { name: 'Nomsa' }).first().waitFor()
    const made = page.getByRole('listitem').filter({ hasText: 'Created lead from chat' })
    await made.getByText(/^thandi, /).waitFor()
    await made.getByRole('link', { name: 'Open the chat' }).waitFor()
    expect(await page.getByText('Submitted a form').count()).toBe(0)
    await page.goBack()
    await paneOf(page).getByRole('heading', { name: 'Chat with Nomsa' }).waitFor()
  })
})

describe('ended chats', () => {
  test('are found by name, address and words, open with their whole conversation, and by their address', async () => {
    await choose('Nomsa')
    await page.getByPlaceholder('Type your response...').fill('We do')
    await page.keyboard.press('Enter')
    await paneOf(page).getByText('Seen', { exact: true }).waitFor()
    await say(nomsa, 'Thank you, goodbye')
    await end(nomsa)
    await end(nameless)
    await page.getByText('Active Sessions: 0').waitFor()
    await button('Ended').click()
    const found = page.getByRole('list', { name: 'Ended chats' }).getByRole('button')
    await eventually(async () => expect(await found.count()).toBe(2))
    await page.goto('/admin-chat?list=ended')
    await eventually(async () => expect(await found.count()).toBe(2))
    const search = page.getByPlaceholder('Name, email, words...')
    for (const term of ['noms', 'NOMSA@example', 'goodbye']) {
      await search.fill(term)
      await eventually(async () => {
        expect(await found.count()).toBe(1)
        expect(await found.textContent()).toMatch(/^Nomsa/)
      })
    }
    await search.fill(`%_'"🇿🇦`)
    await page.getByText(`No ended chat matches "%_'"🇿🇦"`).waitFor()
    expect(await violationsIn(page, 'main')).toEqual([])
    await search.fill('goodbye')
    await found.click()
    await bubbleOf(page, 'Do you build shops?').waitFor()
    await bubbleOf(page, 'Thank you, goodbye').waitFor()
    await paneOf(page).getByText('Seen', { exact: true }).waitFor()
    await paneOf(page)
      .getByText(/^This chat has ended: \w+, \d+ \w+ \d{4}, \d\d:\d\d\. The visitor ended it\.$/)
      .waitFor()
    expect(await page.getByPlaceholder('Type your response...').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('list')).toBe('ended')
    await page.goto(`/admin-chat?session=${sessionIn(page)}`)
    await bubbleOf(page, 'Thank you, goodbye').waitFor()
  })

  test('that cannot be fetched say so, and can be tried again', async () => {
    await page.route('**/api/chats?*', (route) => route.fulfill({ status: 500, body: 'no' }))
    await button('Ended').click()
    await page.getByText('Error loading ended chats').waitFor()
    await page.unroute('**/api/chats?*')
    await button('Try again').click()
    await page.getByRole('list', { name: 'Ended chats' }).getByRole('button').first().waitFor()
  })
})

const ERASED =
  'Our team has deleted this conversation, with everything that was written in it. You can start a new one.'

test('a visitor whose address is on a lead is known: a line leads there', async () => {
  const [node] = site.nodes
  const known = { name: 'Busi', email: 'busi@example.co.za', phone: '082 555 0150', leadSource: 'hero_form' }
  const { id } = await (await node.post('/api/leads', known, { origin: site.url })).json()
  const staff = { origin: site.url, cookie: await signInAt(node, site.url) }
  await eventually(async () =>
    expect(await (await node.call('/api/leads', { headers: staff })).json()).toContainEqual(
      expect.objectContaining({ id }),
    ),
  )
  const busi = await startChat(site, 'Busi', { email: 'Busi@example.co.za' })
  await page.goto('/admin-chat')
  await choose('Busi')
  await details().getByText('Wrote to us before under this address:').waitFor()
  const link = details().getByRole('link', { name: 'open the lead' })
  expect(await link.getAttribute('href')).toBe(`/admin-lead?id=${id}`)
  expect(await violationsIn(page, 'main')).toEqual([])
  await link.click()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await link.waitFor()
  await end(busi)
  await busi.context().close()
})

test("an erased chat says only that, in every tab, and its visitor's browser keeps nothing of it", async () => {
  const [node] = site.nodes
  const zanele = await startChat(site, 'Zanele', { email: 'zanele@example.co.za' })
  await say(zanele, 'Keep this to yourself')
  const otherTab = await zanele.context().newPage()
  await otherTab.goto('/')
  await otherTab.getByRole('button', { name: 'Open chat' }).click()
  await bubbleOf(otherTab, 'Keep this to yourself').waitFor()
  await page.goto('/admin-chat')
  await choose('Zanele')
  const sessionId = sessionIn(page)
  const staff = { origin: site.url, cookie: await signInAt(node, site.url) }
  const person = { name: 'Zanele', email: 'zanele@example.co.za', phone: '+27 82 555 0177' }
  const { id } = await (await node.post(`/api/chats/${sessionId}/lead`, person, staff)).json()
  await page.getByPlaceholder('Type your response...').fill('An answer to Zanele')
  await eventually(async () => expect((await node.post(`/api/leads/${id}/erase`, {}, staff)).status).toBe(204))
  await paneOf(page).getByText('This conversation was erased.').waitFor()
  for (const tab of [zanele, otherTab]) {
    await tab.getByRole('status').getByText(ERASED).waitFor()
    await tab.getByLabel('Your name').waitFor()
  }
  expect(await violationsIn(zanele, '[data-island=chat]')).toEqual([])
  await expect.poll(() => paneOf(page).getByRole('heading').textContent()).toBe('Erased chat')
  await isFocused(page, 'h2:text("Erased chat")')
  expect(await page.locator('body').textContent()).not.toMatch(/Zanele|Keep this/)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/Zanele|Keep this/)
  await page.reload()
  await paneOf(page).getByText('This conversation was erased.').waitFor()
  await expect.poll(() => paneOf(page).getByRole('heading').textContent()).toBe('Erased chat')
  for (const name of ['Email transcript', 'Create lead', 'End chat']) expect(await button(name).count()).toBe(0)
  expect(await violationsIn(page, 'main')).toEqual([])
  expect(await zanele.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toMatch(
    /Zanele|Keep this/,
  )
  await zanele.context().close()
})

test('an owner erases a chat that left no address, once the word is typed; an agent cannot', async () => {
  const thabo = await startChat(site, 'Thabo')
  await say(thabo, 'Forget that I asked')
  await page.goto('/admin-chat')
  await choose('Thabo')
  await addSipho(site)
  const agent = await openConsolePage(site, SIPHO, { path: `/admin-chat?session=${sessionIn(page)}` })
  await bubbleOf(agent, 'Forget that I asked').waitFor()
  await agent.getByRole('button', { name: 'Revoke links' }).waitFor()
  expect(await agent.getByRole('button', { name: 'Erase this chat' }).count()).toBe(0)
  await button('Erase this chat').click()
  const dialog = page.getByRole('dialog', { name: 'Erase the chat with Thabo?' })
  const sure = dialog.getByRole('button', { name: 'Erase for good' })
  expect(await sure.getAttribute('aria-disabled')).toBe('true')
  expect(await violationsIn(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Erase this chat').click()
  await dialog.getByLabel('Type "erase" to confirm').fill('Erase')
  await page.route('**/api/chats/*/erase', (route) => route.fulfill({ status: 503, body: '{}' }))
  await sure.click()
  await dialog.getByText('The chat was not erased. Not available just now. Try again in a moment.').waitFor()
  await page.unroute('**/api/chats/*/erase')
  await sure.click()
  for (const each of [page, agent]) {
    await paneOf(each).getByText('This conversation was erased.').waitFor()
    await expect.poll(() => each.locator('body').textContent()).not.toMatch(/Thabo|Forget that/)
  }
  await isFocused(page, 'h2:text("Erased chat")')
  await thabo.getByLabel('Your name').waitFor()
  expect(await thabo.locator('body').textContent()).not.toContain('Forget that')
  await Promise.all([thabo, agent].map((each) => each.context().close()))
})

test('links are revoked once staff have confirmed it: a page that came by one loses the chat, the visitor’s own keeps it', async () => {
  const ayanda = await startChat(site, 'Ayanda')
  await say(ayanda, 'Is this page mine?')
  const kept = await ayanda.evaluate(() => JSON.parse(sessionStorage.getItem('visitor-chat') ?? '{}').session)
  const linked = await site.openPage({ path: `/#chat=${kept.sessionId}.${kept.resumeToken}` })
  await bubbleOf(linked, 'Is this page mine?').waitFor()
  await page.goto(`/admin-chat?session=${kept.sessionId}`)
  await button('Revoke links').click()
  const dialog = page.getByRole('dialog', { name: 'Revoke the links to this chat?' })
  expect(await violationsIn(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  await button('Revoke links').click()
  await page.route('**/revoke-links', (route) => route.fulfill({ status: 503, body: '{}' }))
  await dialog.getByRole('button', { name: 'Revoke links' }).click()
  await dialog.getByText('The links were not revoked. Try again.').waitFor()
  await page.unroute('**/revoke-links')
  await dialog.getByRole('button', { name: 'Revoke links' }).click()
  await details()
    .getByText(/^Links revoked \w+, \d+ \w+ \d{4}, \d\d:\d\d by thandi\.$/)
    .waitFor()
  await bubbleOf(linked, 'Is this page mine?').waitFor({ state: 'detached' })
  await linked.getByText('That conversation is no longer here. You can start a new one.').waitFor()
  await expect.poll(() => linked.getByLabel('Your name').inputValue()).toBe('')
  await say(ayanda, 'It is')
  await expect
    .poll(() => ayanda.evaluate(() => JSON.parse(localStorage.getItem('visitor-chat') ?? '{}').session.resumeToken))
    .not.toBe(kept.resumeToken)
  await ayanda.reload()
  await bubbleOf(ayanda, 'It is').waitFor()
  await say(ayanda, 'And after a reload')
  await bubbleOf(page, 'And after a reload').waitFor()
  // the page of the link has begun no chat under the visitor's name
  expect(await entryOf(page, 'Ayanda').count()).toBe(1)
  await Promise.all([ayanda, linked].map((each) => each.context().close()))
})

test('a reply that was not sent before the chat ended is there to be copied or given up, also after a reload', async () => {
  const musa = await startChat(site, 'Musa')
  await say(musa, 'I have to go')
  await choose('Musa')
  await boxOf(page).fill('One moment, here is the price')
  await end(musa)
  const unsent = paneOf(page).getByRole('region', { name: 'Your reply was not sent' })
  await unsent.getByText('One moment, here is the price').waitFor()
  expect(await violationsIn(page, 'main')).toEqual([])
  await page.reload()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await unsent.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  await unsent.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await unsent.getByRole('button', { name: 'Discard' }).click()
  await unsent.waitFor({ state: 'detached' })
  await page.reload()
  await paneOf(page).getByText('The visitor ended it.').waitFor()
  expect(await unsent.count()).toBe(0)
  await musa.context().close()
})

describe('a lead of a visitor who wrote in the chat how to reach them', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Create lead' })
  const fields = async () => [
    await dialog().getByLabel('Email').inputValue(),
    await dialog().getByLabel('Phone').inputValue(),
  ]

  test('has their address and number filled in, and not what staff wrote', async () => {
    const candice = await startChat(site, 'Candice')
    await say(candice, 'Reach me at candice@adams.co.za, 082 123 4567')
    await page.goto('/admin-chat')
    await choose('Candice')
    await page.getByPlaceholder('Type your response...').fill('Or write to sales@agency.example, 021 555 0142')
    await page.keyboard.press('Enter')
    await paneOf(page).getByText('Seen', { exact: true }).waitFor()
    await button('Create lead').click()
    await expect.poll(fields).toEqual(['candice@adams.co.za', '082 123 4567'])
    expect(await dialog().getByText('From what they wrote in the chat.').count()).toBe(2)
    expect(await violationsIn(page, 'dialog')).toEqual([])
    await dialog().getByRole('button', { name: 'Create lead' }).click()
    await details().getByRole('link', { name: 'Open the lead of this chat' }).waitFor()
    await candice.context().close()
  })

  test('keeps the address of the chat, unless that is none', async () => {
    const own = await startChat(site, 'Palesa', { email: 'palesa@example.co.za' })
    await say(own, 'My mother is mother@example.co.za, 083 555 0134')
    const none = await startChat(site, 'Refilwe', { email: 'lost@example.co.za', sent: 'no address' })
    await say(none, 'I meant refilwe@example.co.za')
    await choose('Palesa')
    await bubbleOf(page, 'My mother is').waitFor()
    await button('Create lead').click()
    await expect.poll(fields).toEqual(['palesa@example.co.za', '083 555 0134'])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await choose('Refilwe')
    await bubbleOf(page, 'I meant').waitFor()
    await button('Create lead').click()
    await expect.poll(fields).toEqual(['refilwe@example.co.za', ''])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await Promise.all([own, none].map((each) => each.context().close()))
  })
})
