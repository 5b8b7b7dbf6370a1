import { readFileSync } from 'node:fs'

/** The 3,000 most common passwords of 8 characters or more, most common first (@zxcvbn-ts/language-common, MIT). */
const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
)

declare const isChecked: unique symbol

/** A password that an account may get: it is not among the first few thousand guesses. */
export type AcceptedPassword = string & { readonly [isChecked]: true }

/** Names that strangers know, and guess first. */
export type KnownNames = { username: string; agencyName: string }

/** The message is for the person who chose the password in the field. */
export class GuessablePasswordError extends Error {
  override name = 'GuessablePasswordError'
  readonly field: string

  constructor(message: string, field: string) {
    super(message)
    this.field = field
  }
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase().trim()

/** A name as people write it in a password: without spaces, perhaps with a year or a sign at its end. */
const bare = (text: string) => {
  const letters = plain(text).replace(/[^\p{L}\p{N}]/gu, '')
  return letters.replace(/\p{N}+$/u, '') || letters
}

/**
 * Checks a password for an account.
 *
 * @throws GuessablePasswordError if it is common, or a name that strangers know
 */
export const acceptPassword = (
  password: string,
  { username, agencyName }: KnownNames,
  field = 'password',
): AcceptedPassword => {
  if (COMMON.has(plain(password))) {
    throw new GuessablePasswordError('This is one of the most common passwords: choose another', field)
  }
  if ([username, agencyName].some((name) => name !== '' && bare(name) === bare(password))) {
    throw new GuessablePasswordError('Must not be the username or the agency’s name', field)
  }
  return password as AcceptedPassword
}
