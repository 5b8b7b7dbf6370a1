import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { PACKAGE_CHOICES } from '../base/choices.ts'
import { DEFAULT_PACKAGES } from './packages.ts'
import { DEFAULT_PRICES } from './prices.ts'
import { differsFromCard, QUOTE_CHOICE_IDS, quoteChoices, quoteChoicesForm } from './quote-choices.ts'

describe('the choices of the quote form', () => {
  it('are the defaults until owners set theirs, each on its own', () => {
    expect(quoteChoices({}, {})).toEqual(PACKAGE_CHOICES)
    expect(quoteChoices({ premium: 'Premium - R499/month' }, {}).map(({ label }) => label)).toEqual([
      'Essential - R1,399',
      'Professional - R250/month',
      'Premium - R499/month',
      'Custom',
    ])
  })

  it('name the price of a package that owners have changed, unless they have set its label', () => {
    const packages = { essential: { ...DEFAULT_PACKAGES.essential, name: 'Starter', once: 1_200, monthly: 50 } }
    expect(quoteChoices({}, packages)[0]?.label).toBe('Starter - R1,200 + R50/month')
    expect(quoteChoices({ essential: 'Small' }, packages)[0]?.label).toBe('Small')
  })

  it('keep their values', () => {
    expect(quoteChoices({ custom: 'Something else' }, {}).map(({ value }) => value)).toEqual(QUOTE_CHOICE_IDS)
    expect(PACKAGE_CHOICES.map(({ value }) => value)).toEqual(QUOTE_CHOICE_IDS)
  })

  it('are not empty, and not too long', () => {
    expect(v.is(quoteChoicesForm, { labels: { essential: ' ' } })).toBe(false)
    expect(v.is(quoteChoicesForm, { labels: { essential: 'x'.repeat(61) } })).toBe(false)
    expect(v.is(quoteChoicesForm, { labels: { other: 'Other' } })).toBe(false)
  })
})

test.each([
  ['Essential - R999', 'essential', false],
  ['Essential', 'essential', false],
  ['Essential - R1,399', 'essential', true],
  ['Essential - R999/month', 'essential', true],
  ['Professional - R299/month', 'professional', false],
  ['Professional - R1,499 + R299/month', 'professional', false],
  ['Professional - R1499, then R 299 per month', 'professional', false],
  ['Professional - R250/month', 'professional', true],
  ['Professional - R1,499 + R250/month', 'professional', true],
  ['Premium - R499', 'premium', true],
  ['Premium - from R499.00 a month.', 'premium', true],
] as const)('%j differs from the card of %s: %s', (label, id, differs) => {
  expect(differsFromCard(label, DEFAULT_PRICES[id])).toBe(differs)
})
