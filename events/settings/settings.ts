import * as v from 'valibot'
import { distinctAddresses } from '../base/address.ts'
import { defineEvent, type NewEvent, type RecordedEvent, type StreamOf } from '../base/definition.ts'
import { requiredEmail } from '../base/text.ts'
import { type AnswerTemplates, type answerTemplatesChanged, DEFAULT_TEMPLATES } from './answer-templates.ts'
import type { CannedReply, cannedRepliesChanged } from './canned-replies.ts'
import type { ChatGreeting, chatGreetingsChanged } from './chat-greetings.ts'
import { type Company, type companyDetailsChanged, NO_COMPANY } from './company.ts'
import { DEFAULT_OFFER, type Offer, type offerChanged } from './offer.ts'
import type { OwnTexts, packageTextsChanged } from './package-texts.ts'
import { onceInRand } from './prices.ts'
import type { OwnLabels, quoteChoicesChanged } from './quote-choices.ts'
import { NO_SHOWCASE, type Showcase, type showcaseChanged } from './showcase.ts'
import { DEFAULT_SUPPORT_HOURS, type SupportHours } from './support-hours.ts'
import type { supportHoursChanged } from './support-hours-form.ts'
import type { SupportHoursHistory } from './support-hours-history.ts'
import { DEFAULT_WEEK_START, type WeekStart, type weekStartChanged } from './week-start.ts'

const by = v.pipe(v.string(), v.uuid())

/** How many inboxes may get a copy. */
export const MAX_INBOX_ADDRESSES = 10

export const inboxAddress = requiredEmail('Please enter a valid email address')

/** The addresses that get a copy of every email to the agency, besides the address set in the email service itself. */
export const inboxAddressesForm = v.strictObject({
  addresses: v.pipe(
    v.array(inboxAddress),
    v.maxLength(MAX_INBOX_ADDRESSES, `At most ${MAX_INBOX_ADDRESSES} addresses`),
    v.transform(distinctAddresses),
  ),
})

export const inboxAddressesChanged = defineEvent({
  type: 'InboxAddressesChanged',
  schemaVersion: 1,
  data: v.object({ ...inboxAddressesForm.entries, by }),
  personal: null,
})

/** One type of event per part of the settings. */
type SettingsDefinition =
  | typeof supportHoursChanged
  | typeof cannedRepliesChanged
  | typeof inboxAddressesChanged
  | typeof offerChanged
  | typeof showcaseChanged
  | typeof packageTextsChanged
  | typeof answerTemplatesChanged
  | typeof quoteChoicesChanged
  | typeof chatGreetingsChanged
  | typeof companyDetailsChanged
  | typeof weekStartChanged

/** The events of the settings' stream. */
export type SettingsEvent = RecordedEvent<SettingsDefinition>

/** The stream of all changes of the settings. */
export const SETTINGS_STREAM: StreamOf<SettingsEvent> = 'settings'

/** A change that is about to be appended. */
export type SettingsChange = NewEvent<SettingsDefinition>

/** The agency's settings. `version` is that of the settings' stream, 0 if nothing is set. */
export type Settings = {
  version: number
  supportHours: SupportHours
  /** All support hours ever set, the current ones last: earlier promises are judged by the hours of their time. */
  supportHoursHistory: SupportHoursHistory
  cannedReplies: CannedReply[]
  inboxAddresses: string[]
  /** The offer that was set last, though it may have ended. */
  offer: Offer | null
  showcase: Showcase
  packageTexts: OwnTexts
  answerTemplates: AnswerTemplates
  quoteLabels: OwnLabels
  /** The greetings beside the chat button, by page. */
  chatGreetings: ChatGreeting[]
  /** The agency's legal identity and guarantees. */
  company: Company
  /** The first day of the week, for all staff. */
  weekStart: WeekStart
}

/** The settings of an agency that has set nothing. */
export const DEFAULT_SETTINGS: Settings = {
  version: 0,
  supportHours: DEFAULT_SUPPORT_HOURS,
  supportHoursHistory: [],
  cannedReplies: [
    { shortcut: 'hello', text: 'Hello, and thank you for reaching out! How can we help you today?' },
    {
      shortcut: 'pricing',
      text: `Our packages start at ${onceInRand('essential')} once-off. May I ask what your business does?`,
    },
    { shortcut: 'quote', text: 'We will send you a written quote by email within 24 hours.' },
  ],
  inboxAddresses: [],
  offer: DEFAULT_OFFER,
  showcase: NO_SHOWCASE,
  packageTexts: {},
  answerTemplates: DEFAULT_TEMPLATES,
  quoteLabels: {},
  chatGreetings: [],
  company: NO_COMPANY,
  weekStart: DEFAULT_WEEK_START,
}

/** The parts of an event of the settings' stream that the settings need. */
type Change<Event> = Event extends SettingsEvent ? Pick<Event, 'type' | 'data' | 'version' | 'recordedAt'> : never

/** The settings after an event of their stream, oldest first. */
export const evolveSettings = (settings: Settings, event: Change<SettingsEvent>): Settings => {
  const { version } = event
  switch (event.type) {
    case 'SupportHoursChanged': {
      const { by: _, ...supportHours } = event.data
      const change = { validFrom: event.recordedAt, hours: supportHours }
      return { ...settings, version, supportHours, supportHoursHistory: [...settings.supportHoursHistory, change] }
    }
    case 'CannedRepliesChanged':
      return { ...settings, version, cannedReplies: event.data.replies }
    case 'InboxAddressesChanged':
      return { ...settings, version, inboxAddresses: event.data.addresses }
    case 'OfferChanged':
      return { ...settings, version, offer: event.data.offer }
    case 'ShowcaseChanged': {
      const { by: _, ...showcase } = event.data
      return { ...settings, version, showcase: { ...settings.showcase, ...showcase } }
    }
    case 'PackageTextsChanged':
      return { ...settings, version, packageTexts: event.data.packages }
    case 'AnswerTemplatesChanged': {
      const { by: _, ...answerTemplates } = event.data
      return { ...settings, version, answerTemplates }
    }
    case 'QuoteChoicesChanged':
      return { ...settings, version, quoteLabels: event.data.labels }
    case 'ChatGreetingsChanged':
      return { ...settings, version, chatGreetings: event.data.greetings }
    case 'CompanyDetailsChanged': {
      const { by: _, ...company } = event.data
      return { ...settings, version, company }
    }
    case 'WeekStartChanged':
      return { ...settings, version, weekStart: event.data.weekStart }
    default:
      event satisfies never
      return settings
  }
}
