import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

/** The fewest characters of a secret. */
const MIN_SECRET_CHARACTERS = 16
const KEY_BYTES = 32

/** The uses of a secret. Each has its own key, so a signature of one use proves nothing elsewhere. */
const USES = ['cookies', 'resume tokens', 'limits', 'places', 'password links', 'contract copies'] as const

type Ring = readonly [active: string, ...earlier: string[]]

/** A ring of keys per use, in base64url: the first one signs, all of them verify. */
export type SigningKeys = Readonly<{
  cookies: Ring
  resumeTokens: Ring
  limits: Ring
  places: Ring
  passwordLinks: Ring
  contractCopies: Ring
}>

const keyFor = (secret: string, use: (typeof USES)[number]) =>
  Buffer.from(hkdfSync('sha256', secret, '', `agency-site ${use}`, KEY_BYTES)).toString('base64url')

/**
 * Derives the keys of some secrets, the active one first (HKDF, RFC 5869: no secret or sibling can be found from a
 * key).
 */
export const signingKeys = ([active, ...earlier]: Ring): SigningKeys => {
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
    contractCopies: ring('contract copies'),
  }
}

const macBy = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Signs a text with the first key of a ring. */
export const signatureOf = ([active]: Ring, text: string): string => macBy(active, text)

/** Whether a signature is that of a text, by any key of a ring. */
export const isSignature = (ring: Ring, text: string, signature: string): boolean => {
  const presented = Buffer.from(signature)
  return ring.some((key) => {
    const expected = Buffer.from(macBy(key, text))
    return presented.length === expected.length && timingSafeEqual(presented, expected)
  })
}

const EXPECTED = `expected a secret of at least ${MIN_SECRET_CHARACTERS} characters, the same on all nodes`

/**
 * SESSION_SECRET: one secret, or several separated by commas, the active one first. To change it, add the new one after
 * the old one everywhere, then put it first, and remove the old one when everything signed with it has expired.
 */
export const sessionSecret = v.pipe(
  v.string(EXPECTED),
  v.rawTransform(({ dataset, addIssue, NEVER }): SigningKeys => {
    const [active = '', ...earlier] = dataset.value.split(',').map((secret) => secret.trim())
    if ([active, ...earlier].every((secret) => secret.length >= MIN_SECRET_CHARACTERS)) {
      return signingKeys([active, ...earlier])
    }
    addIssue({ message: EXPECTED })
    return NEVER
  }),
)

/**
 * Adds the keys of LINKS_SECRET, if it is set, for the links to chats: links are in emails for 30 days, and either
 * secret can be changed at once without the other.
 */
export const withLinksSecret = (keys: SigningKeys, links: SigningKeys | undefined): SigningKeys =>
  links ? { ...keys, resumeTokens: links.resumeTokens } : keys
