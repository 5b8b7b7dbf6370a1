import * as v from 'valibot'

const MAX_CAMPAIGN_CHARACTERS = 150
const MAX_HOST_CHARACTERS = 253
const MAX_PATH_CHARACTERS = 300

/**
 * Text that is cut rather than refused: the addresses that brought a visitor are written by others, and never cost a
 * lead. Characters that Postgres cannot store are replaced.
 */
const clipped = (max: number) =>
  v.fallback(
    v.pipe(
      v.nullish(v.string(), ''),
      v.transform((text) => text.slice(0, max).toWellFormed().replaceAll('\0', '\u{FFFD}').trim() || null),
    ),
    null,
  )

/**
 * How a visitor came to the site: the campaign's UTM parameters, the host that linked here, and the path on which the
 * visit began, without its query. Everything may be unknown.
 */
export const touch = v.object({
  source: clipped(MAX_CAMPAIGN_CHARACTERS),
  medium: clipped(MAX_CAMPAIGN_CHARACTERS),
  campaign: clipped(MAX_CAMPAIGN_CHARACTERS),
  term: clipped(MAX_CAMPAIGN_CHARACTERS),
  content: clipped(MAX_CAMPAIGN_CHARACTERS),
  referrer: clipped(MAX_HOST_CHARACTERS),
  landingPage: clipped(MAX_PATH_CHARACTERS),
})

export type Touch = v.InferOutput<typeof touch>

const sentTouch = v.fallback(v.nullish(touch, null), null)

/** A visitor's first and last touch, as a form sends them; an invalid one counts as unknown. */
export const sentTouches = v.object({ firstTouch: sentTouch, lastTouch: sentTouch })

/** The same in an event: absent if unknown. */
export const recordedTouches = v.object({ firstTouch: v.exactOptional(touch), lastTouch: v.exactOptional(touch) })

export type SentTouches = v.InferOutput<typeof sentTouches>
export type RecordedTouches = v.InferOutput<typeof recordedTouches>

/** Leaves out unknown touches. */
export const recordTouches = ({ firstTouch, lastTouch }: SentTouches): RecordedTouches => ({
  ...(firstTouch && { firstTouch }),
  ...(lastTouch && { lastTouch }),
})
