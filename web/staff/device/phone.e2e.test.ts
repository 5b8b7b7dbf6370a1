import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from '../test-staff-site.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** What a thumb hits surely (WCAG 2.2, 2.5.8, asks for 24; a link within a line is excepted there too). */
const THUMB_PX = 36

let site: StaffSite
let leadId: string
let sessionId: string

beforeAll(async () => {
  site = await startStaffSite()
  leadId = (await site.submit({ name: 'Thandi Nkosi', businessName: 'Nkosi Bakery', message: 'We bake. '.repeat(40) }))
    .id
  await site.submit({
    name: 'Contract Chris',
    leadSource: 'contract_premium',
    businessName: 'Stoep',
    agreedToTerms: true,
  })
  await site.submit({ name: 'Spam', message: 'x', quartz: 'filled in' } as object)
  sessionId = await site.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
})

afterAll(() => site?.stop())

/** The controls that are too small for a thumb, of which no other one that does the same is larger. */
const smallControls = (page: Page) =>
  page.evaluate((least) => {
    const isInText = (it: Element) => it.tagName === 'A' && !it.matches('[data-button], nav *')
    const isSeen = (it: Element) => {
      const { width, height } = it.getBoundingClientRect()
      return width > 1 && height > 1 && getComputedStyle(it).visibility === 'visible'
    }
    const sizeOf = (it: Element) => {
      const areas = [it, ...(it instanceof HTMLInputElement ? (it.labels ?? []) : [])]
      const boxes = areas.map((area) => area.getBoundingClientRect())
      return Math.max(...boxes.map(({ width, height }) => Math.min(width, height)))
    }
    const controls = document.querySelectorAll('a[href], button, select, summary, input:not([type=hidden]), textarea')
    return [...controls]
      .filter((it) => isSeen(it) && !isInText(it) && !it.closest('.skip') && sizeOf(it) < least)
      .map(
        (it) =>
          `${it.tagName} ${it.getAttribute('aria-label') ?? it.textContent?.slice(0, 40) ?? ''} ${Math.round(sizeOf(it))}`,
      )
  }, THUMB_PX)

test.each([
  ['Today', '/admin-today', 'New'],
  ['Leads dashboard', '/admin-dashboard', 'submissions found'],
  ['Form submissions', '/admin-submissions', 'Nkosi Bakery'],
  ['Quarantine', '/admin-submissions?quarantine=true', 'Spam'],
  ['a lead', '/admin-lead', 'Timeline'],
  ['Live chat', '/admin-chat', 'Chatty Chris'],
  ['a chat', '/admin-chat?session', 'Do you build shops?'],
  ['Overview', '/admin-overview', 'Overview'],
  ['Pipeline', '/admin-pipeline', 'Nkosi Bakery'],
  ['Import', '/admin-import', 'Nothing has been imported yet.'],
  ['Email', '/admin-email', 'Stoep'],
  ['Settings', '/admin-settings', 'Support hours'],
  ['Your account', '/admin-account', 'Notifications on this device'],
  ['Webhook log', '/admin-webhooks', 'No deliveries'],
  ['API', '/admin-api', 'Lists leads'],
  ['account history', '/admin-account-history', 'Signed in'],
])('%s works with a thumb on a phone', async (_, path, text) => {
  const query = path === '/admin-lead' ? `?id=${leadId}` : path.endsWith('?session') ? `=${sessionId}` : ''
  const page = await site.open(path + query, PHONE)
  await page.getByText(text).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await smallControls(page)).toEqual([])
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('on a phone too the dashboard leads to what is in quarantine, while the rest of its words stay folded', async () => {
  const page = await site.open('/admin-dashboard', PHONE)
  const link = page.getByRole('link', { name: 'Quarantine (1)' })
  await link.waitFor()
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(THUMB_PX)
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Quarantine' }).waitFor()
  await page.context().close()
})

test('the words of a notice have its width on a phone, and what can be done about it comes below them', async () => {
  const page = await site.open(`/admin-lead?id=${leadId}`, PHONE)
  await page.getByRole('button', { name: 'Assign to me' }).tap()
  const notices = page.getByRole('region', { name: 'Notifications (F8)' })
  const undo = notices.getByRole('button', { name: 'Undo' })
  const boxOf = async (it: typeof undo) => (await it.boundingBox()) ?? expect.fail()
  const [words, action, dismiss] = await Promise.all(
    [notices.getByText(/^Assigned to you/).locator('..'), undo, notices.getByRole('button', { name: 'Dismiss' })].map(
      boxOf,
    ),
  )
  if (!words || !action || !dismiss) expect.fail()
  expect(words.width).toBeGreaterThan(250)
  expect(action.y).toBeGreaterThanOrEqual(words.y + words.height)
  expect(dismiss.y).toBeLessThan(action.y)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('the palette works with a thumb on a phone', async () => {
  const page = await site.open('/admin-today', PHONE)
  await page.getByRole('button', { name: 'Go to' }).click()
  const palette = page.getByRole('dialog')
  await palette.getByRole('combobox').fill('Nkosi')
  // not the entry that searches for it, which is there at once
  const lead = palette.getByRole('group', { name: 'Leads' }).getByRole('option').first()
  await lead.waitFor()
  expect(await smallControls(page)).toEqual([])
  expect(await faultsOf(page)).toEqual([])
  const heights = await palette
    .getByRole('option')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(THUMB_PX)
  await lead.tap()
  await page.waitForURL(/admin-lead/)
  await page.context().close()
})
