import * as v from 'valibot'
import { unknownIn, unknownInWords } from '../base/placeholders.ts'
import { requiredText } from '../base/text.ts'
import { emailSubject, emailText, MAX_ANSWER_CHARACTERS } from '../email/text.ts'
import { definePart } from './part.ts'

const MAX_TEMPLATES = 50
/** A little less than the largest body of a request, in bytes. */
const MAX_TEMPLATES_BYTES = 60_000

/** The variables of a template, each replaced by a lead's own value, or by a default if the lead has none. */
export const TEMPLATE_VARIABLES = {
  name: 'there',
  business: 'your business',
  package: 'website',
  reference: '',
  agency: '',
  me: '',
} as const

export type TemplateVariable = keyof typeof TEMPLATE_VARIABLES

const NAMES = Object.keys(TEMPLATE_VARIABLES)

/** Each placeholder in a text is one that is filled in. */
const onlyKnown = v.check<string, (issue: v.CheckIssue<string>) => string>(
  (text) => unknownIn(text, NAMES).length === 0,
  ({ input }) => unknownInWords(input, NAMES),
)

const stored = {
  name: requiredText('A name is required', { max: 60 }),
  subject: emailSubject,
  text: emailText,
}

/** An email that staff often send; `name` is its label for staff. */
export const emailTemplate = v.strictObject({
  ...stored,
  subject: v.pipe(emailSubject, onlyKnown),
  text: v.pipe(emailText, onlyKnown),
})

const whatsapp = requiredText('A message is required', { max: MAX_ANSWER_CHARACTERS / 10, lines: true })

/** The templates for replies to leads, set by owners: emails, and the text of a WhatsApp message. */
export const answerTemplatesForm = v.strictObject({
  emails: v.pipe(
    v.array(emailTemplate),
    v.maxLength(MAX_TEMPLATES, `At most ${MAX_TEMPLATES} templates`),
    v.check((emails) => new Set(emails.map(({ name }) => name)).size === emails.length, 'Names must be unique'),
    v.check(
      (emails) => new TextEncoder().encode(JSON.stringify(emails)).length <= MAX_TEMPLATES_BYTES,
      'All templates together are too long: shorten some of them',
    ),
  ),
  whatsapp: v.pipe(whatsapp, onlyKnown),
})

export type AnswerTemplates = v.InferOutput<typeof answerTemplatesForm>

/** The templates of an agency that has set none. */
export const DEFAULT_TEMPLATES: AnswerTemplates = {
  emails: [
    {
      name: 'First answer',
      subject: 'Your request to {agency}, reference {reference}',
      text: 'Hello {name},\n\nThank you for your request. When would a short call suit you, so that we can talk about what {business} needs?\n\nKind regards\n{me}\n{agency}',
    },
    {
      name: 'Package details',
      subject: 'The {package} package, reference {reference}',
      text: 'Hello {name},\n\nThank you for your interest in the {package} package. To get started we need your logo, your texts and a few photos. Just answer this email.\n\nKind regards\n{me}\n{agency}',
    },
  ],
  whatsapp: 'Hello {name}, this is {me} from {agency} about your request, reference {reference}. Is now a good time?',
}

/** A template with each `{variable}` replaced; unknown ones stay as written. */
export const fillIn = (template: string, values: Record<TemplateVariable, string>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(TEMPLATE_VARIABLES, name)
      ? values[name as TemplateVariable] || TEMPLATE_VARIABLES[name as TemplateVariable]
      : whole,
  )

export const answerTemplatesPart = definePart({
  name: 'answer-templates',
  summary: 'Sets the templates of answers',
  type: 'AnswerTemplatesChanged',
  form: answerTemplatesForm,
  // some templates were saved before placeholders were checked
  stored: { emails: v.array(v.strictObject(stored)), whatsapp },
  apply: (templates) => templates,
  initial: DEFAULT_TEMPLATES,
})

export const answerTemplatesWire = v.object({
  emails: v.array(v.object({ name: v.string(), subject: v.string(), text: v.string() })),
  whatsapp: v.string(),
})
