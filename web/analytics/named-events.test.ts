import { expect, test } from 'vitest'
import { clickedEvents, formSentEvents, openedEvents } from './named-events.ts'

const clicked = (href: string, path = '/', text = 'Get started', isButton = true) =>
  clickedEvents({ href, path, text, isButton })

test('a form that was sent is a submission and a lead, by its source', () => {
  expect(formSentEvents('contact_form')).toEqual([
    { name: 'form_submit', category: 'lead_generation', label: 'contact_form', value: 1 },
    { name: 'generate_lead', category: 'conversion', label: 'contact_form' },
  ])
})

test('a contract page is an item that is viewed, at its price; other pages are none', () => {
  expect(openedEvents('/Contract/Essential')).toEqual([
    { name: 'view_item', category: 'packages', label: 'essential', value: 999 },
  ])
  expect(openedEvents('/privacy')).toEqual([])
})

test('calls, packages and calls to action are told apart, and other links are nobody’s business', () => {
  expect(clicked('tel:+27215550142')).toEqual([{ name: 'phone_click', category: 'contact', label: '+27215550142' }])
  expect(clicked('/contract/premium', '/contract/premium')).toEqual([
    { name: 'package_click', category: 'packages', label: 'premium', value: 1499 },
  ])
  for (const href of ['/#contact', '#contact', '#consultation', '#pricing', '#portfolio'])
    expect(clicked(href), href).toEqual([{ name: 'cta_click', category: 'engagement', label: 'Get started' }])
  expect(clicked('#pricing', '/', 'Pricing', false)).toEqual([])
  expect(clicked('https://wa.me/27825550142', '/27825550142')).toEqual([])
})
