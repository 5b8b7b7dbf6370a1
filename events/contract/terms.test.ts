import { expect, test } from 'vitest'
import { NO_COMPANY } from '../settings/company.ts'
import { canonicalText, termsChanges, termsOf } from './terms.ts'
import { CONTRACTS } from './texts.ts'

const PLAIN = { packageTexts: {}, company: NO_COMPANY }

const OWN = {
  forWhom: 'For bakeries.',
  features: ['3 pages'],
  delivery: 'Within 5 days',
  summary: 'A site for a bakery.',
  included: ['3 pages'],
  notIncluded: [],
  terms: ['Half is paid to start.'],
}

test('terms hold the price, the inclusions, the timeline and the terms of a package', () => {
  expect(termsOf('premium', PLAIN)).toMatchObject({
    package: 'premium',
    line: 'Premium - R1,499 + R499/month',
    price: { once: 1_499, monthly: 499 },
    months: 12,
    included: CONTRACTS.premium.included,
    timeline: CONTRACTS.premium.timeline,
    terms: CONTRACTS.premium.terms,
    agreement: 'I have read the terms on this page and agree to them: Premium - R1,499\u00a0+\u00a0R499/month.',
  })
  expect(termsOf('essential', PLAIN)).toMatchObject({ price: { once: 999, monthly: null }, months: null })
})

test('the owners’ texts and company replace the default ones, and none of our promises stay', () => {
  const company = { ...NO_COMPANY, registeredName: 'Karoo (Pty) Ltd', vat: 'not_registered' as const, guarantee: 'Yes' }
  const terms = termsOf('essential', { packageTexts: { essential: OWN }, company })
  expect(terms).toMatchObject({
    terms: ['Half is paid to start.'],
    delivery: 'Within 5 days',
    company: ['Karoo (Pty) Ltd', 'Not registered for VAT'],
    guarantee: 'Yes',
  })
  expect(terms.afterSigning.map(({ what }) => what)).toEqual(['VAT'])
})

test('the canonical text has sorted keys at every depth, and no white space', () => {
  expect(canonicalText({ b: [{ d: 1, c: 'x' }], a: null })).toBe('{"a":null,"b":[{"c":"x","d":1}]}')
})

test('the changes of terms are the lines that are gone and those that are new, part by part', () => {
  const before = termsOf('essential', PLAIN)
  const after = { ...before, delivery: 'Soon', terms: [...before.terms.slice(1), 'Nothing is refunded.'] }
  expect(termsChanges(before, after)).toEqual([
    { part: 'Delivery', removed: [before.delivery], added: ['Soon'] },
    { part: 'Terms', removed: [before.terms[0]], added: ['Nothing is refunded.'] },
  ])
  expect(termsChanges(before, before)).toEqual([])
  const turned = { ...before, included: before.included.toReversed() }
  expect(termsChanges(before, turned)).toEqual([
    { part: 'Included', removed: [...before.included], added: [...turned.included] },
  ])
})
