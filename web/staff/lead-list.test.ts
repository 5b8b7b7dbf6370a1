import { describe, expect, it } from 'vitest'
import type { Lead } from '../../events/lead.ts'
import { groupByDay, leadCompany, leadTitle, searchLeads, timeOf } from './lead-list.ts'
import { leadData, leadText } from './lead-text.ts'
import { withLead } from './leads.ts'

const lead = (more: Partial<Lead> = {}): Lead => ({
  id: 'a',
  name: 'Jane Doe',
  email: 'jane@example.com',
  phone: '0821234567',
  company: null,
  businessName: null,
  industry: null,
  package: null,
  message: null,
  timeline: null,
  leadSource: 'hero_form',
  pageUrl: null,
  agreedToTerms: null,
  firstTouch: null,
  lastTouch: null,
  timestamp: '2026-01-31T10:00:00.000Z',
  followUpStatus: 'new',
  conversionDate: null,
  projectValue: null,
  ownerId: null,
  nextActionDate: null,
  answeredAt: null,
  forwardStatus: null,
  version: 1,
  ...more,
})

describe('the list of leads', () => {
  it("begins a day at midnight in South Africa, whatever the reader's clock", () => {
    const leads = [
      lead({ id: 'a', timestamp: '2026-01-31T21:59:59.999Z' }),
      lead({ id: 'b', timestamp: '2026-01-31T22:00:00.000Z' }),
    ]
    expect(groupByDay(leads, 'desc').map(({ day, title, leads: ofDay }) => [day, title, ofDay.length])).toEqual([
      ['2026-02-01', 'Sunday, 1 February 2026', 1],
      ['2026-01-31', 'Saturday, 31 January 2026', 1],
    ])
    expect(timeOf('2026-01-31T22:00:00.000Z')).toBe('00:00')
  })

  it('keeps the newest day first and sorts within a day', () => {
    const leads = [
      lead({ id: 'early', timestamp: '2026-01-31T06:00:00.000Z' }),
      lead({ id: 'late', timestamp: '2026-01-31T16:00:00.000Z' }),
      lead({ id: 'next', timestamp: '2026-02-01T06:00:00.000Z' }),
    ]
    const ids = (sort: 'asc' | 'desc') => groupByDay(leads, sort).map((day) => day.leads.map(({ id }) => id))
    expect(ids('desc')).toEqual([['next'], ['late', 'early']])
    expect(ids('asc')).toEqual([['next'], ['early', 'late']])
  })

  it('finds a term in any searched field, whatever its case, and ignores a blank one', () => {
    const leads = [lead(), lead({ id: 'b', name: 'Bob', email: 'b@x.io', company: 'Stoep & Co' })]
    const found = (term: string) => searchLeads(leads, term).map(({ id }) => id)
    expect(found(' STOEP ')).toEqual(['b'])
    expect(found('lead form')).toEqual(['a', 'b'])
    expect(found('hero_form')).toEqual([])
    expect(found('  ')).toEqual(['a', 'b'])
  })

  it('heads a card with the business, else the name, else a stand-in', () => {
    expect(leadTitle(lead({ businessName: 'Stoep' }))).toBe('Stoep')
    expect(leadTitle(lead())).toBe('Jane Doe')
    expect(leadTitle(lead({ name: '' }))).toBe('New Submission')
    expect(leadCompany(lead({ businessName: 'Stoep' }))).toBe('Stoep')
  })

  it('takes a new lead in, and a changed one in its place', () => {
    const known = [lead(), lead({ id: 'b' })]
    expect(withLead(known, lead({ id: 'c' })).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
    expect(withLead(known, lead({ id: 'b', forwardStatus: 'outbox' }))[1]?.forwardStatus).toBe('outbox')
  })
})

describe('the copied text of a lead', () => {
  it('names what is missing', () => {
    expect(leadText(lead())).toBe(`New lead: Jane Doe

Contact information
Name: Jane Doe
E-mail: jane@example.com
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

  it('is the prompt itself for a lead from the questionnaire', () => {
    const leadSource = 'Website Info Form'
    expect(leadText(lead({ leadSource, message: 'You are an expert web developer' }))).toBe(
      'You are an expert web developer',
    )
    expect(leadText(lead({ leadSource }))).toContain('AI website-generation prompt')
  })

  it('is the raw data for Copy Data', () => {
    expect(JSON.parse(leadData(lead()))).toEqual(lead())
  })
})
