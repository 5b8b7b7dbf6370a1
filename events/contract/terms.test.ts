import { expect, test } from 'vitest'
import { NO_COMPANY } from '../settings/company.ts'
import { DEFAULT_PACKAGES } from '../settings/packages.ts'
import { canonicalText, termsChanges, termsOf } from './terms.ts'
import { TIMELINES } from './texts.ts'

const PLAIN = { packages: {}, company: NO_COMPANY }

const OWN = {
  ...DEFAULT_PACKAGES.essential,
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
    noticeDays: 30,
    included: DEFAULT_PACKAGES.premium.included,
    timeline: TIMELINES.premium,
    agreement: 'I have read the terms on this page and agree to them: Premium - R1,499\u00a0+\u00a0R499/month.',
  })
  expect(termsOf('essential', PLAIN)).toMatchObject({ price: { once: 999, monthly: null }, months: null })
  expect(termsOf('premium', PLAIN).terms).toEqual([
    'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
    '3 major revisions are included.',
    'The contract runs for a minimum of 12 months, then month-to-month.',
    "You can cancel with 30 days' notice after month 12.",
    'The setup fee is R1,499.',
    'The monthly fee of R499 starts when your site goes live.',
  ])
})

test('another name, price, term or notice is in every line that names it, and our promises stay', () => {
  const professional = {
    ...DEFAULT_PACKAGES.professional,
    name: 'Growth',
    once: 2_000,
    monthly: 400,
    months: 6,
    noticeDays: 20,
  }
  const terms = termsOf('professional', { ...PLAIN, packages: { professional } })
  expect(terms).toMatchObject({ line: 'Growth - R2,000 + R400/month', months: 6, noticeDays: 20 })
  expect(terms.terms).toContain('The contract runs for a minimum of 6 months, then month-to-month.')
  expect(terms.terms).toContain("You can cancel with 20 days' notice after month 6.")
  expect(terms.afterSigning[2]?.what).toBe('Your domain')
  expect(JSON.stringify(terms.afterSigning)).toMatch(/first 6 months, R2,400 in all.*20 days' notice/)
  expect(termsOf('premium', { ...PLAIN, packages: { professional } }).alsoIncluded?.title).toBe(
    'And everything in Growth',
  )
})

test('a package without a monthly fee has no line that names one', () => {
  const professional = { ...DEFAULT_PACKAGES.professional, monthly: null }
  const terms = termsOf('professional', { ...PLAIN, packages: { professional } })
  expect(terms.months).toBeNull()
  expect(terms.terms.join(' ')).not.toMatch(/month|cancel|\{/)
  expect(terms.terms).toContain('The setup fee is R1,499.')
})

test('the owners’ texts and company replace the default ones, and none of our promises stay', () => {
  const company = { ...NO_COMPANY, registeredName: 'Karoo (Pty) Ltd', vat: 'not_registered' as const, guarantee: 'Yes' }
  const terms = termsOf('essential', { packages: { essential: OWN }, company })
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
