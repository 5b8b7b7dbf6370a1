import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passMidnight } from '../../../events/local/test-clock.ts'
import { eventually, STAFF, signIn, startTestWorker } from '../../../events/local/test-node.ts'
import { PHONE, readForAWhile, startTestSite, type TestSite } from '../../test-site.ts'

let site: TestSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const FORMS = [
  {
    name: 'Free consultation',
    action: 'Get my free consultation',
    title: 'Quote Request Sent!',
    description: "We'll get back to you within 2 hours during business hours.",
  },
  {
    name: 'Quote request',
    action: 'Request my quote',
    title: 'Message Sent Successfully!',
    description: 'We typically respond within 2 hours during business hours',
  },
]

const fillIn = async (form: Locator) => {
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Phone').fill('082 555 0142')
  await form.getByLabel('E-mail').fill('thandi@example.co.za')
}

const isInWindow = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => {
    const { top } = (document.querySelector(wanted) as Element).getBoundingClientRect()
    return top >= 0 && top < innerHeight / 2
  }, selector)

describe.each(FORMS)('the form "$name"', ({ name, action, title, description }) => {
  test('says what is wrong on submit, then on change', async () => {
    const page = await site.open('/')
    const form = page.getByRole('form', { name })
    await form.getByRole('button', { name: action }).click()
    await form.getByText('Name must be at least 2 characters', { exact: true }).waitFor()
    await form.getByText('Please enter a valid email address', { exact: true }).waitFor()
    await form.getByText('Please enter a valid phone number', { exact: true }).waitFor()
    await fillIn(form)
    await form.getByText(/must be|Please enter/).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('fails with a word on where to turn, keeps what was typed, and succeeds with one lead in the end', async () => {
    const page = await site.open('/')
    const form = page.getByRole('form', { name })
    const button = form.getByRole('button', { name: new RegExp(`^(${action}|Sending...)$`) })
    await fillIn(form)
    await readForAWhile(page)
    const keys: string[] = []
    let proceed = () => {}
    await page.route('**/api/leads', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      const status = [429, 500][keys.length - 1]
      if (status) return route.fulfill({ status, body: 'no' })
      if (keys.length === 3) return route.abort('connectionrefused')
      await new Promise<void>((resolve) => {
        proceed = resolve
      })
      return route.continue()
    })
    for (let round = 0; round < 3; round += 1) {
      await button.click()
      const failure = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
      await failure.getByText('Please try again or contact us directly at hello@karoowebstudio.example').waitFor()
      await expect.poll(() => button.isEnabled()).toBe(true)
      await expect.poll(() => button.innerText()).toBe(action)
      expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
      await failure.getByRole('button', { name: 'Dismiss' }).click()
      await failure.waitFor({ state: 'detached' })
    }
    await button.click()
    await form.getByRole('button', { name: 'Sending...', disabled: true }).waitFor()
    await eventually(() => expect(keys).toHaveLength(4))
    proceed()
    const toast = page.getByRole('status').filter({ hasText: title })
    await toast.getByText(title, { exact: true }).waitFor()
    await toast.getByText(description, { exact: true }).waitFor()
    await page.getByRole('heading', { name: "Thanks, we've received your request." }).waitFor()
    await page.getByRole('button', { name: 'Send another request' }).click()
    await expect.poll(() => form.getByLabel('Full name').inputValue()).toBe('')
    expect(new Set(keys).size).toBe(1)
    await page.context().close()
  })
})

test('what the quote form offers, and what a visitor types, reaches staff as it stands', async () => {
  const worker = await startTestWorker(site.stores)
  const page = await site.open('/')
  const form = page.getByRole('form', { name: 'Quote request' })
  const labelsOf = (label: string) => form.getByLabel(label).locator('option').allInnerTexts()
  expect(await labelsOf('Package')).toEqual([
    'Please choose',
    'Essential - R1,399',
    'Professional - R250/month',
    'Premium - R450/month',
    'Custom',
  ])
  await fillIn(form)
  await form.getByLabel('Company').fill('<i>Nkosi</i> & "Sons"')
  await form.getByLabel('Package').selectOption('premium')
  await form.getByLabel('Preferred contact method').selectOption('whatsapp')
  await form.getByLabel('Timeline').selectOption('2-4weeks')
  await form.getByLabel('Message').fill('<script>alert(1)</script>')
  await readForAWhile(page)
  await form.getByRole('button').click()
  await page.getByText('Message Sent Successfully!').waitFor()

  const staff = await signIn(site.node)
  await eventually(async () => {
    const leads = await (await site.node.call('/api/leads?q=Sons', { headers: staff })).json()
    expect(leads).toEqual([
      expect.objectContaining({
        company: '<i>Nkosi</i> & "Sons"',
        package: 'premium',
        industry: 'whatsapp',
        timeline: '2-4weeks',
        message: '<script>alert(1)</script>',
        leadSource: 'contact_form',
        pageUrl: `${site.node.url}/`,
      }),
    ])
  })

  const dashboard = await site.open('/admin-dashboard')
  await dashboard.getByLabel('Username').fill(STAFF.username)
  await dashboard.getByLabel('Password').fill(STAFF.password)
  await dashboard.getByRole('button', { name: 'Sign in' }).click()
  await dashboard.getByText('<i>Nkosi</i> & "Sons"').first().waitFor()
  await dashboard.context().close()
  await worker.stop()
  await page.context().close()
})

test('the bar leads to every section, from here and from elsewhere, below its own height', async () => {
  const page = await site.open('/thanks', { reducedMotion: 'reduce' })
  for (const [label, id] of Object.entries({
    Pricing: 'pricing',
    Portfolio: 'portfolio',
    FAQ: 'faq',
    Contact: 'contact',
  })) {
    await page.goto(`${site.node.url}/thanks`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click()
    await page.waitForURL(`${site.node.url}/#${id}`)
    await isInWindow(page, `#${id}`)
    const gap = await page.evaluate((section) => {
      const top = (selector: string) => (document.querySelector(selector) as Element).getBoundingClientRect()
      return top(`#${section}`).top - top('header').bottom
    }, id)
    if (id !== 'contact') expect(Math.abs(gap)).toBeLessThan(4)
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.waitForFunction(() => scrollY === 0)
  await page.getByRole('link', { name: 'GET STARTED' }).click()
  await isInWindow(page, '#contact')
  await page.context().close()
})

test('on a phone the menu opens, leads to a section and closes', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.waitFor()
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Home', 'Pricing', 'Portfolio', 'FAQ', 'Contact'])
  await menu.getByRole('link', { name: 'FAQ' }).click()
  await menu.waitFor({ state: 'hidden' })
  await isInWindow(page, '#faq')
  await page.context().close()
})

test('on a phone nothing floats over a button of a form, nor over another button that floats', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const chat = page.getByRole('button', { name: 'Open chat' })
  const whatsapp = page.getByRole('link', { name: 'Message us on WhatsApp (new tab)' })
  const [above, below] = [await whatsapp.boundingBox(), await chat.boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  for (const { action } of FORMS) {
    const button = page.getByRole('button', { name: action })
    for (const fromBottom of [20, 60, 110]) {
      await button.evaluate((element, distance) => {
        scrollTo(0, scrollY + element.getBoundingClientRect().bottom - innerHeight + distance)
      }, fromBottom)
      await whatsapp.waitFor({ state: 'hidden' })
      await chat.waitFor({ state: 'hidden' })
    }
    await button.evaluate((element) => scrollTo(0, scrollY + element.getBoundingClientRect().top - 200))
    await whatsapp.waitFor()
    await chat.waitFor()
  }
  await page.context().close()
})

test('blocks below the window wait for the first scroll to hide, and come in as they are reached', async () => {
  const page = await site.open('/')
  const block = page.locator('#pricing [data-reveal]')
  const states = () => page.locator('[data-reveal=waiting]').count()
  expect(await states()).toBe(0)
  await page.mouse.wheel(0, 200)
  await page.locator('#pricing [data-reveal=waiting]').waitFor({ state: 'attached' })
  await block.scrollIntoViewIfNeeded()
  await page.locator('#pricing [data-reveal=shown]').waitFor()

  const calm = await site.open('/', { reducedMotion: 'reduce' })
  await calm.mouse.wheel(0, 200)
  await calm.waitForFunction(() => scrollY > 100)
  expect(await calm.locator('[data-reveal=waiting]').count()).toBe(0)
  await page.context().close()
  await calm.context().close()
})

test('links leave by the right door, and the ended offer is not shown', async () => {
  const page = await site.open('/')
  for (const work of ['Harbour Bakery', 'Highveld Plumbing', 'Karoo Stoep Guesthouse'])
    expect(await page.getByRole('link', { name: `Visit ${work} (new tab)` }).getAttribute('target')).toBe('_blank')
  for (const name of ['Essential', 'Professional', 'Premium'])
    expect(await page.getByRole('link', { name: `Choose ${name}` }).getAttribute('href')).toBe(
      `/contract/${name.toLowerCase()}`,
    )
  expect(await page.getByRole('link', { name: 'Message us on WhatsApp', exact: true }).getAttribute('href')).toBe(
    `https://wa.me/27825550142?text=${encodeURIComponent("Hi! I'd like a quote for a website.")}`,
  )
  const call = page.locator('[aria-labelledby=final-call-title]').getByRole('link', { name: 'Call' })
  expect(await call.getAttribute('href')).toBe('tel:+27215550142')
  expect(await page.getByText('The offer ends 30 September 2025').count()).toBe(0)
  await page.context().close()
})
