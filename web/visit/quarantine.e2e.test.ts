import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { HONEYPOT_FIELD } from '../../events/lead/form/spam-fields.ts'
import { MIN_OPEN_MS } from '../../events/lead/form/spam-signals.ts'
import type { Lead } from '../../events/lead/wire.ts'
import { openTestBrowser } from '../../events/testing/browser.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

const { node } = await startProduct()
const browser = await openTestBrowser()
afterAll(() => browser.close())
const staff = await signIn(node)

const newPage = async (options: BrowserContextOptions = {}) => (await browser.newContext(options)).newPage()

const list = async (query = ''): Promise<Lead[]> =>
  await (await node.call(`/api/leads${query}`, { headers: staff })).json()

const leadOf = (email: string, query = '') =>
  eventually(async () => {
    const lead = (await list(query)).find((each) => each.email === email)
    if (!lead) throw new Error(`There is no lead of ${email}`)
    return lead
  })

const fillIn = async (page: Page, email: string) => {
  const form = page.getByRole('form', { name: 'Quote request' })
  await form.getByLabel('Full name').fill('Sipho Khumalo')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Phone').fill('082 555 0177')
  return form
}

const takeTheTime = (page: Page) => page.waitForFunction((ms) => performance.now() > ms, MIN_OPEN_MS)

test('a form sent faster than anybody types is thanked for, and staff release it from quarantine', async () => {
  const visitor = await newPage()
  await visitor.goto(node.url)
  // As fast as a script fills it in: the clock of the page stands still.
  await visitor.evaluate(() => {
    performance.now = () => 300
  })
  await (await fillIn(visitor, 'fast@example.com')).getByRole('button').click()
  await visitor.getByText('Message Sent Successfully!').first().waitFor()
  const flagged = await leadOf('fast@example.com', '?quarantine=true')
  expect(flagged.suspicion).toEqual(['too_fast'])
  const headers = { 'content-type': 'application/json', ...staff }
  const released = await node.call(`/api/leads/${flagged.id}/release`, { method: 'POST', headers, body: '{}' })
  expect(released.ok).toBe(true)
  expect(await leadOf('fast@example.com')).not.toHaveProperty('suspicion')
})

test('the hidden field is out of the way of people, and catches machines without script', async () => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto(node.url)
  const form = await fillIn(page, 'machine@example.com')
  const trap = form.locator(`input[name=${HONEYPOT_FIELD}]`)
  expect(await trap.getAttribute('tabindex')).toBe('-1')
  expect(await page.getByRole('textbox', { name: 'Leave this field empty' }).count()).toBe(0)
  const box = await trap.locator('xpath=ancestor::div[@aria-hidden]').boundingBox()
  expect(Math.max(box?.width ?? 0, box?.height ?? 0)).toBeLessThanOrEqual(1)
  await trap.fill('https://cheap.example', { force: true })
  await form.getByRole('button').click()
  await page.waitForURL('**/thanks')
  expect((await leadOf('machine@example.com', '?quarantine=true')).suspicion).toEqual(['trap'])
})

test('how the visitor came goes with the lead, over several pages and visits', async () => {
  const page = await newPage()
  await page.goto(`${node.url}/contract/essential?utm_source=google&utm_medium=cpc&utm_campaign=spring&gclid=secret`, {
    referer: 'https://www.google.com/search?q=cheap+website',
  })
  await page.goto(node.url, { referer: `${node.url}/contract/essential` })
  await page.goto(`${node.url}/?utm_source=newsletter&utm_medium=email`)
  await takeTheTime(page)
  await (await fillIn(page, 'campaign@example.com')).getByRole('button').click()
  await page.getByText('Message Sent Successfully!').first().waitFor()
  const nothing = { campaign: null, term: null, content: null }
  expect(await leadOf('campaign@example.com')).toMatchObject({
    firstTouch: {
      ...nothing,
      source: 'google',
      medium: 'cpc',
      campaign: 'spring',
      referrer: 'www.google.com',
      landingPage: '/contract/essential',
    },
    lastTouch: { ...nothing, source: 'newsletter', medium: 'email', referrer: null, landingPage: '/' },
  })
})
