import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, signIn, startTestWorker } from '../../../events/testing/node.ts'
import { DESKTOP, readForAWhile, startTestSite, type TestSite } from '../../test-site.ts'

const SLOW_MS = 10_000

const CONTRACTS = [
  {
    id: 'essential',
    name: 'Essential',
    line: 'Essential - R999',
    facts: [
      'R999',
      'once-off, no monthly fees',
      '3 pages: Home, About and Contact',
      'Mobile responsive',
      'Social links',
      'Loads under 2 seconds',
      'Basic SEO',
      'SSL',
      '1 design revision',
      'Domain',
      'Hosting',
      'Email setup',
      'Maintenance',
      'Content writing',
      'Days 1–2',
      'Days 3–5',
      'Days 6–7',
      'The full R999 is paid to start.',
      'Delivery is within 7 business days after we receive your content.',
      '1 major revision is included.',
      'You arrange the hosting.',
      'Minor bug fixes are free for 30 days after delivery.',
      'R999 in total over the first 12 months, without domain and hosting',
      'You pay nothing on this page. We email you an invoice for the full R999, which says how to pay. We start when it is paid.',
      'Our prices include VAT where it applies. Your invoice shows it.',
      'You register the domain and arrange the hosting, so both are yours.',
      'There is nothing to cancel: no monthly fee and no minimum term.',
      'The site that we hand over, and the texts, pictures and logo that you supplied.',
    ],
  },
  {
    id: 'professional',
    name: 'Professional',
    line: 'Professional - R1,499 + R299/month',
    facts: [
      'R1,499',
      'R299/month',
      'Up to 5 pages',
      'Gallery',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Email setup',
      'Google My Business',
      'Advanced SEO',
      'SSL',
      'Days 1–7',
      'Days 8–14',
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '2 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "To cancel, give 30 days' notice.",
      'The monthly fee of R299 starts when your site goes live.',
      "You pay the monthly fee for the first 12 months, R3,588 in all. Then you can leave with 30 days' notice, and pay until it ends.",
      'Your domain, and the texts, pictures and logo that you supplied. Hosting, email and support end with the monthly fee. Would you take the site itself to another host one day? Ask us about it before you sign.',
    ],
  },
  {
    id: 'premium',
    name: 'Premium',
    line: 'Premium - R1,499 + R499/month',
    facts: [
      'R1,499',
      'R499/month',
      'Up to 10 pages',
      'Blog setup',
      '5 email addresses',
      'Analytics',
      'Priority same-day support',
      'Monthly reports',
      'SEO monitoring',
      'And everything in Professional',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '3 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "To cancel, give 30 days' notice.",
      'You pay nothing on this page. We email you an invoice for the setup fee of R1,499, which says how to pay. The monthly invoices of R499 start when your site goes live.',
      'We register it in your name. It stays yours if you cancel.',
      "You pay the monthly fee for the first 12 months, R5,988 in all. Then you can leave with 30 days' notice, and pay until it ends.",
      'Your domain, and the texts, pictures and logo that you supplied. Hosting, email and support end with the monthly fee. Would you take the site itself to another host one day? Ask us about it before you sign.',
    ],
  },
]

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const formOf = (page: Page) => page.getByRole('form')

const fillIn = async (form: Locator) => {
  await form.getByLabel('Full name').fill('Pieter <b>van Wyk</b>')
  await form.getByLabel('Business name').fill('Van Wyk Boerdery')
  await form.getByLabel('Email').fill('pieter@vanwyk.example')
  await form.getByLabel('Phone').fill('051 555 0177')
  await form.getByRole('checkbox').check()
}

describe.each(CONTRACTS)('the contract page of $name', ({ id, name, facts }) => {
  test('tells every fact of the package without script, and helps by WhatsApp', async () => {
    const page = await site.open(`/Contract/${id}`, { javaScriptEnabled: false })
    for (const fact of facts) expect(await page.getByText(fact, { exact: true }).count(), fact).toBeGreaterThan(0)
    // no email service is set up here
    await page.getByText('Save or print this page.').waitFor()
    // the offer has ended
    expect(await page.locator('s').count()).toBe(0)
    const help = page.getByRole('link', { name: 'Ask us on WhatsApp (new tab)' }).first()
    expect(decodeURIComponent((await help.getAttribute('href')) ?? '')).toBe(
      `https://wa.me/27825550142?text=Hi! I need help with the ${name} package contract.`,
    )
    await page.context().close()
  })
})

test('every form asks for name and phone first', async () => {
  for (const path of ['/', '/contract/professional']) {
    const page = await site.open(path)
    for (const form of await page
      .getByRole('form')
      .filter({ has: page.getByLabel('Full name') })
      .all()) {
      const labels = await form.locator('label:visible').allInnerTexts()
      expect(labels.filter((label) => !/empty/.test(label)).slice(0, 2)).toEqual(['Full name *', 'Phone *'])
    }
    await page.context().close()
  }
})

test('a contract wants a business name and a yes to the terms', async () => {
  const page = await site.open('/contract/premium')
  const form = formOf(page)
  await form.getByRole('button').click()
  for (const message of [
    'Name must be at least 2 characters',
    'Business name is required',
    'Please enter a valid email address',
    'Please enter a valid phone number',
    'You must agree to the terms and conditions',
  ])
    await form.getByText(message, { exact: true }).waitFor()
  await fillIn(form)
  await form.getByText('You must agree to the terms and conditions').waitFor({ state: 'detached' })
  await form.getByRole('checkbox').uncheck()
  await form.getByText('You must agree to the terms and conditions').waitFor()
  await page.context().close()
})

test('a contract that fails says so, and its retry goes through a slow answer to one lead', async () => {
  const worker = await startTestWorker(site.stores)
  await Promise.all(
    CONTRACTS.map(async ({ id }, index) => {
      const page = await site.open(`/contract/${id}`)
      const form = formOf(page)
      const button = form.getByRole('button', { name: 'Submit contract' })
      await fillIn(form)
      await readForAWhile(page)
      let calls = 0
      await page.route('**/api/leads', async (route) => {
        calls += 1
        if (calls === 1)
          return index === 0 ? route.abort() : route.fulfill({ status: [0, 429, 500][index], body: 'no' })
        const answer = await route.fetch()
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
        return route.fulfill({ response: answer })
      })
      await button.click()
      const failure = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
      await failure.getByText('Please try again or contact us directly at hello@karoowebstudio.example').waitFor()
      expect(await page.getByText("we've received your contract").count()).toBe(0)
      expect(await form.getByLabel('Business name').inputValue()).toBe('Van Wyk Boerdery')
      expect(await form.getByRole('checkbox').isChecked()).toBe(true)
      await button.click()
      await form.getByRole('button', { name: 'Submitting...', disabled: true }).waitFor()
      await page.getByText('Contract Submitted Successfully!').waitFor()
      await page.getByText('A consultant will be in contact soon to discuss project details and next steps.').waitFor()
      await page.getByRole('heading', { name: "Thanks, we've received your contract." }).waitFor()
      await page.getByRole('button', { name: 'Send another contract' }).click()
      await expect.poll(() => form.getByLabel('Business name').inputValue()).toBe('')
      await expect.poll(() => form.getByRole('checkbox').isChecked()).toBe(false)
      await page.context().close()
    }),
  )
  const staff = await signIn(site.node)
  await eventually(async () => {
    const leads: { package: string }[] = await (await site.node.call('/api/leads', { headers: staff })).json()
    expect(leads.map((lead) => lead.package).toSorted()).toEqual(CONTRACTS.map(({ line }) => line).toSorted())
    expect(leads[0]).toMatchObject({
      name: 'Pieter <b>van Wyk</b>',
      businessName: 'Van Wyk Boerdery',
      agreedToTerms: true,
      leadSource: expect.stringMatching(/^contract_(essential|professional|premium)$/),
      pageUrl: expect.stringContaining('/contract/'),
    })
  })
  await worker.stop()
})

test('on paper a contract is its terms, without anything to press or to fill in', async () => {
  const page = await site.open('/contract/professional', { viewport: { width: 794, height: 1123 } })
  await page.emulateMedia({ media: 'print' })
  await page.getByText("To cancel, give 30 days' notice.").waitFor()
  await page.getByText('If you leave').waitFor()
  await page.getByText('+27 21 555 0142').first().waitFor()
  const pressed = page.locator(':is(a[data-button], button, input, select, textarea, [data-floats]):visible')
  expect(await pressed.evaluateAll((all) => all.map((it) => it.outerHTML))).toEqual([])
  expect(await page.locator(':has(> [data-island=contract-form])').last().isVisible()).toBe(false)
  await page.context().close()
})

test('the form stays beside the terms while they are read, and a price stays on one line', async () => {
  const page = await site.open('/contract/premium', { viewport: DESKTOP, reducedMotion: 'reduce' })
  await page.getByText('Questions about the contract?').scrollIntoViewIfNeeded()
  const submit = await formOf(page).getByRole('button').boundingBox()
  expect(submit?.y).toBeGreaterThan(0)
  expect((submit?.y ?? 0) + (submit?.height ?? 0)).toBeLessThan(DESKTOP.height)
  const lines = await formOf(page)
    .getByText('I have read the terms')
    .evaluate((label) => {
      const text = label.firstChild as Text
      const range = document.createRange()
      const start = text.data.indexOf('R1,499')
      range.setStart(text, start)
      range.setEnd(text, text.data.indexOf('/month', start))
      return range.getClientRects().length
    })
  expect(lines).toBe(1)
  await page.context().close()
})

test('a box ticked before the page is alive stays ticked, and the form posts itself without script', async () => {
  const page = await site.open('/contract/professional', { javaScriptEnabled: false })
  await fillIn(formOf(page))
  await formOf(page).getByRole('button').click()
  await page.waitForURL('**/thanks')
  await page.getByText("We've received your request. Here's what happens next.").waitFor()

  const early = await site.open('/contract/professional')
  await early.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLInputElement>('[type=checkbox]')) box.checked = true
  })
  await formOf(early).getByRole('button').click()
  await formOf(early).getByText('Business name is required').waitFor()
  expect(await formOf(early).getByText('You must agree to the terms and conditions').count()).toBe(0)
  await page.context().close()
  await early.context().close()
})
