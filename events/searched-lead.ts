import { LEAD_FORM_TYPE } from './lead.ts'
import { dialledDigits, phoneKey } from './person.ts'
import { asSearched, inPlainLetters } from './searched-text.ts'
import type { Lead } from './wire/lead.ts'

/** No field that is searched is longer in lower case: what is longer is found nowhere. */
const MAX_FIELD_CHARACTERS = 800

/** The longest words of a search are looked for, at most this many: a pasted page has thousands. */
const MAX_WORDS = 16

/** Fewer digits than this are no piece of a telephone number. */
const MIN_PIECE_DIGITS = 3

const EVERY_LEAD_HAS = LEAD_FORM_TYPE.toLowerCase()

type Fields = Pick<Lead, 'name' | 'businessName' | 'email' | 'phone' | 'company'>

/**
 * What a search looks through, as it is searched (specification, 5): a line a field; a number also as it is dialled, and a
 * field with other than plain letters also in plain ones.
 */
export const searchedText = ({ name, businessName, email, phone, company }: Fields): string => {
  const lines = [name, businessName, email, phone, company, phoneKey(phone)].flatMap((field) =>
    field ? [asSearched(field)] : [],
  )
  return [...lines, ...lines.flatMap((line) => inPlainLetters(line) ?? [])].join('\n')
}

/** Several words that are one number are looked for as one, whichever way it is written. */
const asNumber = (text: string): string[] | undefined => {
  const digits = /^[\d\s()+./-]+$/.test(text) ? dialledDigits(text) : ''
  return digits.length < MIN_PIECE_DIGITS ? undefined : [text, digits]
}

/** The longest words, without those that are part of a longer one. */
const telling = (words: string[]) => {
  const kept: string[] = []
  for (const word of [...new Set(words)].toSorted((a, b) => b.length - a.length)) {
    if (kept.length === MAX_WORDS) break
    if (!kept.some((longer) => longer.includes(word))) kept.push(word)
  }
  return kept
}

/**
 * What a lead has to hold to be found by a text: of each word one spelling, in whichever field. Nothing where every
 * lead is found: all have the form type. A word that no field can hold is among the spellings of none: it has none.
 */
export const searchedWords = (q: string): string[][] => {
  const text = asSearched(q)
  if (EVERY_LEAD_HAS.includes(text)) return []
  const number = asNumber(text)
  if (number) return [number]
  const words = text.split(' ').filter((word) => !EVERY_LEAD_HAS.includes(word))
  return telling(words).map((word) => (word.length > MAX_FIELD_CHARACTERS ? [] : (asNumber(word) ?? [word])))
}

/** Whether what is searched in a lead holds all words of a text, each in whichever field. */
export const holdsWords = (lead: Fields, q: string): boolean => {
  const text = searchedText(lead)
  return searchedWords(q).every((spellings) => spellings.some((spelling) => text.includes(spelling)))
}
