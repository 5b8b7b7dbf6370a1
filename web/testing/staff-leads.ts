import type { Page } from 'playwright-core'
import type { StaffSite, TestLead } from './staff-site.ts'

/** A Wednesday, in support hours: the time of a page's clock unless a test sets another. */
export const TEST_NOW = '2026-11-18T12:00:00+02:00'

/** One of many leads of a Sunday. */
export const bulk = (index: number): TestLead => ({
  name: `Bulk ${String(index).padStart(2, '0')}`,
  at: `2026-11-15T08:${String(index).padStart(2, '0')}:00+02:00`,
})

/** Leads of that day, the day before, the week and the months around. */
export const TEST_LEADS: TestLead[] = [
  { name: 'Thandi Mokoena', businessName: 'Stoep & Co', message: 'Call me', at: '2026-11-18T11:12:00+02:00' },
  { name: 'Sipho Khumalo', phone: '+27 82 555 0177', company: '100% Cotton', at: '2026-11-18T09:25:00+02:00' },
  {
    name: 'Lerato Dlamini',
    leadSource: 'Website Info Form',
    message: 'You are an expert web developer. "Build" it.',
    at: '2026-11-18T00:00:00+02:00',
  },
  { name: 'Late Yesterday', at: '2026-11-17T23:59:59+02:00' },
  ...Array.from({ length: 60 }, (_, index) => bulk(index)),
  { name: 'First Of Month', at: '2026-11-01T00:00:00+02:00' },
  { name: 'Last Of October', at: '2026-10-31T23:59:59+02:00' },
]

/** Opens the dashboard in a browser whose clock is stopped. */
export const openDashboard = (site: StaffSite, query = '', options: Parameters<StaffSite['open']>[1] = {}) =>
  site.open(`/admin-dashboard${query}`, { now: TEST_NOW, ...options })

/** Waits until the line of counts shows this. */
export const found = (page: Page, count: number, more = '') =>
  page.getByText(`${count} submissions found${more}`, { exact: true }).waitFor()

/** Waits until the period has this title. */
export const titled = (page: Page, text: string) =>
  page.getByRole('heading', { level: 2, name: text, exact: true }).waitFor()

/** The titles of the cards, in order. */
export const cardNames = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))

/** The query of the page's address. */
export const queryOf = (page: Page) => new URL(page.url()).search

export const searchBox = (page: Page) => page.getByPlaceholder('Name, email, phone, company...', { exact: true })

/** The field of the calendar, once that has loaded. */
export const dateField = (page: Page) => page.getByLabel('Date', { exact: true }).and(page.locator(':not([readonly])'))
