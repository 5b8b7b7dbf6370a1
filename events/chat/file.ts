/**
 * Chats take images and PDF files of at most 5 MiB and 40 megapixels (200 in all frames), both ways. A file's bytes tell its type, never
 * what a browser says of it. Files are in a table beside the log, encrypted with the visitor's key. A message names its
 * file in words too, for emails and outlines. Only the visitor and staff get a file, as a download under a name
 * that the node has cleaned.
 *
 * A node takes in at most 8 files of visitors at once and sends at most 8, of one address 4 each; the same number is
 * kept for staff. A chat holds 20 files or 50 MiB. All chats together hold 5 GiB, of which visitors leave a fifth to
 * staff; an alert tells when half of their room is taken. A file goes with its person, 90 days after the chat's last
 * activity, or after an hour if no message names it. `npm run log -- export` does not hold files; a dump does.
 */

import * as v from 'valibot'

const MIB = 1024 * 1024

/** The largest file that a chat takes, in bytes: "5 MB". */
export const MAX_FILE_BYTES = 5 * MIB

/** How many files a chat holds, and how many bytes in all of them. */
export const MAX_FILES_OF_CHAT = 20
export const MAX_FILE_BYTES_OF_CHAT = 50 * MIB

/** How many files all chats hold together, and how many bytes: strangers must not fill the disk. */
export const MAX_FILES_IN_ALL = 100_000
export const MAX_FILE_BYTES_IN_ALL = 5 * 1024 * MIB

/**
 * How large a picture may be that chats take: shown, each pixel takes four bytes. 40 megapixels are a photograph of most
 * phones; a screenshot of a long page is narrow and high.
 */
export const MAX_PICTURE_PIXELS = 40_000_000
export const MAX_PICTURE_SIDE_PIXELS = 20_000

/** How many pixels all frames of an animated picture may have together: some browsers keep every frame. */
export const MAX_ANIMATION_PIXELS = 200_000_000

/**
 * The longest name of a file, its ending included, in UTF-16 code units: some 240 bytes at most, which every disk
 * takes.
 */
export const MAX_FILE_NAME_CHARACTERS = 80

/** As many bytes from the start as tell what a file is. */
export const SIGN_BYTES = 16

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0))

type Sign = readonly { at: number; bytes: readonly number[] }[]

/** The types that a chat takes: how such files begin, one of several ways, and the ending of their names. */
const TYPES = {
  'image/png': { ending: 'png', signs: [[{ at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] }]] },
  'image/jpeg': { ending: 'jpg', signs: [[{ at: 0, bytes: [0xff, 0xd8, 0xff] }]] },
  'image/gif': { ending: 'gif', signs: [[{ at: 0, bytes: ascii('GIF87a') }], [{ at: 0, bytes: ascii('GIF89a') }]] },
  'image/webp': {
    ending: 'webp',
    signs: [
      [
        { at: 0, bytes: ascii('RIFF') },
        { at: 8, bytes: ascii('WEBP') },
      ],
    ],
  },
  'application/pdf': { ending: 'pdf', signs: [[{ at: 0, bytes: ascii('%PDF-') }]] },
} as const satisfies Record<string, { ending: string; signs: readonly Sign[] }>

export type FileType = keyof typeof TYPES

/** The media types of files that a chat takes. */
export const FILE_TYPES = Object.keys(TYPES) as FileType[]

/** What a chat takes, for the person who chose something else. */
export const TAKEN_FILES = 'You can send images (PNG, JPEG, WebP, GIF) and PDF files of up to 5 MB.'

const hasSign = (file: Uint8Array, sign: Sign) =>
  sign.every(({ at, bytes }) => bytes.every((byte, index) => file[at + index] === byte))

/** What a file is, going by its bytes and nothing that anybody says of it; undefined for what a chat does not take. */
export const sniffedType = (file: Uint8Array): FileType | undefined =>
  FILE_TYPES.find((type) => TYPES[type].signs.some((sign) => hasSign(file, sign)))

/** Names that Windows keeps for devices: no file may be saved under them. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name that a file is saved under. The ending is that of its own type; what hides or turns letters (control
 * characters, bidirectional marks, what has no width), and what parts a path, is left out.
 */
export const safeFileName = (given: string, type: FileType): string => {
  const { ending } = TYPES[type]
  const most = MAX_FILE_NAME_CHARACTERS - ending.length - 1
  const stem = given
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]+/g, ' ')
    .replace(/\.[a-z][a-z0-9]{0,7}\s*$/i, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~-]+/, '')
    .slice(0, most)
    .replace(/\p{Cs}/gu, '') // a half of a character
    .replace(/[\s.]+$/, '')
  const isUsable = stem !== '' && !DEVICE.test(stem)
  return `${isUsable ? stem : type.startsWith('image/') ? 'image' : 'document'}.${ending}`
}

const KILOBYTE = 1024

/** A size as people read it. */
export const sizeInWords = (bytes: number): string => {
  const kilobytes = Math.max(1, Math.round(bytes / KILOBYTE))
  return kilobytes < KILOBYTE ? `${kilobytes} kB` : `${(kilobytes / KILOBYTE).toFixed(1)} MB`
}

/** A file of a message, as an event names it. Its bytes are in a table of their own. `size` is in bytes. */
export const chatFile = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  mediaType: v.string(),
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})

export type ChatFile = v.InferOutput<typeof chatFile>

/** The text of a message with a file: what emails, searches and pages that know no files show. */
export const fileInWords = ({ name, size }: Pick<ChatFile, 'name' | 'size'>): string =>
  `Sent a file: ${name} (${sizeInWords(size)})`
