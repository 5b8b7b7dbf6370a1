import type { Answer } from './server.ts'

/** The owner who is signed in unless a test says otherwise. */
export const THANDI = {
  id: '1128067a-94c7-4735-a125-0643e2a557f7',
  username: 'thandi',
  displayName: 'Thandi',
  role: 'owner',
  photo: null,
} as const

/** A colleague of hers, who is no owner. */
export const SIPHO = {
  id: '5f20dc71-c74c-4452-bd74-8f7c12a03af7',
  username: 'sipho',
  displayName: 'Sipho',
  role: 'agent',
  photo: null,
} as const

/** The settings of an agency that has changed nothing, as `GET /api/settings` answers them. */
export const SETTINGS = {
  version: 0,
  supportHours: {
    opensAtMinute: 480,
    closesAtMinute: 1080,
    days: [1, 2, 3, 4, 5],
  },
  supportHoursHistory: [],
  cannedReplies: [
    {
      shortcut: 'hello',
      text: 'Hello, and thank you for reaching out! How can we help you today?',
    },
    {
      shortcut: 'pricing',
      text: 'Our packages start at R999 once-off. May I ask what your business does?',
    },
    {
      shortcut: 'quote',
      text: 'We will send you a written quote by email within 24 hours.',
    },
  ],
  inboxAddresses: [],
  offer: {
    text: '50% off the setup of Professional and Premium',
    percentage: 50,
    lastDay: '2025-09-30',
    packages: [
      {
        id: 'professional',
        usualPrice: 4999,
      },
      {
        id: 'premium',
        usualPrice: 4999,
      },
    ],
  },
  showcase: {
    socialLinks: [],
    works: [],
    reviews: [],
    people: [],
  },
  packageTexts: {},
  answerTemplates: {
    emails: [
      {
        name: 'First answer',
        subject: 'Your request to {agency}, reference {reference}',
        text: 'Hello {name},\n\nThank you for your request. When would a short call suit you, so that we can talk about what {business} needs?\n\nKind regards\n{me}\n{agency}',
      },
      {
        name: 'Package details',
        subject: 'The {package} package, reference {reference}',
        text: 'Hello {name},\n\nThank you for your interest in the {package} package. To get started we need your logo, your texts and a few photos. Just answer this email.\n\nKind regards\n{me}\n{agency}',
      },
    ],
    whatsapp: 'Hello {name}, this is {me} from {agency} about your request, reference {reference}. Is now a good time?',
  },
  quoteLabels: {},
  chatGreetings: [],
  company: {
    registeredName: null,
    registrationNumber: null,
    vat: null,
    vatNumber: null,
    address: null,
    guarantee: null,
  },
  weekStart: 'sunday',
}

const COUNTS = {
  waiting: 0,
  stuck: 0,
  delivered: 0,
  needs_activation: 0,
  blocked: 0,
  rejected: 0,
  expired: 0,
  uncertain: 0,
  partial: 0,
  outbox: 0,
  attention: 0,
}

/** What every staff screen asks for: an agency of two, where nothing waits. */
export const QUIET: Record<string, Answer> = {
  'GET /api/me': THANDI,
  'GET /api/leads/waiting': { count: 0, overdue: 0, newest: [] },
  'GET /api/chats/waiting': { count: 0, newest: [], handed: [] },
  'GET /api/emails/summary': COUNTS,
  'GET /api/webhooks': [],
  'GET /api/standstill': [],
  'GET /api/settings': SETTINGS,
  'GET /api/staff': [THANDI, SIPHO].map(({ id, displayName, photo }) => ({ id, displayName, photo })),
  'GET /api/me/views': [],
}
