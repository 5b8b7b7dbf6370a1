/**
 * The packages that the agency sells: names, prices, terms and texts. Owners replace them package by package; the others
 * are those of the specification (2 and 9). The offer is apart (offer.ts).
 */

import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { requiredText } from '../base/text.ts'
import { unknownIn, unknownInWords } from '../base/unfilled-words.ts'
import { definePart } from './part.ts'
import { DEFAULT_PRICES, PACKAGE_IDS, type PackageId, type Price } from './prices.ts'

/** The longest line of a list, in UTF-16 code units. */
export const MAX_LINE_CHARACTERS = 200
const MAX_NAME_CHARACTERS = 40
const MAX_SUMMARY_CHARACTERS = 400
const MAX_LINES = 20
const MAX_PRICE_RAND = 1_000_000
const MAX_MONTHS = 60
const MAX_NOTICE_DAYS = 180

/** The placeholders of terms. A line with one that has no value, such as the fee of a package without one, is left out. */
export const TERMS_PLACEHOLDERS = ['price', 'monthly', 'months', 'notice'] as const

/** No text may hold a placeholder that nothing fills in. */
const onlyKnown = (names: readonly string[]) =>
  v.check<string, (issue: v.CheckIssue<string>) => string>(
    (text) => unknownIn(text, names).length === 0,
    ({ input }) => unknownInWords(input, names),
  )

const text = (max: number, names: readonly string[] = []) =>
  v.pipe(requiredText('Write something', { max }), onlyKnown(names))
const line = text(MAX_LINE_CHARACTERS)
const manyLines = (of: typeof line) => v.pipe(v.array(of), v.maxLength(MAX_LINES, `At most ${MAX_LINES} lines`))
const atLeastOne = v.minLength<string[], 1, string>(1, 'Write at least one line')

const whole = (message: string) => v.pipe(v.number(message), v.integer('Write a whole number'))

const rand = (message = 'Write a price in rand') =>
  v.pipe(
    v.number(message),
    v.integer('Write whole rand'),
    v.minValue(1, message),
    v.maxValue(MAX_PRICE_RAND, `At most ${inRand(MAX_PRICE_RAND)}`),
  )

/** Everything about a package. `months` and `noticeDays` are those of the monthly fee. */
export const packageFields = v.strictObject({
  name: text(MAX_NAME_CHARACTERS),
  once: rand(),
  monthly: v.nullable(rand('Write a price in rand, or nothing')),
  months: v.pipe(
    whole('Write a number of months'),
    v.minValue(1, 'At least 1 month'),
    v.maxValue(MAX_MONTHS, `At most ${MAX_MONTHS} months`),
  ),
  noticeDays: v.pipe(
    whole('Write a number of days'),
    v.minValue(1, 'At least 1 day'),
    v.maxValue(MAX_NOTICE_DAYS, `At most ${MAX_NOTICE_DAYS} days`),
  ),
  forWhom: line,
  features: v.pipe(manyLines(line), atLeastOne),
  delivery: line,
  summary: v.pipe(requiredText('Write something', { max: MAX_SUMMARY_CHARACTERS, lines: true }), onlyKnown([])),
  included: v.pipe(manyLines(line), atLeastOne),
  notIncluded: manyLines(line),
  terms: v.pipe(manyLines(text(MAX_LINE_CHARACTERS, TERMS_PLACEHOLDERS)), atLeastOne),
})

type Fields = v.InferOutput<typeof packageFields>

/** A package as it is sold. */
export type Package = Fields & { id: PackageId }

/** The packages that owners have changed; the others are the default ones. */
export const packagesForm = v.strictObject({
  packages: v.strictObject(v.entriesFromList(PACKAGE_IDS, v.exactOptional(packageFields))),
})

/** Packages of owners. */
export type OwnPackages = v.InferOutput<typeof packagesForm>['packages']

const TERM = { months: 12, noticeDays: 30 }

const MONTHLY_TERMS = [
  'The contract runs for a minimum of {months} months, then month-to-month.',
  "You can cancel with {notice} days' notice after month {months}.",
  'The setup fee is {price}.',
  'The monthly fee of {monthly} starts when your site goes live.',
]

const TWO_WEEKS = 'Your website is live within 14 days after we receive your content: texts, pictures and logo.'

/** The packages of an agency that has set none. */
export const DEFAULT_PACKAGES: Record<PackageId, Fields> = {
  essential: {
    name: 'Essential',
    ...DEFAULT_PRICES.essential,
    ...TERM,
    forWhom: 'For new businesses that need to be online fast.',
    features: [
      '3 pages: Home, About, Contact',
      'Looks great on every phone',
      'Contact form and social links',
      'Loads under 2 seconds',
      'Basic SEO and SSL',
      '1 design revision',
    ],
    delivery: '7 business days after we receive your content',
    summary: 'A small, fast website that you pay for once. You arrange the domain and the hosting.',
    included: [
      '3 pages: Home, About and Contact',
      'Mobile responsive',
      'Contact form',
      'Social links',
      'Loads under 2 seconds',
      'Basic SEO',
      'SSL',
      '1 design revision',
    ],
    notIncluded: ['Domain', 'Hosting', 'Email setup', 'Maintenance', 'Content writing'],
    terms: [
      'The full {price} is paid to start.',
      'Delivery is within 7 business days after we receive your content.',
      '1 major revision is included.',
      'You supply the content: texts, pictures and logo.',
      'You arrange the hosting.',
      'Minor bug fixes are free for 30 days after delivery.',
    ],
  },
  professional: {
    name: 'Professional',
    ...DEFAULT_PRICES.professional,
    ...TERM,
    forWhom: 'For a business that wants its website looked after.',
    features: [
      'Up to 5 pages, with a gallery',
      'Domain (.co.za) included',
      'Premium hosting, 99.9% uptime',
      'Email setup',
      'Google My Business and advanced SEO',
      '2 major revisions',
    ],
    delivery: 'Live within 14 days after we receive your content',
    summary: 'Your website, domain, hosting and email, looked after every month.',
    included: [
      'Up to 5 pages',
      'Gallery',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Email setup',
      'Google My Business',
      'Advanced SEO',
      'SSL',
    ],
    notIncluded: [],
    terms: [TWO_WEEKS, '2 major revisions are included.', ...MONTHLY_TERMS],
  },
  premium: {
    name: 'Premium',
    ...DEFAULT_PRICES.premium,
    ...TERM,
    forWhom: 'For growing businesses that want more reach.',
    features: [
      'Up to 10 pages, blog set up',
      '5 email addresses',
      'Analytics and monthly reports',
      'SEO monitoring',
      'Priority same-day support',
      '3 major revisions',
    ],
    delivery: 'Live within 14 days after we receive your content',
    summary: 'A bigger website with a blog, monthly reports and same-day support.',
    included: [
      'Up to 10 pages',
      'Blog setup',
      '5 email addresses',
      'Analytics',
      'Priority same-day support',
      'Monthly reports',
      'SEO monitoring',
    ],
    notIncluded: [],
    terms: [TWO_WEEKS, '3 major revisions are included.', ...MONTHLY_TERMS],
  },
}

/** A package as it is sold: the owners' or the default one. */
export const packageOf = (id: PackageId, own: OwnPackages): Package => ({ id, ...(own[id] ?? DEFAULT_PACKAGES[id]) })

/** All packages as they are sold. */
export const packagesOf = (own: OwnPackages): Package[] => PACKAGE_IDS.map((id) => packageOf(id, own))

/** A package and its price in one line, as a contract form sends it in `package` (specification, 3). */
export const packageLine = ({ name, once, monthly }: Price & { name: string }) =>
  `${name} - ${inRand(once)}${monthly === null ? '' : ` + ${inRand(monthly)}/month`}`

/** The lines of terms as customers read them. */
export const filledTerms = ({ once, monthly, months, noticeDays, terms }: Fields): string[] => {
  const values: Partial<Record<string, string>> = {
    price: inRand(once),
    ...(monthly !== null && { monthly: inRand(monthly), months: String(months), notice: String(noticeDays) }),
  }
  return terms.flatMap((term) => {
    const names = TERMS_PLACEHOLDERS.filter((name) => term.includes(`{${name}}`))
    if (names.some((name) => values[name] === undefined)) return []
    return [names.reduce((filled, name) => filled.replaceAll(`{${name}}`, values[name] ?? ''), term)]
  })
}

export const packagesPart = definePart({
  name: 'packages',
  summary: 'Sets the names, prices, terms and texts of packages',
  type: 'PackagesChanged',
  form: packagesForm,
  apply: ({ packages }) => packages,
  initial: {},
})

export const packagesWire = v.object(
  v.entriesFromList(
    PACKAGE_IDS,
    v.exactOptional(
      v.object({
        name: v.string(),
        once: v.number(),
        monthly: v.nullable(v.number()),
        months: v.number(),
        noticeDays: v.number(),
        forWhom: v.string(),
        features: v.array(v.string()),
        delivery: v.string(),
        summary: v.string(),
        included: v.array(v.string()),
        notIncluded: v.array(v.string()),
        terms: v.array(v.string()),
      }),
    ),
  ),
)
