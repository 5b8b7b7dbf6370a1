import { imageDimensionsFromData } from 'image-dimensions'
import { inNumbers } from '../../events/amount.ts'
import {
  MAX_ANIMATION_PIXELS,
  MAX_PICTURE_PIXELS,
  MAX_PICTURE_SIDE_PIXELS,
  sniffedType,
} from '../../events/chat-file.ts'
import { RequestError } from '../errors.ts'

const MEGAPIXEL = 1_000_000

type Size = { width: number; height: number }

const GIF = { headerBytes: 13, descriptorBytes: 10, image: 0x2c, extension: 0x21, end: 0x3b }

/** How many bytes the table of colours takes that a packed field of a GIF announces. */
const colourTableBytes = (packed = 0) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

const afterBlocks = (gif: Buffer, from: number) => {
  let at = from
  for (let length = gif[at]; length; length = gif[at]) at += 1 + length
  return at + 1
}

/** How far each frame of a GIF reaches. */
const gifFrames = (gif: Buffer): Size[] => {
  const frames: Size[] = []
  let at = GIF.headerBytes + colourTableBytes(gif[10])
  while (at < gif.length && gif[at] !== GIF.end) {
    if (gif[at] === GIF.extension) at = afterBlocks(gif, at + 2)
    else if (gif[at] === GIF.image && at + GIF.descriptorBytes <= gif.length) {
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((offset) => gif.readUInt16LE(at + offset))
      frames.push({ width: left + width, height: top + height })
      const tableBytes = colourTableBytes(gif[at + 9])
      at = afterBlocks(gif, at + GIF.descriptorBytes + tableBytes + 1)
    } else at += 1
  }
  return frames
}

/** How many chunks of a name a PNG has: one announces a frame. */
const countPngChunks = (png: Buffer, name: string) => {
  let count = 0
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === name) count += 1
  }
  return count
}

const countWebpChunks = (webp: Buffer, name: string) => {
  let count = 0
  for (let at = 12; at + 8 <= webp.length; ) {
    if (webp.toString('latin1', at, at + 4) === name) count += 1
    const bytes = webp.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
  }
  return count
}

/** The size that a browser gives a picture, and its number of frames. In a PNG and a WebP no frame is larger than that. */
const measure = (picture: Buffer): (Size & { frames: number }) | undefined => {
  const size = imageDimensionsFromData(picture)
  if (!size?.width || !size.height) return undefined
  const { width, height } = size
  switch (sniffedType(picture)) {
    case 'image/gif': {
      const frames = gifFrames(picture)
      return {
        width: frames.reduce((most, frame) => Math.max(most, frame.width), width),
        height: frames.reduce((most, frame) => Math.max(most, frame.height), height),
        frames: frames.length,
      }
    }
    case 'image/png':
      return { width, height, frames: countPngChunks(picture, 'fcTL') }
    case 'image/webp':
      return { width, height, frames: countWebpChunks(picture, 'ANMF') }
    default:
      return { width, height, frames: 1 }
  }
}

/**
 * Refuses a picture that would take too much memory to show: a small file can hold many pixels. Reads the sizes from the
 * headers of the file and its frames, and decodes nothing. A file without a size is damaged, and refused too.
 * @throws a RequestError with a sentence for the person who sent it.
 */
export const assertShowable = (picture: Buffer): void => {
  const measured = measure(picture)
  if (!measured) {
    throw new RequestError('unsupported_media_type', 'This picture is damaged. Save it again, and send it again.')
  }
  const { width, height, frames } = measured
  const size = `${inNumbers(width)} × ${inNumbers(height)} pixels`
  if (width * height > MAX_PICTURE_PIXELS || Math.max(width, height) > MAX_PICTURE_SIDE_PIXELS) {
    throw new RequestError(
      'body_too_large',
      `This picture has ${size}, which is too many to show. Make it smaller: at most ${MAX_PICTURE_PIXELS / MEGAPIXEL} megapixels, and ${inNumbers(MAX_PICTURE_SIDE_PIXELS)} pixels on its longer side.`,
    )
  }
  if (width * height * frames > MAX_ANIMATION_PIXELS) {
    throw new RequestError(
      'body_too_large',
      `This picture has ${inNumbers(frames)} frames of ${size}, which are too many to show. Make it smaller or shorter: at most ${MAX_ANIMATION_PIXELS / MEGAPIXEL} megapixels in all frames.`,
    )
  }
}
