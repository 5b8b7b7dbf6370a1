import { expect, test } from 'vitest'
import { shortenNames } from './short-names.ts'

const page = {
  html: '<div class="css-1abc"><p class="css-2def css-1abc">x</p><div data-island="menu" data-props="{}"><div class="css-3ghi">y</div></div><p class="css-3ghi">z</p></div>',
  css: '.css-1abc{color:red}.css-2def:hover{color:blue}@media print{.css-2def{color:black}}.css-3ghi{top:0}@keyframes animation-4jkl{to{top:0}}',
  cssNames: ['1abc', '2def', '3ghi', '4jkl'],
}

test('classes of the still part get short names, in the page and in its styles alike', () => {
  const { html, css } = shortenNames(page)
  expect(html).toContain('<p class="_1 _0">x</p>')
  expect(css).toContain('._0{color:red}._1:hover{color:blue}@media print{._1{color:black}}')
})

test('what an island uses, and what is no class, keeps the name by which its code finds it', () => {
  const { html, css, cssNames } = shortenNames(page)
  expect(html.match(/css-3ghi/g)).toHaveLength(2)
  expect(css).toContain('.css-3ghi{top:0}@keyframes animation-4jkl')
  expect(cssNames).toEqual(['3ghi', '4jkl'])
})

test('an island without an end is refused', () => {
  expect(() => shortenNames({ ...page, html: '<div data-island="menu"><p>' })).toThrow('no end')
})
