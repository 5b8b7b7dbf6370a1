import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isPublicHoliday } from './public-holidays.ts'
import {
  afterSupportTime,
  areApart,
  backAt,
  backInWords,
  closedFor,
  DEFAULT_SUPPORT_HOURS,
  hoursInWords,
  openingHours,
  type SupportHours,
  supportTimeBetween,
} from './support-time.ts'

const back = (now: string) => backAt(new Date(now))?.toISOString()

describe('support hours', () => {
  test.each([
    ['a second before 8AM', '2026-11-18T07:59:59.999+02:00', '2026-11-18T06:00:00.000Z'],
    ['at 8AM', '2026-11-18T08:00:00.000+02:00', undefined],
    ['at noon', '2026-11-18T12:00:00+02:00', undefined],
    ['a moment before 6PM', '2026-11-18T17:59:59.999+02:00', undefined],
    ['at 6PM', '2026-11-18T18:00:00.000+02:00', '2026-11-19T06:00:00.000Z'],
    ['at midnight', '2026-11-18T00:00:00+02:00', '2026-11-18T06:00:00.000Z'],
    ['on Friday at 6PM', '2026-11-20T18:00:00+02:00', '2026-11-23T06:00:00.000Z'],
    ['on Saturday at noon', '2026-11-21T12:00:00+02:00', '2026-11-23T06:00:00.000Z'],
    ['on Sunday a moment before midnight', '2026-11-22T23:59:59.999+02:00', '2026-11-23T06:00:00.000Z'],
  ])('%s', (_, now, expected) => {
    expect(back(now)).toBe(expected)
  })

  test.each([
    ['New York, where it is still Sunday', '2026-11-22T23:30:00-05:00', '2026-11-23T06:00:00.000Z'],
    ['New York, at half past two at night', '2026-11-23T02:30:00-05:00', undefined],
    ['Sydney, on Monday before the team starts', '2026-11-23T16:59:00+11:00', '2026-11-23T06:00:00.000Z'],
    ['Sydney, on Saturday while it is Friday here', '2026-11-21T01:00:00+11:00', undefined],
    ['UTC, at six', '2026-11-23T06:00:00Z', undefined],
  ])('are those of Johannesburg for a visitor in %s', (_, now, expected) => {
    expect(back(now)).toBe(expected)
  })

  test.each([
    ['over Easter', '2026-04-02T18:00:00+02:00', '2026-04-07T06:00:00.000Z'],
    ['over an Easter that ends at Freedom Day', '2038-04-22T18:00:00+02:00', '2038-04-28T06:00:00.000Z'],
    ['on Freedom Day', '2026-04-27T10:00:00+02:00', '2026-04-28T06:00:00.000Z'],
    ['at Christmas', '2026-12-24T18:30:00+02:00', '2026-12-28T06:00:00.000Z'],
    ['from one year to the next', '2026-12-31T18:00:00+02:00', '2027-01-04T06:00:00.000Z'],
  ])('have a pause %s', (_, now, expected) => {
    expect(back(now)).toBe(expected)
  })

  it('reopen later than now, within six days, at 8AM of a working day', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, (now) => {
        const opens = backAt(now)
        if (!opens) return
        expect(opens.getTime()).toBeGreaterThan(now.getTime())
        expect(opens.getTime() - now.getTime()).toBeLessThan(6 * 24 * 60 * 60 * 1000)
        expect(opens.toISOString()).toMatch(/T06:00:00\.000Z$/)
        expect(backAt(opens)).toBeUndefined()
      }),
    )
  })
})

describe('public holidays', () => {
  test.each([
    ['2024-03-29', '2024-04-01'],
    ['2025-04-18', '2025-04-21'],
    ['2026-04-03', '2026-04-06'],
    ['2027-03-26', '2027-03-29'],
    ['2038-04-23', '2038-04-26'],
  ])('know Good Friday and Family Day: %s and %s', (...days) => {
    expect(days.map(isPublicHoliday)).toEqual([true, true])
  })

  it('add the Monday after a holiday on a Sunday, and not the one after a Saturday', () => {
    expect(['2026-08-09', '2026-08-10', '2025-06-17', '2026-09-26'].map(isPublicHoliday)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('when staff are back', () => {
  test.each([
    ['2026-11-18T06:30:00+02:00', 'today at 08:00'],
    ['2026-11-18T19:00:00+02:00', 'tomorrow at 08:00'],
    ['2026-11-20T19:00:00+02:00', 'on Monday at 08:00'],
    ['2026-11-22T19:00:00+02:00', 'tomorrow at 08:00'],
    ['2026-11-23T01:00:00+02:00', 'today at 08:00'],
    ['2026-04-02T18:00:00+02:00', 'on Tuesday at 08:00'],
  ])('reads, at %s, as: %s', (now, expected) => {
    const opens = backAt(new Date(now))
    expect(opens && backInWords(opens, new Date(now))).toBe(expected)
  })
})

/** Hours as owners may set them. */
const anyHours: fc.Arbitrary<SupportHours> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    opensAtMinute: fc.integer({ min: 0, max: 24 * 60 - 1 }),
    lengthMinutes: fc.integer({ min: 1, max: 24 * 60 - 1 }),
    breakMinutes: fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined }),
    byDay: fc.uniqueArray(
      fc.record({
        day: fc.integer({ min: 1, max: 7 }),
        opensAtMinute: fc.constantFrom(60, 22 * 60),
        closesAtMinute: fc.constantFrom(90, 3 * 60),
      }),
      { selector: ({ day }) => day, maxLength: 3 },
    ),
    closures: fc.array(
      fc.constantFrom(
        { from: '2026-03-02', until: '2026-03-20', word: '' },
        { from: '2027-12-15', until: '2028-01-09', word: 'Away' },
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ days, opensAtMinute, lengthMinutes, breakMinutes, ...rest }) => {
    const hours = { opensAtMinute, closesAtMinute: (opensAtMinute + lengthMinutes) % (24 * 60) }
    const opensAgain = opensAtMinute + lengthMinutes + (breakMinutes ?? 0)
    const second = { opensAtMinute: opensAgain, closesAtMinute: (opensAgain + 30) % (24 * 60) }
    const hasSecond = breakMinutes !== undefined && opensAgain < 24 * 60 && areApart({ ...hours, second })
    return { ...rest, ...hours, days: days.sort(), ...(hasSecond && { second }) }
  })

const anyInstant = fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })

const WEEKEND_TOO: SupportHours = { days: [1, 2, 3, 4, 5, 6], opensAtMinute: 9 * 60 + 30, closesAtMinute: 13 * 60 }
const ALWAYS: SupportHours = { days: [1, 2, 3, 4, 5, 6, 7], opensAtMinute: 0, closesAtMinute: 24 * 60 }

describe('changed hours', () => {
  test.each([
    ['2026-11-21T09:29:59+02:00', '2026-11-21T07:30:00.000Z'],
    ['2026-11-21T09:30:00+02:00', undefined],
    ['2026-11-21T13:00:00+02:00', '2026-11-23T07:30:00.000Z'],
    ['2026-12-24T13:00:00+02:00', '2026-12-28T07:30:00.000Z'],
  ])('at %s someone is back at %s', (now, expected) => {
    expect(backAt(new Date(now), WEEKEND_TOO)?.toISOString()).toBe(expected)
  })

  it('of all days leave out only the holidays', () => {
    expect(backAt(new Date('2026-11-22T03:00:00+02:00'), ALWAYS)).toBeUndefined()
    expect(backAt(new Date('2026-12-25T03:00:00+02:00'), ALWAYS)?.toISOString()).toBe('2026-12-26T22:00:00.000Z')
  })

  it('are open or closed at every instant, and reopen when they say', () => {
    fc.assert(
      fc.property(anyInstant, anyHours, (now, hours) => {
        const opens = backAt(now, hours)
        if (!opens) return
        expect(opens.getTime()).toBeGreaterThan(now.getTime())
        expect(backAt(opens, hours)).toBeUndefined()
        expect(backAt(new Date(opens.getTime() - 1), hours)).toEqual(opens)
      }),
    )
  })
})

describe('single days and closures', () => {
  const OWN: SupportHours = {
    ...DEFAULT_SUPPORT_HOURS,
    byDay: [{ day: 5, opensAtMinute: 9 * 60, closesAtMinute: 15 * 60 }],
    closures: [
      { from: '2026-12-18', until: '2027-01-08', word: 'Closed for the summer' },
      { from: '2026-11-25', until: '2026-11-25', word: '' },
    ],
  }

  test.each([
    ['on a Friday that ends earlier', '2026-11-27T15:00:00+02:00', '2026-11-30T06:00:00.000Z'],
    ['on a Friday that begins later', '2026-11-27T08:30:00+02:00', '2026-11-27T07:00:00.000Z'],
    ['on a day that is closed', '2026-11-25T10:00:00+02:00', '2026-11-26T06:00:00.000Z'],
    ['over the summer', '2026-12-17T18:00:00+02:00', '2027-01-11T06:00:00.000Z'],
    ['on the last closed day', '2027-01-08T12:00:00+02:00', '2027-01-11T06:00:00.000Z'],
    ['on the day before', '2026-12-17T12:00:00+02:00', undefined],
  ])('%s', (_, now, expected) => {
    expect(backAt(new Date(now), OWN)?.toISOString()).toBe(expected)
  })

  it('count for the promise of a reply', () => {
    const from = new Date('2026-12-17T17:00:00+02:00')
    const by = afterSupportTime(from, 2 * 60 * 60_000, OWN)
    expect(by.toISOString()).toBe('2027-01-11T07:00:00.000Z')
    expect(supportTimeBetween(from, by, OWN)).toBe(2 * 60 * 60_000)
    const friday = new Date('2026-11-27T14:00:00+02:00')
    expect(afterSupportTime(friday, 2 * 60 * 60_000, OWN).toISOString()).toBe('2026-11-30T07:00:00.000Z')
  })

  it('give the reason for a closed day, if it has one', () => {
    expect(closedFor(new Date('2026-12-31T23:59:00+02:00'), OWN)).toBe('Closed for the summer')
    expect(closedFor(new Date('2026-11-25T10:00:00+02:00'), OWN)).toBeUndefined()
    expect(closedFor(new Date('2026-11-26T10:00:00+02:00'), OWN)).toBeUndefined()
  })

  it('are stated by the hours that days share', () => {
    expect(hoursInWords(OWN)).toBe('Mon-Thu 8AM-6PM, Fri 9AM-3PM SAST')
    expect(openingHours(OWN)).toBe('Mo-Th 08:00-18:00 Fr 09:00-15:00')
  })

  it('name the date of a day that is a week away or more', () => {
    const now = new Date('2026-12-18T10:00:00+02:00')
    const back = backAt(now, OWN)
    expect(back && backInWords(back, now)).toBe('on Monday 11 January at 08:00')
  })
})

describe('hours past midnight, and two spans per day', () => {
  const NIGHTS: SupportHours = { days: [5, 6], opensAtMinute: 21 * 60, closesAtMinute: 2 * 60 }
  const LUNCH: SupportHours = {
    days: [1, 2, 3, 4, 5],
    opensAtMinute: 8 * 60,
    closesAtMinute: 12 * 60,
    second: { opensAtMinute: 13 * 60, closesAtMinute: 17 * 60 },
    byDay: [{ day: 5, opensAtMinute: 9 * 60, closesAtMinute: 15 * 60 }],
  }

  test.each([
    ['on a Friday evening', NIGHTS, '2026-11-20T20:59:59+02:00', '2026-11-20T19:00:00.000Z'],
    ['on a Friday night', NIGHTS, '2026-11-20T23:30:00+02:00', undefined],
    ['after midnight of a Friday', NIGHTS, '2026-11-21T01:59:59+02:00', undefined],
    ['at the end of a Friday', NIGHTS, '2026-11-21T02:00:00+02:00', '2026-11-21T19:00:00.000Z'],
    ['after midnight of a Saturday, which is Sunday', NIGHTS, '2026-11-22T01:00:00+02:00', undefined],
    ['at the end of a Saturday', NIGHTS, '2026-11-22T02:00:00+02:00', '2026-11-27T19:00:00.000Z'],
    ['before midnight of a Thursday', NIGHTS, '2026-11-19T23:00:00+02:00', '2026-11-20T19:00:00.000Z'],
    ['into a public holiday', NIGHTS, '2026-12-26T01:00:00+02:00', '2027-01-02T19:00:00.000Z'],
    ['before lunch', LUNCH, '2026-11-18T11:59:00+02:00', undefined],
    ['at lunch', LUNCH, '2026-11-18T12:00:00+02:00', '2026-11-18T11:00:00.000Z'],
    ['after lunch', LUNCH, '2026-11-18T13:00:00+02:00', undefined],
    ['in the evening', LUNCH, '2026-11-18T17:00:00+02:00', '2026-11-19T06:00:00.000Z'],
    ['on a day without a lunch', LUNCH, '2026-11-20T12:30:00+02:00', undefined],
  ])('%s', (_, hours, now, expected) => {
    expect(backAt(new Date(now), hours)?.toISOString()).toBe(expected)
  })

  test.each([
    [NIGHTS, '2026-11-21T01:00:00+02:00', '2026-11-21T20:00:00.000Z'],
    [LUNCH, '2026-11-18T11:00:00+02:00', '2026-11-18T12:00:00.000Z'],
    [LUNCH, '2026-11-18T12:30:00+02:00', '2026-11-18T13:00:00.000Z'],
    [LUNCH, '2026-11-19T16:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ])('two hours of support time pass', (hours, from, expected) => {
    expect(afterSupportTime(new Date(from), 2 * 60 * 60_000, hours).toISOString()).toBe(expected)
  })

  it('say when staff are back', () => {
    const now = new Date('2026-11-18T12:15:00+02:00')
    expect(backInWords(backAt(now, LUNCH) ?? now, now)).toBe('today at 13:00')
  })

  it('do not overlap, or are refused', () => {
    const span = (opensAtMinute: number, closesAtMinute: number) => ({ opensAtMinute, closesAtMinute })
    expect(areApart({ ...span(480, 720), second: span(780, 1_020) })).toBe(true)
    expect(areApart({ ...span(780, 1_020), second: span(480, 720) })).toBe(true)
    expect(areApart({ ...span(1_260, 120), second: span(540, 720) })).toBe(true)
    expect(areApart({ ...span(480, 800), second: span(780, 1_020) })).toBe(false)
    expect(areApart({ ...span(1_260, 600), second: span(540, 720) })).toBe(false)
  })

  it('are stated', () => {
    expect(hoursInWords(NIGHTS)).toBe('Fri-Sat 9PM-2AM SAST')
    expect(hoursInWords(LUNCH)).toBe('Mon-Thu 8AM-12PM and 1PM-5PM, Fri 9AM-3PM SAST')
    expect(openingHours(NIGHTS)).toBe('Fr-Sa 21:00-02:00')
    expect(openingHours(LUNCH)).toBe('Mo-Th 08:00-12:00 Mo-Th 13:00-17:00 Fr 09:00-15:00')
  })
})

describe('support time', () => {
  const later = (from: string, minutes: number, hours = DEFAULT_SUPPORT_HOURS) =>
    afterSupportTime(new Date(from), minutes * 60_000, hours).toISOString()

  test.each([
    ['within a day', '2026-11-18T10:00:00+02:00', '2026-11-18T10:00:00.000Z'],
    ['from before it opens', '2026-11-18T03:00:00+02:00', '2026-11-18T08:00:00.000Z'],
    ['up to the very end of a day', '2026-11-18T16:00:00+02:00', '2026-11-18T16:00:00.000Z'],
    ['over a night', '2026-11-18T17:00:00+02:00', '2026-11-19T07:00:00.000Z'],
    ['over a weekend', '2026-11-20T17:30:00+02:00', '2026-11-23T07:30:00.000Z'],
    ['from a Saturday', '2026-11-21T12:00:00+02:00', '2026-11-23T08:00:00.000Z'],
    ['over Christmas', '2026-12-24T17:00:00+02:00', '2026-12-28T07:00:00.000Z'],
    ['over Easter', '2026-04-02T16:30:00+02:00', '2026-04-07T06:30:00.000Z'],
  ])('two hours of it pass %s', (_, from, expected) => {
    expect(later(from, 120)).toBe(expected)
  })

  it('passes by the hours that are set', () => {
    expect(later('2026-11-20T12:00:00+02:00', 120, WEEKEND_TOO)).toBe('2026-11-21T08:30:00.000Z')
    expect(later('2026-11-20T23:00:00+02:00', 120, ALWAYS)).toBe('2026-11-20T23:00:00.000Z')
    expect(later('2026-11-18T08:00:00+02:00', 25 * 60)).toBe('2026-11-20T11:00:00.000Z')
  })

  it('is the time between an instant and its later one', () => {
    const minutes = fc.integer({ min: 1, max: 5_000 })
    fc.assert(
      fc.property(anyInstant, minutes, anyHours, (from, wanted, hours) => {
        const to = afterSupportTime(from, wanted * 60_000, hours)
        expect(supportTimeBetween(from, to, hours)).toBe(wanted * 60_000)
        expect(supportTimeBetween(from, new Date(to.getTime() - 1), hours)).toBe(wanted * 60_000 - 1)
      }),
      { numRuns: 200 },
    )
  })

  it('adds up, is never more than the clock’s, and is none if reversed', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.integer({ min: 0, max: 40 * 24 * 60 }),
        fc.nat(100),
        anyHours,
        (from, far, part, hours) => {
          const to = new Date(from.getTime() + far * 60_000)
          const middle = new Date(from.getTime() + Math.floor((far * 60_000 * part) / 100))
          const whole = supportTimeBetween(from, to, hours)
          expect(supportTimeBetween(from, middle, hours) + supportTimeBetween(middle, to, hours)).toBe(whole)
          expect(whole).toBeLessThanOrEqual(to.getTime() - from.getTime())
          expect(far === 0 || supportTimeBetween(to, from, hours) === 0).toBe(true)
        },
      ),
    )
  })
})

describe('hours in words', () => {
  test.each([
    [DEFAULT_SUPPORT_HOURS, 'Mon-Fri 8AM-6PM SAST', 'Mo-Fr 08:00-18:00'],
    [WEEKEND_TOO, 'Mon-Sat 9:30AM-1PM SAST', 'Mo-Sa 09:30-13:00'],
    [ALWAYS, 'Mon-Sun all day SAST', 'Mo-Su 00:00-23:59'],
    [
      { days: [7, 1, 3], opensAtMinute: 720, closesAtMinute: 725 },
      'Mon, Wed, Sun 12PM-12:05PM SAST',
      'Mo,We,Su 12:00-12:05',
    ],
    [
      { days: [2, 3, 6, 7], opensAtMinute: 1, closesAtMinute: 60 },
      'Tue-Wed, Sat-Sun 12:01AM-1AM SAST',
      'Tu-We,Sa-Su 00:01-01:00',
    ],
  ])('%j', (hours, words, forSearchEngines) => {
    expect(hoursInWords(hours)).toBe(words)
    expect(openingHours(hours)).toBe(forSearchEngines)
  })
})
