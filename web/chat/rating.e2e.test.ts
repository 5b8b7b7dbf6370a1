import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../test-axe.ts'
import { boxOf, entryOf, openConsolePage, paneOf, say, startChat } from './test-console.ts'
import { openTestSite, type TestSite } from './test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

afterAll(() => site?.close())

test('A visitor says by keyboard how a chat was that staff ended, and staff see it at once', async () => {
  const visitor = await startChat(site, 'Rating Visitor', { viewport: { width: 390, height: 844 } })
  await say(visitor, 'hello')
  const staff = await openConsolePage(site)
  await entryOf(staff, 'Rating Visitor').click()
  await boxOf(staff).fill('Hello to you')
  await boxOf(staff).press('Enter')
  await visitor.getByText('Hello to you').waitFor()
  await staff.getByRole('button', { name: 'End chat' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  const send = visitor.getByRole('button', { name: 'Send rating' })
  await visitor.getByLabel('Good').focus()
  expect(await send.count()).toBe(0)
  await visitor.keyboard.press('Space')
  await visitor.getByLabel('Anything to add? (optional)').fill('Quick and clear')
  expect(await violationsIn(visitor)).toEqual([])
  await send.click()
  await visitor.getByText('Thank you for your rating.').waitFor()
  expect(await send.count()).toBe(0)
  await visitor.reload()
  await visitor.getByRole('button', { name: 'Expand chat' }).click()
  await visitor.getByText('Thank you for your rating.').waitFor()
  const pane = paneOf(staff)
  await pane.getByText('Rated good').waitFor()
  await pane.getByText('Quick and clear').waitFor()
  expect(await violationsIn(staff)).toEqual([])
  await staff.getByRole('button', { name: 'Ended' }).click()
  await entryOf(staff, 'Rating Visitor').getByText('Rated good').waitFor()
  await Promise.all([visitor, staff].map((page) => page.context().close()))
})
