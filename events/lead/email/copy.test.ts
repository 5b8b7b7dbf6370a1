import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { referenceOf } from '../../base/reference.ts'
import { agreementTo } from '../../contract/agreement.ts'
import { NO_COMPANY } from '../../settings/company.ts'
import { sampleLeadForm } from '../../testing/fixtures/samples.ts'
import { NO_SUBMISSION_CONTEXT, type SubmissionContext } from '../form/submission-context.ts'
import { submitLead } from '../lead.ts'
import { leadCopyOf } from './copy.ts'

const LEAD_ID = randomUUID()
const CONTEXT = {
  to: 'thandi@example.co.za',
  leadId: LEAD_ID,
  agencyName: 'Karoo Web Studio',
  publicUrl: 'https://www.agency.example',
}

const copyOf = (fields: object, context = {}, submitted: SubmissionContext = NO_SUBMISSION_CONTEXT) => {
  const event = submitLead({ leadId: LEAD_ID, form: sampleLeadForm(fields) }, submitted)
  const recorded = { ...event, recordedAt: new Date('2026-01-15T08:30:00Z') } as unknown as Parameters<
    typeof leadCopyOf
  >[0]
  const { subject = '', fields: [[, text = ''] = []] = [] } = leadCopyOf(recorded, { ...CONTEXT, ...context }) ?? {}
  return { subject, text }
}

test('a copy names the reference, the submission in words, and its time', () => {
  const { subject, text } = copyOf({
    name: 'Thandi',
    package: 'premium',
    timeline: '2-4weeks',
    message: 'Two pages, please',
  })
  expect(subject).toBe(`Your quote request to Karoo Web Studio, reference ${referenceOf(LEAD_ID)}`)
  expect(text).toContain('Hello Thandi,')
  expect(text).toContain('Sent: Thursday, 15 January 2026, 10:30 SAST')
  expect(text).toContain('Package: Premium\nTimeline: 2–4 weeks\nMessage: Two pages, please')
})

test('the copy of a request for a consultation says so', () => {
  const { subject, text } = copyOf({ leadSource: 'hero_form' })
  expect(subject).toBe(`Your consultation request to Karoo Web Studio, reference ${referenceOf(LEAD_ID)}`)
  expect(text).toContain("Thank you, we've received your consultation request.")
})

test('the copy of a contract links to its terms', () => {
  const { subject, text } = copyOf({
    leadSource: 'contract_premium',
    businessName: 'Nkosi Bakery',
    agreedToTerms: true,
    package: 'Premium - R1,499 + R499/month',
  })
  expect(subject).toContain('Your contract to Karoo Web Studio')
  expect(text).toContain('Package: Premium - R1,499 + R499/month')
  expect(text).toContain('https://www.agency.example/contract/premium')
  expect(text).not.toMatch(/You signed with|guarantee/)
})

test.each([
  ['Premium - R1,499 + R499/month', 'Package: Premium - R1,499 + R499/month'],
  ['Premium - R1,499', 'Package: (as you sent it)'],
  ['Premium - R1 + R1/month', 'Package: (as you sent it)'],
])('the copy of a contract repeats a package only with the price that was agreed to: %s', (line, said) => {
  const contract = { leadSource: 'contract_premium', businessName: 'Nkosi Bakery', agreedToTerms: true, package: line }
  const agreement = agreementTo('Premium - R1,499 + R499/month')
  const evidence = {
    signature: 'Thandi',
    clientAddress: '203.0.113.7',
    userAgent: null,
    openedAt: null,
    tickedAt: null,
    contractSha256: '',
  }
  const signing = { terms: { version: 1, sha256: '', isNamed: true, agreement }, evidence }
  expect(copyOf(contract, {}, { ...NO_SUBMISSION_CONTEXT, signing }).text).toContain(`${said}\n`)
})

test('only the copy of a contract names the company and its guarantees', () => {
  const company = {
    ...NO_COMPANY,
    registeredName: 'Karoo Web Studio (Pty) Ltd',
    registrationNumber: '2019/123456/07',
    guarantee: 'Not happy? Your money back.',
  }
  const { text } = copyOf({ leadSource: 'contract_premium', businessName: 'Nkosi', agreedToTerms: true }, { company })
  expect(text).toContain('You signed with:\nKaroo Web Studio (Pty) Ltd\nRegistration number: 2019/123456/07\n\n')
  expect(text).toContain('Our guarantee: Not happy? Your money back.')
  expect(copyOf({}, { company }).text).not.toContain('(Pty) Ltd')
})

test.each([
  ['name', 'Win at casino.example'],
  ['company', 'https://evil.example'],
  ['message', 'Write to me: evil@casino.example'],
  ['message', 'Buy now! '.repeat(100)],
  ['message', 'WWW dot casino'],
])('a stranger cannot advertise by it: %s %j is not repeated', (field, value) => {
  const { subject, text } = copyOf({ [field]: value })
  expect(`${subject}${text}`.includes(value)).toBe(false)
  expect(text).toContain('(as you sent it)')
  expect(text.match(/https?:\/\/[^\s]+/g)).toEqual(['https://www.agency.example'])
})
