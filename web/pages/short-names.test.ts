import { expect, test } from 'vitest'
import { shortenNames } from './short-names.ts'

const page = {
  html: '<div class="css-1abc"><p class="css-2def">x</p><div data-island="menu" data-props="{}"><div class="css-3ghi">y</div></div><p class="css-3ghi">z</p></div>',
  css: 'html{margin:0}.css-1abc{color:red}.css-2def{top:0}.css-3ghi{top:0}.css-2def:hover{color:blue}@media print{.css-2def{color:black}}.css-5mno{left:0}@keyframes animation-4jkl{to{top:0}}@keyframes animation-6pqr{to{top:1px}}.css-2def{animation:animation-4jkl;animation-duration:1s}.css-3ghi{animation:animation-6pqr 1s}',
}

test('classes of the still part get short names, in the page and in its styles alike', () => {
  const { html, css } = shortenNames(page)
  expect(html).toContain('<div class="_0"><p class="_1">x</p>')
  expect(css).toContain('._0{color:red}')
})

test('a class keeps the order of its own rules, and what has no class goes first', () => {
  const { css } = shortenNames(page)
  expect(css).toContain('._1{top:0}._1:hover{color:blue}._1{animation:a0;animation-duration:1s}')
  expect(css).toMatch(/^html\{margin:0\}@keyframes a0\{to\{top:0\}\}/)
})

test('what holds in some windows only goes last, one rule for all of a window, smaller windows first', () => {
  const windows = '@media (min-width: 64rem){.css-1abc{top:1px}}@media (min-width: 48rem){.css-1abc{top:2px}}'
  const { css } = shortenNames({
    ...page,
    css: `${page.css}${windows}@media (min-width: 48rem){.css-2def{left:0.5rem;}}`,
  })
  expect(css).toMatch(
    /@media \(min-width:48rem\)\{\._0\{top:2px\}\._1\{left:\.5rem\}\}@media \(min-width:64rem\)\{\._0\{top:1px\}\}@media print/,
  )
})

test('what an island uses, and what is no class, keeps the name by which its code finds it; what nothing uses goes', () => {
  const { html, css } = shortenNames(page)
  expect(html.match(/css-3ghi/g)).toHaveLength(2)
  expect(css).toContain('.css-3ghi{top:0}.css-3ghi{animation:animation-6pqr 1s}')
  expect(css).toContain('@keyframes animation-6pqr{')
  expect(css).not.toContain('left:0')
})

test('an island without an end is refused', () => {
  expect(() => shortenNames({ ...page, html: '<div data-island="menu"><p>' })).toThrow('no end')
})
