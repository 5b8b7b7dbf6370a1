/** Text as it is searched: composed, in lower case, with one space for any white space within, and straight quotes. */
export const asSearched = (text: string): string =>
  text
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .toLowerCase()

/**
 * Searched text without the marks of its letters, so that "zoe" finds Zoë; what then is no ASCII is a `~`. Each piece of
 * ASCII in the text is in this too, beside nothing but ASCII. Undefined where it would be the same.
 */
export const inPlainLetters = (text: string): string | undefined => {
  if (/^[ -~\n]*$/.test(text)) return undefined
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ -~\n]/gu, '~')
}
