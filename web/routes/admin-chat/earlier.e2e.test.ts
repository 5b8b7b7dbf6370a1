import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { bubbleOf, entryOf, openConsolePage, paneOf, startChat } from '../../chat/test-console.ts'
import { openTestSite, type TestSite } from '../../chat/test-site.ts'
import { openTestStaff } from '../../chat/test-staff.ts'
import { violationsIn } from '../../test-axe.ts'

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
})

afterAll(() => site?.close())

test('a long chat opens at its end, and what is earlier comes on demand, above what is being read', async () => {
  const staff = await openTestStaff(site.nodes[0], site.url)
  const visitor = await startChat(site, 'Lindiwe')
  const sessionId = await staff.sessionOf('Lindiwe')
  for (let count = 1; count <= 120; count += 1) await staff.answer(sessionId, `Line ${count}. ${'word '.repeat(790)}`)
  staff.close()

  const page = await openConsolePage(site)
  await entryOf(page, 'Lindiwe').click()
  const log = paneOf(page).getByRole('log')
  const messages = log.getByRole('listitem')
  const earlier = page.getByRole('button', { name: 'Show earlier messages' })
  const holds = (count: number) => eventually(async () => expect(await messages.count()).toBe(count))
  await holds(100)
  expect(await messages.first().textContent()).toMatch(/^Line 21\./)
  const left = () =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
  expect(await left()).toBeLessThan(2)

  await page.route('**/api/chats/*?before=*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await earlier.click()
  await log.getByText('They could not be loaded. Try again.').waitFor()
  expect(await violationsIn(page, 'main')).toEqual([])
  await page.getByRole('button', { name: 'Create lead' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create lead' })
  await dialog.getByText('Error loading the beginning of the chat').waitFor()
  await page.unroute('**/api/chats/*?before=*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const told = await dialog.getByLabel('Message').inputValue()
  expect(told).toMatch(/^Support Team: Line 1\. [^\n]+\n… 119 more messages in the chat$/)
  expect(await violationsIn(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const top = async () => (await bubbleOf(page, 'Line 21.').boundingBox())?.y ?? 0
  const before = await top()
  await earlier.click()
  await holds(120)
  // but for the line that told of the failure
  expect(Math.abs((await top()) - before)).toBeLessThan(40)
  expect(await messages.first().textContent()).toMatch(/^Line 1\./)
  expect(await earlier.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log')

  const widget = visitor.getByRole('log', { name: 'Conversation' }).getByRole('listitem')
  await visitor.reload()
  await eventually(async () => expect(await widget.count()).toBe(121))
  await Promise.all([page, visitor].map((each) => each.context().close()))
})
