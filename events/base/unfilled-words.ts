/**
 * A placeholder that was not filled in: a few words in braces. Braces with other characters, such as code, are not
 * placeholders.
 */
const PLACEHOLDER = /\{\s*\p{L}[\p{L}\d_ -]{0,38}\}/gu

/** The distinct placeholders in a text, as written. */
const placeholdersIn = (text: string): string[] => [...new Set(text.match(PLACEHOLDER) ?? [])]

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const quoted = (words: readonly string[]) => listed(words.map((word) => `"${word}"`))

/** The placeholders in a text that nothing fills in: all but those of these names. */
export const unknownIn = (text: string, names: readonly string[]): string[] =>
  placeholdersIn(text).filter((word) => !names.some((name) => word === `{${name}}`))

/** Says which placeholders of a text are unknown, and which there are. */
export const unknownInWords = (text: string, names: readonly string[]): string => {
  const unknown = unknownIn(text, names)
  const known =
    names.length === 0 ? 'No placeholders are filled in here.' : `Use ${listed(names.map((name) => `{${name}}`))}.`
  return `${quoted(unknown)} ${unknown.length === 1 ? 'is no placeholder' : 'are no placeholders'}, and would be sent as written. ${known}`
}

/** A question to confirm that a text is sent with placeholders in it; undefined if there are none. */
export const unfilledInWords = (text: string): string | undefined => {
  const left = placeholdersIn(text)
  if (left.length === 0) return undefined
  return `${quoted(left)} ${left.length === 1 ? 'is' : 'are'} not filled in. Correct the text, or send it as written.`
}
