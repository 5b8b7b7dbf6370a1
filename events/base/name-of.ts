/** The value for a word; undefined for a word that is not in the table, such as one that only a newer node knows. */
export const valueFor = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** A word of the API as plain text: `needs_review` is `Needs review`. */
const asText = (word: string) => {
  const text = word.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The staff's name for a value of the API. A value unknown to this page is shown as plain text. */
export const nameOf = (names: Readonly<Record<string, string>>, word: string): string =>
  valueFor(names, word) ?? asText(word)
