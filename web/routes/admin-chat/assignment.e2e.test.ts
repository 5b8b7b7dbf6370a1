import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import {
  addColleague,
  addSipho,
  boxOf,
  entryOf,
  openConsolePage,
  paneOf,
  removeColleague,
  SIPHO,
  say,
  startChat,
} from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'

let site: TestSite
let siphoId: string

beforeAll(async () => {
  site = await openTestSite()
  siphoId = await addSipho(site)
})

afterAll(() => site?.close())

const openBoth = () => Promise.all([openConsolePage(site), openConsolePage(site, SIPHO)])

const holderIn = (page: Page, words: string) => paneOf(page).getByText(words, { exact: true }).waitFor()

const closeAll = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()))

/** Thandi hands a chat to Sipho. */
const handOver = async (thandi: Page, visitorName: string) => {
  await entryOf(thandi, visitorName).click()
  await holderIn(thandi, 'Unassigned')
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await holderIn(thandi, 'Assigned to Sipho')
}

const noticeIn = (page: Page) => page.getByRole('status').filter({ hasText: 'thandi handed you a chat' })

test('Of two who take a chat at once one has it, and the other reads who', async () => {
  const visitor = await startChat(site, 'Race')
  const [thandi, sipho] = await openBoth()
  for (const page of [thandi, sipho]) await entryOf(page, 'Race').click()
  await Promise.all([thandi, sipho].map((page) => holderIn(page, 'Unassigned')))
  // neither is told of the other before both have asked
  const both = Promise.withResolvers<void>()
  let asked = 0
  const hold = async (route: Route) => {
    asked += 1
    if (asked === 2) both.resolve()
    await both.promise
    await route.continue()
  }
  await Promise.all([thandi, sipho].map((page) => page.route('**/assign', hold)))
  await Promise.all([thandi, sipho].map((page) => page.getByRole('button', { name: 'Take chat' }).click()))
  const countOf = async (words: string | RegExp) => {
    const counts = await Promise.all([thandi, sipho].map((page) => paneOf(page).getByText(words).count()))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  await eventually(async () => {
    expect(await countOf('Assigned to you')).toBe(1)
    expect(await countOf(/^Assigned to (thandi|Sipho)$/)).toBe(1)
    expect(await countOf(/^(thandi|Sipho) has this chat now\.$/)).toBe(1)
  })
  await closeAll(visitor, thandi, sipho)
})

test('Who of the colleagues is at a chat is said where one hands over, before the others', async () => {
  const visitor = await startChat(site, 'Ready')
  const absent = await addColleague(site, { ...SIPHO, username: 'anele', displayName: 'Anele' })
  const [thandi, sipho] = await openBoth()
  await entryOf(thandi, 'Ready').click()
  await entryOf(sipho, 'Ready').click()
  await paneOf(thandi).getByText('Sipho is looking at this chat').waitFor()
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  const options = dialog.getByLabel('To').getByRole('option')
  await expect
    .poll(async () => (await options.allTextContents()).slice(1))
    .toEqual(['Sipho (at a chat now)', 'Anele', 'thandi (you)'])
  await removeColleague(site, absent)
  await closeAll(visitor, thandi, sipho)
})

test('A note for a colleague is there again after Escape and a reload, and no more once the chat is handed over', async () => {
  const visitor = await startChat(site, 'Noted')
  const thandi = await openConsolePage(site)
  await entryOf(thandi, 'Noted').click()
  await holderIn(thandi, 'Unassigned')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  const open = async () => {
    await thandi.keyboard.press('Alt+h')
    await dialog.waitFor()
  }
  await open()
  await dialog.getByLabel('Note').fill('They want a shop')
  await thandi.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await thandi.reload()
  await holderIn(thandi, 'Unassigned')
  await open()
  expect(await dialog.getByLabel('Note').inputValue()).toBe('They want a shop')
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await holderIn(thandi, 'Assigned to Sipho')
  await paneOf(thandi).getByText('They want a shop').waitFor()
  await open()
  expect(await dialog.getByLabel('Note').inputValue()).toBe('')
  await closeAll(visitor, thandi)
})

test('A chat goes to a colleague with a note that they are told and the visitor never sees', async () => {
  const visitor = await startChat(site, 'Handed')
  await say(visitor, 'Can you host my site?')
  const [thandi, sipho] = await openBoth()
  await entryOf(thandi, 'Handed').click()
  await entryOf(sipho, 'Handed').click()
  await boxOf(sipho).waitFor()
  await boxOf(thandi).fill('One moment')
  await thandi.keyboard.press('Enter')
  await holderIn(thandi, 'Assigned to you')
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await dialog.getByText('Choose a colleague').waitFor()
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByLabel('Note').fill('They want a shop')
  expect(await violationsIn(thandi)).toEqual([])
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await dialog.waitFor({ state: 'detached' })
  await holderIn(thandi, 'Assigned to Sipho')
  const notice = noticeIn(sipho)
  await notice.waitFor()
  // nothing lies over the button that sends, wherever the notice is
  expect(
    await sipho.evaluate(() => {
      const send = document.querySelector('#answer')?.closest('form')?.querySelector('button[type=submit]')
      const notice = document.querySelector('section[aria-label^="Notifications"]')
      if (!send || !notice) return undefined
      const [one, other] = [send.getBoundingClientRect(), notice.getBoundingClientRect()]
      return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
    }),
  ).toBe(false)
  expect(await notice.getByRole('button', { name: 'Open' }).count()).toBe(0)
  await holderIn(sipho, 'Assigned to you')
  await entryOf(sipho, 'Handed')
    .getByText(/Assigned to you · Since/)
    .waitFor()
  await paneOf(sipho).getByText('They want a shop').waitFor()
  await paneOf(thandi).getByText('Note from you').waitFor()
  expect(await violationsIn(sipho)).toEqual([])
  await sipho.getByRole('button', { name: 'Let go' }).click()
  await Promise.all([thandi, sipho].map((page) => holderIn(page, 'Unassigned')))
  await entryOf(sipho, 'Handed')
    .getByText(/Unassigned · Began/)
    .waitFor()
  await visitor.getByText('One moment').waitFor()
  expect(await visitor.getByText('want a shop').count()).toBe(0)
  await closeAll(visitor, thandi, sipho)
})

test('On a phone the note of who handed a chat over is read at once, and no more in the way once one has answered', async () => {
  const visitor = await startChat(site, 'Promised')
  const thandi = await openConsolePage(site)
  const sipho = await openConsolePage(site, SIPHO, { viewport: { width: 390, height: 844 } })
  await entryOf(thandi, 'Promised').click()
  await holderIn(thandi, 'Unassigned')
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('To').selectOption(siphoId)
  await dialog.getByLabel('Note').fill('I promised 10 % off')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await dialog.waitFor({ state: 'detached' })
  await entryOf(sipho, 'Promised').click()
  const note = paneOf(sipho).getByText('I promised 10 % off')
  await note.waitFor()
  expect(await violationsIn(sipho)).toEqual([])
  await boxOf(sipho).fill('Your 10 % are noted')
  await sipho.keyboard.press('Enter')
  await paneOf(sipho).getByText('Your 10 % are noted').waitFor()
  await sipho.reload()
  await paneOf(sipho).getByText('Your 10 % are noted').waitFor()
  await paneOf(sipho).getByText('Assigned to you, with a note').first().waitFor()
  await note.waitFor({ state: 'hidden' })
  await closeAll(visitor, thandi, sipho)
})

test('An owner who works alone reads how to get colleagues instead of a form to hand a chat over', async () => {
  const visitor = await startChat(site, 'Lonely')
  const thandi = await openConsolePage(site)
  await thandi.route('**/api/staff', async (route) => {
    const everybody: { displayName: string }[] = await (await route.fetch()).json()
    await route.fulfill({ json: everybody.filter(({ displayName }) => displayName === 'thandi') })
  })
  await thandi.reload()
  await entryOf(thandi, 'Lonely').click()
  await holderIn(thandi, 'Unassigned')
  await thandi.keyboard.press('Alt+h')
  const dialog = thandi.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByText('You have no colleagues yet.').waitFor()
  expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
  expect(await violationsIn(thandi)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await thandi.keyboard.press('Alt+h')
  await dialog.getByRole('link', { name: 'Settings' }).click()
  await thandi.getByRole('heading', { name: 'Staff accounts' }).waitFor()
  await closeAll(visitor, thandi)
})

test('A chat that is handed over is told once, with whose it is, to a colleague who works on another screen', async () => {
  const visitor = await startChat(site, 'Elsewhere')
  const [thandi, sipho] = await openBoth()
  await sipho.getByRole('link', { name: 'Pipeline' }).click()
  await sipho.waitForResponse('**/api/chats/waiting')
  await handOver(thandi, 'Elsewhere')
  const notice = noticeIn(sipho)
  await notice.getByText('thandi handed you a chat: Elsewhere').waitFor()
  expect(await violationsIn(sipho)).toEqual([])
  await notice.getByRole('button', { name: 'Open' }).click()
  await holderIn(sipho, 'Assigned to you')
  await notice.waitFor({ state: 'detached' })
  await sipho.getByRole('link', { name: 'Pipeline' }).click()
  await sipho.waitForResponse('**/api/chats/waiting')
  expect(await notice.count()).toBe(0)
  await closeAll(visitor, thandi, sipho)
})

test('Of a chat that one has open one is told without a way to open it, and its buttons stay side by side', async () => {
  const visitor = await startChat(site, 'Here')
  const [thandi, sipho] = await openBoth()
  await entryOf(sipho, 'Here').click()
  await holderIn(sipho, 'Unassigned')
  await handOver(thandi, 'Here')
  const notice = noticeIn(sipho)
  await notice.getByText('You have it open.').waitFor()
  expect(await notice.getByRole('button', { name: 'Open' }).count()).toBe(0)
  await holderIn(sipho, 'Assigned to you')
  for (const width of [320, 390, 1024]) {
    await sipho.setViewportSize({ width, height: 844 })
    if (width === 320) await paneOf(sipho).getByText('About this visitor').click()
    const [letGo, handOn] = await Promise.all(
      ['Let go', 'Hand over'].map((name) => areaOf(paneOf(sipho).getByRole('button', { name }))),
    )
    expect(handOn?.y, `at ${width} px`).toBe(letGo?.y)
  }
  await closeAll(visitor, thandi, sipho)
})

const areaOf = async (locator: Locator) => {
  const { x, y, width, height } = (await locator.boundingBox()) ?? expect.fail()
  return { x, y, right: x + width, bottom: y + height }
}

test('A notice covers neither what is around the screen nor the way to answer, on any window', async () => {
  const visitors = await Promise.all([startChat(site, 'Open one'), startChat(site, 'Handed one')])
  const [thandi, sipho] = await openBoth()
  await entryOf(sipho, 'Open one').click()
  await boxOf(sipho).waitFor()
  await handOver(thandi, 'Handed one')
  const notice = noticeIn(sipho).locator('> div')
  // it stays while it has the focus
  await notice.getByRole('button', { name: 'Dismiss' }).focus()
  for (const width of [390, 1024, 1440]) {
    await sipho.setViewportSize({ width, height: 844 })
    await eventually(async () => {
      const told = await areaOf(notice)
      const controls = [sipho.getByRole('banner'), sipho.getByRole('navigation', { name: 'Staff' }), boxOf(sipho)]
      for (const control of [...controls, sipho.getByRole('button', { name: 'Send' })]) {
        const { x, y, right, bottom } = await areaOf(control)
        expect(told.right <= x || right <= told.x || told.bottom <= y || bottom <= told.y, `at ${width} px`).toBe(true)
      }
      expect(told.bottom).toBeGreaterThan(844 / 2)
    })
  }
  await closeAll(...visitors, thandi, sipho)
})

test('A chat that was handed over is told at the first look in a browser, to the one it was handed to', async () => {
  const LERATO = { ...SIPHO, username: 'lerato', displayName: 'Lerato' }
  const id = await addColleague(site, LERATO)
  const visitor = await startChat(site, 'Long ago')
  const [thandi, shared] = await Promise.all([openConsolePage(site), openConsolePage(site, LERATO)])
  await handOver(thandi, 'Long ago')
  await shared.getByRole('link', { name: 'Pipeline' }).click()
  await shared.waitForResponse('**/api/chats/waiting')
  expect(await noticeIn(shared).count()).toBe(0)
  await shared.getByRole('button', { name: 'Sign out' }).click()
  await fillSignIn(shared, SIPHO)
  await noticeIn(shared).waitFor()
  const keys = () => shared.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('handed')).length)
  expect(await keys()).toBe(2)
  await shared.reload()
  await shared.waitForResponse('**/api/chats/waiting')
  expect(await noticeIn(shared).count()).toBe(0)
  await closeAll(visitor, thandi, shared)
  await removeColleague(site, id)
})

test('A chat that is handed over is told in one of two consoles, and to who comes back to theirs', async () => {
  const visitors = await Promise.all([startChat(site, 'Twice'), startChat(site, 'Away')])
  const [thandi, sipho] = await openBoth()
  const second = await sipho.context().newPage()
  await second.goto(sipho.url())
  await Promise.all([sipho, second].map((page) => entryOf(page, 'Twice').waitFor()))
  await handOver(thandi, 'Twice')
  await Promise.all([sipho, second].map((page) => entryOf(page, 'Twice').getByText('Assigned to you').waitFor()))
  const told = async () => (await Promise.all([sipho, second].map((page) => noticeIn(page).count()))).toSorted()
  await expect.poll(told).toEqual([0, 1])
  await second.close()
  await sipho.goto('about:blank')
  await handOver(thandi, 'Away')
  const sessionId = new URL(thandi.url()).searchParams.get('session')
  const waiting = new URL('/api/chats/waiting', site.url).href
  await eventually(async () => {
    const { handed } = await (await sipho.context().request.get(waiting)).json()
    expect(handed).toContainEqual(expect.objectContaining({ sessionId }))
  })
  await sipho.goto('/admin-chat')
  await noticeIn(sipho).getByRole('button', { name: 'Open' }).click()
  await paneOf(sipho).getByRole('heading', { name: 'Chat with Away' }).waitFor()
  await closeAll(...visitors, thandi, sipho)
})

test('The chats of a colleague whose account is removed are nobody’s on open consoles, and whose who answers', async () => {
  const LERATO = { ...SIPHO, username: 'lerato', displayName: 'Lerato' }
  const id = await addColleague(site, LERATO)
  const visitor = await startChat(site, 'Left behind')
  const [[thandi, sipho], lerato] = await Promise.all([openBoth(), openConsolePage(site, LERATO)])
  await entryOf(lerato, 'Left behind').click()
  await holderIn(lerato, 'Unassigned')
  await lerato.keyboard.press('Alt+t')
  await entryOf(sipho, 'Left behind').click()
  await holderIn(sipho, 'Assigned to Lerato')
  await entryOf(thandi, 'Left behind').getByText('Assigned to Lerato').waitFor()
  await removeColleague(site, id)
  await entryOf(thandi, 'Left behind').getByText('Unassigned').waitFor()
  await holderIn(sipho, 'Unassigned')
  await boxOf(sipho).fill('I take over')
  await sipho.keyboard.press('Enter')
  await holderIn(sipho, 'Assigned to you')
  await entryOf(thandi, 'Left behind').getByText('Assigned to Sipho').waitFor()
  await closeAll(visitor, thandi, sipho, lerato)
})

test('The list shows mine, unassigned or all, by key, in the address, and as it was left', async () => {
  const visitors = [await startChat(site, 'Alpha'), await startChat(site, 'Beta')]
  const [thandi, sipho] = await openBoth()
  await entryOf(thandi, 'Alpha').click()
  await holderIn(thandi, 'Unassigned')
  await thandi.keyboard.press('Alt+t')
  await holderIn(thandi, 'Assigned to you')
  await thandi.getByRole('button', { name: 'Mine' }).click()
  await entryOf(thandi, 'Beta').waitFor({ state: 'detached' })
  await entryOf(thandi, 'Alpha').waitFor()
  expect(new URL(thandi.url()).searchParams.get('whose')).toBe('mine')
  await sipho.keyboard.press('Alt+u')
  await entryOf(sipho, 'Beta').waitFor()
  await eventually(async () => expect(await entryOf(sipho, 'Alpha').count()).toBe(0))
  await sipho.keyboard.press('Alt+m')
  await eventually(async () => expect(await entryOf(sipho, 'Beta').count()).toBe(0))
  await sipho.keyboard.press('Alt+a')
  await entryOf(sipho, 'Alpha').getByText('Assigned to thandi').waitFor()
  await thandi.goto('/admin-chat')
  await thandi.getByRole('button', { name: 'Mine', pressed: true }).waitFor()
  await entryOf(thandi, 'Alpha').waitFor()
  expect(await entryOf(thandi, 'Beta').count()).toBe(0)
  await closeAll(thandi, sipho, ...visitors)
})

test('A colleague’s new name and photo show at once on the screens of others, and leave with them', async () => {
  const visitor = await startChat(site, 'Renamed')
  const [thandi, sipho] = await openBoth()
  await entryOf(sipho, 'Renamed').click()
  await sipho.getByRole('button', { name: 'Take chat' }).click()
  await entryOf(thandi, 'Renamed').click()
  await holderIn(thandi, 'Assigned to Sipho')
  await boxOf(sipho).fill('Hello')
  await sipho.keyboard.press('Enter')
  await paneOf(thandi).getByText('Support Team (Sipho)').waitFor()
  await sipho.getByRole('link', { name: 'Your account: Sipho' }).click()
  const profile = sipho.getByRole('form', { name: 'Profile' })
  await profile.getByLabel('Name').fill('')
  await profile.getByRole('button', { name: 'Save profile' }).click()
  await profile.getByText('Name is required').waitFor()
  await profile.getByLabel('Name').fill('Sipho Dlamini')
  const picture = { mimeType: 'image/png', buffer: await sipho.screenshot() }
  await profile.getByLabel('Photo').setInputFiles({ name: 'me.png', ...picture })
  await profile.getByRole('button', { name: 'Remove photo' }).waitFor()
  await profile.getByRole('button', { name: 'Save profile' }).click()
  await profile.getByText('Saved. Your colleagues see it now.').waitFor()
  await sipho.getByRole('link', { name: 'Your account: Sipho Dlamini' }).locator('img').waitFor()
  expect(await violationsIn(sipho)).toEqual([])
  await holderIn(thandi, 'Assigned to Sipho Dlamini')
  await paneOf(thandi).getByText('Support Team (Sipho Dlamini)').waitFor()
  await paneOf(thandi).locator('img[src*="/photo?"]').waitFor()
  const isLoaded = (image: Element) => image instanceof HTMLImageElement && image.naturalWidth > 0
  await expect.poll(() => paneOf(thandi).locator('img').evaluate(isLoaded)).toBe(true)
  await entryOf(thandi, 'Renamed').getByText('Assigned to Sipho Dlamini').waitFor()
  expect(await violationsIn(thandi)).toEqual([])
  await profile.getByLabel('Name').fill('Sipho')
  await profile.getByRole('button', { name: 'Remove photo' }).click()
  await profile.getByRole('button', { name: 'Save profile' }).click()
  await holderIn(thandi, 'Assigned to Sipho')
  await closeAll(visitor, thandi, sipho)
})

test('The list tells both colleagues who is here, on which page and since when', async () => {
  const visitor = await startChat(site, 'Roamer')
  const inThreeMinutes = (page: Page) => page.clock.setFixedTime(Date.now() + 3.5 * 60_000)
  const [thandi, sipho] = await Promise.all([
    openConsolePage(site, undefined, { prepare: inThreeMinutes }),
    openConsolePage(site, SIPHO, { prepare: inThreeMinutes, viewport: { width: 390, height: 800 } }),
  ])
  const both = (words: string) =>
    Promise.all([thandi, sipho].map((page) => entryOf(page, 'Roamer').getByText(words).waitFor()))
  await both('On Home for 3 min')
  await visitor.goto('/contract/premium')
  await both('On Premium for 3 min')
  expect(await violationsIn(sipho)).toEqual([])
  await visitor.context().close()
  await both('Has left')
  await thandi.reload()
  await both('Has left')
  await closeAll(thandi, sipho)
})
