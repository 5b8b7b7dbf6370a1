import { imageDimensionsFromData } from 'image-dimensions'
import { inNumbers } from '../../../events/base/amount.ts'
import {
  MAX_ANIMATION_PIXELS,
  MAX_PICTURE_PIXELS,
  MAX_PICTURE_SIDE_PIXELS,
  sniffedType,
} from '../../../events/chat/file.ts'
import { RequestError } from '../../http/errors.ts'

const MEGAPIXEL = 1_000_000

/** A film of two minutes: more frames are not counted, however small they are. */
const MAX_FRAMES = 2_000

type Size = { width: number; height: number }

const GIF = { headerBytes: 13, descriptorBytes: 10, image: 0x2c, extension: 0x21, end: 0x3b }

/** The size in bytes of the colour table that a packed field of a GIF announces. */
const colourTableBytes = (packed = 0) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

const afterBlocks = (gif: Buffer, from: number) => {
  let at = from
  for (let length = gif[at]; length; length = gif[at]) at += 1 + length
  return at + 1
}

/** The number of frames of a GIF and the size they cover together; stops counting once there are too many. */
const measureGif = (gif: Buffer, { width, height }: Size) => {
  const measured = { width, height, frames: 0 }
  let at = GIF.headerBytes + colourTableBytes(gif[10])
  while (at < gif.length && gif[at] !== GIF.end && measured.frames <= MAX_FRAMES) {
    if (gif[at] === GIF.extension) at = afterBlocks(gif, at + 2)
    else if (gif[at] === GIF.image && at + GIF.descriptorBytes <= gif.length) {
      measured.width = Math.max(measured.width, gif.readUInt16LE(at + 1) + gif.readUInt16LE(at + 5))
      measured.height = Math.max(measured.height, gif.readUInt16LE(at + 3) + gif.readUInt16LE(at + 7))
      measured.frames += 1
      at = afterBlocks(gif, at + GIF.descriptorBytes + colourTableBytes(gif[at + 9]) + 1)
    } else at += 1
  }
  return measured
}

/** The number of chunks with a name in a PNG: one announces a frame. */
const countPngChunks = (png: Buffer, name: string) => {
  const wanted = Buffer.from(name, 'latin1').readUInt32BE()
  let count = 0
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.readUInt32BE(at + 4) === wanted) count += 1
  }
  return count
}

const countWebpChunks = (webp: Buffer, name: string) => {
  const wanted = Buffer.from(name, 'latin1').readUInt32BE()
  let count = 0
  for (let at = 12; at + 8 <= webp.length; ) {
    if (webp.readUInt32BE(at) === wanted) count += 1
    const bytes = webp.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
  }
  return count
}

/** The size at which a browser shows a picture, and its number of frames. In a PNG or WebP no frame is larger. */
const measure = (picture: Buffer): (Size & { frames: number }) | undefined => {
  const size = imageDimensionsFromData(picture)
  if (!size?.width || !size.height) return undefined
  const { width, height } = size
  switch (sniffedType(picture)) {
    case 'image/gif':
      return measureGif(picture, { width, height })
    case 'image/png':
      return { width, height, frames: countPngChunks(picture, 'fcTL') }
    case 'image/webp':
      return { width, height, frames: countWebpChunks(picture, 'ANMF') }
    default:
      return { width, height, frames: 1 }
  }
}

/**
 * Refuses a picture that would take too much memory to show: a small file can hold many pixels. Reads the sizes from
 * the headers of the file and its frames, and decodes nothing. A file without a size is damaged, and refused too.
 * @throws a RequestError with a sentence for the sender.
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
  if (frames > MAX_FRAMES || width * height * frames > MAX_ANIMATION_PIXELS) {
    throw new RequestError(
      'body_too_large',
      `This picture has ${frames > MAX_FRAMES ? 'over ' : ''}${inNumbers(Math.min(frames, MAX_FRAMES))} frames of ${size}, which are too many to show. Make it smaller or shorter: at most ${MAX_ANIMATION_PIXELS / MEGAPIXEL} megapixels in all frames.`,
    )
  }
}
