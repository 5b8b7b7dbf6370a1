import * as v from 'valibot'

const MAX_SEARCH_CHARACTERS = 10_240

/** The `q` of a list: the words to search for. */
export const searchTerm = v.pipe(
  v.string(),
  v.maxLength(MAX_SEARCH_CHARACTERS, `Must be at most ${MAX_SEARCH_CHARACTERS} characters`),
  // text that cannot be stored cannot be found, and Postgres rejects U+0000
  v.transform((text) => text.toWellFormed().replaceAll('\0', '\u{FFFD}').trim()),
)
