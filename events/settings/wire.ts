import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { CLAIM_IDS } from './claims.ts'
import { VAT_STATES } from './company.ts'
import { PACKAGE_IDS } from './offer.ts'
import { QUOTE_CHOICE_IDS } from './quote-choices.ts'
import { supportHours } from './support-hours-wire.ts'
import { WEEK_STARTS } from './week-start.ts'

const link = v.object({ name: v.string(), href: v.string() })

/** The texts of a package as owners have set them. */
const packageTexts = v.object({
  forWhom: v.string(),
  features: v.array(v.string()),
  delivery: v.string(),
  summary: v.string(),
  included: v.array(v.string()),
  notIncluded: v.array(v.string()),
  terms: v.array(v.string()),
})

const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)

/** The greeting beside the chat button of a page. */
const chatGreeting = v.object({ page: v.string(), afterSeconds: v.number(), text: v.string(), isAnyTime: v.boolean() })

/** The agency's legal identity. */
const company = v.object({
  registeredName: v.nullable(v.string()),
  registrationNumber: v.nullable(v.string()),
  vat: v.nullable(oneOf(VAT_STATES)),
  vatNumber: v.nullable(v.string()),
  address: v.nullable(v.string()),
  guarantee: v.nullable(v.string()),
})

/** The response of `GET /api/settings`: the agency's settings. `version` is that of the settings' stream. */
export const settings = v.object({
  version: v.number(),
  supportHours,
  supportHoursHistory: v.array(v.object({ validFrom: instant, hours: supportHours })),
  cannedReplies: v.array(v.object({ shortcut: v.string(), text: v.string() })),
  inboxAddresses: v.array(v.string()),
  offer: v.nullable(
    v.object({
      text: v.string(),
      percentage: v.number(),
      lastDay: v.string(),
      packages: v.array(v.object({ id: oneOf(PACKAGE_IDS), usualPrice: v.number() })),
    }),
  ),
  showcase: v.object({
    socialLinks: v.array(link),
    works: v.array(link),
    reviews: v.array(v.object({ text: v.string(), name: v.string() })),
    people: v.array(v.object({ name: v.string(), role: v.string(), photo: v.nullable(v.string()) })),
    claims: v.exactOptional(v.array(v.object({ id: oneOf(CLAIM_IDS), figure: v.string(), label: v.string() }))),
  }),
  packageTexts: v.object(v.entriesFromList(PACKAGE_IDS, v.exactOptional(packageTexts))),
  answerTemplates: v.object({
    emails: v.array(v.object({ name: v.string(), subject: v.string(), text: v.string() })),
    whatsapp: v.string(),
  }),
  quoteLabels: v.object(v.entriesFromList(QUOTE_CHOICE_IDS, v.exactOptional(v.string()))),
  chatGreetings: v.array(chatGreeting),
  company,
  weekStart: oneOf(WEEK_STARTS),
})

export type Settings = Received<typeof settings>

/** The refusal of a change because another one was faster: the settings as that one saved them. */
export const settingsConflict = v.object({ settings, by: v.nullable(v.string()) })

export type SettingsConflict = Received<typeof settingsConflict>
