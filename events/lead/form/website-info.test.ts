import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { SAMPLE_METADATA, sampleWebsiteInfo } from '../../testing/fixtures/samples.ts'
import { messagesOf } from '../../testing/fixtures/validation.ts'
import { evolveLead, type LeadEvent } from '../lead.ts'
import { submitWebsiteInfo, websiteInfoForm, websitePrompt } from './website-info.ts'

const REQUIRED = {
  websiteType: 'Website type is required',
  businessName: 'Business name is required',
  targetAudience: 'Target audience is required',
  designStyle: 'Design style is required',
  brandColorsSelect: 'Brand colors are required',
  businessDescription: 'Business description is required',
  primaryProducts: 'Primary products/services are required',
  businessAddress: 'Business address is required',
  phoneNumber: 'Phone number is required',
  email: 'Valid email is required',
}
const OPTIONAL = [
  ...['website', 'customDesignStyle', 'customBrandColors', 'customImageTheme', 'imageTheme', 'brandAesthetic'],
  ...['schemaType', 'primaryKeywords', 'yearsInBusiness', 'numberOfEmployees', 'uniqueSellingPoints', 'businessGoals'],
  ...['featuredItems', 'serviceAreas', 'pricingStructure', 'specialOffers', 'socialMediaLinks', 'businessHours'],
  ...['additionalRequests', 'topCompetitors', 'monthlyBudget', 'mainGoal', 'currentMarketing', 'biggestProblem'],
  'successMetric',
]

test('the questionnaire has the documented fields', () => {
  expect(Object.keys(websiteInfoForm.entries).sort()).toEqual([...Object.keys(REQUIRED), ...OPTIONAL].sort())
})

test('an empty questionnaire names every required field in the documented words', () => {
  expect(Object.fromEntries(messagesOf(websiteInfoForm, {}))).toEqual(REQUIRED)
  expect(messagesOf(websiteInfoForm, {})).toHaveLength(Object.keys(REQUIRED).length)
})

test.each(Object.entries(REQUIRED))('a blank %s is refused: %s', (field, message) => {
  expect(messagesOf(websiteInfoForm, { ...sampleWebsiteInfo(), [field]: '  ' })).toEqual([[field, message]])
})

test('an email address is validated, and missing fields are null', () => {
  expect(messagesOf(websiteInfoForm, { ...sampleWebsiteInfo(), email: 'bakery' })).toEqual([
    ['email', 'Valid email is required'],
  ])
  const form = v.parse(websiteInfoForm, { ...sampleWebsiteInfo(), website: ' ' })
  for (const field of OPTIONAL) expect(form).toHaveProperty(field, null)
})

test('the prompt holds every answer given, under its section, and nothing else', () => {
  const everyField = Object.keys(websiteInfoForm.entries)
  const answers = Object.fromEntries(everyField.map((field) => [field, `<${field}>`]))
  const prompt = websitePrompt(answers)
  for (const field of everyField) expect(prompt.split(`<${field}>`)).toHaveLength(2)
  expect(prompt.match(/^[A-Z ]+$/gm)).toEqual([
    'THE WEBSITE',
    'THE BUSINESS',
    'PRODUCTS OR SERVICES',
    'CONTACT DETAILS TO SHOW',
    'WHAT THE SITE MUST ACHIEVE',
  ])
  const short = websitePrompt(sampleWebsiteInfo())
  expect(short).toContain('expert web developer')
  expect(short).toContain('THE BUSINESS\n- Name: Nkosi Bakery\n- What it does: We bake bread.\n\n')
  expect(short).not.toContain('WHAT THE SITE MUST ACHIEVE')
  expect(short).not.toContain('null')
})

test('a questionnaire is a lead from the Website Info Form, whose message is the prompt', () => {
  const leadId = randomUUID()
  const event = submitWebsiteInfo({ leadId, form: sampleWebsiteInfo({ yearsInBusiness: '3-5' }) })
  expect({ ...event.data, ...event.personal }).toEqual(sampleWebsiteInfo({ yearsInBusiness: '3-5' }))
  const recorded = {
    ...event,
    position: 1,
    id: randomUUID(),
    stream: `lead-${leadId}`,
    version: 1,
    schemaVersion: 1,
    metadata: SAMPLE_METADATA,
    recordedAt: new Date('2026-01-15T08:30:00Z'),
  } satisfies LeadEvent
  expect(evolveLead(undefined, recorded)).toMatchObject({
    id: leadId,
    name: 'Nkosi Bakery',
    businessName: 'Nkosi Bakery',
    email: 'bakery@example.co.za',
    phone: '021 555 0142',
    leadSource: 'Website Info Form',
    message: websitePrompt(sampleWebsiteInfo({ yearsInBusiness: '3-5' })),
    answers: {
      ...Object.fromEntries(Object.entries(sampleWebsiteInfo()).filter(([, answer]) => answer !== null)),
      yearsInBusiness: '3-5',
    },
    followUpStatus: 'new',
    emailStatus: null,
  })
  const erased = evolveLead(undefined, { ...recorded, personal: null })
  expect(erased).toMatchObject({ name: 'Erased', message: null })
  expect(erased).not.toHaveProperty('answers')
})
