import { createHash } from 'node:crypto'
import type { SiteContent } from '../events/site-content.ts'

/** A picture to serve: its path without the first slash. */
type PhotoFile = { path: string; type: string; file: Buffer }

/**
 * Takes the photos of the people who answer out of the content, so that they load beside the page instead of within it.
 * Their names change with what is in them.
 */
export const withPhotos = (content: SiteContent): { content: SiteContent; files: PhotoFile[] } => {
  const files: PhotoFile[] = []
  const people = content.showcase.people.map((person) => {
    const [, type, base64] = /^data:(image\/\w+);base64,(.+)$/.exec(person.photo ?? '') ?? []
    if (!type || !base64) return person
    const file = Buffer.from(base64, 'base64')
    const path = `people/${createHash('sha256').update(file).digest('hex').slice(0, 16)}`
    files.push({ path, type, file })
    return { ...person, photo: `/${path}` }
  })
  return { content: { ...content, showcase: { ...content.showcase, people } }, files }
}
