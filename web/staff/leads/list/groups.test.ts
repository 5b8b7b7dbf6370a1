import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../events/base/agency-day.ts'
import { testLead } from '../../../testing/lead.ts'
import { leadData, leadText } from '../contact/lead-text.ts'
import { cardTitle, type DayCount, groupByDay, leadCompany, leadTitle, slicesOf } from './groups.ts'

describe('the list of leads', () => {
  it("begins a day at midnight in South Africa, whatever the reader's clock", () => {
    const leads = [
      testLead({ id: 'a', timestamp: '2026-01-31T21:59:59.999Z' }),
      testLead({ id: 'b', timestamp: '2026-01-31T22:00:00.000Z' }),
    ]
    expect(groupByDay(leads, 'desc').map(({ day, leads: ofDay }) => [day, ofDay.length])).toEqual([
      ['2026-02-01', 1],
      ['2026-01-31', 1],
    ])
  })

  it('keeps the newest day first and sorts within a day', () => {
    const leads = [
      testLead({ id: 'early', timestamp: '2026-01-31T06:00:00.000Z' }),
      testLead({ id: 'late', timestamp: '2026-01-31T16:00:00.000Z' }),
      testLead({ id: 'next', timestamp: '2026-02-01T06:00:00.000Z' }),
    ]
    const ids = (sort: 'asc' | 'desc') => groupByDay(leads, sort).map((day) => day.leads.map(({ id }) => id))
    expect(ids('desc')).toEqual([['next'], ['late', 'early']])
    expect(ids('asc')).toEqual([['next'], ['early', 'late']])
  })

  it('titles a card by the business, else the name, else a placeholder', () => {
    expect(cardTitle(testLead({ businessName: 'Stoep' }))).toBe('Stoep')
    expect(cardTitle(testLead())).toBe('Jane Doe')
    expect(cardTitle(testLead({ name: '' }))).toBe('New Submission')
    expect(leadTitle(testLead({ businessName: 'Stoep' }))).toBe('Jane Doe')
    expect(leadCompany(testLead({ businessName: 'Stoep' }))).toBe('Stoep')
  })
})

describe('a page of days in reverse order, each in forward order', () => {
  const days = [
    { day: '2026-02-03', count: 3 },
    { day: '2026-02-02', count: 2 },
    { day: '2026-02-01', count: 4 },
  ]

  it('fetches consecutive whole days together', () => {
    expect(slicesOf(days, { offset: 0, limit: 50 })).toEqual([
      { first: '2026-02-01', last: '2026-02-03', offset: 0, limit: 9 },
    ])
  })

  it('cuts its first and its last day', () => {
    expect(slicesOf(days, { offset: 1, limit: 5 })).toEqual([
      { first: '2026-02-03', last: '2026-02-03', offset: 1, limit: 2 },
      { first: '2026-02-02', last: '2026-02-02', offset: 0, limit: 2 },
      { first: '2026-02-01', last: '2026-02-01', offset: 0, limit: 1 },
    ])
    expect(slicesOf(days, { offset: 9, limit: 5 })).toEqual([])
  })

  it('contains each lead once over all pages, in one order, by at most three calls per page', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 })
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 7 }), (numbers, limit) => {
        const many: DayCount[] = numbers.map((count, index) => ({ day: addDays('2026-03-01', -index), count }))
        const wanted = many.flatMap(({ day, count }) => Array.from({ length: count }, (_, n) => `${day} ${n}`))
        // the API's response to a slice: the leads of its days, oldest first
        const answer = ({ first, last, offset, limit: most }: ReturnType<typeof slicesOf>[number]) =>
          many
            .filter(({ day }) => day >= first && day <= last)
            .toReversed()
            .flatMap(({ day, count }) => Array.from({ length: count }, (_, n) => `${day} ${n}`))
            .slice(offset, offset + most)
        const shown: string[] = []
        for (let offset = 0; offset < wanted.length; offset += limit) {
          const slices = slicesOf(many, { offset, limit })
          expect(slices.length).toBeLessThanOrEqual(3)
          const byDay = Map.groupBy(slices.flatMap(answer), (lead) => lead.slice(0, 10))
          shown.push(...[...byDay].sort(([a], [b]) => b.localeCompare(a)).flatMap(([, leads]) => leads))
        }
        expect(shown).toEqual(wanted)
      }),
    )
  })
})

describe('the copied text of a lead', () => {
  it('names missing values', () => {
    expect(leadText(testLead())).toBe(`New lead: Jane Doe

Contact information
Name: Jane Doe
Email: jane@example.com
Phone: 0821234567
Company: Not provided

Lead details
Industry: Not specified
Package interest: Not specified
Timeline: Not specified
Message: No message
Lead source: hero_form
Page URL: Not specified

Submitted: Saturday, 31 January 2026, 12:00
`)
  })

  it('labels the contact preference of a quote form as such', () => {
    const text = leadText(testLead({ leadSource: 'contact_form', industry: 'whatsapp' }))
    expect(text).toContain('Preferred contact: whatsapp')
    expect(text).not.toContain('Industry')
    expect(leadText(testLead({ leadSource: 'contract_premium', industry: 'Bakery' }))).toContain('Industry: Bakery')
  })

  it('is the prompt itself for a lead from the questionnaire', () => {
    const leadSource = 'Website Info Form'
    expect(leadText(testLead({ leadSource, message: 'You are an expert web developer' }))).toBe(
      'You are an expert web developer',
    )
    expect(leadText(testLead({ leadSource }))).toContain('AI website-generation prompt')
  })

  it('is the raw data for Copy Data', () => {
    expect(JSON.parse(leadData(testLead()))).toEqual(testLead())
  })
})
