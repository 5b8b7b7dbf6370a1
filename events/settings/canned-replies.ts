import * as v from 'valibot'
import { inRand } from '../base/amount.ts'
import { unknownIn, unknownInWords } from '../base/placeholders.ts'
import { requiredText } from '../base/text.ts'
import { definePart } from './part.ts'
import { DEFAULT_PRICES } from './prices.ts'

const MAX_CANNED_REPLIES = 100
const MAX_REPLY_CHARACTERS = 2_000
/** The maximum size of a request, less a margin. */
const MAX_REPLIES_BYTES = 60_000

const storedReply = {
  shortcut: v.pipe(
    requiredText('A shortcut is required', { max: 30 }),
    v.toLowerCase(),
    v.regex(/^[a-z0-9-]+$/, 'Use letters, digits and hyphens'),
  ),
  text: requiredText('A reply is required', { max: MAX_REPLY_CHARACTERS, lines: true }),
}

/** A reply that staff often use; `/shortcut` in the console inserts it. Nothing in it is filled in. */
const cannedReply = v.strictObject({
  ...storedReply,
  text: v.pipe(
    storedReply.text,
    v.check(
      (text) => unknownIn(text, []).length === 0,
      ({ input }) => unknownInWords(input, []),
    ),
  ),
})

export type CannedReply = v.InferOutput<typeof cannedReply>

export const cannedRepliesForm = v.strictObject({
  replies: v.pipe(
    v.array(cannedReply),
    v.maxLength(MAX_CANNED_REPLIES, `At most ${MAX_CANNED_REPLIES} replies`),
    v.check(
      (replies) => new Set(replies.map(({ shortcut }) => shortcut)).size === replies.length,
      'Shortcuts must be unique',
    ),
    v.check(
      (replies) => new TextEncoder().encode(JSON.stringify(replies)).length <= MAX_REPLIES_BYTES,
      'All replies together are too long: shorten some of them',
    ),
  ),
})

export const cannedRepliesPart = definePart({
  name: 'canned-replies',
  summary: 'Sets the canned replies',
  type: 'CannedRepliesChanged',
  form: cannedRepliesForm,
  // some replies were saved before placeholders were checked
  stored: { replies: v.array(v.strictObject(storedReply)) },
  apply: ({ replies }) => replies,
  initial: [
    { shortcut: 'hello', text: 'Hello, and thank you for reaching out! How can we help you today?' },
    {
      shortcut: 'pricing',
      text: `Our packages start at ${inRand(DEFAULT_PRICES.essential.once)} once-off. May I ask what your business does?`,
    },
    { shortcut: 'quote', text: 'We will send you a written quote by email within 24 hours.' },
  ],
})

export const cannedRepliesWire = v.array(v.object({ shortcut: v.string(), text: v.string() }))
