import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { requiredText } from '../base/text.ts'
import { unknownIn, unknownInWords } from '../base/unfilled-words.ts'
import { emailSubject, MAX_ANSWER_CHARACTERS } from '../email/written-email.ts'
import { definePart } from './part.ts'
import { DEFAULT_PRICES } from './prices.ts'

const MAX_REPLIES = 100
const MAX_NAME_CHARACTERS = 60
const MAX_CHAT_CHARACTERS = 2_000
const MAX_WHATSAPP_CHARACTERS = MAX_ANSWER_CHARACTERS / 10
/** A little less than the largest body of a request, in bytes. */
const MAX_BYTES = 60_000

/** The variables of a reply, each replaced by a lead's own value, or by a default if the lead has none. */
export const REPLY_VARIABLES = {
  name: 'there',
  business: 'your business',
  package: 'website',
  reference: '',
  agency: '',
  me: '',
} as const

export type ReplyVariable = keyof typeof REPLY_VARIABLES

const NAMES = Object.keys(REPLY_VARIABLES)

/** The word by which `/` finds a reply in chat. */
export const shortcutOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Blank is none. */
const typedSubject = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((typed): string | null | undefined => typed.trim() || null),
)

/** A text that staff often send: in chat, by email (with a subject), by WhatsApp. */
const fields = v.strictObject({
  name: v.pipe(
    requiredText('A name is required', { max: MAX_NAME_CHARACTERS }),
    v.check((name) => shortcutOf(name) !== '', 'Use letters or digits'),
  ),
  subject: v.pipe(typedSubject, v.nullable(emailSubject)),
  text: requiredText('A reply is required', { max: MAX_ANSWER_CHARACTERS, lines: true }),
  chat: v.boolean(),
  email: v.boolean(),
  whatsapp: v.boolean(),
})

type Fields = v.InferOutput<typeof fields>

/** The placeholders that are filled in: none in chat. */
const filledIn = ({ chat }: Pick<Fields, 'chat'>) => (chat ? [] : NAMES)

type Checked<Names extends keyof Fields> = Pick<Fields, Names>

/** One reply; its text is checked for each place that it is for. */
export const reply = v.pipe(
  fields,
  v.forward(
    v.partialCheck(
      [['chat'], ['email'], ['whatsapp']],
      ({ chat, email, whatsapp }: Checked<'chat' | 'email' | 'whatsapp'>) => chat || email || whatsapp,
      'Tick at least one',
    ),
    ['whatsapp'],
  ),
  v.forward(
    v.partialCheck(
      [['email'], ['subject']],
      ({ email, subject }: Checked<'email' | 'subject'>) => !email || subject !== null,
      'A subject is required',
    ),
    ['subject'],
  ),
  v.forward(
    v.partialCheck(
      [['subject']],
      ({ subject }: Checked<'subject'>) => unknownIn(subject ?? '', NAMES).length === 0,
      ({ input }) => unknownInWords((input as Fields).subject ?? '', NAMES),
    ),
    ['subject'],
  ),
  v.forward(
    v.partialCheck(
      [['chat'], ['text']],
      (typed: Checked<'chat' | 'text'>) => unknownIn(typed.text, filledIn(typed)).length === 0,
      ({ input }) => unknownInWords((input as Fields).text, filledIn(input as Fields)),
    ),
    ['text'],
  ),
  v.forward(
    v.partialCheck(
      [['chat'], ['text']],
      ({ chat, text }: Checked<'chat' | 'text'>) => !chat || text.length <= MAX_CHAT_CHARACTERS,
      `At most ${MAX_CHAT_CHARACTERS} characters in chat`,
    ),
    ['text'],
  ),
  v.forward(
    v.partialCheck(
      [['whatsapp'], ['text']],
      ({ whatsapp, text }: Checked<'whatsapp' | 'text'>) => !whatsapp || text.length <= MAX_WHATSAPP_CHARACTERS,
      `At most ${MAX_WHATSAPP_CHARACTERS} characters by WhatsApp`,
    ),
    ['text'],
  ),
  v.transform((typed) => (typed.email ? typed : { ...typed, subject: null })),
)

/** A reply as it is stored. */
export type Reply = v.InferOutput<typeof reply>

export const repliesForm = v.strictObject({
  replies: v.pipe(
    v.array(reply),
    v.maxLength(MAX_REPLIES, `At most ${MAX_REPLIES} replies`),
    v.check(
      (replies) => new Set(replies.map(({ name }) => shortcutOf(name))).size === replies.length,
      'Names must be unique',
    ),
    v.check(
      (replies) => new TextEncoder().encode(JSON.stringify(replies)).length <= MAX_BYTES,
      'All replies together are too long: shorten some of them',
    ),
  ),
})

const IN_CHAT = { subject: null, chat: true, email: false, whatsapp: false }
const BY_EMAIL = { chat: false, email: true, whatsapp: false }

/** The replies of an agency that has set none. */
export const DEFAULT_REPLIES: Reply[] = [
  { name: 'hello', ...IN_CHAT, text: 'Hello, and thank you for reaching out! How can we help you today?' },
  {
    name: 'pricing',
    ...IN_CHAT,
    text: `Our packages start at ${inRand(DEFAULT_PRICES.essential.once)} once-off. May I ask what your business does?`,
  },
  { name: 'quote', ...IN_CHAT, text: 'We will send you a written quote by email within 24 hours.' },
  {
    name: 'First answer',
    ...BY_EMAIL,
    subject: 'Your request to {agency}, reference {reference}',
    text: 'Hello {name},\n\nThank you for your request. When would a short call suit you, so that we can talk about what {business} needs?\n\nKind regards\n{me}\n{agency}',
  },
  {
    name: 'Package details',
    ...BY_EMAIL,
    subject: 'The {package} package, reference {reference}',
    text: 'Hello {name},\n\nThank you for your interest in the {package} package. To get started we need your logo, your texts and a few photos. Just answer this email.\n\nKind regards\n{me}\n{agency}',
  },
  {
    name: 'WhatsApp',
    subject: null,
    chat: false,
    email: false,
    whatsapp: true,
    text: 'Hello {name}, this is {me} from {agency} about your request, reference {reference}. Is now a good time?',
  },
]

/** A reply for chat, by the word that calls it. */
export type ChatReply = { shortcut: string; text: string }

/** The replies for chat. */
export const chatReplies = (replies: readonly Reply[]): ChatReply[] =>
  replies.flatMap(({ chat, name, text }) => (chat ? [{ shortcut: shortcutOf(name), text }] : []))

/** A reply by email. */
export type EmailTemplate = { name: string; subject: string; text: string }

/** The replies by email. */
export const emailTemplates = (replies: readonly Reply[]): EmailTemplate[] =>
  replies.flatMap(({ email, name, subject, text }) => (email ? [{ name, subject: subject ?? '', text }] : []))

/** The text with which a message by WhatsApp begins: the first one that is ticked for it. */
export const whatsappText = (replies: readonly Reply[]): string => replies.find(({ whatsapp }) => whatsapp)?.text ?? ''

/** A text with each `{variable}` replaced; unknown ones stay as written. */
export const fillIn = (template: string, values: Record<ReplyVariable, string>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(REPLY_VARIABLES, name)
      ? values[name as ReplyVariable] || REPLY_VARIABLES[name as ReplyVariable]
      : whole,
  )

export const repliesPart = definePart({
  name: 'replies',
  summary: 'Sets the replies for chat, email and WhatsApp',
  type: 'RepliesChanged',
  form: repliesForm,
  apply: ({ replies }) => replies,
  initial: DEFAULT_REPLIES,
})

export const repliesWire = v.array(
  v.object({
    name: v.string(),
    subject: v.nullable(v.string()),
    text: v.string(),
    chat: v.boolean(),
    email: v.boolean(),
    whatsapp: v.boolean(),
  }),
)
