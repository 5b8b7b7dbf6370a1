import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxOf, bubbleOf, entryOf } from '../chat/test-console.ts'
import { faultsOf, type StaffSite, startStaffSite } from './test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const writeNote = async (page: Page, name: string) => {
  const lead = await site.submit({ name })
  await page.goto(`/admin-lead?id=${lead.id}`)
  await page.getByLabel('Note', { exact: true }).fill('Half a no')
  return lead
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  return page.getByRole('dialog', { name: 'Sign out without saving?' })
}

test('the question before signing out names three people with unfinished work, and keeps no name on the device', async () => {
  const page = await site.open('/admin-today', { as: await site.hire('Nomsa Zulu') })
  for (const name of ['Anna', 'Bea', 'Carl', 'Dora', 'Emil']) await writeNote(page, `${name} Smith`)
  await page.goto('/admin-today')
  const question = await signOut(page)
  await question.getByText('You have unfinished work.').waitFor()
  const items = () => question.getByRole('listitem').allInnerTexts()
  const named = async () => (await items()).filter((item) => /^A note about \w+ Smith that was not saved$/.test(item))
  await expect.poll(async () => new Set(await named()).size).toBe(3)
  expect((await items()).slice(3)).toEqual(['and 2 more'])
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Smith')
  await page.context().close()
})

test('a call and a note are told apart, and where the leads tell no name the question tells what there is', async () => {
  const page = await site.open('/admin-today', { as: await site.hire('Lerato Moloi') })
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await site.submit({ name: 'Ben Dube', phone: '+27 82 555 0133' })
  await page.getByRole('link', { name: 'Call Ben Dube' }).click()
  await writeNote(page, 'Anna Smith')
  await page.goto('/admin-today')
  const question = await signOut(page)
  await expect
    .poll(async () => (await question.getByRole('listitem').allInnerTexts()).toSorted())
    .toEqual(['A note about Anna Smith that was not saved', 'What came of the call to Ben Dube'])
  await question.getByRole('button', { name: 'Stay here' }).click()

  // nothing of who they are is kept for a page that is loaded again
  await page.route('**/api/leads/*', (route) => route.abort())
  await page.reload()
  await signOut(page)
  await expect
    .poll(async () => (await question.getByRole('listitem').allInnerTexts()).toSorted())
    .toEqual(['A note that was not saved', 'What came of the call'])
  await page.context().close()
})

test('chat replies that were not sent are named, from another screen and on the chat screen, and no name is kept', async () => {
  const chats: string[] = []
  for (const name of ['Naledi', 'Zodwa']) chats.push(await site.chat({ name, email: '' }, 'Do you build shops?'))
  const [naledi = '', zodwa = ''] = chats
  const page = await site.open(`/admin-chat?session=${naledi}`, { as: await site.hire('Kagiso Molefe') })
  await boxOf(page).fill('Yes, we')
  const question = await signOut(page)
  const items = () => question.getByRole('listitem').allInnerTexts()
  await expect.poll(items).toEqual(['A chat reply to Naledi that was not sent'])
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(await boxOf(page).inputValue()).toBe('Yes, we')

  await page.goto(`/admin-chat?session=${zodwa}`)
  await entryOf(page, 'Naledi').getByText('Draft: Yes, we').waitFor()
  await boxOf(page).fill('   ')
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this chat' })
  await dialog.getByLabel('Note').fill('Half a no')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Today' }).click()
  await signOut(page)
  const both = ['A chat reply to Naledi that was not sent', 'A hand-over note about Zodwa that was not sent']
  await expect.poll(items).toEqual(both)
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
    /Naledi|Zodwa/,
  )
  await question.getByRole('button', { name: 'Stay here' }).click()

  await page.route('**/api/chats/*', (route) => route.abort())
  await page.reload()
  await signOut(page)
  await expect.poll(items).toEqual(['A chat reply that was not sent', 'A hand-over note that was not sent'])
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel(/username/i).waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(/Yes, we|Half a no/)
  await page.context().close()
})

test('a chat reply is asked about until the server has it, and no more then', async () => {
  const chat = await site.chat({ name: 'Refilwe', email: '' }, 'Do you build shops?')
  const page = await site.open('/admin-today', { as: await site.hire('Palesa Nkosi') })
  let isHeldBack = true
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!isHeldBack || !String(frame).includes('"send_message"')) server.send(frame)
    })
  })
  await page.goto(`/admin-chat?session=${chat}`)
  await boxOf(page).fill('We do')
  await page.keyboard.press('Enter')
  await bubbleOf(page, 'We do').waitFor()
  const question = await signOut(page)
  await question.getByText('A chat reply to Refilwe that was not sent').waitFor()
  await question.getByRole('button', { name: 'Stay here' }).click()
  isHeldBack = false
  await page.reload()
  await bubbleOf(page, 'We do')
    .getByText(/Sent|Delivered|Seen/)
    .waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel(/username/i).waitFor()
  await page.context().close()
})
