import * as v from 'valibot'
import { phonesWritten } from '../../../events/base/phone.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { entered } from '../../../events/lead/entry.ts'

/** Whether a text is an email address that a lead may have. */
export const isEmailAddress = (text: string) => text !== '' && v.is(entered.email, text)

/** The characters between words, and in front of an address, as in `mailto:`. */
const BETWEEN_WORDS = /[\s,;:/|<>()[\]{}]+/

/** The characters that a sentence puts around a word. */
const AROUND_WORD = /^[^\p{L}\p{N}_+-]+|[^\p{L}\p{N}_+-]+$/gu

const emailsIn = (message: string) =>
  message
    .split(BETWEEN_WORDS)
    .map((word) => word.replace(AROUND_WORD, ''))
    .filter(isEmailAddress)

/** The digits in addresses, also of pages, are not phone numbers. */
const isAddress = (word: string) => /@|:\/\/|www\./.test(word)

const phonesIn = (message: string) => {
  const words = message.split(/([\s,;]+)/).map((word) => (isAddress(word) ? '|' : word))
  return phonesWritten(words.join(''))
}

/**
 * The last email address and the last phone number that a visitor wrote in a chat; empty if there is none. Messages
 * from staff do not count.
 */
export const writtenContact = (messages: readonly Pick<ChatMessage, 'senderType' | 'message'>[]) => {
  const texts = messages.filter(({ senderType }) => senderType === 'visitor').map(({ message }) => message)
  return { email: texts.flatMap(emailsIn).at(-1) ?? '', phone: texts.flatMap(phonesIn).at(-1) ?? '' }
}
