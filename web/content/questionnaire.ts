import type { WebsiteInfo } from '../../events/lead/form/website-info.ts'

type Choice = { value: string; label: string }

/** The choice "other", which reveals a text field. */
export const CUSTOM = 'custom'

const choices = (...labels: string[]): Choice[] => labels.map((label) => ({ value: label, label }))

/** The eight design styles; the ninth choice is the client's own. */
export const DESIGN_STYLES = [
  { name: 'Clean and minimal', text: 'Lots of white space, few colours, nothing to distract.' },
  { name: 'Bold and colourful', text: 'Strong colours and large type that get noticed.' },
  { name: 'Classic and elegant', text: 'Serif headings, calm layout, quiet confidence.' },
  { name: 'Warm and handmade', text: 'Natural tones and textures, close to the craft.' },
  { name: 'Corporate and reliable', text: 'Clear structure and sober colours for firms.' },
  { name: 'Playful and friendly', text: 'Round shapes and drawings, for families and fun.' },
  { name: 'Luxury and refined', text: 'Dark backgrounds, fine lines, large photographs.' },
  { name: 'Technical and modern', text: 'Sharp grids, screens and data, for modern brands.' },
] as const

/** The fifteen palettes, each from its main colour to its ground; the sixteenth choice is the client's own. */
export const PALETTES = [
  { name: 'Ocean blue', colours: ['#0b3c5d', '#328cc1', '#f2f6f9'] },
  { name: 'Forest green', colours: ['#1e4d2b', '#6a9c5b', '#f3f5ec'] },
  { name: 'Karoo earth', colours: ['#7a3e1d', '#d19a5b', '#f7efe3'] },
  { name: 'Sunset coral', colours: ['#c8432b', '#f28f6b', '#fff3ec'] },
  { name: 'Protea pink', colours: ['#9c2f5b', '#e08aa8', '#fcf1f4'] },
  { name: 'Royal purple', colours: ['#41246d', '#8e6bbf', '#f5f1fa'] },
  { name: 'Charcoal and gold', colours: ['#22242a', '#c19a3d', '#f7f5ef'] },
  { name: 'Black and white', colours: ['#111111', '#8a8a8a', '#ffffff'] },
  { name: 'Navy and red', colours: ['#14264a', '#c1272d', '#f6f7f9'] },
  { name: 'Teal and sand', colours: ['#0f5c5c', '#5fb0a8', '#f6efdf'] },
  { name: 'Sunshine yellow', colours: ['#2b2b2b', '#f2b705', '#fffaea'] },
  { name: 'Vineyard burgundy', colours: ['#5c1a2e', '#b0576a', '#f8f1ee'] },
  { name: 'Sky and slate', colours: ['#37474f', '#7fb7d9', '#f3f7f9'] },
  { name: 'Olive and cream', colours: ['#4b5320', '#a3a85c', '#fbf8ea'] },
  { name: 'Lime and graphite', colours: ['#2e3338', '#a4c639', '#f5f7ef'] },
] as const

/** The value sent for a palette: its name and its colours. */
export const paletteAnswer = ({ name, colours }: { name: string; colours: readonly string[] }) =>
  `${name} (${colours.join(', ')})`

type Base = {
  name: keyof WebsiteInfo
  label: string
  hint?: string
  required?: true
  /** The text field that the choice of `custom` reveals. */
  custom?: { name: keyof WebsiteInfo; label: string }
}

/** One question. A `line` and a `text` take words, the others one of their choices. */
export type Question = Base &
  (
    | { kind: 'line'; type?: 'email' | 'tel' | 'url'; autoComplete?: string }
    | { kind: 'text' }
    | { kind: 'select'; choices: Choice[] }
    | { kind: 'styles' }
    | { kind: 'palettes' }
  )

/** Labels begin with a capital letter; values are sent as the specification writes them. */
const TARGET_AUDIENCES = choices(
  'young professionals 25-35',
  'small business owners',
  'creative professionals',
  'tech-savvy millennials',
  'luxury consumers',
  'local community members',
  'B2B decision makers',
  'students and educators',
).map(({ value, label }) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }))

const WEBSITE_TYPES = choices(
  'E-commerce store',
  'Business landing page',
  'Portfolio website',
  'Blog/Magazine',
  'SaaS application',
  'Restaurant website',
  'Real estate platform',
  'Educational platform',
  'Non-profit organization',
  'Creative agency',
)

const IMAGE_THEMES = [
  ...choices(
    'People at work',
    'Products up close',
    'Places and landscapes',
    'Before and after',
    'Drawings and icons',
    'Patterns and textures',
  ),
  { value: CUSTOM, label: 'Custom' },
]

const SCHEMA_TYPES = [
  { value: 'LocalBusiness', label: 'Local business' },
  { value: 'Store', label: 'Shop' },
  { value: 'Restaurant', label: 'Restaurant or café' },
  { value: 'ProfessionalService', label: 'Professional service' },
  { value: 'HomeAndConstructionBusiness', label: 'Home services and building' },
  { value: 'HealthAndBeautyBusiness', label: 'Health and beauty' },
  { value: 'AutomotiveBusiness', label: 'Cars and repairs' },
  { value: 'LodgingBusiness', label: 'Guesthouse or hotel' },
  { value: 'EducationalOrganization', label: 'School or training' },
  { value: 'NGO', label: 'Non-profit' },
]

/** The questionnaire, section by section (specification, 2 and 3). */
export const QUESTIONNAIRE: readonly { id: string; title: string; intro: string; questions: readonly Question[] }[] = [
  {
    id: 'website',
    title: 'Website Configuration',
    intro: 'Your type of site, who it’s for and how it should look.',
    questions: [
      { kind: 'select', name: 'websiteType', label: 'Type of website', required: true, choices: WEBSITE_TYPES },
      { kind: 'line', name: 'businessName', label: 'Business name', required: true, autoComplete: 'organization' },
      { kind: 'select', name: 'targetAudience', label: 'Target audience', required: true, choices: TARGET_AUDIENCES },
      {
        kind: 'styles',
        name: 'designStyle',
        label: 'Design style',
        required: true,
        custom: { name: 'customDesignStyle', label: 'Describe your style' },
      },
      {
        kind: 'palettes',
        name: 'brandColorsSelect',
        label: 'Brand colours',
        required: true,
        custom: { name: 'customBrandColors', label: 'Describe your colours' },
      },
      {
        kind: 'select',
        name: 'imageTheme',
        label: 'Image theme',
        choices: IMAGE_THEMES,
        custom: { name: 'customImageTheme', label: 'Describe your pictures' },
      },
      {
        kind: 'select',
        name: 'schemaType',
        label: 'How should Google list you?',
        choices: SCHEMA_TYPES,
      },
      {
        kind: 'line',
        name: 'brandAesthetic',
        label: 'Brand in three words',
        hint: 'For example: honest, quick, local',
      },
      {
        kind: 'line',
        name: 'primaryKeywords',
        label: 'Search terms your customers use',
        hint: 'For example: plumber Pretoria, burst pipe repair',
      },
    ],
  },
  {
    id: 'business',
    title: 'About Your Business',
    intro: 'What you do, and why people choose you.',
    questions: [
      { kind: 'text', name: 'businessDescription', label: 'Business description', required: true },
      {
        kind: 'select',
        name: 'yearsInBusiness',
        label: 'Years in business',
        choices: [
          ...choices('Just starting', 'Less than 1 year'),
          ...['1-2', '3-5', '6-10', '11-20'].map((value) => ({ value, label: `${value.replace('-', '–')} years` })),
          ...choices('More than 20 years'),
        ],
      },
      {
        kind: 'select',
        name: 'numberOfEmployees',
        label: 'Number of employees',
        choices: choices('Just me', '2-5', '6-10', '11-25', '26-50', '51-100', '100+'),
      },
      { kind: 'text', name: 'uniqueSellingPoints', label: 'What sets you apart' },
      { kind: 'text', name: 'businessGoals', label: 'Goals for the next year' },
      { kind: 'line', name: 'website', label: 'Current website', autoComplete: 'url' },
    ],
  },
  {
    id: 'products',
    title: 'Products or Services',
    intro: 'What you sell, where, and at what kind of price.',
    questions: [
      { kind: 'text', name: 'primaryProducts', label: 'Primary products or services', required: true },
      { kind: 'text', name: 'featuredItems', label: 'What to show first' },
      {
        kind: 'line',
        name: 'serviceAreas',
        label: 'Areas you serve',
        hint: 'For example: Cape Town, Northern Suburbs',
      },
      {
        kind: 'select',
        name: 'pricingStructure',
        label: 'Pricing structure',
        choices: choices(
          'Fixed pricing',
          'Hourly rates',
          'Package deals',
          'Subscription/Monthly',
          'Custom quotes',
          'Free consultation',
        ),
      },
      { kind: 'text', name: 'specialOffers', label: 'Special offers' },
    ],
  },
  {
    id: 'contact-details',
    title: 'Contact Information',
    intro: 'Contact details for your website, and for us.',
    questions: [
      {
        kind: 'line',
        name: 'businessAddress',
        label: 'Business address',
        required: true,
        autoComplete: 'street-address',
      },
      { kind: 'line', name: 'phoneNumber', label: 'Phone number', required: true, type: 'tel', autoComplete: 'tel' },
      { kind: 'line', name: 'email', label: 'Email', required: true, type: 'email', autoComplete: 'email' },
      {
        kind: 'line',
        name: 'businessHours',
        label: 'Business hours',
        hint: 'For example: Mon–Fri 08:00–17:00, Sat 08:00–13:00',
      },
      { kind: 'text', name: 'socialMediaLinks', label: 'Social media links' },
    ],
  },
  {
    id: 'more',
    title: 'Additional Information',
    intro: 'Anything else we should know?',
    questions: [
      {
        kind: 'text',
        name: 'additionalRequests',
        label: 'Additional requests',
        hint: 'Pages, functions, sites that you like, a date that matters',
      },
    ],
  },
  {
    id: 'money',
    title: 'Money-making Intelligence',
    intro: 'Your goals, so we can build for results.',
    questions: [
      {
        kind: 'select',
        name: 'mainGoal',
        label: 'Main goal',
        choices: choices(
          'Generate more leads',
          'Increase online sales',
          'Rank #1 on Google',
          'Get more phone calls',
          'Take bookings online',
          'Win larger clients',
          'Show our work',
          'Save time on enquiries',
        ),
      },
      {
        kind: 'select',
        name: 'successMetric',
        label: 'How will you measure success?',
        choices: choices(
          'More phone calls',
          'Better conversion rate',
          'More WhatsApp messages',
          'More online sales',
          'More bookings',
          'Better Google ranking',
          'More visitors',
          'Lower advertising costs',
        ),
      },
      {
        kind: 'select',
        name: 'monthlyBudget',
        label: 'Monthly marketing budget',
        choices: choices(
          'Under R1,000',
          'R1,000-R5,000',
          'R5,000-R10,000',
          'R10,000-R25,000',
          'R25,000+',
          "Sky's the limit",
        ),
      },
      { kind: 'line', name: 'topCompetitors', label: 'Top competitors' },
      { kind: 'text', name: 'currentMarketing', label: 'Current marketing' },
      { kind: 'text', name: 'biggestProblem', label: 'Biggest problem right now' },
    ],
  },
]
