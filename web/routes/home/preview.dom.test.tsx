import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage } from '../../testing/page.tsx'
import { requestsOf } from '../../testing/server.ts'
import { start } from './preview-alive.ts'

const one = <Kind extends HTMLElement = HTMLInputElement>(selector: string) =>
  document.querySelector<Kind>(selector) as Kind

const nameField = () => one('[name=previewName]')
const radio = (value: string) => one(`[data-preview=all] [value="${value}"]`)
const shown = () => one('[data-preview=name]').textContent
const quote = (name: string) => one(`[data-draft=contact_form] [name=${name}]`)
const hero = (name: string) => one(`[data-draft=hero_form] [name=${name}]`)
const typeName = (value: string) => fireEvent.input(nameField(), { target: { value } })

test('The preview shows the name as it is typed, and copies the choice into the forms of the page', async () => {
  const user = await openPage('/', ['hero-form', 'quote-form'])
  start(true)
  expect(shown()).toBe('Your Business')
  await user.click(radio('Guesthouse'))
  await user.click(radio('Forest green'))
  typeName('Tannie Bé & Seun')
  expect(shown()).toBe('Tannie Bé & Seun')
  expect(one('[data-preview=domain]').textContent).toBe('tanniebeseun.co.za')
  expect(quote('company').value).toBe('Tannie Bé & Seun')
  for (const message of [quote('message'), hero('message')])
    expect(message.value).toBe('My preview: guesthouse, in Forest green.')

  fireEvent.input(quote('message'), { target: { value: 'My own words' } })
  await user.click(radio('Plumber'))
  expect(hero('message').value).toBe('My preview: plumber, in Forest green.')
  expect(quote('message').value).toBe('My own words')
})

test('The choice in the preview is restored on its page, and answers the questionnaire', async () => {
  const user = await openPage('/', [])
  start(true)
  typeName('Tannie Bé & Seun')
  await user.click(radio('Plumber'))
  await user.click(radio('Forest green'))

  await openPage('/yourwebsiteinfo', ['website-info'])
  const form = within(one<HTMLElement>('form[aria-label="Website information"]'))
  await waitFor(() => expect(form.getByLabelText<HTMLInputElement>(/^Business name/).value).toBe('Tannie Bé & Seun'))
  expect(form.getByText('Forest green').closest('label')?.querySelector('input')?.checked).toBe(true)
  expect(form.getByLabelText<HTMLSelectElement>('How should Google list you?').value).toBe(
    'HomeAndConstructionBusiness',
  )

  await openPage('/', ['quote-form'])
  start(false)
  expect(shown()).toBe('Tannie Bé & Seun')
  expect(nameField().value).toBe('Tannie Bé & Seun')
  expect(radio('Plumber').checked).toBe(true)
  expect(quote('company').value).toBe('Tannie Bé & Seun')
})

test('The preview fills in the name of a contract, unless another one was typed there', async () => {
  const long = 'Mokoena and Daughters Plumbing, Heating and Solar of Bloemfontein'
  const businessName = () => one('main form [name=businessName]')
  await openPage('/', [])
  start(true)
  typeName('Old Name')
  await openPage('/contract/essential', ['contract-form'])
  await waitFor(() => expect(businessName().value).toBe('Old Name'))
  fireEvent.input(businessName(), { target: { value: 'Registered Name' } })

  await openPage('/', [])
  start(false)
  typeName(long)
  await openPage('/contract/professional', ['contract-form'])
  await waitFor(() => expect(businessName().value).toBe(long))
  await openPage('/contract/essential', ['contract-form'])
  await waitFor(() => expect(businessName().value).toBe('Registered Name'))
})

test('The choice is sent with the lead of the hero form', async () => {
  const user = await openPage('/', ['hero-form'], {
    'POST /api/leads': () => Response.json({ id: '3f9a2c1b-94c7-4735-a125-0643e2a557f7' }, { status: 201 }),
  })
  start(true)
  typeName('Preview Bakers')
  const form = within(one<HTMLElement>('[data-draft=hero_form]'))
  for (const [label, value] of [
    [/^Full name/, 'Thandi Nkosi'],
    [/^Phone/, '082 555 0142'],
    [/^Email/, 'thandi@example.co.za'],
  ] as const)
    fireEvent.input(form.getByLabelText(label), { target: { value } })
  await user.click(form.getByText('Get my free consultation'))
  await screen.findByText('Quote Request Sent!')
  expect(requestsOf('POST /api/leads')[0]?.body).toMatchObject({
    leadSource: 'hero_form',
    company: 'Preview Bakers',
    message: 'My preview: bakery, in Karoo earth.',
  })
})
