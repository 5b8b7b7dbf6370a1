import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

const SOON = { timeout: 30_000 }

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const panel = (page: Page) => page.getByRole('region', { name: 'Answer' })
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const saved = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()

test('a lead that was made of a live chat and is answered there waits no longer, which a colleague sees on the lead and on Today, and can undo', async () => {
  const email = 'zanele@example.co.za'
  const sessionId = await site.chat({ name: 'Zanele', email }, 'Did you get my request?')
  const form = { name: 'Zanele Khumalo', email, phone: '082 555 0177' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const [page, today] = [await site.open(`/admin-lead?id=${lead.id}`), await site.open('/admin-today')]
  await page.getByText(/^Reply due /).waitFor()
  await today.getByRole('link', { name: 'Zanele Khumalo' }).first().waitFor()

  const chat = await site.open(`/admin-chat?session=${sessionId}`, { as: ben })
  await chat.getByText('Did you get my request?').first().waitFor()
  await chat.getByPlaceholder('Type your response...').fill('We did, and call you at ten.')
  await chat.keyboard.press('Enter')

  await page.getByText(/^Reply due /).waitFor({ state: 'detached', ...SOON })
  await panel(page)
    .getByText(/^Answered in the chat by Ben Dube, /)
    .waitFor(SOON)
  await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('contacted')
  const answer = entries(page).filter({ hasText: 'Answered in the chat' })
  await answer.getByText('Status: Contacted', { exact: true }).waitFor()
  const link = answer.getByRole('link', { name: 'Open the chat with Zanele' })
  expect(await link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
  expect(await answer.getByRole('button', { name: /^Undo/ }).count()).toBe(1)
  await expect.poll(() => today.getByRole('link', { name: 'Zanele Khumalo' }).count(), SOON).toBe(0)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }

  await answer.getByRole('button', { name: /^Undo/ }).click()
  await page
    .getByRole('region', { name: 'Notifications (F8)' })
    .getByText('What was said in the chat stays there.')
    .waitFor()
  await page.getByText(/^Reply due /).waitFor(SOON)
  await entries(page).getByText('Answered in the chat (undone)').waitFor(SOON)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: lead.ownerId, answeredAt: null })
  await today.getByRole('link', { name: 'Zanele Khumalo' }).first().waitFor(SOON)
  await Promise.all([page, today, chat].map((each) => each.context().close()))
})
