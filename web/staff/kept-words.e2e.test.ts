import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('the question before signing out names three of whom something is unfinished, and keeps no name on the device', async () => {
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
