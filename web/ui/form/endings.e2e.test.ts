import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { referenceOf } from '../../../events/reference.ts'
import { violationsIn } from '../../test-axe.ts'
import { DESKTOP, PHONE, readForAWhile, startTestSite, type TestSite } from '../../test-site.ts'

const TABLET = { width: 768, height: 1024 }

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

type Form = {
  path: string
  name: string
  action: string
  what: 'consultation request' | 'quote request' | 'contract'
  /** What is said beside the form until it was sent. */
  asked: string
  steps: readonly string[]
}

const FORMS: Form[] = [
  {
    path: '/',
    name: 'Free consultation',
    action: 'Get my free consultation',
    what: 'consultation request',
    asked: 'Leave your details and we’ll call you. Free, no obligation.',
    steps: ['We call you for your free consultation', 'You get your quote', 'You decide, without any obligation'],
  },
  {
    path: '/',
    name: 'Quote request',
    action: 'Request my quote',
    what: 'quote request',
    asked: 'Tell us a little about your business, or contact us directly.',
    steps: ['We get back to you', 'You get your quote', 'We have a kickoff call'],
  },
  {
    path: '/contract/premium',
    name: 'Premium contract',
    action: 'Submit contract',
    what: 'contract',
    asked: 'Read the terms and complete the form. A consultant will call you about the next steps.',
    steps: [
      'We get back to you',
      'We have a kickoff call',
      'You get your invoice',
      'You send us your texts, pictures and logo',
      'You get your website',
    ],
  },
]

const fillIn = async (form: Locator) => {
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Phone').fill('082 555 0142')
  await form.getByLabel('Email').fill('thandi@example.co.za')
  if (await form.getByLabel('Business name').count()) {
    await form.getByLabel('Business name').fill('Nkosi Bakery')
    await form.getByRole('checkbox').check()
  }
}

const openFilled = async ({ path, name, action }: Form, viewport = DESKTOP) => {
  const page = await site.open(path, { viewport, reducedMotion: 'reduce' })
  const form = page.getByRole('form', { name })
  await fillIn(form)
  return { page, form, button: form.getByRole('button', { name: action }) }
}

const hasNoFault = async (page: Page) => {
  expect(await violationsIn(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

describe.each(FORMS)('the form "$name"', (form) => {
  test('gives way to the reference, what happens next and by when, once it was sent', async () => {
    const { page, button } = await openFilled(form)
    await readForAWhile(page)
    await page.getByText(form.asked, { exact: true }).waitFor()
    const answer = page.waitForResponse('**/api/leads')
    await button.click()
    const { id } = await (await answer).json()
    const panel = page.getByRole('region', { name: `Thanks, we've received your ${form.what}.` })
    await panel.getByText(referenceOf(id), { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Thanks, we')
    expect(await page.getByRole('form', { name: form.name }).count()).toBe(0)
    await panel.getByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) by \d+(:\d\d)?[AP]M, South African time$/).waitFor()
    expect(await page.getByText(form.asked, { exact: true }).isVisible()).toBe(false)
    expect(await panel.getByRole('listitem').locator('strong').allInnerTexts()).toEqual(form.steps)
    const isContract = form.what === 'contract'
    expect(await panel.getByText('Live within 14 days after we receive your content').count()).toBe(isContract ? 1 : 0)
    const whatsapp = await panel.getByRole('link', { name: 'WhatsApp us' }).getAttribute('href')
    expect(decodeURIComponent(whatsapp ?? '')).toContain(`My reference is ${referenceOf(id)}.`)
    const questionnaire = panel.getByRole('link', { name: 'tell us about your website' })
    expect(await questionnaire.count()).toBe(isContract ? 1 : 0)
    await panel.getByRole('button', { name: 'Chat now' }).click()
    await page.getByLabel('Your name').waitFor()
    // of this form nothing stays; what the questionnaire need not ask again does
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.endsWith('-draft')))).toEqual([
      'website-info-draft',
    ])
    await page.context().close()
  })

  test('stays with what was typed where it could not be sent, and its own button tries again', async () => {
    const { page, form: element, button } = await openFilled(form)
    await readForAWhile(page)
    let calls = 0
    await page.route('**/api/leads', (route) => {
      calls += 1
      return calls === 1 ? route.abort('connectionrefused') : route.continue()
    })
    await button.click()
    await element.getByText("We couldn't send this yet.").waitFor()
    const whatsapp = await element.getByRole('link', { name: 'Use WhatsApp' }).getAttribute('href')
    expect(decodeURIComponent(whatsapp ?? '')).toContain('I am Thandi Nkosi.')
    // it is still there when the toast is long gone
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await element.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
    await element.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: `Thanks, we've received your ${form.what}.` }).waitFor()
    expect(calls).toBe(2)
    await page.context().close()
  })

  test('keeps what was typed over a reload, but no agreement, and can be sent at once then', async () => {
    const { page, form: element, button } = await openFilled(form)
    await page.waitForFunction(() =>
      Object.entries(sessionStorage).some(([key, draft]) => key.endsWith('-draft') && draft.includes('@example.co.za')),
    )
    await page.reload()
    await expect.poll(() => element.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
    await expect.poll(() => element.getByLabel('Email').inputValue()).toBe('thandi@example.co.za')
    if (form.what === 'contract') expect(await element.getByRole('checkbox').isChecked()).toBe(false)
    const other = await page.context().newPage()
    await other.goto(site.node.url + form.path)
    expect(await other.getByRole('form', { name: form.name }).getByLabel('Full name').inputValue()).toBe('')
    if (form.what === 'contract') await element.getByRole('checkbox').check()
    const [request] = await Promise.all([page.waitForRequest('**/api/leads'), button.click()])
    // who fills in a form at one look and sends it at the next is no machine
    expect(request.postDataJSON()).not.toHaveProperty('openMs')
    await page.context().close()
  })

  test.each([PHONE, TABLET, DESKTOP])('has no fault that axe knows in either ending at $width px', async (viewport) => {
    const { page, form: element, button } = await openFilled(form, viewport)
    await readForAWhile(page)
    let isBroken = true
    await page.route('**/api/leads', (route) =>
      isBroken ? route.fulfill({ status: 429, headers: { 'retry-after': '600' }, body: 'no' }) : route.continue(),
    )
    await button.click()
    await element.getByText('in about 10 minutes').waitFor()
    await hasNoFault(page)
    isBroken = false
    await element.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/, South African time$/).waitFor()
    await hasNoFault(page)
    await page.context().close()
  })
})

test.each(FORMS)('"$name" still shows its reference after a reload, until another one is begun', async (sent) => {
  const { page, form, button } = await openFilled(sent, PHONE)
  await readForAWhile(page)
  const answer = page.waitForResponse('**/api/leads')
  await button.click()
  const reference = referenceOf((await (await answer).json()).id)
  await page.getByText(reference, { exact: true }).waitFor()
  await page.reload()
  await page.getByText(reference, { exact: true }).waitFor()
  await page.getByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) by .*, South African time$/).waitFor()
  expect(await form.count()).toBe(0)
  // who only looks again is left where they are
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  const isContract = sent.what === 'contract'
  const signed = page.getByRole('heading', { name: 'You have signed the Premium contract' })
  const unsigned = page.getByRole('heading', { name: 'Sign the Premium contract' })
  if (isContract) {
    await page.getByRole('heading', { name: 'Your Premium contract is signed.' }).waitFor()
    await page.getByRole('link', { name: 'Signed: see what happens next' }).waitFor()
    expect([await signed.count(), await unsigned.count()]).toEqual([1, 0])
  }
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('button', { name: isContract ? 'Send another contract' : 'Send another request' }).click()
  await form.waitFor()
  if (isContract) expect([await signed.count(), await unsigned.count()]).toEqual([0, 1])
  await page.reload()
  await form.waitFor()
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.endsWith('-sent')))).toEqual([])
  await page.context().close()
})

test.each([PHONE, TABLET, DESKTOP])('both endings come into sight by themselves at $width px', async (viewport) => {
  const { page, form, button } = await openFilled(FORMS[2] as Form, viewport)
  await readForAWhile(page)
  await page.route('**/api/leads', (route) => route.abort('connectionrefused'))
  await button.click()
  const isInSight = (element: Locator) =>
    expect
      .poll(() =>
        element.evaluate((it) => {
          const { left, width, top, bottom } = it.getBoundingClientRect()
          const middle = left + width / 2
          const isUncovered = [top + 2, bottom - 2].every((y) => it.contains(document.elementFromPoint(middle, y)))
          return top >= 0 && bottom <= innerHeight && isUncovered
        }),
      )
      .toBe(true)
  await isInSight(form.getByRole('button', { name: 'Try again' }))
  await page.unroute('**/api/leads')
  await form.getByRole('button', { name: 'Try again' }).click()
  await isInSight(page.getByRole('heading', { name: "Thanks, we've received your contract." }))
  await page.context().close()
})

test.each(FORMS)('the notice that "$name" failed covers none of the help in the form', async (form) => {
  const { page, button } = await openFilled(form, { width: 1280, height: 800 })
  onTestFinished(() => page.context().close())
  await readForAWhile(page)
  await page.route('**/api/leads', (route) => route.abort('connectionrefused'))
  await button.click()
  const notice = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
  await notice.hover()
  const overlap = () =>
    page.evaluate(() => {
      const [help, notice] = ['[data-failure]', '[role=alert] > div'].map((which) =>
        (document.querySelector(which) as Element).getBoundingClientRect(),
      ) as [DOMRect, DOMRect]
      const isBeside = help.right <= notice.left || notice.right <= help.left
      return isBeside || help.bottom <= notice.top ? 0 : help.bottom - notice.top
    })
  await expect.poll(overlap).toBe(0)
})

test('an address with a slip is asked about, is mended by one press, and may also stay', async () => {
  const { page, form, button } = await openFilled(FORMS[0] as Form)
  onTestFinished(() => page.context().close())
  const email = form.getByLabel('Email')
  await email.fill('anna@gmial.com')
  await form.getByLabel('Phone').focus()
  await form.getByText('Did you mean anna@gmail.com?').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await form.getByRole('button', { name: 'anna@gmail.com' }).click()
  await expect.poll(() => email.inputValue()).toBe('anna@gmail.com')
  await form.getByText('Did you mean').waitFor({ state: 'detached' })
  await email.fill('anna@gmial.com')
  await readForAWhile(page)
  await email.focus()
  const answer = page.waitForRequest('**/api/leads')
  await button.click()
  expect((await answer).postDataJSON()).toMatchObject({ email: 'anna@gmial.com' })
})

test('an address with a slip is asked about also where it was left before the form came alive', async () => {
  const page = await (await site.browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })).newPage()
  onTestFinished(() => page.context().close())
  const { promise: here, resolve: arrive } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await here
    await route.continue()
  })
  await page.goto(site.node.url)
  const form = page.getByRole('form', { name: 'Free consultation' })
  await form.getByLabel('Email').fill('anna@gmial.com')
  await form.getByLabel('Phone').focus()
  arrive()
  await form.getByText('Did you mean anna@gmail.com?').waitFor()
})

test('what the server finds wrong shows at its field, without a note that it failed', async () => {
  const { page, form, button } = await openFilled(FORMS[0] as Form)
  await page.route('**/api/leads', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        title: 'Invalid',
        errors: [{ path: 'phone', message: 'Please enter a valid phone number' }],
      }),
    }),
  )
  await button.click()
  await form.getByText('Please enter a valid phone number').waitFor()
  expect(await form.getByText("We couldn't send this yet.").count()).toBe(0)
  await page.context().close()
})

test.each([
  ['/', 'Quote request', 'Request my quote'],
  ['/contract/premium', 'Premium contract', 'Submit contract'],
])(
  'a form of %s posts itself where the code that sends it cannot be fetched, and waits for a network',
  async (path, name, action) => {
    const page = await site.open(path, { viewport: PHONE, reducedMotion: 'reduce' })
    const form = page.getByRole('form', { name })
    const button = form.getByRole('button', { name: action })
    await page.route('**/assets/filled-in-*', (route) => route.abort('connectionrefused'))
    await fillIn(form)
    await readForAWhile(page)
    await page.context().setOffline(true)
    await button.click()
    await form.getByRole('alert').getByText("We couldn't send this yet. Please try again.").waitFor()
    expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
    await page.context().setOffline(false)
    await button.click()
    await page.waitForURL('**/thanks')
    await page.context().close()
  },
)

test('a form that has come alive is sent also where no more code can be fetched', async () => {
  const page = await site.open('/contract/premium', { viewport: PHONE, reducedMotion: 'reduce' })
  const form = page.getByRole('form', { name: 'Premium contract' })
  const button = form.getByRole('button', { name: 'Submit contract' })
  await button.click()
  await form.getByText('You must agree to the terms and conditions').waitFor()
  await page.route('**/assets/**', (route) => route.abort('connectionrefused'))
  await fillIn(form)
  await readForAWhile(page)
  const answer = page.waitForResponse('**/api/leads')
  await button.click()
  expect((await answer).status()).toBe(201)
  await page.getByText('Contract Submitted Successfully!').waitFor()
  await page.context().close()
})
