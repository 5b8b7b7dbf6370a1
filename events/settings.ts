import * as v from 'valibot'
import { type AnswerTemplates, type answerTemplatesChanged, DEFAULT_TEMPLATES } from './answer-templates.ts'
import type { ChatGreeting, chatGreetingsChanged } from './chat-greetings.ts'
import { defineEvent, type NewEvent, type RecordedEvent, type StreamOf } from './definition.ts'
import { DEFAULT_OFFER, type Offer, type offerChanged } from './offer.ts'
import type { OwnTexts, packageTextsChanged } from './package-texts.ts'
import { onceInRand } from './prices.ts'
import type { OwnLabels, quoteChoicesChanged } from './quote-choices.ts'
import { NO_SHOWCASE, type Showcase, type showcaseChanged } from './showcase.ts'
import { DEFAULT_SUPPORT_HOURS, type SupportHours } from './support-hours.ts'
import type { SupportHoursHistory } from './support-hours-history.ts'
import { requiredEmail, requiredText } from './text.ts'

const MINUTES_OF_DAY = 24 * 60
const MAX_CANNED_REPLIES = 100
const MAX_REPLY_CHARACTERS = 2_000
/** What a request may hold, less a little. */
const MAX_REPLIES_BYTES = 60_000

const by = v.pipe(v.string(), v.uuid())

const minute = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MINUTES_OF_DAY))

const weekday = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))

const hoursOfDay = v.pipe(
  v.strictObject({ day: weekday, opensAtMinute: minute, closesAtMinute: minute }),
  v.forward(
    v.partialCheck(
      [['opensAtMinute'], ['closesAtMinute']],
      ({ opensAtMinute, closesAtMinute }) => closesAtMinute > opensAtMinute,
      'Must be later than the opening time',
    ),
    ['closesAtMinute'],
  ),
)

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_CLOSURES = 50
const MAX_CLOSURE_DAYS = 366
const MAX_WORD_CHARACTERS = 60
/** Nobody closes later than that; it bounds how far a look for the next open day goes. */
const CLOSURE_DAY = /^20\d\d-\d\d-\d\d$/

/** JavaScript reads 30 February as 2 March. */
const isRealDay = (text: string) => {
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

const day = v.pipe(
  v.nullish(v.string(), ''),
  v.check((text) => CLOSURE_DAY.test(text) && isRealDay(text), 'Choose a day'),
)

/** Days on which nobody answers, with a word for visitors. */
export const closureForm = v.pipe(
  v.strictObject({
    from: day,
    until: day,
    word: v.pipe(
      v.nullish(v.string(), ''),
      v.trim(),
      v.maxLength(MAX_WORD_CHARACTERS, `Must be at most ${MAX_WORD_CHARACTERS} characters`),
    ),
  }),
  v.forward(
    v.partialCheck([['from'], ['until']], ({ from, until }) => until >= from, 'Must not be before the first day'),
    ['until'],
  ),
  v.forward(
    v.partialCheck(
      [['from'], ['until']],
      ({ from, until }) => !(Date.parse(until) - Date.parse(from) >= MAX_CLOSURE_DAYS * DAY_MS),
      'A closure lasts a year at most',
    ),
    ['until'],
  ),
)

/** The closures of the support hours. */
export const closuresForm = v.pipe(v.array(closureForm), v.maxLength(MAX_CLOSURES, `At most ${MAX_CLOSURES} closures`))

/**
 * When someone answers: the same hours on each of the days (1 is Monday) but on those in `byDay`, the end after the
 * beginning. Hours of a day that is closed are kept for when it is open.
 */
export const supportHoursForm = v.pipe(
  v.strictObject({
    days: v.pipe(
      v.array(weekday),
      v.minLength(1, 'Choose at least one day'),
      v.transform((days) => [...new Set(days)].sort((a, b) => a - b)),
    ),
    opensAtMinute: minute,
    closesAtMinute: minute,
    byDay: v.exactOptional(
      v.pipe(
        v.array(hoursOfDay),
        v.check((hours) => new Set(hours.map((each) => each.day)).size === hours.length, 'Name each day once'),
      ),
    ),
    closures: v.exactOptional(closuresForm),
  }),
  v.forward(
    v.partialCheck(
      [['opensAtMinute'], ['closesAtMinute']],
      ({ opensAtMinute, closesAtMinute }) => closesAtMinute > opensAtMinute,
      'Must be later than the opening time',
    ),
    ['closesAtMinute'],
  ),
)

/** An answer that staff give often; in the console `/shortcut` writes it. */
export const cannedReply = v.strictObject({
  shortcut: v.pipe(
    requiredText('A shortcut is required', { max: 30 }),
    v.toLowerCase(),
    v.regex(/^[a-z0-9-]+$/, 'Use letters, digits and hyphens'),
  ),
  text: requiredText('A reply is required', { max: MAX_REPLY_CHARACTERS }),
})

export type CannedReply = v.InferOutput<typeof cannedReply>

export const cannedRepliesForm = v.strictObject({
  replies: v.pipe(
    v.array(cannedReply),
    v.maxLength(MAX_CANNED_REPLIES, `At most ${MAX_CANNED_REPLIES} replies`),
    v.check(
      (replies) => new Set(replies.map(({ shortcut }) => shortcut)).size === replies.length,
      'Shortcuts must be unique',
    ),
    v.check(
      (replies) => new TextEncoder().encode(JSON.stringify(replies)).length <= MAX_REPLIES_BYTES,
      'All replies together are too long: shorten some of them',
    ),
  ),
})

/** How many inboxes may get a copy. */
export const MAX_INBOX_ADDRESSES = 10

export const inboxAddress = requiredEmail('Please enter a valid email address')

/** Who gets a copy of every forward, beside the address that the e-mail service itself knows. */
export const inboxAddressesForm = v.strictObject({
  addresses: v.pipe(
    v.array(inboxAddress),
    v.maxLength(MAX_INBOX_ADDRESSES, `At most ${MAX_INBOX_ADDRESSES} addresses`),
    v.transform((addresses) => [...new Set(addresses)]),
  ),
})

export const supportHoursChanged = defineEvent({
  type: 'SupportHoursChanged',
  schemaVersion: 1,
  data: v.object({ ...supportHoursForm.entries, by }),
  personal: null,
})

export const cannedRepliesChanged = defineEvent({
  type: 'CannedRepliesChanged',
  schemaVersion: 1,
  data: v.object({ ...cannedRepliesForm.entries, by }),
  personal: null,
})

export const inboxAddressesChanged = defineEvent({
  type: 'InboxAddressesChanged',
  schemaVersion: 1,
  data: v.object({ ...inboxAddressesForm.entries, by }),
  personal: null,
})

/** The events of the settings' stream. */
export type SettingsEvent =
  | RecordedEvent<typeof supportHoursChanged>
  | RecordedEvent<typeof cannedRepliesChanged>
  | RecordedEvent<typeof inboxAddressesChanged>
  | RecordedEvent<typeof offerChanged>
  | RecordedEvent<typeof showcaseChanged>
  | RecordedEvent<typeof packageTextsChanged>
  | RecordedEvent<typeof answerTemplatesChanged>
  | RecordedEvent<typeof quoteChoicesChanged>
  | RecordedEvent<typeof chatGreetingsChanged>

/** The stream that holds every change of the settings. */
export const SETTINGS_STREAM: StreamOf<SettingsEvent> = 'settings'

/** A change that is about to be appended. */
export type SettingsChange =
  | NewEvent<typeof supportHoursChanged>
  | NewEvent<typeof cannedRepliesChanged>
  | NewEvent<typeof inboxAddressesChanged>
  | NewEvent<typeof offerChanged>
  | NewEvent<typeof showcaseChanged>
  | NewEvent<typeof packageTextsChanged>
  | NewEvent<typeof answerTemplatesChanged>
  | NewEvent<typeof quoteChoicesChanged>
  | NewEvent<typeof chatGreetingsChanged>

/** What the agency has set for itself. `version` is that of the settings' stream, 0 for one that has set nothing. */
export type Settings = {
  version: number
  supportHours: SupportHours
  /** All that were set, the last of which are those of now: what was promised under earlier ones is judged by them. */
  supportHoursHistory: SupportHoursHistory
  cannedReplies: CannedReply[]
  inboxAddresses: string[]
  /** The offer that was set last, though it may have ended. */
  offer: Offer | null
  showcase: Showcase
  packageTexts: OwnTexts
  answerTemplates: AnswerTemplates
  quoteLabels: OwnLabels
  /** What shows beside the chat button, by page. */
  chatGreetings: ChatGreeting[]
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
}

/** What the settings take of an event of their stream. */
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
    default:
      event satisfies never
      return settings
  }
}
