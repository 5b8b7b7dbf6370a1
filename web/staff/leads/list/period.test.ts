import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../events/base/agency-day.ts'
import { dayOf, FIRST_DAY, LAST_DAY, momentOf, timeOf } from '../../day.ts'
import { instantsOf, type Period, periodTitle, rangeOf } from './period.ts'

const SUNDAY = 0
const MONDAY = 1

describe('a period', () => {
  it('is a day, or the week or month that contains it', () => {
    expect(rangeOf('day', '2026-11-21', SUNDAY)).toEqual({ first: '2026-11-21', last: '2026-11-21' })
    expect(rangeOf('week', '2026-11-21', SUNDAY)).toEqual({ first: '2026-11-15', last: '2026-11-21' })
    expect(rangeOf('week', '2026-11-22', SUNDAY)).toEqual({ first: '2026-11-22', last: '2026-11-28' })
    expect(rangeOf('week', '2026-11-22', MONDAY)).toEqual({ first: '2026-11-16', last: '2026-11-22' })
    expect(rangeOf('month', '2026-11-30', SUNDAY)).toEqual({ first: '2026-11-01', last: '2026-11-30' })
    expect(rangeOf('month', '2028-02-29', SUNDAY)).toEqual({ first: '2028-02-01', last: '2028-02-29' })
    expect(rangeOf('week', '2027-01-01', SUNDAY)).toEqual({ first: '2026-12-27', last: '2027-01-02' })
    expect(rangeOf('last7', '2026-11-21', SUNDAY)).toEqual({ first: '2026-11-15', last: '2026-11-21' })
    expect(rangeOf('last30', '2026-11-30', SUNDAY)).toEqual({ first: '2026-11-01', last: '2026-11-30' })
    expect(rangeOf('all', '2027-01-01', SUNDAY)).toEqual({ first: FIRST_DAY, last: LAST_DAY })
  })

  it('is titled by its day, its week or its month', () => {
    const title = (period: Period) => periodTitle(period, rangeOf(period, '2026-11-21', SUNDAY))
    expect(title('day')).toBe('Saturday, 21 November 2026')
    expect(title('week')).toBe('Week of 15 November 2026 - 21 November 2026')
    expect(title('month')).toBe('November 2026')
    expect(title('all')).toBe('All dates')
  })

  it('begins and ends at midnight in South Africa, on days when clocks elsewhere change too', () => {
    const spans = (day: string) => {
      const { from, to } = instantsOf({ first: day, last: day })
      return [from.toISOString(), to.toISOString()]
    }
    expect(spans('2026-11-01')).toEqual(['2026-10-31T22:00:00.000Z', '2026-11-01T22:00:00.000Z'])
    expect(spans('2026-03-29')).toEqual(['2026-03-28T22:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  })
})

describe('a day', () => {
  it('is that of South Africa', () => {
    expect(dayOf('2026-01-31T21:59:59.999Z')).toBe('2026-01-31')
    expect(dayOf('2026-01-31T22:00:00.000Z')).toBe('2026-02-01')
    expect(timeOf('2026-01-31T22:00:00.000Z')).toBe('00:00')
    expect(momentOf('2026-01-31T22:00:00.000Z')).toBe('Sunday, 1 February 2026, 00:00')
  })

  it('is counted across months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })
})
