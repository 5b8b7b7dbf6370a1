/** Escapes a text for a pattern of Postgres' `like`. */
export const likeLiteral = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The pattern for Postgres' `like` that matches every text containing `part`. */
export const likePattern = (part: string) => `%${likeLiteral(part)}%`

/**
 * Signs and pieces of two letters have no trigrams: with them the index would be read from end to end, and then all
 * rows.
 */
export const hasTrigrams = (text: string) => /[\p{L}\p{N}]{3}/u.test(text)
