import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import { sampleWebsiteInfo } from '../../../events/testing/fixtures/samples.ts'
import { eventually } from '../../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

const PROMPT = 'You are an expert web developer'

let site: StaffSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const send = async (more: object) => {
  const response = await site.call('POST', '/api/submit-website-info', sampleWebsiteInfo(more))
  const { leadId } = await response.json()
  await eventually(async () => expect((await site.call('GET', `/api/leads/${leadId}`)).status).toBe(200))
  return leadId as string
}

const answers = (page: Page) => page.getByRole('region', { name: 'Answers' }).getByRole('term').allTextContents()

test('a questionnaire shows its answers under their questions wherever staff read it; its prompt is copied alone', async () => {
  const id = await send({
    biggestProblem: 'Nobody finds us',
    monthlyBudget: 'R1,000-R5,000',
    businessGoals: 'More orders',
  })
  const page = await site.open(`/admin-lead?id=${id}`)
  await page.getByText('Nobody finds us').waitFor()
  expect((await answers(page)).slice(0, 4)).toEqual(['What it does', 'Goals', 'Biggest problem now', 'Monthly budget'])
  expect(await page.getByText('Brand colours').count()).toBe(0)
  await page.getByRole('button', { name: /^Show all \d+ answers$/ }).click()
  await page.getByText('Brand colours', { exact: true }).waitFor()
  expect(await page.getByText(PROMPT).count()).toBe(0)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Copy AI Prompt' }).click()
  await page.getByText('AI Website Generation Prompt copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(PROMPT)

  await page.goto('/admin-today')
  await page.getByText('What it does: We bake bread. · Goals: More orders', { exact: false }).waitFor()
  expect(await page.getByText(PROMPT).count()).toBe(0)

  await page.goto('/admin-dashboard?view=rows')
  await page.getByRole('button', { name: 'Rows' }).click()
  await page.getByRole('button', { name: /Nkosi Bakery/, expanded: false }).click()
  const preview = page.getByRole('complementary', { name: 'Preview: Nkosi Bakery' })
  await preview.getByText('Nobody finds us').waitFor()
  expect(await preview.getByText(PROMPT).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('the answers go when the person is erased', async () => {
  const id = await send({
    biggestProblem: 'Erase this problem',
    email: 'erased@example.com',
    phoneNumber: '021 555 9191',
  })
  await expect.poll(async () => (await site.call('POST', `/api/leads/${id}/erase`, {})).status).toBe(204)
  const lead = await (await site.call('GET', `/api/leads/${id}`)).json()
  expect(lead).toMatchObject({ name: 'Erased', message: null })
  expect(lead).not.toHaveProperty('answers')
})
