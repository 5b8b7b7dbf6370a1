/**
 * Chats take images and PDF files of at most 5 MiB and 40 megapixels (200 in all frames), from both sides. A file's
 * bytes determine its type, never the browser's claim. Files are in a table outside the log, encrypted with the
 * visitor's key. A message also has a text for its file, for emails and outlines. Only the visitor and staff get a
 * file, as a download under a name that the node has cleaned.
 *
 * A node receives at most 8 files of visitors at once and sends at most 8, 4 each per address; staff have the same
 * limits of their own. A chat holds 20 files or 50 MiB. All chats together hold 5 GiB, of which a fifth is reserved for
 * staff; an alert fires when half of the visitors' room is used. A file is deleted with its person, 90 days after the
 * chat's last activity, or after an hour if no message names it. `npm run log -- export` does not include files; a dump
 * does.
 */

import * as v from 'valibot'

const MIB = 1024 * 1024

/** The largest file that a chat takes, in bytes: "5 MB". */
export const MAX_FILE_BYTES = 5 * MIB

/** The most files of one chat, and the most bytes of all of them. */
export const MAX_FILES_OF_CHAT = 20
export const MAX_FILE_BYTES_OF_CHAT = 50 * MIB

/** The most files of all chats together, and the most bytes: strangers must not fill the disk. */
export const MAX_FILES_IN_ALL = 100_000
export const MAX_FILE_BYTES_IN_ALL = 5 * 1024 * MIB

/**
 * The largest picture that chats take: each pixel takes four bytes when shown. 40 megapixels fit a photograph of most
 * phones; a screenshot of a long page is narrow and high.
 */
export const MAX_PICTURE_PIXELS = 40_000_000
export const MAX_PICTURE_SIDE_PIXELS = 20_000

/** The most pixels in all frames of an animated picture: some browsers keep every frame in memory. */
export const MAX_ANIMATION_PIXELS = 200_000_000

/**
 * The longest name of a file, its ending included, in UTF-16 code units: some 240 bytes at most, which every disk
 * takes.
 */
export const MAX_FILE_NAME_CHARACTERS = 80

/** The number of leading bytes that identify a file's type. */
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

/** The files that a chat takes, for people who chose something else. */
export const ACCEPTED_FILES = 'You can send images (PNG, JPEG, WebP, GIF) and PDF files of up to 5 MB.'

const hasSign = (file: Uint8Array, sign: Sign) =>
  sign.every(({ at, bytes }) => bytes.every((byte, index) => file[at + index] === byte))

/** The type of a file by its bytes alone; undefined if a chat does not take it. */
export const sniffedType = (file: Uint8Array): FileType | undefined =>
  FILE_TYPES.find((type) => TYPES[type].signs.some((sign) => hasSign(file, sign)))

/** Names that Windows reserves for devices: no file can be saved under them. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name that a file is saved under. Its extension is that of its own type; characters that hide or turn letters
 * (control characters, bidirectional marks, characters without width) and path separators are removed.
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

/** The text of a message with a file, for emails, searches and pages that do not support files. */
export const fileInWords = ({ name, size }: Pick<ChatFile, 'name' | 'size'>): string =>
  `Sent a file: ${name} (${sizeInWords(size)})`
