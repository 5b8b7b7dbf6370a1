import * as v from 'valibot'
import { expect, test } from 'vitest'
import { DEFAULT_PACKAGES, packagesForm } from './packages.ts'

const problemsOf = (change: object) => {
  const packages = { professional: { ...DEFAULT_PACKAGES.professional, ...change } }
  return v.safeParse(packagesForm, { packages }).issues?.map(({ message }) => message) ?? []
}

test('the default packages are ones that owners could have set', () => {
  expect(v.parse(packagesForm, { packages: DEFAULT_PACKAGES })).toEqual({ packages: DEFAULT_PACKAGES })
})

test.each([
  [{ once: 0 }, 'Write a price in rand'],
  [{ once: -5 }, 'Write a price in rand'],
  [{ once: 1_499.5 }, 'Write whole rand'],
  [{ once: null }, 'Write a price in rand'],
  [{ once: 1_000_001 }, 'At most R1,000,000'],
  [{ monthly: 0 }, 'Write a price in rand, or nothing'],
  [{ monthly: -1 }, 'Write a price in rand, or nothing'],
  [{ months: 0 }, 'At least 1 month'],
  [{ months: 1.5 }, 'Write a whole number'],
  [{ noticeDays: 0 }, 'At least 1 day'],
  [{ noticeDays: 181 }, 'At most 180 days'],
  [{ name: ' ' }, 'Write something'],
  [{ included: [] }, 'Write at least one line'],
])('a package with %j is refused', (change, message) => {
  expect(problemsOf(change)).toContain(message)
})

test('no text may hold a placeholder that is not filled in: such as one that nodes fill in on pages', () => {
  expect(problemsOf({ terms: ['{price} and {{CONTRACT_COPY}}'] })).toHaveLength(1)
  expect(problemsOf({ name: '{price}' })).toHaveLength(1)
  expect(problemsOf({ terms: ['{price}, {monthly}, {months} and {notice}'] })).toEqual([])
  expect(problemsOf({ terms: ['<b>HTML</b> is text'] })).toEqual([])
})
