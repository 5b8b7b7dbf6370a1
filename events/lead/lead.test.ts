import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { sampleLeadForm } from '../testing/fixtures/samples.ts'
import { messagesOf } from '../testing/fixtures/validation.ts'
import { followUpForm } from './follow-up/follow-up.ts'
import { leadForm } from './form/form.ts'
import { NO_SUBMISSION_CONTEXT } from './form/submission-context.ts'
import { evolveLead, type Lead, type LeadEvent, leadIdOf, leadStreams, releaseLead, submitLead } from './lead.ts'
import { isListed } from './wire.ts'

const LEAD_ID = randomUUID()
const valid = { name: 'Thandi', email: 'thandi@example.co.za', phone: '0825550142', leadSource: 'contact_form' }
const contract = { ...valid, leadSource: 'contract_essential', businessName: 'Nkosi Bakery', agreedToTerms: true }

const recorded = (event: object, version = 1): LeadEvent =>
  ({
    position: version,
    id: randomUUID(),
    stream: leadStreams.of(LEAD_ID),
    version,
    schemaVersion: 1,
    subjectId: null,
    personal: null,
    recordedAt: new Date('2026-01-15T08:30:00.123Z'),
    ...event,
  }) as LeadEvent

describe('the lead form', () => {
  test('accepts the required fields; all others are null', () => {
    expect(v.parse(leadForm, valid)).toEqual({
      ...valid,
      company: null,
      businessName: null,
      industry: null,
      package: null,
      message: null,
      timeline: null,
      pageUrl: null,
      agreedToTerms: null,
    })
  })

  test.each([
    ['nothing', {}],
    ['nulls', { name: null, email: null, phone: null, leadSource: null }],
    ['blanks', { name: ' ', email: '', phone: '\t', leadSource: ' ' }],
    ['other types', { name: 1, email: [], phone: {}, leadSource: true }],
  ])('given %s, names each required field in the words of the specification', (_, input) => {
    expect(messagesOf(leadForm, input)).toEqual([
      ['name', 'Name must be at least 2 characters'],
      ['email', 'Please enter a valid email address'],
      ['phone', 'Please enter a valid phone number'],
      ['leadSource', 'Lead source is required'],
    ])
  })

  test.each([
    ['name', 'T', 'Name must be at least 2 characters'],
    ['name', ' T ', 'Name must be at least 2 characters'],
    ['name', 'x'.repeat(201), 'Must be at most 200 characters'],
    ['email', 'thandi', 'Please enter a valid email address'],
    ['email', 'thandi@', 'Please enter a valid email address'],
    ['phone', '082555014', 'Please enter a valid phone number'],
    ['phone', '0'.repeat(41), 'Must be at most 40 characters'],
    ['message', 'x'.repeat(5_001), 'Must be at most 5000 characters'],
    ['message', 'nul \0', 'Must not contain characters that cannot be stored (U+0000, unpaired surrogates)'],
  ])('refuses a %s like %j', (field, value, message) => {
    expect(messagesOf(leadForm, { ...valid, [field]: value })).toEqual([[field, message]])
  })

  test.each([
    ['name', 'Li'],
    ['phone', '0825550142'],
    ['email', 'first.last+tag@mail.example.co.za'],
    ['message', 'x'.repeat(5_000)],
    ['agreedToTerms', false],
  ])('takes a %s like %j', (field, value) => {
    expect(v.parse(leadForm, { ...valid, [field]: value })).toMatchObject({ [field]: value })
  })

  test.each(['contract_essential', 'contract_professional', 'contract_premium'])(
    'wants a business name and agreement to the terms of %s, beside all else',
    (leadSource) => {
      expect(messagesOf(leadForm, { ...contract, leadSource })).toEqual([])
      expect(messagesOf(leadForm, { ...valid, leadSource })).toEqual([
        ['businessName', 'Business name is required'],
        ['agreedToTerms', 'You must agree to the terms and conditions'],
      ])
      expect(messagesOf(leadForm, { leadSource, businessName: 'N', agreedToTerms: false })).toEqual([
        ['name', 'Name must be at least 2 characters'],
        ['email', 'Please enter a valid email address'],
        ['phone', 'Please enter a valid phone number'],
        ['businessName', 'Business name is required'],
        ['agreedToTerms', 'You must agree to the terms and conditions'],
      ])
    },
  )

  test('drops unknown fields', () => {
    expect(v.parse(leadForm, { ...valid, id: 'mine', followUpStatus: 'won' })).not.toHaveProperty('followUpStatus')
  })
})

describe('the follow-up form', () => {
  test.each([{}, { followUpStatus: 'won' }, { conversionDate: null }, { projectValue: 0 }, { projectValue: null }])(
    'takes %j',
    (change) => {
      expect(v.parse(followUpForm, change)).toEqual(change)
    },
  )

  test('returns a conversion date in UTC', () => {
    const conversionDate = '2026-01-31T12:00:00+02:00'
    expect(v.parse(followUpForm, { conversionDate })).toEqual({ conversionDate: '2026-01-31T10:00:00.000Z' })
  })

  test.each([
    [{ followUpStatus: 'sold' }, [['followUpStatus', 'Must be one of: new, contacted, quoted, won, lost']]],
    [{ projectValue: -1 }, [['projectValue', 'Must be 0 or more']]],
    [{ conversionDate: '2026-02-30T10:00:00Z' }, [['conversionDate', 'Must be a day that exists']]],
  ])('refuses %j', (change, messages) => {
    expect(messagesOf(followUpForm, change)).toEqual(messages)
  })

  test.each([{ projectValue: Number.NaN }, { projectValue: 1e12 }, { projectValue: '10' }, { name: 'x' }, { by: 'x' }])(
    'refuses %j too',
    (change) => {
      expect(messagesOf(followUpForm, change)).toHaveLength(1)
    },
  )
})

describe('a lead', () => {
  const submitted = recorded(submitLead({ leadId: LEAD_ID, form: sampleLeadForm(contract) }))
  const lead = evolveLead(undefined, submitted) as Lead

  test('begins as its form, new', () => {
    expect(lead).toEqual({
      ...sampleLeadForm(contract),
      phoneLinks: { shown: '082 555 0142', call: 'tel:+27825550142', whatsapp: 'https://wa.me/27825550142' },
      id: LEAD_ID,
      firstTouch: null,
      lastTouch: null,
      timestamp: '2026-01-15T08:30:00.123Z',
      followUpStatus: 'new',
      conversionDate: null,
      projectValue: null,
      ownerId: null,
      nextActionDate: null,
      answeredAt: null,
      answeredBy: null,
      givenAnswers: [],
      version: 1,
      emailStatus: 'pending',
    })
  })

  test('has no text of the visitor in the data of its event', () => {
    const { data, personal, subjectId } = submitLead({ leadId: LEAD_ID, form: sampleLeadForm(contract) })
    expect(data).toEqual({ source: 'contract_essential', package: 'none', isContract: true })
    expect(personal).toEqual(sampleLeadForm(contract))
    expect(subjectId).toBe(LEAD_ID)
  })

  test('is not sent by email unless it is a contract', () => {
    const quote = recorded(submitLead({ leadId: LEAD_ID, form: sampleLeadForm() }))
    expect(evolveLead(undefined, quote)?.emailStatus).toBeNull()
  })

  test('that is flagged is sent by email once staff release it, and released once', () => {
    const [staffId, submissionId] = [randomUUID(), randomUUID()]
    const form = sampleLeadForm(contract)
    const event = submitLead({ leadId: LEAD_ID, form }, { ...NO_SUBMISSION_CONTEXT, spamSignals: ['trap'] })
    const flagged = evolveLead(undefined, recorded(event)) as Lead
    expect(flagged).toEqual({ ...lead, suspicion: ['trap'], emailStatus: null })
    const [release, ...more] = releaseLead({ lead: flagged, submissionId, staffId }) ?? []
    expect(more).toEqual([])
    expect(release?.data).toEqual({ by: staffId, emailId: submissionId })
    expect(evolveLead(flagged, recorded({ ...release }, 2))).toEqual({ ...lead, version: 2 })
    expect(releaseLead({ lead, submissionId, staffId })).toBeUndefined()
    const quote = { ...flagged, leadSource: 'contact_form' }
    expect(releaseLead({ lead: quote, submissionId, staffId })?.[0].data).toMatchObject({ emailId: null })
  })

  test('is new again once a lead that was taken for spam is released', () => {
    const [staffId, submissionId] = [randomUUID(), randomUUID()]
    const form = sampleLeadForm()
    const event = submitLead({ leadId: LEAD_ID, form }, { ...NO_SUBMISSION_CONTEXT, spamSignals: ['trap'] })
    const dismissed = { type: 'LeadFollowUpChanged', data: { followUpStatus: 'lost', by: staffId } }
    const spam = [recorded(event), recorded(dismissed, 2)].reduce<Lead | undefined>(evolveLead, undefined) as Lead
    expect(spam).toMatchObject({ followUpStatus: 'lost', answeredAt: expect.any(String) })
    const released = releaseLead({ lead: spam, submissionId, staffId }) ?? []
    expect(released.map(({ type }) => type)).toEqual(['LeadReleased', 'LeadFollowUpChanged'])
    const events = released.map((each, index) => recorded(each, index + 3))
    const { suspicion: _, ...begun } = evolveLead(undefined, recorded(event)) as Lead
    expect(events.reduce<Lead | undefined>(evolveLead, spam)).toEqual({ ...begun, version: 4 })
    const won = { ...spam, followUpStatus: 'won' as const }
    expect(releaseLead({ lead: won, submissionId, staffId })).toHaveLength(1)
  })

  test('applies each change by staff, and records by whom it was answered', () => {
    const by = randomUUID()
    const changed = recorded({ type: 'LeadFollowUpChanged', data: { followUpStatus: 'won', by } }, 2)
    const paid = recorded({ type: 'LeadFollowUpChanged', data: { projectValue: 1_499, by: randomUUID() } }, 3)
    expect([changed, paid].reduce<Lead | undefined>(evolveLead, lead)).toEqual({
      ...lead,
      followUpStatus: 'won',
      projectValue: 1_499,
      answeredAt: '2026-01-15T08:30:00.123Z',
      answeredBy: by,
      version: 3,
    })
  })

  test.each([
    ['EmailSent', { to: 'service' }, 'delivered'],
    ['EmailSent', { to: 'outbox' }, 'outbox'],
    ['EmailFailed', { willRetry: true, reason: 'busy' }, 'retrying'],
    ['EmailFailed', { willRetry: false, reason: 'needs_activation' }, 'needs_activation'],
    ['EmailFailed', { willRetry: false, reason: 'blocked' }, 'blocked'],
    ['EmailFailed', { willRetry: false, reason: 'rejected' }, 'rejected'],
  ])('after %s %j is %s', (type, data, emailStatus) => {
    expect(evolveLead(lead, recorded({ type, data }, 2))).toEqual({ ...lead, emailStatus, version: 2 })
  })

  test('has no state before it is submitted', () => {
    expect(evolveLead(undefined, recorded({ type: 'EmailSent', data: { to: 'outbox' } }))).toBeUndefined()
    expect(evolveLead(undefined, recorded({ type: 'LeadFollowUpChanged', data: {} }))).toBeUndefined()
  })

  test('has only its kind once its person was erased', () => {
    const erased = evolveLead(undefined, { ...submitted, personal: null } as LeadEvent)
    expect(erased).toMatchObject({
      name: 'Erased',
      email: '',
      phone: '',
      message: null,
      leadSource: 'contract_essential',
    })
  })

  test('has a final state of its own once its person was erased', () => {
    const erased = evolveLead(lead, recorded({ type: 'LeadErased', data: { by: randomUUID() } }, 2))
    expect(erased).toMatchObject({ name: 'Erased', followUpStatus: 'erased' })
    const undone = recorded({ type: 'LeadFollowUpChanged', data: { followUpStatus: 'new', by: randomUUID() } }, 3)
    expect(evolveLead(erased, undone)).toEqual({ ...erased, version: 3 })
  })

  test('is in lists unless it was merged into another one, or its person was erased', () => {
    expect(isListed(lead)).toBe(true)
    expect(isListed({ ...lead, mergedInto: randomUUID() })).toBe(false)
    expect(isListed({ ...lead, followUpStatus: 'erased' })).toBe(false)
  })

  test('is found by its stream', () => {
    expect(leadIdOf(leadStreams.of(LEAD_ID))).toBe(LEAD_ID)
    expect(leadIdOf(`chat-${LEAD_ID}`)).toBeUndefined()
  })
})
