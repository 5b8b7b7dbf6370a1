import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import { submitWebsiteInfo } from '../../lead/form/website-info.ts'
import { submitLead } from '../../lead/lead.ts'
import { sampleLeadForm, sampleWebsiteInfo } from '../../testing/fixtures/samples.ts'
import { agencyEmailOf } from './agency-email.ts'
import { requestedEmailOf } from './requested-deliveries.ts'

const LEAD_ID = randomUUID()

const recorded = (event: object) =>
  ({
    position: 1,
    id: randomUUID(),
    stream: `lead-${LEAD_ID}`,
    version: 1,
    schemaVersion: 1,
    subjectId: null,
    personal: null,
    recordedAt: new Date('2026-01-15T08:30:00.123Z'),
    ...event,
  }) as AnyRecordedEvent

const contract = (fields: object = {}) =>
  recorded(
    submitLead({
      leadId: LEAD_ID,
      form: sampleLeadForm({
        leadSource: 'contract_premium',
        businessName: 'Nkosi Bakery',
        agreedToTerms: true,
        ...fields,
      }),
    }),
  )
const activation = recorded({ type: 'EmailActivationRequested', stream: 'email-activation-1', data: {} })

test('only contracts and requests for a test submission are sent by email', () => {
  for (const event of [contract(), activation]) expect(requestedEmailOf(event)).toBe(event.id)
  const quote = recorded(submitLead({ leadId: LEAD_ID, form: sampleLeadForm() }))
  const website = recorded(submitWebsiteInfo({ leadId: LEAD_ID, form: sampleWebsiteInfo() }))
  const outcome = recorded({ type: 'EmailSent', data: { emailId: LEAD_ID, to: 'service', attempt: 1 } })
  for (const event of [quote, website, outcome]) expect(requestedEmailOf(event)).toBeUndefined()
})

test('a flagged contract is sent once it is released, and a released quote is not', () => {
  const flagged = contract()
  Object.assign(flagged.data, { suspicion: ['trap'] })
  expect(requestedEmailOf(flagged)).toBeUndefined()
  const released = (emailId: string | null) => recorded({ type: 'LeadReleased', data: { by: LEAD_ID, emailId } })
  expect(requestedEmailOf(released(flagged.id))).toBe(flagged.id)
  expect(requestedEmailOf(released(null))).toBeUndefined()
})

test.each([
  ['contract_essential', /essential$/],
  ['contract_professional', /professional 50% off$/],
  ['contract_premium', /premium 50% off$/],
  ['contract_gold', /contract_gold$/],
])('the subject of %s names the package', (leadSource, subject) => {
  expect(agencyEmailOf(contract({ leadSource }))?.subject).toMatch(subject)
})

test('the email carries every field that was filled in, and no other', () => {
  const event = contract({ message: 'two\nlines', package: 'Premium - R1,499 + R499/month' })
  expect(Object.fromEntries(agencyEmailOf(event)?.fields ?? [])).toEqual({
    name: 'Thandi Nkosi',
    email: 'thandi@example.co.za',
    phone: '082 555 0142',
    businessName: 'Nkosi Bakery',
    message: 'two\nlines',
    package: 'Premium - R1,499 + R499/month',
    leadSource: 'contract_premium',
    agreedToTerms: 'true',
  })
})

test('fields that would instruct the service are dropped', () => {
  const event = contract()
  const hostile = { ...event, personal: { ...event.personal, _next: 'https://evil.example', _cc: 'evil@example.com' } }
  const names = agencyEmailOf(hostile as AnyRecordedEvent)?.fields.map(([name]) => name)
  expect(names).toContain('name')
  expect(names?.filter((name) => name.startsWith('_'))).toEqual([])
})

test('a test submission says that it is one, and when it was requested', () => {
  const email = agencyEmailOf(activation)
  expect(email?.subject).toMatch(/test submission/i)
  expect(email?.fields).toContainEqual(['test_date', '2026-01-15T08:30:00.123Z'])
  expect(email?.fields[0]).toEqual(['message', expect.stringContaining('test submission')])
})

test('erased events and those without an email are not sent', () => {
  expect(agencyEmailOf({ ...contract(), personal: null } as AnyRecordedEvent)).toBeUndefined()
  expect(agencyEmailOf(recorded({ type: 'ChatEnded', data: { endedBy: 'admin' } }))).toBeUndefined()
})
