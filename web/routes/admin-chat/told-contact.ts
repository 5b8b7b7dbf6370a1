import * as v from 'valibot'
import { entered } from '../../../events/lead-entry.ts'
import { phoneKey } from '../../../events/person.ts'
import type { ChatMessage } from '../../../events/wire/chat.ts'

/** Whether a text is an email address that a lead may have. */
export const isEmailAddress = (text: string) => text !== '' && v.is(entered.email, text)

const isPhone = (text: string) => v.is(entered.phone, text) && phoneKey(text) !== null

/** What stands between words, and in front of an address, as in `mailto:`. */
const BETWEEN_WORDS = /[\s,;:/|<>()[\]{}]+/

/** What a sentence puts around a word. */
const AROUND_WORD = /^[^\p{L}\p{N}_+-]+|[^\p{L}\p{N}_+-]+$/gu

const emailsIn = (message: string) =>
  message
    .split(BETWEEN_WORDS)
    .map((word) => word.replace(AROUND_WORD, ''))
    .filter(isEmailAddress)

/** What may stand between two digits of a number. */
const GAP = '[ \\u00a0.\\-–‑]{0,3}'

/** The rest of a number, after as much as tells it from a date, an amount or the number of a document. */
const digits = (count: number | string) => `(?:${GAP}\\d){${count}}`

const WAYS_TO_WRITE = [
  // within South Africa: 082 555 0133, (021) 555-0142
  `(?:\\(0[1-9]\\d\\)|0[1-9]\\d)${digits(7)}`,
  // from abroad: +27 82 555 0133, 0027 (0)82 555 0133
  `(?:\\(\\+27\\)|\\+27|0027)${GAP}(?:\\(0\\)${GAP})?(?:\\([1-9]\\d\\)|[1-9]\\d)${digits(7)}`,
  // without its plus
  '27 ?[1-9]\\d ?\\d{3} ?\\d{4}',
  // of another country
  `\\+(?!27)[1-9]${digits('1,3')}(?:${GAP}\\(\\d{1,4}\\))?${digits('5,11')}`,
]

/** A number that is no part of a longer word or number. */
const NUMBER = new RegExp(`(?<![\\p{L}\\p{N}+_]|\\d[.-])(?:${WAYS_TO_WRITE.join('|')})(?![\\p{L}\\p{N}])`, 'gu')

/** Addresses, of pages too, have digits that are no number. */
const isAddress = (word: string) => /@|:\/\/|www\./.test(word)

const phonesIn = (message: string) => {
  const words = message.split(/([\s,;]+)/).map((word) => (isAddress(word) ? '|' : word))
  return (words.join('').match(NUMBER) ?? []).filter(isPhone)
}

/**
 * The last email address and the last phone number that a visitor wrote in a chat; empty where there is none. What staff
 * wrote does not count.
 */
export const toldContact = (messages: readonly Pick<ChatMessage, 'senderType' | 'message'>[]) => {
  const told = messages.filter(({ senderType }) => senderType === 'visitor').map(({ message }) => message)
  return { email: told.flatMap(emailsIn).at(-1) ?? '', phone: told.flatMap(phonesIn).at(-1) ?? '' }
}
