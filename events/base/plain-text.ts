/**
 * Controls, characters that change the direction of text, and characters without width. The joiners (U+200C, U+200D)
 * stay: some scripts and emoji need them. U+0000 is left to the schemas that refuse it.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u180E\u200B\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** A text of several lines in its stored form: without invisible characters and surrounding white space. */
export const plainText = (text: string): string => text.replace(UNSEEN, '').trim()

/** A text of one line, such as a name, in its stored form; line breaks become spaces. */
export const plainLine = (text: string): string => plainText(text.replace(BREAKS, ' '))

/** How long a text is that can be seen, in UTF-16 code units: joiners, selectors and fillers alone are nothing. */
export const seenLength = (text: string): number =>
  text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '').trim().length
