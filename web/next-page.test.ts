import { expect, it } from 'vitest'
import { nextPageOf } from './next-page.ts'

it.each([
  ['<https://api.example.com/api/leads?cursor=a&limit=2>; rel="next"', '/api/leads?cursor=a&limit=2'],
  ['</api/chats?cursor=b>;rel="next"', '/api/chats?cursor=b'],
  ['</api/chats?cursor=b>; rel="prev"', undefined],
  [undefined, undefined],
])('finds the next page in %j', (link, next) => {
  expect(nextPageOf({ headers: new Headers(link ? { link } : {}) })).toBe(next)
})
