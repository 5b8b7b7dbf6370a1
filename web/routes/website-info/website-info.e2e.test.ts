import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { alertDuring, DESKTOP, PHONE, readForAWhile, startTestSite, type TestSite } from '../../test-site.ts'

const REQUIRED_MESSAGES = [
  'Website type is required',
  'Business name is required',
  'Target audience is required',
  'Design style is required',
  'Brand colors are required',
  'Business description is required',
  'Primary products/services are required',
  'Business address is required',
  'Phone number is required',
  'Valid email is required',
]
const FAILURE = 'Something went wrong. Please try again or call us at +27 21 555 0142.'
const MARKUP = '<img src=x onerror="document.title=1"><b>Bold</b>'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const formOf = (page: Page) => page.getByRole('form', { name: 'Website information' })

const fillIn = async (form: Locator) => {
  await form.getByLabel('Type of website').selectOption('Restaurant website')
  await form.getByLabel('Business name').fill('Stoep Coffee')
  await form.getByLabel('Target audience').selectOption('Local community members')
  await form.getByText('Warm and handmade').click()
  await form.getByText('Karoo earth').click()
  await form.getByLabel('Business description').fill(MARKUP)
  await form.getByLabel('Primary products or services').fill('Coffee, cake')
  await form.getByLabel('Business address').fill('1 Long Street, Cape Town')
  await form.getByLabel('Phone number').fill('021 555 0100')
  await form.getByLabel('Email').fill('owner@stoep.example')
}

const submit = (form: Locator) => form.getByRole('button', { name: 'Submit my information' }).click()

const draftOf = (page: Page) => page.evaluate(() => localStorage.getItem('website-info-draft'))

test('a blank form says all that is missing, in an alert and at each field, and checks again on change', async () => {
  const page = await site.open('/YourWebsiteInfo')
  const form = formOf(page)
  const message = await alertDuring(page, () => submit(form))
  expect(message).toBe(`Please fill in all required fields: ${REQUIRED_MESSAGES.join(', ')}`)
  for (const text of REQUIRED_MESSAGES) await form.getByText(text, { exact: true }).waitFor()
  // at its question, and not below all of its cards
  const missing = await form.getByText('Design style is required', { exact: true }).boundingBox()
  const firstCard = await form.getByText('Clean and minimal').boundingBox()
  expect(missing?.y).toBeLessThan(firstCard?.y ?? 0)

  await form.getByLabel('Business name').fill('Stoep Coffee')
  await form.getByText('Business name is required').waitFor({ state: 'detached' })
  await form.getByLabel('Email').fill('no address')
  await form.getByText('Valid email is required').waitFor()
  await form.getByLabel('Email').fill('owner@stoep.example')
  await form.getByText('Valid email is required').waitFor({ state: 'detached' })
  await page.context().close()
})

test('answers survive a reload, are counted by section, and are discarded on request', async () => {
  const page = await site.open('/yourwebsiteinfo', { viewport: PHONE })
  await fillIn(formOf(page))
  await page.getByText('10 of 10 required answers').waitFor()
  await page.reload()
  await page.getByText('10 of 10 required answers').waitFor()
  const form = formOf(page)
  await expect.poll(() => form.getByLabel('Type of website').inputValue()).toBe('Restaurant website')
  await expect.poll(() => form.getByLabel('Business description').inputValue()).toBe(MARKUP)
  await expect.poll(() => form.getByRole('radio', { name: 'Karoo earth' }).isChecked()).toBe(true)

  await page.setViewportSize(DESKTOP)
  await page.getByRole('link', { name: 'About Your Business 1 of 6' }).waitFor()
  expect(
    await alertDuring(page, () => page.getByRole('button', { name: 'Discard draft' }).click({ noWaitAfter: true })),
  ).toBe('Discard all your answers?')
  await page.getByText('0 of 10 required answers').waitFor()
  await expect.poll(() => form.getByLabel('Business description').inputValue()).toBe('')
  expect(await draftOf(page)).toBeNull()
  await page.context().close()
})

test('a contract that was signed before answers what it knows, as long as the tab, and until it is discarded', async () => {
  const page = await site.open('/contract/essential', { viewport: PHONE })
  const bar = page.getByRole('navigation', { name: 'Contact us' })
  expect(await bar.getByRole('link', { name: 'Sign the contract' }).getAttribute('href')).toBe('#sign')
  const contract = page.getByRole('form', { name: 'Essential contract' })
  await contract.getByLabel('Full name').fill('Thandi Nkosi')
  await contract.getByLabel('Phone').fill('082 555 0142')
  await contract.getByLabel('Email').fill('thandi@nkosi.example')
  await contract.getByLabel('Business name').fill('Nkosi Bakery')
  await contract.getByRole('checkbox').check()
  await readForAWhile(page)
  await contract.getByRole('button', { name: 'Submit contract' }).click()
  await page.getByRole('link', { name: 'Tell us about your website' }).click()
  await page.getByText('3 of 10 required answers').waitFor()
  const form = formOf(page)
  expect(await form.getByLabel('Business name').inputValue()).toBe('Nkosi Bakery')
  expect(await form.getByLabel('Phone number').inputValue()).toBe('082 555 0142')
  expect(await form.getByLabel('Email').inputValue()).toBe('thandi@nkosi.example')
  expect(await bar.getByRole('link', { name: 'Get a quote' }).count()).toBe(0)
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByText('0 of 10 required answers').waitFor()
  await page.reload()
  expect(await form.getByLabel('Business name').inputValue()).toBe('')
  await page.context().close()
})

test('a custom choice reveals its text field, which is sent only with that choice', async () => {
  const page = await site.open('/yourwebsiteinfo')
  const form = formOf(page)
  const bodies: Record<string, unknown>[] = []
  await page.route('**/api/submit-website-info', (route) => {
    bodies.push(route.request().postDataJSON())
    return route.fulfill({ status: 500, body: 'broken' })
  })
  await fillIn(form)
  for (const [field, choose] of [
    ['Describe your style', () => form.getByText('None of these: describe your own.').click()],
    ['Describe your colours', () => form.getByText('Your own', { exact: true }).click()],
    ['Describe your pictures', () => form.getByLabel('Image theme').selectOption('custom')],
  ] as const) {
    expect(await form.getByLabel(field).isVisible()).toBe(false)
    await choose()
    await form.getByLabel(field).fill(`My own: ${field}`)
  }
  await form.getByText('Clean and minimal').click()
  expect(await form.getByLabel('Describe your style').isVisible()).toBe(false)
  await alertDuring(page, () => submit(form))
  expect(bodies[0]).toMatchObject({
    designStyle: 'Clean and minimal',
    customDesignStyle: null,
    brandColorsSelect: 'custom',
    customBrandColors: 'My own: Describe your colours',
    customImageTheme: 'My own: Describe your pictures',
  })
  await page.context().close()
})

test('a failure says so, enables the form again and keeps the answers; the next try leads to /thanks', async () => {
  const page = await site.open('/yourwebsiteinfo')
  const form = formOf(page)
  await fillIn(form)
  await readForAWhile(page)
  const keys: string[] = []
  let proceed = () => {}
  await page.route('**/api/submit-website-info', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    const status = [429, 500][keys.length - 1]
    if (status) return route.fulfill({ status, headers: { 'retry-after': '1' }, body: 'no' })
    if (keys.length === 3) return route.abort('connectionrefused')
    await new Promise<void>((resolve) => {
      proceed = resolve
    })
    return route.continue()
  })
  for (let round = 0; round < 3; round += 1) {
    expect(await alertDuring(page, () => submit(form))).toBe(FAILURE)
    await form.getByRole('button', { name: 'Submit my information' }).waitFor()
    await form.getByText("We couldn't send this yet.").waitFor()
    expect(await form.getByLabel('Business name').inputValue()).toBe('Stoep Coffee')
    expect(await draftOf(page)).toContain('Stoep Coffee')
  }
  await submit(form)
  const sending = form.getByRole('button', { name: 'Submitting your information...' })
  expect(await sending.isDisabled()).toBe(true)
  await eventually(() => expect(keys).toHaveLength(4))
  proceed()
  await page.waitForURL('**/thanks')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByText(/^Your reference is [0-9A-F]{4}-[0-9A-F]{4}$/).waitFor()
  expect(await draftOf(page)).toBeNull()
  expect(new Set(keys).size).toBe(1)
  expect(await page.title()).not.toBe('1')

  const reference = /Your reference is [0-9A-F]{4}-[0-9A-F]{4}/
  const said = (await page.getByText(reference).innerText()).slice(-9)
  await page.goBack()
  const panel = page.getByRole('region', { name: "Thanks, we've received your answers." })
  await panel.getByText(said, { exact: true }).waitFor()
  await panel.getByText('You hear from us about your answers').waitFor()
  expect(await form.count()).toBe(0)
  await page.reload()
  await panel.getByText(said, { exact: true }).waitFor()
  expect(await violationsIn(page)).toEqual([])
  expect(await page.getByText('only ten required questions').isVisible()).toBe(false)
  await panel.getByRole('button', { name: 'Answer the questions again' }).click()
  await expect.poll(() => form.getByLabel('Business name').inputValue()).toBe('')
  await page.reload()
  await form.getByLabel('Business name').waitFor()
  expect(await panel.count()).toBe(0)
  await page.context().close()
})

test('the form posts itself without script', async () => {
  const page = await site.open('/yourwebsiteinfo', { javaScriptEnabled: false })
  const form = formOf(page)
  await fillIn(form)
  await form.getByText('Your own', { exact: true }).click()
  await form.getByLabel('Describe your colours').fill('Rust and cream')
  await submit(form)
  await page.waitForURL('**/thanks')
  await page.getByText("We've received your request. Here's what happens next.").waitFor()
  await page.context().close()
})
