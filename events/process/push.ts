import * as v from 'valibot'

/** An index of Postgres takes no longer ones; the services' are a few hundred characters. */
const MAX_ENDPOINT_CHARACTERS = 2_000
const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16

const bytes = (text: string) => Buffer.from(text, 'base64url').length

const endpoint = v.pipe(
  v.string(),
  v.maxLength(MAX_ENDPOINT_CHARACTERS, `Must be at most ${MAX_ENDPOINT_CHARACTERS} characters`),
  v.check((text) => URL.canParse(text), 'Must be an address'),
)

/** A device that wants notifications, as its browser describes it; the body of `POST /api/me/push`. */
export const pushSubscription = v.object({
  endpoint,
  keys: v.object({
    p256dh: v.pipe(
      v.string(),
      v.check((text) => bytes(text) === PUBLIC_KEY_BYTES, `Must be ${PUBLIC_KEY_BYTES} bytes in base64url`),
    ),
    auth: v.pipe(
      v.string(),
      v.check((text) => bytes(text) === AUTH_BYTES, `Must be ${AUTH_BYTES} bytes in base64url`),
    ),
  }),
})

export type PushSubscription = v.InferOutput<typeof pushSubscription>

/** A device that wants no more; the body of `DELETE /api/me/push`. */
export const endedPush = v.object({ endpoint })
