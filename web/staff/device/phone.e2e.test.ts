import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, startTestDesk, type TestDesk } from '../test-desk.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** What a thumb hits surely (WCAG 2.2, 2.5.8, asks for 24; a link within a line is excepted there too). */
const THUMB_PX = 36

let desk: TestDesk
let leadId: string
let sessionId: string

beforeAll(async () => {
  desk = await startTestDesk()
  leadId = (await desk.submit({ name: 'Thandi Nkosi', businessName: 'Nkosi Bakery', message: 'We bake. '.repeat(40) }))
    .id
  await desk.submit({
    name: 'Contract Chris',
    leadSource: 'contract_premium',
    businessName: 'Stoep',
    agreedToTerms: true,
  })
  await desk.submit({ name: 'Spam', message: 'x', quartz: 'filled in' } as object)
  sessionId = await desk.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
})

afterAll(() => desk?.stop())

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
  ['Today', '/admin-today', 'Due soon'],
  ['Leads dashboard', '/admin-dashboard', 'submissions found'],
  ['Form submissions', '/admin-submissions', 'Nkosi Bakery'],
  ['Quarantine', '/admin-submissions?quarantine=true', 'Spam'],
  ['a lead', '/admin-lead', 'Timeline'],
  ['Live chat', '/admin-chat', 'Chatty Chris'],
  ['a chat', '/admin-chat?session', 'Do you build shops?'],
  ['Overview', '/admin-overview', 'Overview'],
  ['Email', '/admin-email', 'Stoep'],
  ['Settings', '/admin-settings', 'Support hours'],
  ['Your account', '/admin-account', 'Notifications on this device'],
  ['account history', '/admin-account-history', 'Signed in'],
])('%s works with a thumb on a phone', async (name, path, text) => {
  const query = path === '/admin-lead' ? `?id=${leadId}` : path.endsWith('?session') ? `=${sessionId}` : ''
  const page = await desk.open(path + query, PHONE)
  await page.getByText(text).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/phone-${name.replaceAll(' ', '-')}.png`, fullPage: true })
  expect(await smallControls(page)).toEqual([])
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
