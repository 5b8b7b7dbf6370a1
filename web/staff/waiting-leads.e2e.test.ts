import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { hide, noteAlerts, notedIn } from './test-alerts.ts'
import { type StaffSite, startStaffSite } from './test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const linkOf = (page: Page, name: string) => page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name })
const badgeOf = (page: Page, text: string) => linkOf(page, `Dashboard ${text}`).waitFor()
const hasNoBadge = (page: Page) => expect.poll(() => linkOf(page, 'Dashboard').textContent()).toBe('Dashboard')
const titled = (page: Page, title: string) => expect.poll(() => page.title()).toMatch(title)
/** The page's next answer on what waits: only then does it know which leads are new. */
const nextAnswer = (page: Page) => page.waitForResponse('**/api/leads/waiting')

test('a new lead shows on every staff screen, and goes once somebody has answered it', async () => {
  const page = await site.open('/admin-settings')
  await nextAnswer(page)
  const lead = await site.submit({ name: 'Thandi Nkosi' })
  await badgeOf(page, '1 waiting')
  await titled(page, '(1) Settings')
  await linkOf(page, 'Submissions').click()
  await titled(page, '(1) Form submissions')
  await linkOf(page, 'Dashboard').click()
  await expect.poll(() => page.title()).toMatch(/^Leads dashboard/)
  await badgeOf(page, '1 waiting')
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' })
  await hasNoBadge(page)
  await page.context().close()
})

test('of all tabs of a browser one tells of a new lead, by name, also where nobody looks at any', async () => {
  const page = await site.open('/admin-account')
  await page.context().grantPermissions(['notifications'], { origin: site.node.url })
  await noteAlerts(page)
  await page.reload()
  await nextAnswer(page)
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Notifications' }).getAttribute('aria-pressed')).toBe('true')
  const other = await page.context().newPage()
  const told = nextAnswer(other)
  await other.goto('/admin-email')
  await told
  for (const tab of [page, other]) await hide(tab)
  const { id } = await site.submit({ name: 'Sipho Dube' })
  await titled(page, '(1) Your account')
  await titled(other, '(1) Email')
  await eventually(async () => expect(await notedIn(page)).toEqual(['New lead: Sipho Dube: Consultation form']))
  await site.submit({ name: 'Spam', message: 'x', quartz: 'filled in' } as object)
  await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'contacted' })
  await hasNoBadge(page)
  expect(await notedIn(page)).toHaveLength(1)
  await page.context().close()
})

test('the badge says how many have waited for longer than was promised', async () => {
  const page = await site.open('/admin-overview')
  await page.route('**/api/leads/waiting', (route) => route.fulfill({ json: { count: 3, overdue: 1, newest: [] } }))
  await page.reload()
  await badgeOf(page, '3 waiting, 1 overdue')
  await page.context().close()
})
