import * as v from 'valibot'
import { defineEvent, type RecordedEvent } from '../../base/definition.ts'
import { optionalText, requiredEmail, requiredText } from '../../base/text.ts'
import type { SubmittedLeadForm } from './form.ts'
import { suspicion } from './spam-signals.ts'
import { NO_SUBMISSION_CONTEXT, type SubmissionContext } from './submission-context.ts'
import { recordedTouches, recordTouches } from './touch.ts'
import { PROMPT_SECTIONS } from './website-questions.ts'

const MAX_CHOICE_CHARACTERS = 200
const MAX_ANSWER_CHARACTERS = 3_000

const choice = () => optionalText(MAX_CHOICE_CHARACTERS)
const answer = () => optionalText(MAX_ANSWER_CHARACTERS, { lines: true })
const requiredChoice = (message: string) => requiredText(message, { max: MAX_CHOICE_CHARACTERS })
const requiredAnswer = (message: string) => requiredText(message, { max: MAX_ANSWER_CHARACTERS, lines: true })

/** The answers about the business and the people in it. */
const business = v.object({
  businessName: requiredChoice('Business name is required'),
  businessDescription: requiredAnswer('Business description is required'),
  businessAddress: requiredAnswer('Business address is required'),
  phoneNumber: requiredText('Phone number is required', { max: 40 }),
  email: requiredEmail('Valid email is required'),
  website: answer(),
  uniqueSellingPoints: answer(),
  socialMediaLinks: answer(),
  businessHours: answer(),
  serviceAreas: answer(),
  additionalRequests: answer(),
  biggestProblem: answer(),
})

/** The answers about the wanted website. */
const site = v.object({
  websiteType: requiredChoice('Website type is required'),
  targetAudience: requiredChoice('Target audience is required'),
  designStyle: requiredChoice('Design style is required'),
  brandColorsSelect: requiredChoice('Brand colors are required'),
  primaryProducts: requiredAnswer('Primary products/services are required'),
  customDesignStyle: answer(),
  customBrandColors: answer(),
  customImageTheme: answer(),
  imageTheme: choice(),
  brandAesthetic: answer(),
  schemaType: choice(),
  primaryKeywords: answer(),
  yearsInBusiness: choice(),
  numberOfEmployees: choice(),
  businessGoals: answer(),
  featuredItems: answer(),
  pricingStructure: choice(),
  specialOffers: answer(),
  topCompetitors: answer(),
  monthlyBudget: choice(),
  mainGoal: choice(),
  currentMarketing: answer(),
  successMetric: choice(),
})

/** The questionnaire; the body of `POST /api/submit-website-info`. Specification, 3 and 5. */
export const websiteInfoForm = v.object({ ...business.entries, ...site.entries })

/** A questionnaire that has passed validation. */
export type WebsiteInfo = v.InferOutput<typeof websiteInfoForm>

/**
 * A visitor sent the questionnaire. `contractId` is the lead of the signed contract that it belongs to: it is merged into
 * that lead from the beginning.
 */
export const websiteInfoSubmitted = defineEvent({
  type: 'WebsiteInfoSubmitted',
  schemaVersion: 1,
  data: v.object({ suspicion, contractId: v.exactOptional(v.pipe(v.string(), v.uuid())) }),
  personal: v.object({ ...websiteInfoForm.entries, ...recordedTouches.entries }),
})

/** The event of a filled-in questionnaire. */
export const submitWebsiteInfo = (
  { leadId, form }: { leadId: string; form: WebsiteInfo },
  { touches, spamSignals, contractId }: SubmissionContext = NO_SUBMISSION_CONTEXT,
) =>
  websiteInfoSubmitted(
    { ...(spamSignals.length > 0 && { suspicion: spamSignals }), ...(contractId && { contractId }) },
    { subjectId: leadId, personal: { ...form, ...recordTouches(touches) } },
  )

/**
 * The website-generation prompt that staff paste into a site generator: the answers given, by section, nothing
 * invented.
 */
export const websitePrompt = (info: Partial<WebsiteInfo>): string => {
  const sections = PROMPT_SECTIONS.map(({ title, questions }) => {
    const lines = questions.flatMap(([label, field]) => (info[field] ? [`- ${label}: ${info[field]}`] : []))
    return lines.length > 0 ? `${title}\n${lines.join('\n')}` : ''
  })
  const task =
    'You are an expert web developer. Build a complete, responsive and accessible website for the business described ' +
    'below. Write the copy for its target audience, use the brand colours and the design style given, optimise it for ' +
    'search engines, and invent no facts, prices or testimonials that are not given here.'
  return [task, ...sections.filter(Boolean)].join('\n\n')
}

/** The lead of a questionnaire: its message is the website-generation prompt (contract: submit-website-info). */
export const websiteInfoLead = (event: RecordedEvent<typeof websiteInfoSubmitted>): SubmittedLeadForm => ({
  name: event.personal?.businessName ?? 'Erased',
  email: event.personal?.email ?? '',
  phone: event.personal?.phoneNumber ?? '',
  company: null,
  businessName: event.personal?.businessName ?? null,
  industry: null,
  package: null,
  message: event.personal && websitePrompt(event.personal),
  timeline: null,
  leadSource: 'Website Info Form',
  pageUrl: null,
  agreedToTerms: null,
})
