import { createHash } from 'node:crypto'
import { imageDimensionsFromData } from 'image-dimensions'
import { sniffedType } from '../../events/chat/file.ts'
import type { SiteContent } from '../../events/settings/rendered-content.ts'

/** A picture to serve: its path without the first slash. */
type PhotoFile = { path: string; type: string; file: Buffer }

/** A photo's declared type and its bytes; undefined if it is not a data URL of a picture. */
export const readPhoto = (photo: string): Omit<PhotoFile, 'path'> | undefined => {
  const [, type, base64] = /^data:(image\/\w+);base64,(.+)$/.exec(photo) ?? []
  return type && base64 ? { type, file: Buffer.from(base64, 'base64') } : undefined
}

/** A face is shown small. A file of a few kilobytes can contain many more pixels than that. */
const MAX_SIDE_PIXELS = 1_000

/** Returns the reason to refuse a photo, by its bytes and not by its declared type; undefined for a good one. */
export const photoFlaw = (photo: string): string | undefined => {
  const read = readPhoto(photo)
  if (!read || sniffedType(read.file) !== read.type) return 'Choose a WebP, JPEG or PNG picture'
  const { width, height } = imageDimensionsFromData(read.file) ?? { width: 0, height: 0 }
  return Math.max(width, height) > MAX_SIDE_PIXELS ? 'The picture is too large' : undefined
}

/** A name that changes with the content of a photo. */
export const photoTag = (file: Buffer) => createHash('sha256').update(file).digest('hex').slice(0, 16)

/**
 * Moves the photos of the team out of the content, so that they load alongside the page instead of within it. Their
 * names change with their content.
 */
export const withPhotos = (content: SiteContent): { content: SiteContent; files: PhotoFile[] } => {
  const files: PhotoFile[] = []
  const people = content.showcase.people.map((person) => {
    const read = readPhoto(person.photo ?? '')
    if (!read) return person
    const path = `people/${photoTag(read.file)}`
    files.push({ path, ...read })
    return { ...person, photo: `/${path}` }
  })
  return { content: { ...content, showcase: { ...content.showcase, people } }, files }
}
