import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, agencyDay, startOfDay } from '../../../events/base/agency-day.ts'
import { HOUR_MS } from '../../../events/base/time.ts'
import type { AnyNewEvent } from '../../../events/catalogue.ts'
import { type ChatScore, chatRated, chatRatingStreams } from '../../../events/chat/rating.ts'
import { type FollowUp, leadFollowUpChanged } from '../../../events/lead/follow-up/follow-up.ts'
import { leadForm } from '../../../events/lead/form/form.ts'
import { leadStreams, submitLead } from '../../../events/lead/lead.ts'
import { openTestLog, type TestLog } from '../../../events/testing/log.ts'
import { eventually, signIn, startTestWorker } from '../../../events/testing/node.ts'
import type { TestProcess } from '../../../events/testing/process.ts'
import { violationsIn } from '../../testing/axe.ts'
import { startTestSite, type TestSite } from '../../testing/site.ts'

const PATH = '/admin-overview'
const TODAY = agencyDay(new Date())
const BY = '00000000-0000-4000-8000-0000000000aa'
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

test('the overview is for staff, and refuses invalid ranges and days', async () => {
  expect((await site.node.call('/api/overview')).status).toBe(401)
  const wrong = ['days=0', 'days=367', 'days=x', 'asOf=tomorrow', 'asOf=2026-02-30', `asOf=${addDays(TODAY, 2)}`]
  for (const query of wrong)
    expect((await site.node.call(`/api/overview?${query}`, { headers: staff })).status, query).toBe(422)
})

test('the overview waits for its view, and shows the log’s data as charts that fit into any window', async () => {
  const problems: string[] = []
  const page = await open()
  await page.getByRole('alert').getByText('Error loading the overview').waitFor()
  worker = await startTestWorker(site.stores)
  await eventually(async () => {
    if (await page.getByRole('button', { name: 'Try again' }).isVisible()) {
      await page.getByRole('button', { name: 'Try again' }).click({ timeout: 2_000 })
    }
    expect(await page.getByText('No leads in 30 days', { exact: true }).isVisible()).toBe(true)
  })
  expect(await violationsIn(page)).toEqual([])

  await worker.stop() // recorded times are changed before they are read
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
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.reload()
  await heading(page, '3 leads in 30 days, 2 from the quote form')
  await heading(page, 'R45,000 won in 30 days, from 1 lead')
  await heading(page, '83% of 6 chat ratings are good')
  expect(await page.locator('main svg.recharts-surface').count()).toBe(6)
  const summaries = await page.getByText('Show as table').all()
  for (const summary of summaries) await summary.click()
  expect(await violationsIn(page)).toEqual([])

  /** The days at the foot of the chart are spread evenly. */
  const isEven = async () => {
    const ticks = page
      .getByRole('region', { name: /^Leads per/ })
      .locator('svg text')
      .filter({ hasText: /[A-Z][a-z]/ })
    await ticks.first().waitFor()
    const places = await ticks.evaluateAll((all) => all.map((it) => Number(it.getAttribute('x'))))
    const gaps = places.slice(1).map((x, index) => x - (places[index] ?? 0))
    expect(gaps.length).toBeGreaterThan(2)
    return Math.max(...gaps) - Math.min(...gaps) < 2
  }
  for (const [label, width] of [
    ['30 days', 390],
    ['90 days', 768],
    ['30 days', 1024],
    ['30 days', 1440],
    ['A year', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByRole('button', { name: label }).click()
    await page
      .getByRole('heading', { name: new RegExp(label === 'A year' ? 'in a year' : `in ${label}`) })
      .first()
      .waitFor()
    await expect.poll(isEven, { message: `${label} at ${width} px` }).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  }
  await page.goto(`${site.node.url}${PATH}?days=30&asOf=${addDays(TODAY, -7)}`)
  await heading(page, '2 leads in 30 days, 1 from the quote form')
  await heading(page, 'Nothing won in 30 days')
  expect(problems).toEqual([])
  await page.close()
})
