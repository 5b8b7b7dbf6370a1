/**
 * How texts are searched, the same everywhere: leads, chats, the palette. Case, accents, apostrophes and white space do
 * not count; each word of the search has to be in some field, in any order; a telephone number is found however it is
 * written.
 */

import { dialledDigits, phoneKeys, phonesWritten } from '../../base/phone.ts'

/** No searched field is longer: a longer word is found nowhere. */
const MAX_WORD_CHARACTERS = 800

/** The longest words of a search are looked for, at most this many: a pasted page has thousands. */
const MAX_WORDS = 16

/** Fewer digits than this are not a piece of a telephone number. */
const MIN_PIECE_DIGITS = 3

/** Letters that are not a plain letter with a mark, in lower case. */
const LETTERS: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n' },
  ...{ '“': '"', '”': '"', '„': '"', '‐': '-', '‑': '-', '–': '-' },
}

const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** A text in its searchable form. */
export const asSearched = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+|['\u2018\u2019\u02bb\u02bc`\u00b4]/gu, '')
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * A line with a `~` for each character outside ASCII. Each ASCII substring of the line is in this too, next to nothing
 * but ASCII. Undefined if it would be the same.
 */
const inAscii = (line: string) => (/^[ -~]*$/.test(line) ? undefined : line.replace(/[^ -~]/gu, '~'))

/** The searchable text: one line for each field. */
export const searchedLines = (fields: readonly (string | null | undefined)[]): string => {
  const lines = fields.flatMap((field) => (field ? [asSearched(field)] : []))
  return [...lines, ...lines.flatMap((line) => inAscii(line) ?? [])].join('\n')
}

/** The telephone numbers in a text, as dialled. */
export const numbersIn = (text: string): string[] => phonesWritten(text).flatMap(phoneKeys)

/** Several words that form one number are searched as one, however it is written. */
const asNumber = (text: string): string[] | undefined => {
  const digits = /^[\d\s()+./-]+$/.test(text) ? dialledDigits(text) : ''
  return digits.length < MIN_PIECE_DIGITS ? undefined : [text, digits]
}

/** The punctuation that a sentence, or a list of names, puts around a word. */
const AROUND_WORD = /^[,;:.!?()[\]{}"]+|[,;:.!?()[\]{}"]+$/g

/** The longest words, without those that are part of a longer one. */
const longestWords = (words: string[]) => {
  const longest: string[] = []
  for (const word of [...new Set(words)].toSorted((a, b) => b.length - a.length)) {
    if (longest.length === MAX_WORDS) break
    if (!longest.some((longer) => longer.includes(word))) longest.push(word)
  }
  return longest
}

/**
 * The words of a search, longest first, each with its spellings: a match contains one spelling of every word. Words
 * that are `everywhere` are not searched for. A word that is too long for any field has no spellings.
 */
export const searchedWords = (q: string, everywhere = ''): string[][] => {
  const text = asSearched(q)
  if (everywhere.includes(text)) return []
  const number = asNumber(text)
  if (number) return [number]
  const words = text
    .split(/[\s,;]+/)
    .map((word) => word.replace(AROUND_WORD, '') || word)
    .filter((word) => !everywhere.includes(word))
  return longestWords(words).map((word) => (word.length > MAX_WORD_CHARACTERS ? [] : (asNumber(word) ?? [word])))
}

/** Whether `lines`, in their searchable form, contain all words. */
export const holdsAll = (lines: string, words: readonly string[][]): boolean =>
  words.every((spellings) => spellings.some((spelling) => lines.includes(spelling)))
