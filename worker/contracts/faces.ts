import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const own = (file: string) => new URL(`fonts/${file}`, import.meta.url)

/** The website's face in two weights, each in two files. */
const FILES = {
  regular: [own('besley-latin-400.ttf'), own('besley-latin-ext-400.ttf')],
  bold: [own('besley-latin-700.ttf'), own('besley-latin-ext-700.ttf')],
}

/** A font with nearly every letter of Unicode, for names that the website's face cannot set. */
const FALLBACK = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff'

/** The name of the fallback in a document. */
const FALLBACK_NAME = 'fallback'

export type Weight = keyof typeof FILES

const nameOf = (weight: Weight, index: number) => `${weight}-${index}`

const WOFF_HEADER_BYTES = 44
const WOFF_ENTRY_BYTES = 20
const SFNT_HEADER_BYTES = 12
const SFNT_ENTRY_BYTES = 16

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

/**
 * Unpacks a WOFF 1.0 file. The font engine could read it packed, and would unpack the table of all shapes again for each
 * letter.
 */
const unpacked = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12)
  const header = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES)
  header.writeUInt32BE(woff.readUInt32BE(4), 0)
  header.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let offset = header.length
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER_BYTES + index * WOFF_ENTRY_BYTES
    const [from, packedBytes, bytes, checksum] = [4, 8, 12, 16].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
      number,
    ]
    const stored = woff.subarray(from, from + packedBytes)
    const table = padded(packedBytes < bytes ? inflateSync(stored) : stored)
    const at = SFNT_HEADER_BYTES + index * SFNT_ENTRY_BYTES
    woff.copy(header, at, entry, entry + 4)
    header.writeUInt32BE(checksum, at + 4)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(bytes, at + 12)
    tables.push(table)
    offset += table.length
  }
  return Buffer.concat([header, ...tables])
}

const read = new Map<string, Buffer>()

const readFont = (name: string): Buffer => {
  if (name === FALLBACK_NAME) return unpacked(readFileSync(createRequire(import.meta.url).resolve(FALLBACK)))
  const [weight, index] = name.split('-') as [Weight, string]
  return readFileSync(FILES[weight][Number(index)] as URL)
}

/** A font by its name in documents, read when a text first needs it. */
export const fontSource = (name: string): Buffer => {
  const source = read.get(name) ?? readFont(name)
  read.set(name, source)
  return source
}

/** A stretch of text that one font can set. */
export type Run = { font: string; text: string }

/**
 * Splits text into runs, each in the first font that has its letters; `has` checks a letter. Marks stay with their
 * letter, and a space with the run before it.
 */
export const runsOf = (text: string, weight: Weight, has: (font: string, codePoint: number) => boolean): Run[] => {
  const fonts = FILES[weight].map((_, index) => nameOf(weight, index))
  const runs: Run[] = []
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    const fitting = fonts.find((font) => [...segment].every((letter) => has(font, letter.codePointAt(0) ?? 0)))
    const font = fitting ?? FALLBACK_NAME
    const last = runs.at(-1)
    if (last && (last.font === font || segment === ' ')) last.text += segment
    else runs.push({ font, text: segment })
  }
  return runs
}

const FIRST_FORM = 0xfe80
const LAST_FORM = 0xfefc

/**
 * The forms of Arabic letters by the letter: alone, at the end, at the beginning, in the middle. Unicode lists them in
 * this order; letters with two forms do not join to the next one.
 */
const ARABIC_FORMS = (() => {
  const forms = new Map<string, string[]>()
  for (let code = FIRST_FORM; code <= LAST_FORM; code += 1) {
    const form = String.fromCharCode(code)
    const letter = form.normalize('NFKC')
    forms.set(letter, [...(forms.get(letter) ?? []), form])
  }
  return forms
})()

/** Joins Arabic letters, which the fallback's font does not do by itself. */
export const joinedArabic = (text: string): string => {
  const letters = [...text]
  const isJoiningNext = (letter: string | undefined) => (ARABIC_FORMS.get(letter ?? '')?.length ?? 0) === 4
  const isJoined = (letter: string | undefined) => (ARABIC_FORMS.get(letter ?? '')?.length ?? 0) > 1
  return letters
    .map((letter, index) => {
      const forms = ARABIC_FORMS.get(letter)
      if (!forms) return letter
      const before = isJoiningNext(letters[index - 1]) && isJoined(letter)
      const after = isJoiningNext(letter) && isJoined(letters[index + 1])
      const [alone, end, beginning, middle] = forms
      return (before ? (after ? middle : end) : after ? beginning : alone) ?? letter
    })
    .join('')
}

const RTL = '[\\u0590-\\u08ff\\ufb1d-\\ufefc]'
const RTL_STRETCH = new RegExp(`${RTL}+(?: +${RTL}+)*`, 'gu')

/** Turns the words of stretches that are written from right to left around: the font engine turns the letters. */
export const inVisualOrder = (text: string): string =>
  text.replace(RTL_STRETCH, (stretch) => joinedArabic(stretch).split(' ').reverse().join(' '))
