import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isPublicHoliday } from './public-holidays.ts'
import { backAt, backInWords } from './support-hours.ts'

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
    ['on Freedom Day', '2026-04-27T10:00:00+02:00', '2026-04-28T06:00:00.000Z'],
    ['at Christmas', '2026-12-24T18:30:00+02:00', '2026-12-28T06:00:00.000Z'],
    ['from one year to the next', '2026-12-31T18:00:00+02:00', '2027-01-04T06:00:00.000Z'],
  ])('have a pause %s', (_, now, expected) => {
    expect(back(now)).toBe(expected)
  })

  it('come back later than now, within five days, at 8AM of a day when someone is there', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, (now) => {
        const opens = backAt(now)
        if (!opens) return
        expect(opens.getTime()).toBeGreaterThan(now.getTime())
        expect(opens.getTime() - now.getTime()).toBeLessThan(5 * 24 * 60 * 60 * 1000)
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

describe('when someone is back', () => {
  test.each([
    ['2026-11-18T06:30:00+02:00', 'today at 8AM'],
    ['2026-11-18T19:00:00+02:00', 'tomorrow at 8AM'],
    ['2026-11-20T19:00:00+02:00', 'on Monday at 8AM'],
    ['2026-11-22T19:00:00+02:00', 'tomorrow at 8AM'],
    ['2026-11-23T01:00:00+02:00', 'today at 8AM'],
    ['2026-04-02T18:00:00+02:00', 'on Tuesday at 8AM'],
  ])('reads, at %s, as: %s', (now, expected) => {
    const opens = backAt(new Date(now))
    expect(opens && backInWords(opens, new Date(now))).toBe(expected)
  })
})
