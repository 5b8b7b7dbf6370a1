import { describe, expect, it } from 'vitest'
import type { SupportHoursHistory } from '../../../../events/settings/support-hours-history.ts'
import { DEFAULT_SUPPORT_HOURS } from '../../../../events/settings/support-time.ts'
import { testLead } from '../../../testing/lead.ts'
import { replyClock } from './clock.ts'

/** Wednesday, in South Africa. */
const at = (time: string) => new Date(`2026-11-18T${time}+02:00`)
const clock = (submitted: Date, now: Date, more = {}, history: SupportHoursHistory = []) =>
  replyClock(testLead({ timestamp: submitted.toISOString(), ...more }), now, history)

describe('the clock of the two-hour promise', () => {
  it('counts down in support hours', () => {
    expect(clock(at('09:00:00'), at('09:00:00'))?.text).toBe('Answer by 11:00 (2 h)')
    expect(clock(at('09:00:00'), at('09:48:00'))?.text).toBe('Answer by 11:00 (1 h 12 min)')
    expect(clock(at('09:00:00'), at('10:59:30'))).toMatchObject({ text: 'Answer by 11:00 (1 min)', isOverdue: false })
  })

  it('then counts how long it is overdue', () => {
    expect(clock(at('09:00:00'), at('11:00:00'))).toMatchObject({ text: 'Overdue by 1 min', isOverdue: true })
    expect(clock(at('09:00:00'), at('11:35:40'))?.text).toBe('Overdue by 35 min')
    expect(clock(at('09:00:00'), at('13:05:00'))?.text).toBe('Overdue by 2 h 5 min')
  })

  it('shows the due time if the agency is closed for a part of the time left', () => {
    const friday = new Date('2026-11-20T17:00:00+02:00')
    expect(clock(friday, friday)?.text).toBe('Answer by Mon at 09:00')
    expect(clock(friday, new Date('2026-11-21T12:00:00+02:00'))?.text).toBe('Answer by Mon at 09:00')
    expect(clock(friday, new Date('2026-11-23T07:59:00+02:00'))?.text).toBe('Answer by 09:00')
    expect(clock(friday, new Date('2026-11-23T08:00:00+02:00'))?.text).toBe('Answer by 09:00 (1 h)')
    // Wednesday, Youth Day
    const holiday = new Date('2027-06-15T17:30:00+02:00')
    expect(clock(holiday, holiday)?.text).toBe('Answer by Thu at 09:30')
  })

  it('shows the date if it is not within the next six days', () => {
    const once = [{ validFrom: at('08:00:00'), hours: { days: [3], opensAtMinute: 9 * 60, closesAtMinute: 10 * 60 } }]
    expect(clock(at('09:30:00'), at('09:30:00'), {}, once)?.text).toBe('Answer by 2 December 2026 at 09:30')
    expect(clock(at('09:30:00'), new Date('2026-11-26T09:00:00+02:00'), {}, once)?.text).toBe('Answer by Wed at 09:30')
  })

  it('stops outside support hours', () => {
    const late = at('17:00:00')
    expect(clock(late, at('20:00:00'))?.text).toBe('Answer by Thu at 09:00')
    expect(clock(late, new Date('2026-11-19T08:20:00+02:00'))?.text).toBe('Answer by 09:00 (40 min)')
    const friday = new Date('2026-11-20T17:30:00+02:00')
    expect(clock(friday, new Date('2026-11-23T10:00:00+02:00'))?.text).toBe('Overdue by 30 min')
  })

  it('uses the hours that were valid at each moment', () => {
    const saturdays = { days: [6], opensAtMinute: 9 * 60, closesAtMinute: 10 * 60 }
    const changedAt = (time: string) => [{ validFrom: at(time), hours: saturdays }]
    const saturday = new Date('2026-11-21T09:30:00+02:00')
    expect(clock(at('09:00:00'), saturday, {}, changedAt('08:00:00'))?.text).toBe('Answer by 28 November 2026 at 10:00')
    expect(clock(at('09:00:00'), saturday, {}, changedAt('10:30:00'))?.text).toBe('Overdue by 1 min')
    // due at 11:00, under the hours that were valid then
    expect(clock(at('09:00:00'), saturday, {}, changedAt('12:00:00'))).toMatchObject({
      text: 'Overdue by 1 h 30 min',
      due: at('11:00:00'),
    })
  })

  it('does not change whether a promise under other hours is overdue', () => {
    const weekend = new Date('2026-11-21T09:00:00+02:00')
    const now = new Date('2026-11-22T09:00:00+02:00')
    const changed = (hours: object) => [{ validFrom: now, hours: { ...DEFAULT_SUPPORT_HOURS, ...hours } }]
    const isOverdue = (submitted: Date, history: SupportHoursHistory) => clock(submitted, now, {}, history)?.isOverdue
    expect([isOverdue(weekend, []), isOverdue(weekend, changed({ days: [1, 2, 3, 4, 5, 6, 7] }))]).toEqual([
      false,
      false,
    ])
    expect([isOverdue(at('09:00:00'), []), isOverdue(at('09:00:00'), changed({ days: [1] }))]).toEqual([true, true])
  })

  it('is undefined for answered, flagged and erased leads', () => {
    for (const more of [
      { followUpStatus: 'contacted', answeredAt: at('09:30:00').toISOString() },
      { suspicion: ['trap'] },
      { name: 'Erased', email: '', phone: '' },
    ])
      expect(clock(at('09:00:00'), at('13:00:00'), more)).toBeUndefined()
  })

  it('counts years of overdue leads in no time', () => {
    const before = process.cpuUsage()
    for (let lead = 0; lead < 50; lead += 1) clock(new Date('2016-11-18T09:00:00+02:00'), at('09:00:00'))
    // processor time, since a busy machine lengthens the elapsed time
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})
