import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { FIRST_CLAIMS } from './claims.ts'
import { NO_COMPANY } from './company.ts'
import { inboxAddressesForm } from './inbox-addresses.ts'
import { DEFAULT_SETTINGS, evolveSettings, type SettingsEvent } from './settings.ts'
import { claimsOf, NO_SHOWCASE, showcaseForm } from './showcase.ts'
import { supportHoursForm } from './support-hours.ts'

const BY = '00000000-0000-4000-8000-000000000001'

const messages = (schema: v.GenericSchema, input: unknown) =>
  v.safeParse(schema, input).issues?.map(({ message, path }) => [path?.map(({ key }) => key).join('.'), message]) ?? []

const GREETING = { page: '/', afterSeconds: 30, text: 'May we help?', isAnyTime: false }
const COMPANY = { ...NO_COMPANY, registeredName: 'Karoo Web Studio (Pty) Ltd', vat: 'not_registered' }
const CLAIM = { id: 'delivered', figure: '12', label: 'websites delivered' }

const HOURS = { days: [1, 2], opensAtMinute: 480, closesAtMinute: 1080 }

const times = ({ opensAtMinute, closesAtMinute }: typeof HOURS) => ({ opensAtMinute, closesAtMinute })

describe('support hours', () => {
  it('may continue past midnight, and have two spans per day', () => {
    const nights = { ...HOURS, opensAtMinute: 1_260, closesAtMinute: 120 }
    const second = { opensAtMinute: 1_140, closesAtMinute: 60 }
    for (const hours of [
      nights,
      { ...HOURS, second },
      { ...HOURS, byDay: [{ day: 1, ...times(nights), second: times(HOURS) }] },
    ])
      expect(v.parse(supportHoursForm, hours)).toEqual(hours)
  })

  it('have each day once and in order', () => {
    expect(v.parse(supportHoursForm, { ...HOURS, days: [5, 1, 5, 3] }).days).toEqual([1, 3, 5])
  })

  test.each([
    [{ ...HOURS, days: [] }, 'days', 'Choose at least one day'],
    [{ ...HOURS, closesAtMinute: 480 }, 'closesAtMinute', 'Must not be the opening time'],
    [
      { ...HOURS, second: { opensAtMinute: 1_200, closesAtMinute: 1_200 } },
      'second.closesAtMinute',
      'Must not be the opening time',
    ],
    [
      { ...HOURS, second: { opensAtMinute: 1_000, closesAtMinute: 1_200 } },
      'second',
      'Must not overlap with the first hours',
    ],
    [
      { ...HOURS, byDay: [{ day: 1, opensAtMinute: 9, closesAtMinute: 9 }] },
      'byDay.0.closesAtMinute',
      'Must not be the opening time',
    ],
    [
      { ...HOURS, byDay: Array(2).fill({ day: 1, opensAtMinute: 9, closesAtMinute: 10 }) },
      'byDay',
      'Name each day once',
    ],
    [{ ...HOURS, closures: [{ from: '', until: '2026-12-01' }] }, 'closures.0.from', 'Choose a day'],
    [
      { ...HOURS, closures: [{ from: '2026-12-02', until: '2026-12-01' }] },
      'closures.0.until',
      'Must not be before the first day',
    ],
    [
      { ...HOURS, closures: [{ from: '2026-12-02', until: '2028-12-01' }] },
      'closures.0.until',
      'A closure lasts a year at most',
    ],
    [
      { ...HOURS, closures: Array(51).fill({ from: '2026-12-01', until: '2026-12-01' }) },
      'closures',
      'At most 50 closures',
    ],
  ])('refuse %j', (hours, path, message) => {
    expect(messages(supportHoursForm, hours)).toEqual([[path, message]])
  })

  test.each([
    { ...HOURS, days: [0] },
    { ...HOURS, days: [8] },
    { ...HOURS, days: [1.5] },
    { ...HOURS, days: ['1'] },
    { ...HOURS, opensAtMinute: -1 },
    { ...HOURS, opensAtMinute: 1_440 },
    { ...HOURS, closesAtMinute: 1_441 },
    { ...HOURS, closesAtMinute: Number.NaN },
    { ...HOURS, more: true },
    { ...HOURS, byDay: [{ day: 8, opensAtMinute: 9, closesAtMinute: 10 }] },
    { ...HOURS, closures: [{ from: '2026-02-30', until: '2026-12-01' }] },
    { ...HOURS, closures: [{ from: '9999-01-01', until: '9999-01-01' }] },
    {},
    null,
  ])('refuse %j, which is no hours', (hours) => {
    expect(v.is(supportHoursForm, hours)).toBe(false)
  })
})

describe('inbox addresses', () => {
  it('are unique', () => {
    const addresses = ['a@agency.example', ' a@agency.example ', 'b@agency.example']
    expect(v.parse(inboxAddressesForm, { addresses }).addresses).toEqual(['a@agency.example', 'b@agency.example'])
  })

  it('are addresses, and at most ten', () => {
    expect(messages(inboxAddressesForm, { addresses: ['desk'] })).toEqual([
      ['addresses.0', 'Please enter a valid email address'],
    ])
    const eleven = Array.from({ length: 11 }, (_, index) => `desk${index}@agency.example`)
    expect(messages(inboxAddressesForm, { addresses: eleven })).toEqual([['addresses', 'At most 10 addresses']])
  })
})

const REPLY = { name: 'a', subject: null, text: 'Hello {name}', chat: false, email: false, whatsapp: true }

it('the last event of each part determines the settings', () => {
  const recordedAt = (day: number) => new Date(Date.UTC(2026, 0, day))
  const event = (type: string, version: number, data: object) =>
    ({ type, version, data: { ...data, by: BY }, recordedAt: recordedAt(version) }) as SettingsEvent
  const hours = { days: [6], opensAtMinute: 0, closesAtMinute: 60 }
  const events = [
    event('SupportHoursChanged', 1, HOURS),
    event('RepliesChanged', 2, { replies: [] }),
    event('SupportHoursChanged', 3, hours),
    event('InboxAddressesChanged', 4, { addresses: ['desk@agency.example'] }),
    event('OfferChanged', 5, { offer: null }),
    event('ShowcaseChanged', 6, { ...NO_SHOWCASE, works: [{ name: 'Nkosi', href: 'https://nkosi.example' }] }),
    event('PackagesChanged', 7, { packages: {} }),
    event('ShowcaseChanged', 8, { ...NO_SHOWCASE, claims: [CLAIM] }),
    event('ShowcaseChanged', 9, NO_SHOWCASE),
    event('RepliesChanged', 10, { replies: [REPLY] }),
    event('QuoteChoicesChanged', 11, { labels: { custom: 'Something else' } }),
    event('ChatGreetingsChanged', 12, { greetings: [GREETING] }),
    event('CompanyDetailsChanged', 13, COMPANY),
    event('WeekStartChanged', 14, { weekStart: 'monday' }),
  ]
  expect(events.reduce(evolveSettings, DEFAULT_SETTINGS)).toEqual({
    version: 14,
    replies: [REPLY],
    supportHours: hours,
    supportHoursHistory: [
      { validFrom: recordedAt(1), hours: HOURS },
      { validFrom: recordedAt(3), hours },
    ],
    inboxAddresses: ['desk@agency.example'],
    emailServer: null,
    offer: null,
    // a client without claims leaves them as they are
    showcase: { ...NO_SHOWCASE, claims: [CLAIM] },
    packages: {},
    quoteLabels: { custom: 'Something else' },
    chatGreetings: [GREETING],
    company: COMPANY,
    weekStart: 'monday',
    retention: DEFAULT_SETTINGS.retention,
  })
})

describe('claims', () => {
  it('are the defaults until owners set theirs, which may be none', () => {
    expect(claimsOf(NO_SHOWCASE)).toBe(FIRST_CLAIMS)
    expect(claimsOf({ ...NO_SHOWCASE, claims: [] })).toEqual([])
  })

  it('are short, complete, and unique', () => {
    const told = (claims: object[]) => messages(showcaseForm, { ...NO_SHOWCASE, claims })
    expect(told([CLAIM])).toEqual([])
    expect(told([CLAIM, CLAIM])).toEqual([['claims', 'Each claim only once']])
    expect(told([{ ...CLAIM, figure: ' ' }])).toEqual([['claims.0.figure', 'Write the figure too, or clear both']])
    expect(told([{ ...CLAIM, label: 'x'.repeat(41) }])).toEqual([['claims.0.label', 'Must be at most 40 characters']])
  })
})
