import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceOf } from '../../../events/base/reference.ts'
import { passMidnight } from '../../../events/testing/clock.ts'
import { eventually, signIn, startTestWorker } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import { CONSULTATION, CONTRACT, type LeadFormCase, QUOTE } from '../../testing/lead-forms.ts'
import { afterwards, DESKTOP, PHONE, readForAWhile, startTestSite, TABLET, type TestSite } from '../../testing/site.ts'

const LAPTOP = { width: 1280, height: 800 }
/** Words that would do something in a page that takes them for its own. */
const MARKUP = '<img src=x onerror="document.title=1"><b>Bold</b>'

let site: TestSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const fillIn = async (form: Locator) => {
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Phone').fill('082 555 0142')
  await form.getByLabel('Email').fill('thandi@example.co.za')
  if (await form.getByLabel('Business name').count()) {
    await form.getByLabel('Business name').fill('Nkosi Bakery')
    await form.getByRole('checkbox').check()
  }
}

const formIn = (page: Page, { name, action }: LeadFormCase) => {
  const form = page.getByRole('form', { name })
  return { form, button: form.getByRole('button', { name: action }) }
}

/** Fails what is sent while it is told to. */
const failing = async (page: Page) => {
  const network = { isBroken: false }
  await page.route('**/api/leads', (route) => (network.isBroken ? route.abort('connectionrefused') : route.continue()))
  return network
}

const staysInWidth = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

const hasNoFault = async (page: Page, selector?: string) => {
  expect(await violationsIn(page, selector)).toEqual([])
  await staysInWidth(page)
}

const comesIntoSight = (element: Locator) =>
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

/** Looks whether the notice that a form failed, which stays while it is pointed at, covers the help in the form. */
const coversNoHelp = async (page: Page) => {
  await page.getByRole('alert').filter({ hasText: 'Submission Failed' }).hover()
  const overlap = () =>
    page.evaluate(() => {
      const [help, notice] = ['[data-failure]', '[role=alert] > div'].map((which) =>
        (document.querySelector(which) as Element).getBoundingClientRect(),
      ) as [DOMRect, DOMRect]
      const isBeside = help.right <= notice.left || notice.right <= help.left
      return isBeside || help.bottom <= notice.top ? 0 : help.bottom - notice.top
    })
  await expect.poll(overlap).toBe(0)
}

test('a contract is signed in a window of any width, after a failure too, and is still signed after a reload', async () => {
  const page = await site.open(CONTRACT.path, { viewport: PHONE, reducedMotion: 'reduce' })
  const network = await failing(page)
  const { form, button } = formIn(page, CONTRACT)
  const tryAgain = form.getByRole('button', { name: 'Try again' })
  const thanks = page.getByRole('heading', { name: "Thanks, we've received your contract." })
  const another = page.getByRole('button', { name: 'Send another contract' })
  const asked = page.getByText(CONTRACT.asked, { exact: true })
  const signed = page.getByRole('heading', { name: 'You have signed the Premium contract' })
  const unsigned = page.getByRole('heading', { name: 'Sign the Premium contract' })
  let reference = ''
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    await fillIn(form)
    await readForAWhile(page)
    expect(await asked.isVisible()).toBe(true)
    network.isBroken = true
    await button.click()
    await comesIntoSight(tryAgain)
    await (viewport === PHONE ? hasNoFault : staysInWidth)(page)
    network.isBroken = false
    const answer = page.waitForResponse('**/api/leads')
    await tryAgain.click()
    await comesIntoSight(thanks)
    const lead = await (await answer).json()
    expect(lead).toMatchObject({
      businessName: 'Nkosi Bakery',
      agreedToTerms: true,
      package: 'Premium - R1,499 + R499/month',
      leadSource: 'contract_premium',
      pageUrl: `${site.node.url}/contract/premium`,
    })
    reference = referenceOf(lead.id)
    await page.getByText(reference, { exact: true }).waitFor()
    await page.getByText(/, South African time$/).waitFor()
    expect(await asked.isVisible()).toBe(false)
    // one statement of the time: no steps are left in the card beside it
    expect(await page.getByText('Within 2 business hours').isVisible()).toBe(false)
    await (viewport === PHONE ? hasNoFault : staysInWidth)(page)
    if (viewport !== DESKTOP) await another.click()
  }

  await page.setViewportSize(PHONE)
  await page.reload()
  await page.getByText(reference, { exact: true }).waitFor()
  await page.getByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) before .*, South African time$/).waitFor()
  expect(await form.count()).toBe(0)
  // who only looks again is left where they are
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await page.getByRole('heading', { name: 'Your Premium contract is signed.' }).waitFor()
  await page.getByRole('link', { name: 'Signed: see what happens next' }).waitFor()
  expect([await signed.count(), await unsigned.count()]).toEqual([1, 0])
  await hasNoFault(page)

  // the questionnaire knows what the contract has told
  await page.getByRole('link', { name: 'Tell us about your website' }).click()
  await page.getByText('3 of 10 required answers').waitFor()
  await page.goBack()
  await another.click()
  await form.waitFor()
  expect([await signed.count(), await unsigned.count()]).toEqual([0, 1])
  await page.setViewportSize(LAPTOP)
  await fillIn(form)
  network.isBroken = true
  await button.click()
  await coversNoHelp(page)

  await page.reload()
  await expect.poll(() => form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
  expect(await form.getByRole('checkbox').isChecked()).toBe(false)
  const other = await page.context().newPage()
  await other.goto(site.node.url + CONTRACT.path)
  await afterwards(other)
  expect(await formIn(other, CONTRACT).form.getByLabel('Full name').inputValue()).toBe('')
  await page.context().close()
})

test('the forms of the home page end without fault, and a slip in an address is mended by one press or may stay', async () => {
  const page = await site.open('/', { viewport: LAPTOP, reducedMotion: 'reduce' })
  const network = await failing(page)
  for (const it of [CONSULTATION, QUOTE]) {
    const { form, button } = formIn(page, it)
    const island = `[data-island=${it.island}]`
    await fillIn(form)
    await readForAWhile(page)
    network.isBroken = true
    await form.getByLabel('Email').fill('anna@gmial.com')
    // what comes below the field as it is left moves nothing under the press
    const asked = page.waitForRequest('**/api/leads')
    await button.click()
    expect((await asked).postDataJSON()).toMatchObject({ email: 'anna@gmial.com' })
    await form.getByText("We couldn't send this yet.").waitFor()
    await coversNoHelp(page)
    await form.getByText('Did you mean anna@gmail.com?').waitFor()
    await hasNoFault(page, island)
    for (const viewport of [PHONE, TABLET, LAPTOP]) {
      await page.setViewportSize(viewport)
      await staysInWidth(page)
    }
    await form.getByRole('button', { name: 'anna@gmail.com' }).click()
    await expect.poll(() => form.getByLabel('Email').inputValue()).toBe('anna@gmail.com')
    await form.getByText('Did you mean').waitFor({ state: 'detached' })
    network.isBroken = false
    await form.getByRole('button', { name: 'Try again' }).click()
    const panel = page.getByRole('region', { name: `Thanks, we've received your ${it.what}.` })
    await panel.getByText(/, South African time$/).waitFor()
    expect(await form.count()).toBe(0)
    expect(await page.getByText(it.asked, { exact: true }).isVisible()).toBe(false)
    await hasNoFault(page, island)
    for (const viewport of [PHONE, TABLET, LAPTOP]) {
      await page.setViewportSize(viewport)
      await staysInWidth(page)
    }
    if (it === CONSULTATION) continue
    await panel.getByRole('button', { name: 'Chat now' }).click()
    await page.getByLabel('Your name').waitFor()
  }
  await page.context().close()
})

test('a form posts itself where the code that sends it cannot be fetched, and waits for a network', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  const refuse = (address: string) => page.route(address, (route) => route.abort('connectionrefused'))
  await refuse('**/assets/filled-in-*')
  for (const it of [QUOTE, CONTRACT]) {
    await page.goto(site.node.url + it.path)
    const { form, button } = formIn(page, it)
    await fillIn(form)
    await readForAWhile(page)
    await page.context().setOffline(true)
    await button.click()
    await form.getByRole('alert').getByText("We couldn't send this yet. Please try again.").waitFor()
    expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
    await page.context().setOffline(false)
    await button.click()
    await page.waitForURL('**/thanks')
  }
  await page.unroute('**/assets/filled-in-*')

  // one that has come alive needs no more code
  await page.goto(site.node.url + CONTRACT.path)
  const { form, button } = formIn(page, CONTRACT)
  await button.click()
  await form.getByText('You must agree to the terms and conditions').waitFor()
  await refuse('**/assets/**')
  await fillIn(form)
  await readForAWhile(page)
  const answer = page.waitForResponse('**/api/leads')
  await button.click()
  expect((await answer).status()).toBe(201)
  await page.getByText(CONTRACT.title).waitFor()
  await page.context().close()
})

const fillInAnswers = async (form: Locator) => {
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

test('forms post themselves without script, and lead to the thank-you page', async () => {
  const page = await site.open('/contract/professional', { javaScriptEnabled: false })
  const thanked = async () => {
    await page.waitForURL('**/thanks')
    await page.getByText("We've received your request. Here's what happens next.").waitFor()
  }
  await fillIn(page.getByRole('form'))
  await page.getByRole('form').getByRole('button').click()
  await thanked()
  await page.goto(`${site.node.url}/yourwebsiteinfo`)
  const form = page.getByRole('form', { name: 'Website information' })
  await fillInAnswers(form)
  await form.getByText('Your own', { exact: true }).click()
  await form.getByLabel('Describe your colours').fill('Rust and cream')
  await form.getByRole('button', { name: 'Submit my information' }).click()
  await thanked()
  await page.context().close()
})

test('the questionnaire keeps its answers over a reload, leads to the thank-you page, and says on the way back that they were sent', async () => {
  const page = await site.open('/yourwebsiteinfo', { viewport: PHONE, reducedMotion: 'reduce' })
  const form = page.getByRole('form', { name: 'Website information' })
  await fillInAnswers(form)
  await page.getByText('10 of 10 required answers').waitFor()
  await page.reload()
  await page.getByText('10 of 10 required answers').waitFor()
  await expect.poll(() => form.getByLabel('Business description').inputValue()).toBe(MARKUP)
  expect(await form.getByRole('radio', { name: 'Karoo earth' }).isChecked()).toBe(true)
  await page.setViewportSize(DESKTOP)
  await page.getByRole('link', { name: 'About Your Business 1 of 6' }).waitFor()

  // a custom choice reveals its text field
  const style = form.getByLabel('Describe your style')
  for (const [field, choose] of [
    [style, () => form.getByText('None of these: describe your own.').click()],
    [form.getByLabel('Describe your colours'), () => form.getByText('Your own', { exact: true }).click()],
    [form.getByLabel('Describe your pictures'), () => form.getByLabel('Image theme').selectOption('custom')],
  ] as const) {
    expect(await field.isVisible()).toBe(false)
    await choose()
    await field.fill('My own')
  }
  await form.getByText('Clean and minimal').click()
  expect(await style.isVisible()).toBe(false)

  await form.getByRole('button', { name: 'Submit my information' }).click()
  await page.waitForURL('**/thanks')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  const reference = page.getByText(/^Your reference is [0-9A-F]{4}-[0-9A-F]{4}$/)
  const said = (await reference.innerText()).slice(-9)
  expect(await page.title()).not.toBe('1')
  await page.goBack()
  const panel = page.getByRole('region', { name: "Thanks, we've received your answers." })
  await panel.getByText(said, { exact: true }).waitFor()
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

test('what a visitor types into the quote form, and chose in the preview, reaches staff as it stands', async () => {
  const [worker, staff] = await Promise.all([startTestWorker(site.stores), signIn(site.node)])
  const page = await site.open('/', { reducedMotion: 'reduce' })
  await page.getByLabel('Name', { exact: true }).fill('<i>Nkosi</i> & "Sons"')
  const { form, button } = formIn(page, QUOTE)
  await expect.poll(() => form.getByLabel('Company').inputValue()).toBe('<i>Nkosi</i> & "Sons"')
  await fillIn(form)
  await form.getByLabel('Package').selectOption('premium')
  await form.getByLabel('Preferred contact method').selectOption('whatsapp')
  await form.getByLabel('Timeline').selectOption('2-4weeks')
  await form.getByLabel('Message').fill('<script>alert(1)</script>')
  await readForAWhile(page)
  await button.click()
  await page.getByText(QUOTE.title).waitFor()
  const hero = formIn(page, CONSULTATION)
  await fillIn(hero.form)
  await hero.button.click()
  await page.getByText(CONSULTATION.title).waitFor()

  await eventually(async () => {
    const leads: unknown[] = await (await site.node.call('/api/leads?q=Sons', { headers: staff })).json()
    expect(leads).toHaveLength(2)
    expect(leads).toContainEqual(
      expect.objectContaining({
        company: '<i>Nkosi</i> & "Sons"',
        package: 'premium',
        industry: 'whatsapp',
        timeline: '2-4weeks',
        message: '<script>alert(1)</script>',
        leadSource: 'contact_form',
        pageUrl: `${site.node.url}/`,
      }),
    )
    expect(leads).toContainEqual(
      expect.objectContaining({ leadSource: 'hero_form', message: 'My preview: bakery, in Karoo earth.' }),
    )
  })

  const [name = '', value = ''] = (staff.cookie ?? '').split('=')
  await page.context().addCookies([{ name, value, url: site.node.url }])
  await page.goto(`${site.node.url}/admin-dashboard`)
  await page.getByText('<i>Nkosi</i> & "Sons"').first().waitFor()
  await page.context().close()
  await worker.stop()
})
