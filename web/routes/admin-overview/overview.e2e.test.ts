import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, agencyDay, startOfDay } from '../../../events/agency-day.ts'
import type { AnyNewEvent } from '../../../events/catalogue.ts'
import { type ChatScore, chatRated, chatRatingStreams } from '../../../events/chat-rating.ts'
import { type FollowUp, leadFollowUpChanged } from '../../../events/follow-up.ts'
import { leadStreams, submitLead } from '../../../events/lead.ts'
import { leadForm } from '../../../events/lead-form.ts'
import { openTestLog, type TestLog } from '../../../events/testing/log.ts'
import { eventually, signIn, startTestWorker } from '../../../events/testing/node.ts'
import type { TestProcess } from '../../../events/testing/process.ts'
import { violationsIn } from '../../test-axe.ts'
import { startTestSite, type TestSite } from '../../test-site.ts'

const PATH = '/admin-overview'
const TODAY = agencyDay(new Date())
const BY = '00000000-0000-4000-8000-0000000000aa'
const HOUR_MS = 3_600_000
const PERSON = {
  name: 'Thandi Nkosi',
  email: 'thandi@example.co.za',
  phone: '082 555 0142',
  leadSource: 'contact_form',
}

let site: TestSite
let worker: TestProcess | undefined
let log: TestLog
let staff: { cookie: string }

beforeAll(async () => {
  site = await startTestSite()
  log = openTestLog(site.stores.databaseUrl)
  staff = await signIn(site.node)
})

afterAll(async () => {
  await worker?.stop()
  await log?.close()
  await site?.stop()
})

const open = async (query = '', viewport = { width: 1440, height: 900 }) => {
  const page = await site.open('/login', { viewport })
  const [name = '', value = ''] = staff.cookie.split('=')
  await page.context().addCookies([{ name, value, url: site.node.url }])
  await page.goto(`${site.node.url}${PATH}${query}`)
  return page
}

/** Appends an event as if it had been recorded `hours` after the beginning of the day this many days ago. */
const record = async (leadId: string, event: AnyNewEvent, daysAgo: number, hours: number) => {
  const at = new Date(startOfDay(addDays(TODAY, -daysAgo)).getTime() + hours * HOUR_MS)
  await log.record(leadStreams.of(leadId), event, at)
}

const submit = async (daysAgo: number, fields: object = {}) => {
  const leadId = randomUUID()
  await record(leadId, submitLead({ leadId, form: v.parse(leadForm, { ...PERSON, ...fields }) }), daysAgo, 9)
  return leadId
}

const rate = async (daysAgo: number, score: ChatScore) => {
  const sessionId = randomUUID()
  const event = chatRated({ score }, { subjectId: sessionId, personal: { comment: null } })
  await log.record(chatRatingStreams.of(sessionId), event, startOfDay(addDays(TODAY, -daysAgo)))
}

const change = (data: FollowUp) => leadFollowUpChanged({ ...data, by: BY })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

describe('the overview', () => {
  test('says that it failed while no worker has made the view, and tries again when asked', async () => {
    const page = await open()
    await page.getByRole('alert').getByText('Error loading the overview').waitFor()
    worker = await startTestWorker(site.stores)
    await eventually(async () => {
      if (await page.getByRole('button', { name: 'Try again' }).isVisible()) {
        await page.getByRole('button', { name: 'Try again' }).click({ timeout: 2_000 })
      }
      expect(await page.getByText('No leads in 30 days', { exact: true }).isVisible()).toBe(true)
    })
    await page.close()
  })

  test('of an agency without leads says so, and leads to a year', async () => {
    const page = await open()
    await page.getByText('The charts begin with the first lead').waitFor()
    expect(await violationsIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Show last 12 months' }).click()
    await page.getByText('No leads in a year', { exact: true }).waitFor()
    expect(await page.getByText('Chat ratings by visitors').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?days=365')
    await page.close()
  })

  describe('of an agency with leads', () => {
    const WEEK_AGO = addDays(TODAY, -7)

    beforeAll(async () => {
      await worker?.stop() // recorded times are changed before anybody reads them
      const won = await submit(20, { package: 'premium' })
      await submit(20, { leadSource: 'hero_form' })
      await submit(3)
      await submit(60, { leadSource: 'live_chat', package: 'essential' })
      await record(won, change({ followUpStatus: 'contacted' }), 20, 9.5)
      await record(won, change({ followUpStatus: 'won', projectValue: 45_000 }), 2, 10)
      for (const daysAgo of [1, 2, 3, 4, 10]) await rate(daysAgo, 'good')
      await rate(3, 'bad')
      worker = await startTestWorker(site.stores)
      await eventually(async () => {
        const answer = await site.node.call('/api/overview?days=90', { headers: staff })
        expect(await answer.json()).toMatchObject({
          leads: 4,
          won: { leads: 1 },
          chatRatings: [{ ratings: 5 }, { ratings: 1 }],
        })
      })
    })

    test('says each finding in words and shows its numbers as a table', async () => {
      const problems: string[] = []
      const page = await open()
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      await page.reload()
      await heading(page, '3 leads in 30 days, 2 from the quote form')
      await heading(page, 'R45,000 won in 30 days, from 1 lead')
      // none is called the best of so few
      expect(await page.getByRole('heading', { name: '1 of 3 leads won', exact: true }).count()).toBe(2)
      await page
        .getByRole('heading', { name: /^First reply within 2 hours for \d+% of leads answered or overdue$/ })
        .waitFor()
      await heading(page, '83% of 6 chat ratings are good')
      expect(await page.locator('main svg.recharts-surface').count()).toBe(6)
      const summaries = await page.getByText('Show as table').all()
      expect(summaries).toHaveLength(6)
      for (const summary of summaries) await summary.click()
      const cells = (name: string) => page.getByRole('row', { name }).allInnerTexts()
      expect((await cells('Premium'))[0]?.split(/\s+/)).toEqual(['Premium', '1', '1', '–'])
      expect((await cells('Within 1 hour'))[0]?.split(/\t/).slice(1)).toEqual(['1', '33%'])
      expect(await violationsIn(page)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    })

    test('knows nothing of what came after the day that the address names', async () => {
      const page = await open(`?days=30&asOf=${WEEK_AGO}`)
      await heading(page, '2 leads in 30 days, 1 from the quote form')
      await heading(page, 'The one chat rating is good')
      await heading(page, 'Nothing won in 30 days')
      await page.getByText('Won leads appear here with their project value').waitFor()
      await page.getByText(/^Snapshot of .*: what came later is left out\.$/).waitFor()
      await page.getByRole('button', { name: 'Today' }).click()
      await heading(page, 'R45,000 won in 30 days, from 1 lead')
      expect(new URL(page.url()).search).toBe('?days=30')
      await page.goBack()
      await heading(page, 'Nothing won in 30 days')
      await page.close()
    })

    test('looks as far back as asked for', async () => {
      const page = await open()
      await page.getByRole('button', { name: '7 days' }).click()
      await heading(page, '1 lead in 7 days, from the quote form')
      await page.getByRole('button', { name: '90 days' }).click()
      await page.getByRole('heading', { name: /^4 leads in 90 days/ }).waitFor()
      await page.getByRole('button', { name: 'A year' }).click()
      await page.getByRole('heading', { name: /^4 leads in a year/ }).waitFor()
      await page.getByText('Leads per week, by source').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'A year' }).getAttribute('aria-pressed')).toBe('true')
      await page.close()
    })

    test.each([
      ['30', 390],
      ['30', 1440],
      ['90', 768],
      ['365', 1440],
    ])('spreads the days at the foot of a chart of %s days evenly in a window of %i px', async (days, width) => {
      const page = await open(`?days=${days}`, { width, height: 800 })
      const chart = page.getByRole('region', { name: /^Leads per/ })
      const ticks = chart.locator('svg text').filter({ hasText: /[A-Z][a-z]/ })
      await ticks.first().waitFor()
      const places = await ticks.evaluateAll((all) => all.map((it) => Number(it.getAttribute('x'))))
      const gaps = places.slice(1).map((x, index) => x - (places[index] ?? 0))
      expect(gaps.length).toBeGreaterThan(2)
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(2)
      await page.close()
    })

    test.each([390, 1024, 1440])('fits into a window of %i px', async (width) => {
      const page = await open('', { width, height: 800 })
      await heading(page, '3 leads in 30 days, 2 from the quote form')
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      await page.close()
    })
  })

  test.each(['days=0', 'days=367', 'days=x', 'asOf=tomorrow', 'asOf=2026-02-30', `asOf=${addDays(TODAY, 2)}`])(
    'is refused by the API for %s',
    async (query) => {
      expect((await site.node.call(`/api/overview?${query}`, { headers: staff })).status).toBe(422)
    },
  )

  test('is for staff', async () => {
    expect((await site.node.call('/api/overview')).status).toBe(401)
  })
})
