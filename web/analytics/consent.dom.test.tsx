import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { showPage } from '../testing/page.tsx'
import { notifyFormSent } from './form-sent.ts'
import { start } from './start.ts'

const ID = 'G-TEST123'
const TAG = `https://www.googletagmanager.com/gtag/js?id=${ID}`

const press = (name: 'Allow' | 'No, thanks') => fireEvent.click(screen.getByText(name))
const bar = () => document.querySelector('#consent')
const tags = () => [...document.head.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src)
const told = () => (window.dataLayer ?? []).map((entry) => [...(entry as Iterable<unknown>)])

/** Follows a link, which in a document leads nowhere. */
const follow = (selector: string) => {
  const link = document.querySelector<HTMLAnchorElement>(selector) as HTMLAnchorElement
  // a document has no layout to tell words by
  Object.defineProperty(link, 'innerText', { value: link.textContent, configurable: true })
  link.addEventListener('click', (event) => event.preventDefault(), { once: true })
  fireEvent.click(link)
}

beforeEach(() => {
  const listening = vi.spyOn(globalThis, 'addEventListener')
  return () => {
    // a page counts for as long as it is there: here the next test has the same document
    for (const [type, listener] of listening.mock.calls) removeEventListener(type, listener)
    listening.mockRestore()
    forgetPage()
  }
})

const forgetPage = () => {
  bar()?.remove()
  for (const script of document.head.querySelectorAll('script[src]')) script.remove()
  delete window.dataLayer
}

test('Nothing is sent before consent; after it page views and events are', async () => {
  showPage('/contract/professional')
  start(ID)
  follow('a[href^="tel:"]')
  expect([tags(), told()]).toEqual([[], []])
  press('Allow')
  expect(bar()).toBeNull()
  expect(tags()).toEqual([TAG])
  expect(told()).toEqual([
    ['js', expect.any(Date)],
    ['config', ID, { page_path: '/contract/professional' }],
    ['event', 'view_item', { event_category: 'packages', event_label: 'professional', value: 1499 }],
  ])
  follow('a[href^="tel:"]')
  notifyFormSent('contact_form')
  expect(told().slice(3)).toEqual([
    ['event', 'phone_click', { event_category: 'contact', event_label: expect.any(String) }],
    ['event', 'form_submit', { event_category: 'lead_generation', event_label: 'contact_form', value: 1 }],
    ['event', 'generate_lead', { event_category: 'conversion', event_label: 'contact_form' }],
  ])
})

test('A refusal is remembered, and can be taken back on the privacy page, as consent can', async () => {
  showPage('/')
  start(ID)
  press('No, thanks')
  expect(bar()).toBeNull()
  start(ID)
  expect(bar()).toBeNull()
  expect(tags()).toEqual([])

  showPage('/privacy')
  start(ID)
  expect(bar()?.textContent).toContain('Analytics is off.')
  press('Allow')
  expect(tags()).toEqual([TAG])
  expect(window[`ga-disable-${ID}`]).toBe(false)
  start(ID)
  expect(bar()?.textContent).toContain('Analytics is on.')
  press('No, thanks')
  expect(window[`ga-disable-${ID}`]).toBe(true)

  delete window.dataLayer
  for (const script of document.head.querySelectorAll('script[src]')) script.remove()
  showPage('/')
  start(ID)
  expect(bar()).toBeNull()
  expect(tags()).toEqual([])
})
