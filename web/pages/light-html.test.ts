import { expect, test } from 'vitest'
import { lightHtml } from './light-html.ts'

test('what comes alive keeps its comments, and all else goes without', () => {
  const island = '<div data-island="menu"><div>Open<!-- --> menu</div></div>'
  expect(lightHtml(`<p>R<!-- -->999</p>${island}<p>a<!-- -->b</p>`)).toBe(`<p>R999</p>${island}<p>ab</p>`)
})

test('a shape of a drawing ends where it begins', () => {
  expect(lightHtml('<svg><path d="M0 0"></path></svg>')).toBe('<svg><path d="M0 0"/></svg>')
})

test('an empty value and the name of an apostrophe are left out, and words that look like them stay', () => {
  expect(lightHtml('<input required="" value="it&#x27;s"/><p>say alt=""</p>')).toBe(
    '<input required value="it\'s"/><p>say alt=""</p>',
  )
})
