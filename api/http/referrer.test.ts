import { expect, test } from 'vitest'
import { ownReferrer } from './referrer.ts'

const site = { allowedOrigins: new Set(['https://www.agency.example']) }

test('the page that has led here is one of this site', () => {
  expect(ownReferrer('https://www.agency.example/contract/premium?plan=a', site)?.pathname).toBe('/contract/premium')
})

test.each([
  undefined,
  '',
  'nonsense',
  '/contract/premium',
  'http://www.agency.example/contract/premium',
  'https://www.agency.example:8443/contract/premium',
  'https://www.agency.example.evil.example/contract/premium',
  'https://evil.example/contract/premium',
  'data:text/html,hello',
])('%j is no page of this site', (referrer) => {
  expect(ownReferrer(referrer, site)).toBeUndefined()
})
