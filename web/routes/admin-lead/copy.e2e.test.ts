import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import { eventually } from '../../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

let site: StaffSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const copyAddress = async (page: Page) => {
  await page.getByRole('button', { name: 'Copy the email address' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Email address copied').waitFor()
  expect(await copied(page)).toBe('naledi@copy.example')
}

test('the email address alone is copied from the lead and its preview, and Copy Email says what it copies', async () => {
  const { id } = await site.submit({ name: 'Naledi Copy', email: 'naledi@copy.example' })
  await eventually(async () => expect((await site.call('GET', `/api/leads/${id}`)).status).toBe(200))
  const page = await site.open(`/admin-lead?id=${id}`)
  await copyAddress(page)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page
    .getByRole('button', { name: 'Copy Email', description: 'Copies the whole lead as the text of an email' })
    .click()
  await page.getByText('Copied to clipboard! You can now paste this into an email.').waitFor()
  expect(await copied(page)).toContain('Email: naledi@copy.example')

  await page.goto('/admin-dashboard')
  await page.getByRole('button', { name: 'Rows' }).click()
  await page.getByRole('button', { name: /Naledi Copy/, expanded: false }).click()
  await copyAddress(page)
  await page.context().close()
})

test('where there is no address there is nothing to copy', async () => {
  const entry = { name: 'Phone Only', email: '', phone: '082 555 4411', company: null, package: null, note: null }
  const { id } = await (await site.call('POST', '/api/leads/by-hand', entry)).json()
  await eventually(async () => expect((await site.call('GET', `/api/leads/${id}`)).status).toBe(200))
  const page = await site.open(`/admin-lead?id=${id}`)
  await page.getByRole('heading', { name: 'Phone Only' }).waitFor()
  await page.getByText('082 555 4411').first().waitFor()
  expect(await page.getByRole('button', { name: 'Copy the email address' }).count()).toBe(0)
  await page.context().close()
})
