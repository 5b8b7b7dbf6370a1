/** Text as it is searched: in lower case, with one space for any white space within, and straight quotes. */
export const asSearched = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .toLowerCase()
