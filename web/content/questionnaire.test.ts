import { expect, test } from 'vitest'
import { DESIGN_STYLES, PALETTES, QUESTIONNAIRE } from './questionnaire.ts'

const choicesOf = (name: string) => {
  const question = QUESTIONNAIRE.flatMap(({ questions }) => questions).find((each) => each.name === name)
  return question?.kind === 'select' ? question.choices.map(({ value }) => value) : undefined
}

test('the questionnaire has the sections of the specification', () => {
  expect(QUESTIONNAIRE.map(({ title }) => title)).toEqual([
    'Website Configuration',
    'About Your Business',
    'Products or Services',
    'Contact Information',
    'Additional Information',
    'Money-making Intelligence',
  ])
})

test.each<[string, string[]]>([
  [
    'websiteType',
    [
      ...['E-commerce store', 'Business landing page', 'Portfolio website', 'Blog/Magazine', 'SaaS application'],
      ...['Restaurant website', 'Real estate platform', 'Educational platform', 'Non-profit organization'],
      'Creative agency',
    ],
  ],
  [
    'targetAudience',
    [
      ...['young professionals 25-35', 'small business owners', 'creative professionals', 'tech-savvy millennials'],
      ...['luxury consumers', 'local community members', 'B2B decision makers', 'students and educators'],
    ],
  ],
  ['yearsInBusiness', ['Just starting', 'Less than 1 year', '1-2', '3-5', '6-10', '11-20', 'More than 20 years']],
  ['numberOfEmployees', ['Just me', '2-5', '6-10', '11-25', '26-50', '51-100', '100+']],
  [
    'pricingStructure',
    [
      ...['Fixed pricing', 'Hourly rates', 'Package deals', 'Subscription/Monthly', 'Custom quotes'],
      'Free consultation',
    ],
  ],
  [
    'monthlyBudget',
    ['Under R1,000', 'R1,000-R5,000', 'R5,000-R10,000', 'R10,000-R25,000', 'R25,000+', "Sky's the limit"],
  ],
])('%s has the choices of the specification', (name, choices) => {
  expect(choicesOf(name)).toEqual(choices)
})

test('the lists that the specification counts are as long as it says', () => {
  expect([DESIGN_STYLES.length, PALETTES.length]).toEqual([8, 15])
  expect(choicesOf('mainGoal')).toHaveLength(8)
  expect(choicesOf('mainGoal')?.slice(0, 3)).toEqual([
    'Generate more leads',
    'Increase online sales',
    'Rank #1 on Google',
  ])
  expect(choicesOf('successMetric')).toHaveLength(8)
  expect(choicesOf('successMetric')?.slice(0, 2)).toEqual(['More phone calls', 'Better conversion rate'])
})
