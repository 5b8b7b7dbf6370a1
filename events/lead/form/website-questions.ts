import type { WebsiteInfo } from './website-info.ts'

/** The answers of a questionnaire, by the names of its fields. Fields left out are not among them. */
export type WebsiteAnswers = Partial<Record<keyof WebsiteInfo, string>>

type Section = { title: string; questions: [label: string, field: keyof WebsiteInfo][] }

const WEBSITE: Section = {
  title: 'THE WEBSITE',
  questions: [
    ['Type of website', 'websiteType'],
    ['Target audience', 'targetAudience'],
    ['Design style', 'designStyle'],
    ['Design style in their words', 'customDesignStyle'],
    ['Brand colours', 'brandColorsSelect'],
    ['Brand colours in their words', 'customBrandColors'],
    ['Image theme', 'imageTheme'],
    ['Image theme in their words', 'customImageTheme'],
    ['Brand aesthetic', 'brandAesthetic'],
    ['Schema.org type', 'schemaType'],
    ['Primary keywords', 'primaryKeywords'],
  ],
}

const BUSINESS: Section = {
  title: 'THE BUSINESS',
  questions: [
    ['Name', 'businessName'],
    ['What it does', 'businessDescription'],
    ['Years in business', 'yearsInBusiness'],
    ['Number of employees', 'numberOfEmployees'],
    ['Unique selling points', 'uniqueSellingPoints'],
    ['Goals', 'businessGoals'],
    ['Current website', 'website'],
  ],
}

const PRODUCTS: Section = {
  title: 'PRODUCTS OR SERVICES',
  questions: [
    ['Primary products or services', 'primaryProducts'],
    ['Featured items', 'featuredItems'],
    ['Service areas', 'serviceAreas'],
    ['Pricing structure', 'pricingStructure'],
    ['Special offers', 'specialOffers'],
  ],
}

const CONTACT: Section = {
  title: 'CONTACT DETAILS TO SHOW',
  questions: [
    ['Address', 'businessAddress'],
    ['Phone', 'phoneNumber'],
    ['Email', 'email'],
    ['Social media', 'socialMediaLinks'],
    ['Business hours', 'businessHours'],
  ],
}

const AIMS: Section = {
  title: 'WHAT THE SITE MUST ACHIEVE',
  questions: [
    ['Main goal', 'mainGoal'],
    ['Measure of success', 'successMetric'],
    ['Biggest problem now', 'biggestProblem'],
    ['Marketing now', 'currentMarketing'],
    ['Competitors', 'topCompetitors'],
    ['Monthly budget', 'monthlyBudget'],
    ['Further requests', 'additionalRequests'],
  ],
}

/** The questions in the order of the website-generation prompt. */
export const PROMPT_SECTIONS: readonly Section[] = [WEBSITE, BUSINESS, PRODUCTS, CONTACT, AIMS]

/** The fields that a lead shows as its own name, address and number. */
const OF_THE_LEAD: readonly string[] = ['businessName', 'email', 'phoneNumber'] satisfies (keyof WebsiteInfo)[]

const READ_FIRST = [BUSINESS, AIMS, PRODUCTS, WEBSITE, CONTACT].flatMap(({ questions }) => questions)

/** A questionnaire's answers under their questions, the most informative first. */
export const questionsAnswered = (answers: Readonly<Record<string, string>>): [question: string, answer: string][] =>
  READ_FIRST.flatMap(([label, field]) => {
    const answer = answers[field]
    return answer && !OF_THE_LEAD.includes(field) ? [[label, answer]] : []
  })

/** The given answers of a questionnaire. */
export const websiteAnswers = (info: Partial<WebsiteInfo>): WebsiteAnswers =>
  Object.fromEntries(
    PROMPT_SECTIONS.flatMap(({ questions }) => questions).flatMap(([, field]) => {
      const answer = info[field]
      return answer ? [[field, answer]] : []
    }),
  )
