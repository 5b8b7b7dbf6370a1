import * as v from 'valibot'

const MAX_USER_AGENT_CHARACTERS = 500
/** A page that is older than this is not one that a person has been reading. */
const MAX_OPEN_MS = 30 * 24 * 60 * 60 * 1000

/**
 * The terms that a contract was signed under. `isNamed` is false if the sender named no version, as programs may: these
 * terms were then the current ones. `agreement` is the wording of the checkbox.
 */
export const agreedTerms = v.object({
  version: v.number(),
  sha256: v.string(),
  isNamed: v.boolean(),
  agreement: v.string(),
})

export type AgreedTerms = v.InferOutput<typeof agreedTerms>

const instant = v.nullable(v.pipe(v.string(), v.isoTimestamp()))

/**
 * The evidence of who signed a contract: `signature` is the name as it was typed, `contractSha256` the hash of the filled
 * contract. The times are null if the page ran no script.
 */
export const evidence = v.object({
  signature: v.string(),
  clientAddress: v.string(),
  userAgent: v.nullable(v.string()),
  openedAt: instant,
  tickedAt: instant,
  contractSha256: v.string(),
})

export type Evidence = v.InferOutput<typeof evidence>

const sentDuration = v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_OPEN_MS)), null), null)

const BAD_VERSION = 'The version of the terms has to be a whole number, such as 3'

/**
 * A contract form sends besides its fields: the version of the terms that its page shows, and how long before
 * sending the page was opened and the box was ticked, in milliseconds. The visitor's clock may be wrong.
 */
export const sentEvidence = v.object({
  termsVersion: v.nullish(
    v.pipe(
      v.union([v.string(), v.number()], BAD_VERSION),
      v.transform(String),
      v.regex(/^[1-9]\d{0,5}$/, BAD_VERSION),
      v.transform(Number),
    ),
    null,
  ),
  openedBeforeMs: sentDuration,
  tickedBeforeMs: sentDuration,
})

export type SentEvidence = v.InferOutput<typeof sentEvidence>

/** A browser's name for itself, shortened to what Postgres can store. */
export const storableUserAgent = (text: string | undefined): string | null =>
  text?.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed().replaceAll('\0', '\u{FFFD}') || null
