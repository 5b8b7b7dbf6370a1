/**
 * The terms of a package are versioned data: all that its contract page shows about the agreement, as the owners'
 * settings have it. Each version is an event with its canonical text, so old contracts keep their terms for ever.
 */

import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { type Company, companyLines, vatInWords } from '../settings/company.ts'
import {
  DEFAULT_PACKAGES,
  filledTerms,
  type OwnPackages,
  type Package,
  packageLine,
  packageOf,
} from '../settings/packages.ts'
import type { PackageId, Price } from '../settings/prices.ts'
import { agreementTo } from './agreement.ts'
import { type AlsoIncluded, alsoIncluded, promisesOf, TIMELINES } from './texts.ts'

/** A heading and the sentence below it. */
type Fact = { what: string; text: string }

/** The terms of one package: what is agreed when its contract is signed. */
export type Terms = Pick<Package, 'name' | 'summary' | 'included' | 'notIncluded' | 'terms'> & {
  package: PackageId
  /** The package and its price in one line. */
  line: string
  price: Price
  /** The shortest time for which the monthly fee is paid; null without a monthly fee. */
  months: number | null
  /** The notice of a customer who leaves; null without a monthly fee. */
  noticeDays: number | null
  alsoIncluded: AlsoIncluded | null
  delivery: string
  timeline: readonly { days: string; what: string; text: string }[]
  afterSigning: readonly Fact[]
  /** The agency's legal identity, line by line. */
  company: readonly string[]
  guarantee: string | null
  /** The wording of the checkbox. */
  agreement: string
}

/** Sorts the keys of every object within a JSON value. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** The canonical text of a JSON value, for its hash: no white space, and the keys of every object in order. */
export const canonicalText = (value: object): string => JSON.stringify(sorted(value))

/** Whether owners have written more of a package than its name and price. */
const hasOwnTexts = (sold: Package) => {
  const { name, once, monthly, months, noticeDays } = sold
  const plain = { id: sold.id, ...DEFAULT_PACKAGES[sold.id], name, once, monthly, months, noticeDays }
  return canonicalText(sold) !== canonicalText(plain)
}

/** Owners with texts of their own get none of our promises. */
const afterSigningOf = (sold: Package, company: Company): Fact[] => {
  const isOwn = hasOwnTexts(sold)
  const { payment, domain, leaving, afterLeaving } = promisesOf(sold)
  return [
    ...(isOwn ? [] : [{ what: 'Payment', text: payment }]),
    ...(isOwn && !company.vat ? [] : [{ what: 'VAT', text: vatInWords(company) }]),
    ...(isOwn
      ? []
      : [
          { what: 'Your domain', text: domain },
          { what: 'If you leave', text: leaving },
          { what: 'What you keep', text: afterLeaving },
        ]),
  ]
}

/** The terms of a package by the owners' settings. */
export const termsOf = (id: PackageId, { packages, company }: { packages: OwnPackages; company: Company }): Terms => {
  const sold = packageOf(id, packages)
  const { name, once, monthly, months, noticeDays, summary, included, notIncluded, delivery } = sold
  const line = packageLine(sold)
  const isMonthly = monthly !== null
  return {
    package: id,
    name,
    line,
    price: { once, monthly },
    months: isMonthly ? months : null,
    noticeDays: isMonthly ? noticeDays : null,
    summary,
    included,
    alsoIncluded: id === 'premium' ? alsoIncluded(packages) : null,
    notIncluded,
    delivery,
    timeline: TIMELINES[id],
    terms: filledTerms(sold),
    afterSigning: afterSigningOf(sold, company),
    company: companyLines(company),
    guarantee: company.guarantee,
    agreement: agreementTo(line),
  }
}

/** Nodes publish terms that have no version yet: `text` is the canonical text, `sha256` its hash in hexadecimal. */
export const termsPublished = defineEvent({
  type: 'TermsPublished',
  schemaVersion: 1,
  data: v.object({ text: v.string(), sha256: v.string() }),
  personal: null,
})

/** One stream per package: the version of the event is that of the terms. */
export const termsStreams = defineStreams<RecordedEvent<typeof termsPublished>>('terms-')

const LINES_OF: readonly (readonly [part: string, lines: (terms: Terms) => readonly string[]])[] = [
  [
    'Price',
    ({ line, price, months }) => [line, ...(months ? [`${months} months: ${inRand(price.monthly ?? 0)} each`] : [])],
  ],
  ['Summary', ({ summary }) => [summary]],
  ['Included', ({ included, alsoIncluded }) => [...included, ...(alsoIncluded?.points ?? [])]],
  ['Not included', ({ notIncluded }) => notIncluded],
  ['Delivery', ({ delivery }) => [delivery]],
  ['Timeline', ({ timeline }) => timeline.map(({ days, what, text }) => `${days}, ${what}: ${text}`)],
  ['Terms', ({ terms }) => terms],
  ['After you sign', ({ afterSigning }) => afterSigning.map(({ what, text }) => `${what}: ${text}`)],
  ['Who you sign with', ({ company }) => company],
  ['Our guarantee', ({ guarantee }) => (guarantee ? [guarantee] : [])],
  ['Agreement', ({ agreement }) => [agreement]],
]

/** The terms part by part, each as lines; empty parts are left out. */
export const termsInLines = (terms: Terms): { part: string; lines: readonly string[] }[] =>
  LINES_OF.map(([part, lines]) => ({ part, lines: lines(terms) })).filter(({ lines }) => lines.length > 0)

/** A part of the terms that has changed: the lines that are gone, and those that are new. */
export const termsChange = v.object({ part: v.string(), removed: v.array(v.string()), added: v.array(v.string()) })

export type TermsChange = v.InferOutput<typeof termsChange>

/** The difference between two versions of the terms of a package, part by part. Lines in another order are listed too. */
export const termsChanges = (before: Terms, after: Terms): TermsChange[] =>
  LINES_OF.flatMap(([part, lines]) => {
    const [old, now] = [[...lines(before)], [...lines(after)]]
    if (old.join('\n') === now.join('\n')) return []
    const removed = old.filter((line) => !now.includes(line))
    const added = now.filter((line) => !old.includes(line))
    return removed.length + added.length > 0 ? [{ part, removed, added }] : [{ part, removed: old, added: now }]
  })
