import { describe, expect, it, test } from 'vitest'
import { pageInWords, pageName, pagesOf } from './pages.ts'

const at = (minute: number) => `2026-01-31T10:0${minute}:00.000Z`
const session = {
  sessionId: 'id',
  visitorName: 'Nomsa',
  visitorEmail: null,
  pageUrl: 'https://x.test/',
  userAgent: null,
  isActive: true,
  startTime: at(0),
  endTime: null,
}
const first = { pageUrl: 'https://x.test/', timestamp: at(0) }
const second = { pageUrl: 'https://x.test/faq', timestamp: at(1) }
const third = { pageUrl: 'https://x.test/', timestamp: at(2) }

describe('a visitor’s pages', () => {
  it('begin with the chat’s first one, as long as no others are fetched', () => {
    expect(pagesOf(session, undefined, [second])).toEqual([first, second])
    expect(pagesOf({ ...session, pageUrl: null }, undefined, [])).toEqual([])
  })

  it('are listed once though they were fetched and came live, in their order, and again if the visitor returns to one', () => {
    expect(pagesOf(session, [first, second], [third, second])).toEqual([first, second, third])
  })
})

test.each([
  ['https://x.test/contract/premium?a=1', '/contract/premium?a=1'],
  ['https://other.test/', 'https://other.test/'],
  ['/pricing', '/pricing'],
])('the page %s is called %s', (pageUrl, name) => {
  expect(pageName(pageUrl, 'x.test')).toBe(name)
})

test.each([
  ['https://x.test/', 'Home'],
  ['https://x.test/Contract/premium?a=1', 'Premium'],
  ['https://x.test/other?a=1', '/other?a=1'],
  ['https://other.test/', 'https://other.test/'],
])('staff see the page %s as %s', (pageUrl, words) => {
  expect(pageInWords(pageUrl, 'x.test')).toBe(words)
})
