import { hkdfSync } from 'node:crypto'
import * as v from 'valibot'

/** The fewest characters of a secret. */
const MIN_SECRET_CHARACTERS = 16
const KEY_BYTES = 32

/** What a secret is used for. Each use has a key of its own, so that what one key signs proves nothing elsewhere. */
const USES = ['cookies', 'resume tokens', 'limits', 'places', 'password links'] as const

type Ring = readonly [active: string, ...earlier: string[]]

/** A ring of keys for each use, in base64url: the first one signs, all of them check. */
export type SecretKeys = Readonly<{
  cookies: Ring
  resumeTokens: Ring
  limits: Ring
  places: Ring
  passwordLinks: Ring
}>

const keyFor = (secret: string, use: (typeof USES)[number]) =>
  Buffer.from(hkdfSync('sha256', secret, '', `agency-site ${use}`, KEY_BYTES)).toString('base64url')

/** The keys of some secrets, the active one first (HKDF, RFC 5869: nobody finds a secret or a sibling from a key). */
export const secretKeys = ([active, ...earlier]: Ring): SecretKeys => {
  const ring = (use: (typeof USES)[number]): Ring => [
    keyFor(active, use),
    ...earlier.map((secret) => keyFor(secret, use)),
  ]
  return {
    cookies: ring('cookies'),
    resumeTokens: ring('resume tokens'),
    limits: ring('limits'),
    places: ring('places'),
    passwordLinks: ring('password links'),
  }
}

const EXPECTED = `expected a secret of at least ${MIN_SECRET_CHARACTERS} characters, the same on all nodes`

/**
 * SESSION_SECRET: one secret, or several with commas between them, the active one first. To change it, add the new one
 * behind the old one everywhere, then put it first, and take the old one out when nothing signed by it counts any more.
 */
export const sessionSecret = v.pipe(
  v.string(EXPECTED),
  v.rawTransform(({ dataset, addIssue, NEVER }): SecretKeys => {
    const [active = '', ...earlier] = dataset.value.split(',').map((secret) => secret.trim())
    if ([active, ...earlier].every((secret) => secret.length >= MIN_SECRET_CHARACTERS)) {
      return secretKeys([active, ...earlier])
    }
    addIssue({ message: EXPECTED })
    return NEVER
  }),
)

/**
 * The keys with those of another secret for the links to chats, where that is set (LINKS_SECRET): links are in emails for
 * 30 days, and either secret can be changed at once without the other.
 */
export const withLinksSecret = (keys: SecretKeys, links: SecretKeys | undefined): SecretKeys =>
  links ? { ...keys, resumeTokens: links.resumeTokens } : keys
