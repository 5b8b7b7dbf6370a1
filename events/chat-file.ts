import * as v from 'valibot'

/** The largest file that a chat takes, in bytes. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024

/** How many files a chat holds, and how many bytes in all of them. */
export const MAX_FILES_OF_CHAT = 20
export const MAX_FILE_BYTES_OF_CHAT = 50 * 1024 * 1024

/** The longest name of a file, in UTF-16 code units. */
export const MAX_FILE_NAME_CHARACTERS = 200

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0))

/** How the files that a chat takes begin: bytes, by their place. */
const SIGNS = {
  'image/png': [{ at: 0, bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] }],
  'image/jpeg': [{ at: 0, bytes: [0xff, 0xd8, 0xff] }],
  'image/gif': [{ at: 0, bytes: ascii('GIF8') }],
  'image/webp': [
    { at: 0, bytes: ascii('RIFF') },
    { at: 8, bytes: ascii('WEBP') },
  ],
  'application/pdf': [{ at: 0, bytes: ascii('%PDF-') }],
} as const satisfies Record<string, { at: number; bytes: readonly number[] }[]>

export type FileType = keyof typeof SIGNS

/** The types of files that a chat takes. */
export const FILE_TYPES = Object.keys(SIGNS) as FileType[]

/** What a file is, going by its bytes and nothing that anybody says of it; undefined for what a chat does not take. */
export const sniffedType = (file: Uint8Array): FileType | undefined =>
  FILE_TYPES.find((type) =>
    SIGNS[type].every(({ at, bytes }) => bytes.every((byte, index) => file[at + index] === byte)),
  )

/** A file of a message, as an event names it. Its bytes are in a table of their own. `size` is in bytes. */
export const chatFile = v.object({
  id: v.pipe(v.string(), v.uuid()),
  mediaType: v.string(),
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})

export type ChatFile = v.InferOutput<typeof chatFile>
