/**
 * Owners set greetings that show next to the chat button on a page after some seconds, at most one per page. A visitor
 * who clicks one opens the chat with it; one who closes it sees no other in this visit. None shows in a chat, over a
 * dialog or outside the support hours, unless it is meant to. A chat begun by a greeting sends it with the join and
 * stores it: staff see the text that the visitor replied to. A text that was no greeting within the last day is
 * dropped.
 */

import * as v from 'valibot'
import type { RecordedEvent } from '../base/definition.ts'
import { requiredText } from '../base/text.ts'
import { SITE_PAGES } from './chat-page-names.ts'
import { definePart } from './part.ts'

const MAX_GREETINGS = 10
const MAX_SECONDS = 600
/** How long a page may have been open and still show a greeting that owners have changed since. */
const LONGEST_OPEN_MS = 24 * 60 * 60 * 1_000
const SECONDS = `Enter whole seconds from 0 to ${MAX_SECONDS}`

/** The longest message, in UTF-16 code units. */
export const MAX_GREETING_CHARACTERS = 200

/** A greeting, its page and delay in seconds, and whether it may show outside the support hours. */
export const chatGreeting = v.strictObject({
  page: v.picklist(
    SITE_PAGES.map(({ path }) => path),
    'Choose a page',
  ),
  afterSeconds: v.pipe(v.number(SECONDS), v.integer(SECONDS), v.minValue(0, SECONDS), v.maxValue(MAX_SECONDS, SECONDS)),
  text: requiredText('Write a message', { max: MAX_GREETING_CHARACTERS, lines: true }),
  isAnyTime: v.boolean(),
})

export type ChatGreeting = v.InferOutput<typeof chatGreeting>

/** The limit on the number of greetings. */
export const FEW_GREETINGS = [MAX_GREETINGS, `At most ${MAX_GREETINGS} messages`] as const

/** Whether no two greetings are for the same page. */
export const hasOnePerPage = (greetings: readonly { page: string }[]) =>
  new Set(greetings.map(({ page }) => page)).size === greetings.length

/** The error if two are. */
export const ONE_PER_PAGE = 'A page can have one message'

export const chatGreetingsForm = v.strictObject({
  greetings: v.pipe(
    v.array(chatGreeting),
    v.maxLength(...FEW_GREETINGS),
    v.check((greetings) => hasOnePerPage(greetings), ONE_PER_PAGE),
  ),
})

/**
 * Whether a page may show this greeting at a time: it was set then, or within the day before. `changes` are the newest
 * ones, oldest first.
 */
export const mayShow = (
  text: string,
  at: Date,
  changes: readonly Pick<RecordedEvent<typeof chatGreetingsPart.changed>, 'data' | 'recordedAt'>[],
) =>
  changes.some(({ data }, index) => {
    const replaced = changes[index + 1]?.recordedAt
    const isOver = replaced !== undefined && at.getTime() - replaced.getTime() > LONGEST_OPEN_MS
    return !isOver && data.greetings.some((greeting) => greeting.text === text)
  })

export const chatGreetingsPart = definePart({
  name: 'chat-greetings',
  summary: 'Sets the messages next to the chat button',
  type: 'ChatGreetingsChanged',
  form: chatGreetingsForm,
  apply: ({ greetings }) => greetings,
  initial: [],
})

export const chatGreetingsWire = v.array(
  v.object({ page: v.string(), afterSeconds: v.number(), text: v.string(), isAnyTime: v.boolean() }),
)
