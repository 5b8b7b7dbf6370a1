import { randomBytes, randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnop'

const lettersOf = (bytes: Buffer) => [...bytes].map((byte) => `${ALPHABET[byte >> 4]}${ALPHABET[byte & 15]}`).join('')

/** Unique words, one for each field that is filled in, to find each of them again anywhere. */
export type Marks = {
  /** The word of a field, in lower case; the same each time. */
  of: (field: string) => string
  /** Ten digits, as of a telephone number. */
  number: string
  /** Has these very bytes found as well, also in hexadecimal digits. */
  add: (name: string, bytes: Buffer) => void
  /** All fields that were given a word so far. */
  fields: () => string[]
  /** The fields whose word is in a text or in bytes, in capitals or not. */
  foundIn: (where: string | Buffer) => string[]
}

/** Opens a set of marks. */
export const openMarks = (): Marks => {
  const stem = `zq${lettersOf(randomBytes(4))}`
  const number = `0${randomInt(600_000_000, 899_999_999)}`
  const words = new Map<string, string>()
  const bytesOf = new Map<string, Buffer>()
  return {
    of: (field) => {
      const known = words.get(field)
      if (known) return known
      const index = Buffer.alloc(2)
      index.writeUInt16BE(words.size)
      const word = stem + lettersOf(index)
      words.set(field, word)
      return word
    },
    number,
    add: (name, bytes) => bytesOf.set(name, bytes),
    fields: () => [...words.keys()],
    foundIn: (where) => {
      const text = (typeof where === 'string' ? where : where.toString('latin1')).toLowerCase()
      const found = new Set(text.match(new RegExp(`${stem}[a-p]{4}`, 'g')))
      const bytes = typeof where === 'string' ? Buffer.from(where) : where
      return [
        ...[...words].filter(([, word]) => found.has(word)).map(([field]) => field),
        ...(text.includes(number) ? ['telephone number'] : []),
        ...[...bytesOf]
          .filter(([, wanted]) => bytes.includes(wanted) || text.includes(wanted.toString('hex')))
          .map(([name]) => name),
      ]
    },
  }
}
