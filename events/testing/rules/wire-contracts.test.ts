import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { stalledConsumers } from '../../base/stalled-consumers.ts'
import type { Sent } from '../../base/word.ts'
import { serverFrame } from '../../chat/server-frames.ts'
import * as chat from '../../chat/wire.ts'
import { emailServerState, emailSummary, emailTest, listedEmails, outbox } from '../../email/wire.ts'
import { erasable, leadHistory, person } from '../../lead/person/person-wire.ts'
import { overview } from '../../lead/screens/overview-wire.ts'
import { today } from '../../lead/screens/today-wire.ts'
import { lead, leadConflict, leadSummary, leads, waitingLeads } from '../../lead/wire.ts'
import { DEFAULT_RETENTION } from '../../settings/retention.ts'
import { publicHours } from '../../settings/support-hours-wire.ts'
import { settings, settingsConflict } from '../../settings/wire.ts'
import { accountHistory } from '../../staff/account-history-wire.ts'
import { apiTokens, madeToken } from '../../staff/api-token-wire.ts'
import { accounts, colleagues, me, pushKey } from '../../staff/wire.ts'
import { exactly } from '../exactly.ts'
import { fromTheFuture, NEW_WORD } from '../future.ts'

const AT = '2026-11-18T10:00:00.000Z'

const LEAD: Sent<typeof lead> = {
  id: 'a',
  name: 'Jane Doe',
  email: 'jane@example.com',
  phone: '0821234567',
  phoneLinks: { shown: '082 123 4567', call: 'tel:+27821234567', whatsapp: 'https://wa.me/27821234567' },
  company: null,
  businessName: null,
  industry: null,
  package: null,
  message: null,
  timeline: null,
  leadSource: 'hero_form',
  pageUrl: null,
  agreedToTerms: null,
  firstTouch: {
    source: 'x',
    medium: null,
    campaign: null,
    term: null,
    content: null,
    referrer: null,
    landingPage: '/',
  },
  lastTouch: null,
  suspicion: ['trap'],
  timestamp: AT,
  followUpStatus: 'new',
  conversionDate: null,
  projectValue: null,
  ownerId: null,
  nextActionDate: null,
  answeredAt: null,
  answeredBy: null,
  givenAnswers: [],
  emailStatus: 'pending',
  version: 1,
}
const CHANGE = { id: 'e', by: 'Thandi', timestamp: AT, data: { followUpStatus: 'won' } }
const ENTRY = {
  id: 'e',
  kind: 'note',
  timestamp: AT,
  by: null,
  leadId: 'a',
  sessionId: null,
  data: { note: 'Call' },
  isUndoable: true,
  isUndone: false,
} as const
const MESSAGE = {
  id: 'm',
  sequence: 1,
  sessionId: 's',
  senderType: 'visitor',
  senderName: 'Ana',
  message: 'Hi',
  timestamp: AT,
} as const
const SESSION: Sent<typeof chat.chatSession> = {
  sessionId: 's',
  visitorName: 'Ana',
  visitorEmail: null,
  visitorPhone: '082 555 0142',
  pageUrl: null,
  userAgent: null,
  isActive: true,
  startTime: AT,
  endTime: null,
}
const RECEIPTS = { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 1, seen: 1 } }
const OUTLINE = {
  lastSequence: 1,
  answered: 0,
  waitingSince: AT,
  last: { senderType: 'visitor', senderName: 'Ana', message: 'Hi', timestamp: AT },
} as const
const EMAIL = {
  id: 'x',
  subject: 'New contract',
  person: null,
  recipient: 'agency',
  to: ['a@example.com'] as string[],
  fields: [['name', 'Ana'] as [string, string]],
  isErased: false,
  about: { leadId: 'a' },
  state: 'blocked',
  isStuck: true,
  isContract: true,
  isUnderWay: false,
  attempts: 1,
  tries: [{ at: AT, kind: 'blocked', answer: '403' }],
  dueAt: AT,
  askedAt: AT,
  createdAt: AT,
} as const
const HOURS = { days: [1, 2], opensAtMinute: 480, closesAtMinute: 1080 }
const SETTINGS: Sent<typeof settings> = {
  version: 3,
  supportHours: HOURS,
  supportHoursHistory: [{ validFrom: AT, hours: HOURS }],
  replies: [{ name: 'First', subject: 'Hello', text: 'Hi {name}', chat: false, email: true, whatsapp: false }],
  inboxAddresses: ['a@example.com'],
  offer: { text: '30% off', lastDay: '2026-12-24', packages: [{ id: 'premium', usualPrice: 2_199 }] },
  showcase: {
    socialLinks: [{ name: 'Facebook', href: 'https://facebook.example' }],
    works: [{ name: 'Nkosi Bakery', href: 'https://nkosi.example' }],
    reviews: [{ text: 'Fast.', name: 'Ana' }],
    people: [{ name: 'Lerato', role: 'Support', photo: null }],
    claims: [{ id: 'rating', figure: '4.8', label: 'our rating on Google' }],
  },
  packages: {
    essential: {
      name: 'Starter',
      once: 1_200,
      monthly: null,
      months: 12,
      noticeDays: 30,
      forWhom: 'For a new business.',
      features: ['3 pages'],
      delivery: '7 days',
      summary: 'A small website.',
      included: ['3 pages'],
      notIncluded: [],
      terms: ['R999 is paid to start.'],
    },
  },
  quoteLabels: { essential: 'Essential - R999' },
  chatGreetings: [{ page: '/', afterSeconds: 30, text: 'May we help?', isAnyTime: false }],
  company: {
    registeredName: 'Karoo Web Studio (Pty) Ltd',
    registrationNumber: '2019/123456/07',
    vat: 'registered',
    vatNumber: '4123456789',
    address: '12 Loop Street, Cape Town, 8001',
    guarantee: 'Not happy with the first design? We give your money back.',
  },
  weekStart: 'monday',
  retention: DEFAULT_RETENTION,
  emailServer: { host: 'smtp.example.com', port: 587, username: 'site', hasPassword: true, from: null },
}
const PERSON = { id: 'u', username: 'thandi', displayName: 'Thandi', role: 'agent' } as const
const ME = { ...PERSON, leadsLayout: 'cards' as const, photo: null }
const OVERVIEW: Sent<typeof overview> = {
  asOf: '2026-11-18',
  from: '2026-11-01',
  leads: 1,
  daily: [{ day: '2026-11-18', source: 'hero_form', leads: 1 }],
  sources: [{ source: 'hero_form', leads: 1, won: 0 }],
  packages: [{ package: 'none', leads: 1, won: 0 }],
  recurring: [{ day: '2026-11-18', monthly: 499 }],
  replies: [{ time: 'waiting', leads: 1 }],
  overdue: 0,
  chatRatings: [{ score: 'good', ratings: 2 }],
  won: { leads: 0, value: 0, daily: [] },
}

const sample = <Schema extends v.GenericSchema>(name: string, schema: Schema, answer: Sent<Schema>) => ({
  name,
  schema: schema as v.GenericSchema,
  answer: answer as unknown,
})

const SAMPLES = [
  sample('lead', lead, LEAD),
  sample('leads', leads, [LEAD]),
  sample('leadSummary', leadSummary, { total: 1, days: [{ day: '2026-11-18', count: 1 }] }),
  sample('leadConflict', leadConflict, { lead: LEAD, changes: [CHANGE] }),
  sample('person', person, {
    leads: [LEAD],
    timeline: [ENTRY],
    links: [{ id: 'a', links: [{ by: 'email', leadId: 'b' }] }],
  }),
  sample('erasable', erasable, {
    asOf: 7,
    leads: [
      {
        id: 'a',
        name: 'Ana',
        company: null,
        email: '',
        phone: '',
        timestamp: AT,
        mergedInto: null,
        addresses: [0],
        links: [],
      },
      {
        id: 'b',
        name: 'Ben',
        company: null,
        email: '',
        phone: '',
        timestamp: AT,
        mergedInto: null,
        addresses: [],
        links: [{ by: 'phone', leadId: 'a' }],
      },
    ],
    chats: [
      { sessionId: 's', visitorName: 'Ana', startTime: AT, messages: 2, leadIds: ['a'] },
      { sessionId: 't', visitorName: 'Ana', startTime: AT, messages: 2, addresses: [0] },
    ],
  }),
  sample('leadHistory', leadHistory, [
    { ...CHANGE, type: 'LeadSubmitted', version: 1, actor: { type: 'visitor' }, requestId: 'r' },
  ]),
  sample('accountHistory', accountHistory, [
    {
      id: 'e',
      type: 'StaffSignedIn',
      timestamp: AT,
      account: { id: 'u', displayName: 'Thandi' },
      by: null,
      from: { network: '203.0.x.x', browser: 'Firefox', system: 'Windows', isHere: true },
      data: { isKnownDevice: false },
    },
    {
      id: 'f',
      type: 'StaffSignInsCounted',
      timestamp: AT,
      account: null,
      by: null,
      from: null,
      data: { failures: 3, since: AT, until: AT },
    },
  ]),
  sample('chatList', chat.chatList, [
    {
      ...SESSION,
      lastSequence: 1,
      lastActivity: AT,
      receipts: RECEIPTS,
      leadId: null,
      assigned: { version: 0, to: null },
      score: null,
    },
  ]),
  sample('chatRecord', chat.chatRecord, {
    session: { ...SESSION, greeting: 'Need a hand?' },
    endedBy: 'idle',
    isErased: false,
    messages: [MESSAGE],
    hasEarlierMessages: false,
    pages: [{ pageUrl: '/', timestamp: AT }],
    receipts: RECEIPTS,
    leadId: null,
    transcripts: [{ timestamp: AT, by: null, upTo: 1 }],
    linkRevocations: [{ timestamp: AT, by: null }],
    assignments: [],
    rating: null,
  }),
  sample('waitingChats', chat.waitingChats, {
    count: 1,
    handed: [{ sessionId: 's', visitorName: 'Ana', from: 'Thandi', timestamp: AT }],
  }),
  sample('waitingLeads', waitingLeads, { count: 1, overdue: 0, newest: [{ id: '1', timestamp: AT }] }),
  sample('listedEmails', listedEmails, [{ ...EMAIL, fields: [...EMAIL.fields], tries: [...EMAIL.tries] }]),
  sample('emailSummary', emailSummary, {
    isSetUp: false,
    attention: 1,
    waiting: 0,
    stuck: 1,
    delivered: 0,
    needs_activation: 0,
    blocked: 1,
    rejected: 0,
    expired: 0,
    uncertain: 0,
    partial: 0,
    outbox: 0,
  }),
  sample('emailServerState', emailServerState, {
    source: 'settings',
    from: 'hello@agency.example',
    isFromSet: false,
    hasService: false,
    lastSent: { at: AT, answer: '250 OK' },
    lastFailed: null,
    test: { state: 'failed', answer: '535' },
  }),
  sample('emailTest', emailTest, { id: 'e', to: 'hello@agency.example' }),
  sample('outbox', outbox, [{ id: 'x', storedAt: AT, subject: 'New contract', fields: [['name', 'Ana']] }]),
  sample('me', me, ME),
  sample('pushKey', pushKey, { publicKey: 'B' }),
  sample('accounts', accounts, [{ ...PERSON, createdAt: AT, hasTwoFactor: false }]),
  sample('colleagues', colleagues, [{ id: 'u', displayName: 'Thandi', photo: null }]),
  sample('apiTokens', apiTokens, [
    {
      id: 't',
      name: 'Bookkeeping',
      scopes: ['leads:read'],
      prefix: 'agency_k3',
      madeBy: 'Thandi',
      madeById: 'u',
      madeAt: AT,
      expiresAt: null,
      lastUsedAt: AT,
      isEndedByRestore: false,
    },
  ]),
  sample('madeToken', madeToken, { id: 't', token: 'agency_k3' }),
  sample('publicHours', publicHours, { ...HOURS, reachesPeople: false }),
  sample('settings', settings, SETTINGS),
  sample('settingsConflict', settingsConflict, { settings: SETTINGS, by: null }),
  sample('overview', overview, OVERVIEW),
  sample('today', today, {
    overdue: { count: 1, leads: [LEAD] },
    dueSoon: { count: 0, leads: [] },
    fresh: { count: 0, leads: [] },
    quarantined: { count: 1, leads: [LEAD] },
    nextActions: { count: 0, leads: [] },
    otherRequests: [
      {
        leadId: LEAD.id,
        otherId: 'l2',
        name: 'Ana',
        followUpStatus: 'contacted',
        answeredAt: AT,
        answeredBy: null,
        ownerId: 's1',
      },
    ],
    chats: { count: 1, chats: [{ sessionId: 's', visitorName: 'Ana', waitingSince: AT, lastWords: 'Hi' }] },
    emails: { count: 1, emails: [{ ...EMAIL, fields: [...EMAIL.fields], tries: [...EMAIL.tries] }] },
  }),
  sample('stalledConsumers', stalledConsumers, [{ consumer: 'leads', since: null }]),
  sample('error frame', serverFrame, { type: 'error', code: 'unavailable', message: 'Later' }),
  sample('message frame', serverFrame, { type: 'new_message', ...MESSAGE }),
  sample('receipt frame', serverFrame, { type: 'receipt', sessionId: 's', party: 'admin', delivered: 1, seen: 1 }),
  sample('list frame', serverFrame, {
    type: 'active_sessions',
    sessions: [
      { ...SESSION, lastSequence: 1, receipts: RECEIPTS, outline: OUTLINE, assigned: { version: 0, to: null } },
    ],
    total: 1,
  }),
  sample('outlines frame', serverFrame, {
    type: 'chat_outlines',
    chats: [
      { sessionId: 's', ...OUTLINE },
      { sessionId: 't', ...OUTLINE, waitingSince: null, last: null },
    ],
  }),
]

describe.each(SAMPLES)('the contract $name', ({ schema, answer }) => {
  test('is met exactly by a response of this version', () => {
    expect(() => exactly(schema, answer)).not.toThrow()
  })

  test('accepts a newer node’s response, with fields and words that it does not know', () => {
    expect(v.safeParse(schema, fromTheFuture(answer)).issues).toBeUndefined()
  })
})

test('a reader gets new words unchanged, and no field that it does not know', () => {
  const read = v.parse(lead, fromTheFuture(LEAD))
  expect(read.followUpStatus).toBe(NEW_WORD)
  expect(read.suspicion).toEqual([NEW_WORD])
  expect(read).not.toHaveProperty('addedLater')
})

test.each([
  ['a field more', { ...LEAD, addedLater: 1 }],
  ['a field more in a part', { ...LEAD, firstTouch: { ...LEAD.firstTouch, addedLater: 1 } }],
  ['an unknown word', { ...LEAD, followUpStatus: NEW_WORD }],
  ['an unknown word in a list', { ...LEAD, suspicion: [NEW_WORD] }],
  ['a field less', { ...LEAD, version: undefined }],
  ['another type', { ...LEAD, projectValue: '1' }],
])('a response of this version with %s does not meet its contract', (_, answer) => {
  expect(() => exactly(lead, answer)).toThrow()
})
